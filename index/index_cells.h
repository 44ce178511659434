// SPDX-License-Identifier: MIT
/* Functions of an index that depend on the type of its cells (index.h), in a table for each type.
 * Other code calls them by the header's `cell`. */
#ifndef INDEX_INDEX_CELLS_H
#define INDEX_INDEX_CELLS_H

#include "common/base/isa.h"      // enum isa
#include "elimination/symbolic.h" // struct tree, struct structure
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
    const int64_t *entry_of;           /* edge_entry of each edge; NULL: they are looked for */
    int threads;                       /* number of threads, >= 1 */
    enum isa isa;
    struct progress *progress;
    bool is_in_use;                 /* the sections hold an index in use: once they are being
                                       overwritten, progress can no more stop the work */
    const struct distance_index *x; /* an index in memory that may be written; its vertices, order
                                       and higher neighbours are set */
};

struct index_cells {
    const void *(*kernels)(enum isa isa); /* returns the struct index_kernels of an instruction
                                             set */
    /* Finds lengths, middles, edges and labels: all sections that depend on weights. Nothing is
     * written if the elimination fails or memory is not enough: STATUS_NEGATIVE_CYCLE,
     * STATUS_NO_RESOURCE. STATUS_CANCELLED if progress says to stop; the sections are garbage
     * then. */
    enum status (*fill)(const struct index_filling *f, struct error *err);
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
