// SPDX-License-Identifier: MIT
/* The narrowest type in which sums of a graph's weights are exact: int32 or, on a grid, float64. */
#ifndef SOLVE_NARROWEST_H
#define SOLVE_NARROWEST_H

#include "common/graph/graph.h" // struct graph

struct narrowest {
    const struct graph *graph; /* of int32 if all distances fit, else of float64; g or `own` */
    double unit;               /* a length of 1 in it, in the weights of g */
    struct graph own;          /* memory of it, if it had to be made */
};

/* Chooses it for g, whose weights are int32 or, on a grid (solve/grid.h), float64, all of 0 or
 * more. STATUS_BAD_INPUT, in a line that begins with `what`, if integers may add up to 2^52 or
 * more. The caller frees with narrowest_free, also after a failure, and keeps g until then. */
enum status narrowest_choose(const char *what, const struct graph *g, struct narrowest *narrowest,
                             struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void narrowest_free(struct narrowest *narrowest);

#endif
