// SPDX-License-Identifier: MIT
/* Weights that are small multiples of one number. */
#ifndef COMMON_GRAPH_WEIGHT_UNIT_H
#define COMMON_GRAPH_WEIGHT_UNIT_H

#include "common/graph/graph.h" // struct graph

/* The most units that searches by levels take for a weight. */
enum { WEIGHT_STEPS_MOST = 16 };

/* Returns the largest number of which all weights of an int32 graph, or of a graph on a grid in
 * spacings, are multiples: 1 without edges; 0 if some weight is not above 0, or above
 * WEIGHT_STEPS_MOST times that number. O(m), and less if a result of 0 is found early. */
int64_t weight_unit(const struct graph *g);

/* Returns the largest weight in units of weight_unit: 1 without edges; 0 if there is no unit. */
int32_t weight_steps(const struct graph *g);

#endif
