// SPDX-License-Identifier: MIT
/* apsp --demand: loads the trips of a table on the edges of their shortest paths, all or nothing.
 */
#ifndef APSP_MAKE_LOADS_H
#define APSP_MAKE_LOADS_H

#include "cli/solver_main.h" // struct solver_request

/* Reads the trips at `path`, loads them on g, writes the load of each edge to the request's output,
 * and says where the trips went. Trips that have several shortest paths are divided among them.
 * Fails as trips_read and betweenness_find. */
enum status make_loads(const char *path, const struct solver_request *request,
                       const struct graph *g, struct error *err);

#endif
