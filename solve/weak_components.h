// SPDX-License-Identifier: MIT
/* Weakly connected components of a graph: vertices that edges join, whatever their directions. */
#ifndef SOLVE_WEAK_COMPONENTS_H
#define SOLVE_WEAK_COMPONENTS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph

#include <stdint.h>

struct weak_components {
    int32_t count;
    int32_t *of;   /* n: the component of each vertex, numbered by their lowest vertices; NULL if
                      there is only one */
    int32_t *size; /* count: vertices of each; NULL if there is only one */
};

/* Finds the components of g, in O(n + m) almost (Tarjan, "Efficiency of a good but not linear set
 * union algorithm", 1975), and if there is only one as soon as that shows. The caller frees with
 * weak_components_free. */
enum status weak_components_find(const struct graph *g, struct weak_components *components,
                                 struct error *err);

/* Returns how many bytes that takes at most. */
uint64_t weak_components_memory(int32_t n);

/* Safe on a zeroed struct; leaves it zeroed. */
void weak_components_free(struct weak_components *components);

#endif
