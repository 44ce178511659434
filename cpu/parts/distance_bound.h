// SPDX-License-Identifier: MIT
/* A guess at how long distances are, in a fraction of the time it takes to find them. */
#ifndef CPU_PARTS_DISTANCE_BOUND_H
#define CPU_PARTS_DISTANCE_BOUND_H

#include "common/graph/graph.h" // struct graph

#include <stdbool.h>

/* Bytes that it takes for each vertex. */
enum { DISTANCE_BOUND_MEMORY = 2 * sizeof(int64_t) + sizeof(int32_t) };

/* Whether the distances of g, whose weights are >= 0, are probably below `limit`: the lengths of
 * paths from and to one vertex bound every distance in its strongly connected component, and
 * suggest the others. Seldom wrong where it says yes, and often only careful where it says no.
 * O(n + m), little of m where the bound is met easily. False where memory is out. */
bool distance_bound_seems_below(const struct graph *g, int32_t limit);

#endif
