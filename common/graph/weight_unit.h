// SPDX-License-Identifier: MIT
/* Weights that are small multiples of one number. */
#ifndef COMMON_GRAPH_WEIGHT_UNIT_H
#define COMMON_GRAPH_WEIGHT_UNIT_H

#include "common/graph/graph.h" // struct graph

/* Returns the largest number of which all weights of an int32 graph, or of one on a grid in numbers
 * of its spacings, are multiples; 1 without edges; 0 if some weight is below 1 or above `steps`
 * times it. O(m), and less if it soon shows that some weight is. */
int64_t weight_unit(const struct graph *g, int32_t steps);

#endif
