// SPDX-License-Identifier: MIT
/* Makes the labels of an index (index_label.h) from the lengths of its entries. */
#ifndef INDEX_INDEX_LABELS_H
#define INDEX_INDEX_LABELS_H

#include "index/index_cells.h" // struct index_filling, struct index_made

#define index_labels_make BY_LENGTH(index_labels_make)

/* Subtrees that together with the positions above them make up the whole tree. They do not depend
 * on the number of threads, because the order of labels follows from them. */
struct index_subtrees {
    int32_t *size; /* by position, n entries: number of vertices of its subtree */
    int32_t small; /* most vertices of a subtree that one thread works on alone */
    int32_t *root; /* positions of the roots of the largest such subtrees */
    int32_t count; /* number of these roots */
};

/* Returns whether a position of the tree is above all of these subtrees, in none of them. */
static inline bool index_is_top(const struct index_subtrees *s, int32_t at) {
    return s->size[at] > s->small;
}

/* Makes the labels of one direction and stores their places in the vertices of f->x. The lengths of
 * the entries of f->x must be set. `to` has room for the zeros that a section begins with, all
 * cells of all labels and INDEX_PAD more; made->cells, made->row, made->row_cells and
 * made->farthest of this direction are set. STATUS_NO_RESOURCE if there is not enough memory, or if
 * rows have more cells than a place can tell; STATUS_CANCELLED if progress says to stop. */
enum status index_labels_make(const struct index_filling *f, const struct index_subtrees *subtrees,
                              int direction, void *to, struct index_made *made, struct error *err);

#endif
