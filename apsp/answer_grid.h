// SPDX-License-Identifier: MIT
/* The grid of an answer that adds distances up on a grid. */
#ifndef APSP_ANSWER_GRID_H
#define APSP_ANSWER_GRID_H

#include "cli/solver_main.h" // struct solver_request
#include "solve/gridded.h"   // struct gridded

/* Puts the request's graph on the grid that the purpose needs. If `rounds`, and the user leaves the
 * grid to the program, weights that are on no grid are rounded, with a note. If the user asked for
 * a grid, the graph is on it already, and gridded->rounding is the request's. The caller frees with
 * gridded_close, also after a failure. Statuses are those of gridded_open. */
enum status answer_grid_open(struct gridded *gridded, const struct solver_request *request,
                             const struct graph *g, bool rounds, const struct grid_purpose *purpose,
                             struct error *err);

#endif
