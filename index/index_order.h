// SPDX-License-Identifier: MIT
/* Order of an index's graph, whatever the weights: the edges, the order of elimination and the
 * edges that it leaves. */
#ifndef INDEX_INDEX_ORDER_H
#define INDEX_INDEX_ORDER_H

#include "elimination/eliminate.h" // edge_entry
#include "elimination/symbolic.h"  // struct tree, struct structure
#include "index/index.h"

/* The first edge, by its tail and its head, that a graph or an index's graph has and the other has
 * not. */
struct index_difference {
    int32_t tail, head;
    bool is_missing; /* the graph has not got it */
};

/* Returns whether the edges of g, which has as many vertices, are others than those of the index's
 * graph, whatever their weights are, on `threads` >= 1 threads. O(m + entries). */
bool index_differs(const struct distance_index *x, const struct graph *g, int threads,
                   struct index_difference *first);

/* Checks that vertices, order, heads and higher neighbours are those of an elimination:
 * STATUS_REFUTED with the first mistake. */
enum status index_check_tree(const struct distance_index *x, struct error *err);

/* The order and edges that an index in memory keeps, so that it can take new weights. */
struct index_live {
    struct tree tree;
    struct structure structure;
    /* The edges of the graph that was the last one, as that has them; and of each its entry, and
     * the edge that leads back, -1 if there is none. */
    int64_t *first, *back;
    int32_t *head;
    edge_entry *entry;
    void *edges;
};

/* Finds what *live, which is zeroed or of the same index, does not have yet for a graph of the same
 * edges, for which index_differs is false. Statuses are those of index_order. */
enum status index_live_find(const struct distance_index *x, const struct graph *g, int threads,
                            struct index_live *live, struct error *err);

/* Returns whether the edges of g are those that *live has. */
bool index_live_is_of(const struct index_live *live, const struct graph *g);

/* NULL is allowed. */
void index_live_free(struct index_live *live);

/* Makes the tree of the index's order, and its structure. STATUS_BAD_INPUT, with the reason, if the
 * index is damaged; the caller frees both, also after a failure. */
enum status index_order(const struct distance_index *x, struct tree *tree,
                        struct structure *structure, struct error *err);

#endif
