// SPDX-License-Identifier: MIT
/* A graph that stays as it is, together with the grid that its weights are on or with rounded
 * copies of its weights (solve/grid.h). */
#ifndef SOLVE_GRIDDED_H
#define SOLVE_GRIDDED_H

#include "solve/grid.h" // struct grid_purpose, struct grid_rounding

struct gridded {
    struct graph graph; /* shares all memory but `rounded` with the given graph */
    double *rounded;    /* rounded weights, m; NULL: the given graph's weights serve */
    struct grid_rounding rounding;
};

/* Does grid_apply for a copy of g, of which only weights that are rounded take memory. If the
 * purpose needs a grid, float32 weights are treated as float64. The caller keeps g until
 * gridded_close, and frees with gridded_close, also after a failure. Statuses are those of
 * grid_apply, and STATUS_NO_RESOURCE if there is not enough memory. */
enum status gridded_open(struct gridded *gridded, const struct graph *g, double asked,
                         const struct grid_purpose *purpose, const struct progress *progress,
                         struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gridded_close(struct gridded *gridded);

#endif
