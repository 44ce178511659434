// SPDX-License-Identifier: MIT
/* Edges that no shortest path has, because they are heavier than any distance. Of a complete graph
 * whose weights are independent they are nearly all, and solvers that sort, copy or round edges are
 * spared them. Only real weights are looked at: with integers, dense graphs are for matrices, whose
 * work does not depend on the edges. */
#ifndef COMMON_SOLVE_LIGHT_EDGES_H
#define COMMON_SOLVE_LIGHT_EDGES_H

#include "common/graph/graph.h" // struct graph

/* Makes a graph of the edges of g without those that are found to be on no shortest path: it has
 * the distances of g, bit for bit, and the same tight edges. Leaves `light` zeroed if g is as good:
 * if more than half of the edges would stay, if a vertex has few, or if weights are integers or
 * some are below 0. The caller frees it with graph_free. STATUS_CANCELLED if progress says to stop.
 * O(m + n log n), in memory for some numbers for each vertex beside the new graph. */
enum status light_edges_find(const struct graph *g, struct graph *light,
                             const struct progress *progress, struct error *err);

#endif
