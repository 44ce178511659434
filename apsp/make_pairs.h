// SPDX-License-Identifier: MIT
/* apsp --pairs: the distances of the pairs of a table. */
#ifndef APSP_MAKE_PAIRS_H
#define APSP_MAKE_PAIRS_H

#include "cli/solver_main.h" // struct solver_request

/* Reads the pairs at `path`, solves g for their origins with the request's variant, and writes the
 * distance of each pair, in the order of the table, to the request's output; with --check, proves
 * distances before it writes them. Fails as pairs_read and solve_rows. */
enum status make_pairs(const char *path, const struct solver_request *request,
                       const struct graph *g, struct error *err);

#endif
