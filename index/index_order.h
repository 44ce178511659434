// SPDX-License-Identifier: MIT
/* What an index knows of its graph but for weights: the edges, the order of elimination and what
 * the elimination leaves. */
#ifndef INDEX_INDEX_ORDER_H
#define INDEX_INDEX_ORDER_H

#include "elimination/symbolic.h" // struct tree, struct structure
#include "index/index.h"

/* The first edge, by its tail and its head, that a graph or an index's graph has and the other has
 * not. */
struct index_difference {
    int32_t tail, head;
    bool is_missing; /* the graph has not got it */
};

/* Whether the edges of g, which has as many vertices, are others than those of the index's graph,
 * whatever their weights are. O(m + entries). */
bool index_differs(const struct distance_index *x, const struct graph *g,
                   struct index_difference *first);

/* Checks that vertices, order, heads and higher neighbours are those of an elimination:
 * STATUS_REFUTED with the first mistake. */
enum status index_check_tree(const struct distance_index *x, struct error *err);

/* Makes the tree of the index's order, and its structure. STATUS_BAD_INPUT, with the reason, if the
 * index is damaged; the caller frees both, also after a failure. */
enum status index_order(const struct distance_index *x, struct tree *tree,
                        struct structure *structure, struct error *err);

#endif
