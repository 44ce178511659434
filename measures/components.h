// SPDX-License-Identifier: MIT
/* Strongly connected components of a graph. */
#ifndef MEASURES_COMPONENTS_H
#define MEASURES_COMPONENTS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph

#include <stdint.h>

/* How many there are, and the vertices of the largest. A zone (struct graph) is one of its own.
 * O(n + m), one thread, components_memory(n) bytes and, if there are zones, a copy of the graph
 * (Tarjan, "Depth-first search and linear graph algorithms", 1972). */
enum status components_find(const struct graph *g, int32_t *count, int32_t *largest,
                            struct error *err);

/* Writes the number of each vertex's component to component[0 .. n - 1], in a graph without zones:
 * 0
 * .. count - 1, and edges between components lead to lower numbers. */
enum status components_number(const struct graph *g, int32_t *component, int32_t *count,
                              struct error *err);

uint64_t components_memory(int32_t n);

#endif
