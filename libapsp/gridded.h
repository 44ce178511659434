// SPDX-License-Identifier: MIT
/* A caller's graph, which stays as it is, with the grid that its weights are on or with rounded
 * copies of them (solve/grid.h). */
#ifndef LIBAPSP_GRIDDED_H
#define LIBAPSP_GRIDDED_H

#include "libapsp/objects.h" // struct apsp_graph
#include "solve/grid.h"      // struct grid_purpose, struct grid_rounding

struct gridded {
    struct apsp_graph graph; /* shares all memory but `rounded` with the caller's */
    double *rounded;         /* its weights; NULL: they are the caller's */
    struct grid_rounding rounding;
};

/* asked: below 0 for no grid, 0 for the default, or a spacing. The caller frees with gridded_close,
 * also after a failure. Statuses are those of grid_apply. */
enum status gridded_open(struct gridded *g, const apsp_graph *graph, double asked,
                         const struct grid_purpose *purpose, const struct progress *progress,
                         struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void gridded_close(struct gridded *g);

#endif
