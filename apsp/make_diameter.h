// SPDX-License-Identifier: MIT
/* apsp --diameter: diameter and radius by bounds, and the eccentricities of all vertices. */
#ifndef APSP_MAKE_DIAMETER_H
#define APSP_MAKE_DIAMETER_H

#include "cli/solver_main.h" // struct solver_request

/* Finds the diameter and the radius of g, and says them. If --output is given, it finds all
 * eccentricities and writes them there, a row for each vertex. With --check, proves all distances
 * from which eccentricities follow. only_plans: only says how long that would take. Fails as
 * eccentricities_find. */
enum status make_diameter(const struct solver_request *request, const struct graph *g,
                          bool only_plans, struct error *err);

#endif
