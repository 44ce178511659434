// SPDX-License-Identifier: MIT
/* apsp --diameter: diameter and radius by bounds, and the eccentricities of all vertices. */
#ifndef APSP_MAKE_DIAMETER_H
#define APSP_MAKE_DIAMETER_H

#include "cli/solver_main.h" // struct solver_request

/* Finds the diameter and the radius of g, and says them. If --output is given, it finds all
 * eccentricities and writes them there, a row for each vertex. With --check, all distances that
 * they follow from are proved. only_plans: it only says how long it would take. Fails as
 * eccentricities_find. */
enum status make_diameter(const struct solver_request *request, const struct graph *g,
                          bool only_plans, struct error *err);

#endif
