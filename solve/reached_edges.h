// SPDX-License-Identifier: MIT
/* Leaves out edges that start at vertices that the sources do not reach, because no path from a
 * source has them. Without them, a negative cycle that no source reaches is no obstacle. */
#ifndef SOLVE_REACHED_EDGES_H
#define SOLVE_REACHED_EDGES_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources

/* Makes a graph of the vertices of g and the edges that start at vertices that the sources reach:
 * its rows of the sources are those of g. Leaves `reached` zeroed if no weight of g is below 0, or
 * if the sources reach all vertices. The caller frees it with graph_free. STATUS_CANCELLED if
 * progress says to stop. O(n + m). */
enum status reached_edges_find(const struct graph *g, const struct row_sources *sources,
                               struct graph *reached, const struct progress *progress,
                               struct error *err);

#endif
