// SPDX-License-Identifier: MIT
/* Functions of an index that depend on the type of its cells (index.h), in a table for each type.
 * Other code calls them by the header's `cell`. */
#ifndef INDEX_INDEX_CELLS_H
#define INDEX_INDEX_CELLS_H

#include "common/base/isa.h"       // enum isa
#include "elimination/eliminate.h" // edge_entry, struct tree, struct structure
#include "index/index.h"

#define index_cells_here BY_LENGTH(index_cells)

struct index_targets;

/* Input for writing the cells and entries of an index. */
struct index_filling {
    const struct graph *g; /* graph whose lengths, edge_length() of elimination/eliminate.h, cells
                              can hold */
    const struct tree *tree;
    const struct structure *structure; /* structure of the elimination of all vertices; positions
                                          are the index's order backwards */
    const edge_entry *entry_of;        /* entry of each edge; NULL: they are looked for */
    int threads;                       /* number of threads, >= 1 */
    enum isa isa;
    struct progress *progress;
    const struct distance_index *x; /* an index in memory that is written; its vertices but the
                                       places of labels, order, higher neighbours and the bits of
                                       edges are set */
    void *labels;                   /* room for the labels of all directions, each rounded up to a
                                       multiple of 64 bytes */
};

/* Returns the number of the first entry of a position. Entries are in the order of positions
 * backwards. */
static inline uint64_t index_first_entry_at(const struct tree *tree,
                                            const struct structure *structure, int32_t position) {
    return (uint64_t)(structure->first[tree->n] - structure->first[position + 1]);
}

/* Sizes of the labels that were made, and the rows, which are not in the image yet. */
struct index_made {
    uint64_t cells[2]; /* number of cells of each direction's labels, without INDEX_PAD zeros */
    int32_t *row[2];   /* rows of each direction's labels with INDEX_PAD zeros at the end, which the
                          caller frees with memory_free; NULL: cells are float64 */
    uint64_t
        row_cells[2]; /* number of cells of each direction's rows, without these INDEX_PAD zeros */
    double farthest[2]; /* largest distance to the roots of the tree, out [0] and in [1], in cells;
                           LENGTH_INF: some vertex has no path to its root */
};

struct index_cells {
    const void *(*kernels)(enum isa isa); /* returns the struct index_kernels of an instruction
                                             set */
    /* Finds lengths, middles, labels and the places of labels: all that depends on weights.
     * *made is zeroed at first; its rows are the caller's also after a failure.
     * STATUS_NEGATIVE_CYCLE, STATUS_NO_RESOURCE; STATUS_CANCELLED if progress says to stop. */
    enum status (*fill)(const struct index_filling *f, struct index_made *made, struct error *err);
    /* The functions with these names in index_query.h and index_check.c. */
    double (*distance)(const struct distance_index *x, int32_t from, int32_t to);
    void (*distances)(const struct distance_index *x, const int32_t *from, const int32_t *to,
                      int64_t count, void *distance, int threads);
    enum status (*find_rows)(const struct distance_index *x, const struct index_targets *targets,
                             const int32_t *source, int32_t count, void *const *row,
                             struct error *err);
    enum status (*graph)(const struct distance_index *x, struct graph *g, struct error *err);
    enum status (*path)(const struct distance_index *x, int32_t from, int32_t to, int32_t *path,
                        int32_t *length, struct error *err);
    enum status (*check_vertex)(const struct distance_index *x, const struct graph *g, int32_t v,
                                struct error *err);
};

extern const struct index_cells index_cells, index_cells_f64;

#endif
