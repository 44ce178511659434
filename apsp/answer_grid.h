// SPDX-License-Identifier: MIT
/* The grid of an answer that has distances summed on one. */
#ifndef APSP_ANSWER_GRID_H
#define APSP_ANSWER_GRID_H

#include "cli/solver_main.h" // struct solver_request
#include "solve/gridded.h"   // struct gridded

/* Puts the request's graph on the grid that the purpose needs. Weights on no grid are rounded, with
 * a note, if `rounds` and the user leaves the choice of the grid to the program. A grid that was
 * asked for is the graph's already: then gridded->rounding is the request's. The caller frees with
 * gridded_close, also after a failure. Statuses are those of gridded_open. */
enum status answer_grid_open(struct gridded *gridded, const struct solver_request *request,
                             const struct graph *g, bool rounds, const struct grid_purpose *purpose,
                             struct error *err);

#endif
