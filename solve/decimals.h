// SPDX-License-Identifier: MIT
/* Decimal weights as integers, which add up as on paper: 0.1 + 0.2 is 0.3, and two paths are
 * equally long if their decimals say so. */
#ifndef SOLVE_DECIMALS_H
#define SOLVE_DECIMALS_H

#include "common/graph/graph.h" // struct graph

/* Makes the float64 graph of the weights of a real graph times the least power of ten that makes
 * all of them integers, on their grid (solve/grid.h), and stores that power. Stores 1 and makes no
 * graph if no power up to 10^9 does so, if the weights are integers or on a grid already, or if
 * distances may be 2^52 or more. The caller frees the graph with graph_free. Takes O(m) and the
 * time of grid_find. */
enum status decimals_graph(const struct graph *g, struct graph *integers, double *power,
                           const struct progress *progress, struct error *err);

#endif
