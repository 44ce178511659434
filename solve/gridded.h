// SPDX-License-Identifier: MIT
/* A graph that stays as it is, with the grid that its weights are on or with rounded copies of them
 * (solve/grid.h). */
#ifndef SOLVE_GRIDDED_H
#define SOLVE_GRIDDED_H

#include "solve/grid.h" // struct grid_purpose, struct grid_rounding

struct gridded {
    struct graph graph; /* shares all memory but `rounded` with the given one */
    double *rounded;    /* its weights; NULL: they are those of the given one */
    struct grid_rounding rounding;
};

/* Does grid_apply for a copy of g, of which only weights that are rounded take memory. Weights of
 * float32, which are numbers of float64 as well, count as such if the purpose needs a grid. The
 * caller keeps g as long, and frees with gridded_close, also after a failure. Statuses are those of
 * grid_apply, and STATUS_NO_RESOURCE if there is not enough memory. */
enum status gridded_open(struct gridded *gridded, const struct graph *g, double asked,
                         const struct grid_purpose *purpose, const struct progress *progress,
                         struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gridded_close(struct gridded *gridded);

#endif
