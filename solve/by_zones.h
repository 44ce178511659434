// SPDX-License-Identifier: MIT
/* Solves a graph with zones, through which no path leads, as the graph in which they are split
 * (common/graph/zones.h), so that no variant has to know of zones. */
#ifndef SOLVE_BY_ZONES_H
#define SOLVE_BY_ZONES_H

#include "solve/solve.h" // struct solve_request

/* Does what solve_rows does for a graph that has zones. The sink gets rows in the memory of the
 * host, never totals. */
enum status solve_by_zones(const struct solver_variant *variant,
                           const struct solve_request *request, struct row_sink *sink,
                           struct timing *timing, struct error *err);

#endif
