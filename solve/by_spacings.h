// SPDX-License-Identifier: MIT
/* Solves a graph on a grid (grid.h) with short distances as one of int32, whose weights are numbers
 * of spacings: so every engine for integers, totals and proofs included, takes real weights. */
#ifndef SOLVE_BY_SPACINGS_H
#define SOLVE_BY_SPACINGS_H

#include "solve/solve.h" // struct solve_request

/* Makes the int32 graph of the numbers of spacings that the weights of g are, for which
 * grid_fits_int32. Weights above all distances are cut off at INF. The caller frees it with
 * graph_free. */
enum status spacings_graph_make(const struct graph *g, struct graph *spacings, struct error *err);

/* Returns how many bytes it takes beside the solve of that graph. */
uint64_t spacings_memory(int32_t n, int64_t m, int threads);

/* Does what solve_rows does for a graph for which grid_fits_int32. */
enum status solve_by_spacings(const struct solver_variant *variant,
                              const struct solve_request *request, struct row_sink *sink,
                              struct timing *timing, struct error *err);

#endif
