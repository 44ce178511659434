// SPDX-License-Identifier: MIT
/* Weakly connected components of a graph: vertices that edges join, whatever their directions. */
#ifndef SOLVE_WEAK_COMPONENTS_H
#define SOLVE_WEAK_COMPONENTS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph

#include <stdint.h>

struct weak_components {
    int32_t count;
    int32_t *of;   /* n: component of each vertex; components are numbered by their lowest vertices;
                      NULL: there is only one */
    int32_t *size; /* count: number of vertices of each component; NULL: there is only one */
};

/* Finds the components of g, in almost O(n + m) (Tarjan, "Efficiency of a good but not linear set
 * union algorithm", 1975); stops early if there is only one. The caller frees with
 * weak_components_free. */
enum status weak_components_find(const struct graph *g, struct weak_components *components,
                                 struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void weak_components_free(struct weak_components *components);

#endif
