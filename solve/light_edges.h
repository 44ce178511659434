// SPDX-License-Identifier: MIT
/* Finds edges that no shortest path has, because they are heavier than any distance. In a complete
 * graph with independent weights nearly all edges are, and without them solvers have less to sort,
 * copy and round. Only real weights are considered: dense graphs of integers are for matrix
 * engines, whose work does not depend on the number of edges. */
#ifndef SOLVE_LIGHT_EDGES_H
#define SOLVE_LIGHT_EDGES_H

#include "common/graph/graph.h" // struct graph

/* Numbers of edges for each vertex from which on it pays to look for light edges; with fewer,
 * leaving some out saves little. A GPU sorts edges by weight and reads no further than it has to.
 * Up to the number that it sorts at once, that takes less time than the host's look; more edges may
 * be too many for its memory. */
enum { LIGHT_EDGES_OF_MANY = 32, LIGHT_EDGES_OF_MANY_ON_GPU = 1024 };

/* Makes a graph of the edges of g without edges that are found to be on no shortest path. Its
 * distances are those of g, bit for bit, and so are its tight edges. Leaves `light` zeroed if that
 * would not pay: if more than half of the edges would stay, if there are less than `many` for each
 * vertex, or if weights are integers or some are below 0. The caller frees it with graph_free.
 * STATUS_CANCELLED if progress says to stop. Time O(m + n log n), memory O(n) in addition to the
 * new graph. */
enum status light_edges_find(const struct graph *g, int64_t many, struct graph *light,
                             const struct progress *progress, struct error *err);

#endif
