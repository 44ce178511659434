// SPDX-License-Identifier: MIT
/* Paths of fewest edges, which are found faster than shortest ones. */
#ifndef SOLVE_FEWEST_EDGES_H
#define SOLVE_FEWEST_EDGES_H

#include "common/graph/graph.h" // struct graph

#include <stdbool.h>

/* Stores whether each vertex that `from` reaches has a path below the limit, up to INF, that is the
 * shortest extension by an edge of such paths to vertices nearer by one edge: then all distances
 * from `from` are below the limit. Weights are integers >= 0. A breadth-first search, O(n + m), on
 * up to `threads` threads or threads_or_default(0). */
enum status fewest_edges_are_below(const struct graph *g, int32_t from, int32_t limit, int threads,
                                   bool *below, struct error *err);

#endif
