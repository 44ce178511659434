// SPDX-License-Identifier: MIT
/* Edges that no shortest path has, because they are heavier than any distance. Of a complete graph
 * whose weights are independent they are nearly all, and solvers that sort, copy or round edges are
 * spared them. Only real weights are looked at: with integers, dense graphs are for matrices, whose
 * work does not depend on the edges. */
#ifndef SOLVE_LIGHT_EDGES_H
#define SOLVE_LIGHT_EDGES_H

#include "common/graph/graph.h" // struct graph

/* Edges for each vertex from which on it pays to look for light ones: of fewer, leaving some out
 * saves little. A GPU sorts by weight and reads no further than it has to, which takes it less time
 * than the host takes to look, up to as many edges as it sorts at once; more may also be too many
 * for its memory. */
enum { LIGHT_EDGES_OF_MANY = 32, LIGHT_EDGES_OF_MANY_ON_GPU = 1024 };

/* Makes a graph of the edges of g without those that are found to be on no shortest path: it has
 * the distances of g, bit for bit, and the same tight edges. Leaves `light` zeroed if g is as good:
 * if more than half of the edges would stay, if there are less than `many` for each vertex, or if
 * weights are integers or some are below 0. The caller frees it with graph_free. STATUS_CANCELLED
 * if progress says to stop. O(m + n log n), in memory for some numbers for each vertex beside the
 * new graph. */
enum status light_edges_find(const struct graph *g, int64_t many, struct graph *light,
                             const struct progress *progress, struct error *err);

#endif
