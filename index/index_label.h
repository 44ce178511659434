// SPDX-License-Identifier: MIT
/* The label of a vertex as it is stored, for the type of cells that is being compiled for
 * (common/base/length.h).
 *
 * Labels of vertices that are near each other differ by little. So a label of int32 is stored as
 * differences of 16 bits from a row: the label of some ancestor, followed by zeros. Cell k is the
 * row's cell k plus a number of the label's own plus difference k, and INF if that difference is
 * INDEX_NO_PATH. The label of an ancestor that is a row itself has the differences 0, which stand
 * once at the beginning of the section. A vertex with one higher neighbour, its parent, has the
 * parent's distances and the length of the edge: such a label shares the parent's row and
 * differences, and its number is larger by that length. Only its last cell, the distance to the
 * vertex itself, is not there.
 *
 * A label of float64 is stored as it is. */
#ifndef INDEX_INDEX_LABEL_H
#define INDEX_INDEX_LABEL_H

#include "index/index.h"

enum {
    INDEX_PAD = 16,             /* most cells beyond a label that kernels read */
    INDEX_ROW_STEP = 4,         /* number of cells of which the length of a row is a multiple */
    INDEX_NO_PATH = UINT16_MAX, /* difference that stands for no path */
};

#define index_label BY_LENGTH(index_label)

/* A label in the sections. */
struct index_label {
#ifdef LENGTH_F64
    const double *cell;
#else
    const uint16_t *difference;
    const int32_t *row;
    int32_t added;
#endif
    uint32_t cells; /* number of cells that are stored: all, or all but the last one, which is 0 */
};

/* Returns whether the label of a vertex lies inside the sections. */
static inline bool index_has_label(const struct distance_index *x, int direction,
                                   const struct index_vertex *v) {
    const uint64_t cells = v->labels - (uint64_t)index_is_of_parent(v);
    return v->labels > 0 && index_label_place(v) + cells <= x->label_cells[direction] &&
           (x->header.cell != sizeof(int32_t) ||
            (uint64_t)v->row * INDEX_ROW_STEP + cells <= x->row_cells[direction]);
}

/* Returns the label of a vertex, which must lie inside the sections. */
static inline struct index_label index_label_of(const struct distance_index *x, int direction,
                                                const struct index_vertex *v) {
    return (struct index_label){
#ifdef LENGTH_F64
        .cell = (const double *)x->label[direction] + index_label_place(v),
#else
        .difference = (const uint16_t *)x->label[direction] + index_label_place(v),
        .row = x->row[direction] + (uint64_t)v->row * INDEX_ROW_STEP,
        .added = (int32_t)((int64_t)v->label >> INDEX_PLACE_BITS),
#endif
        .cells = v->labels - index_is_of_parent(v),
    };
}

/* Returns cell k of a label, also if it is not stored. Sums may wrap around, because a damaged file
 * may hold any numbers. */
static inline path_length index_cell_at(const struct index_label *label, uint32_t k) {
    if (k >= label->cells)
        return 0;
#ifdef LENGTH_F64
    return label->cell[k];
#else
    if (label->difference[k] == INDEX_NO_PATH)
        return LENGTH_INF;
    return (int32_t)((uint32_t)label->row[k] + (uint32_t)label->added + label->difference[k]);
#endif
}

#endif
