// SPDX-License-Identifier: MIT
/* Parts of an index that do not depend on weights: the graph's edges, the order of elimination, and
 * the edges that it leaves. */
#ifndef INDEX_INDEX_ORDER_H
#define INDEX_INDEX_ORDER_H

#include "elimination/eliminate.h" // edge_entry
#include "elimination/symbolic.h"  // struct tree, struct structure
#include "index/index.h"

/* An edge that only one of a graph and an index's graph has. */
struct index_difference {
    int32_t tail, head;
    bool is_missing; /* true: the index has the edge, and the graph has not */
};

/* Returns whether the edges of g differ from those of the index's graph; weights do not matter.
 * Stores the first edge that differs, by tail, then by head. g must have as many vertices. Runs on
 * `threads` >= 1 threads in O(m + entries). */
bool index_differs(const struct distance_index *x, const struct graph *g, int threads,
                   struct index_difference *first);

/* Checks that vertices, order, heads and higher neighbours are those of an elimination:
 * STATUS_REFUTED with the first mistake. */
enum status index_check_tree(const struct distance_index *x, struct error *err);

/* The order and the edges that an index in memory keeps for updates of weights. */
struct index_live {
    struct tree tree;
    struct structure structure;
    /* The edges of the last graph, in its order. entry: entry of each edge; back: number of the
     * reverse edge, -1: none. */
    int64_t *first, *back;
    int32_t *head;
    edge_entry *entry;
    void *edges;
    void *spare; /* image of an index that was replaced, memory for the next update; NULL: none */
    uint64_t spare_bytes;             /* bytes of the memory of `spare` */
    struct index_header spare_header; /* header of the index whose image `spare` is */
};

/* Finds the parts that *live lacks for a graph g with the edges of the index (index_differs is
 * false). *live is zeroed, or from an earlier call for the same index. Statuses are those of
 * index_order. */
enum status index_live_find(const struct distance_index *x, const struct graph *g, int threads,
                            struct index_live *live, struct error *err);

/* Returns whether g has the edges that *live has, in the same order. */
bool index_live_is_of(const struct index_live *live, const struct graph *g);

/* Frees *live; live may be NULL. */
void index_live_free(struct index_live *live);

/* Makes the elimination tree of the index's order, and the structure of the elimination.
 * STATUS_BAD_INPUT, with the reason, if the index is damaged; the caller frees both, also after a
 * failure. */
enum status index_order(const struct distance_index *x, struct tree *tree,
                        struct structure *structure, struct error *err);

#endif
