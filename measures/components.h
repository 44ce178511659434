// SPDX-License-Identifier: MIT
/* Strongly connected components of a graph. */
#ifndef MEASURES_COMPONENTS_H
#define MEASURES_COMPONENTS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph

#include <stdint.h>

/* Stores the number of components, and the number of vertices of the largest one. A zone (struct
 * graph) is a component of its own. O(n + m), one thread, components_memory(n) bytes and, if there
 * are zones, a copy of the graph (Tarjan, "Depth-first search and linear graph algorithms", 1972).
 */
enum status components_find(const struct graph *g, int32_t *count, int32_t *largest,
                            struct error *err);

/* Writes the number of each vertex's component to component[0 .. n - 1], in a graph without zones.
 * Numbers are 0 .. count - 1; edges between components lead to lower numbers. */
enum status components_number(const struct graph *g, int32_t *component, int32_t *count,
                              struct error *err);

uint64_t components_memory(int32_t n);

#endif
