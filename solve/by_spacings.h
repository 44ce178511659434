// SPDX-License-Identifier: MIT
/* Solves a graph of real weights on a grid (grid.h) as an int32 graph whose weights are numbers of
 * spacings, if distances are short enough. So every engine for integers takes real weights, totals
 * and proofs included. */
#ifndef SOLVE_BY_SPACINGS_H
#define SOLVE_BY_SPACINGS_H

#include "solve/solve.h" // struct solve_request

/* Makes the int32 graph whose weights are those of g in spacings of its grid; grid_fits_int32(g)
 * must hold. Weights above all distances are cut off at INF. The caller frees it with graph_free.
 */
enum status spacings_graph_make(const struct graph *g, struct graph *spacings, struct error *err);

/* Returns how many bytes solve_by_spacings takes in addition to the solve of the int32 graph. */
uint64_t spacings_memory(int32_t n, int64_t m, int threads);

/* Does what solve_rows does for a graph for which grid_fits_int32. */
enum status solve_by_spacings(const struct solver_variant *variant,
                              const struct solve_request *request, struct row_sink *sink,
                              struct timing *timing, struct error *err);

#endif
