// SPDX-License-Identifier: MIT
/* The narrowest type in which sums of a graph's weights are exact: int32 or, on a grid, float64. */
#ifndef SOLVE_NARROWEST_H
#define SOLVE_NARROWEST_H

#include "common/graph/graph.h" // struct graph

struct narrowest {
    const struct graph *graph; /* g or `own`; of int32 if all distances fit, otherwise of float64 */
    double unit;               /* length in g that a length of 1 in `graph` stands for */
    struct graph own;          /* memory of a graph that was made; zero: none was */
};

/* Refuses with STATUS_BAD_INPUT, in a message that begins with `what`, a graph that
 * narrowest_choose() does not take: weights below 0, real ones that are on no grid, and integers
 * that may add up to 2^52 or more. others: what else takes weights below 0; exact: what a grid
 * makes exact. */
enum status narrowest_check(const char *what, const struct graph *g, const char *others,
                            const char *exact, struct error *err);

/* Chooses the type for g, whose weights are int32 or, on a grid (solve/grid.h), float64, all of 0
 * or more. STATUS_BAD_INPUT, in a message that begins with `what`, if integers may add up to 2^52
 * or more. The caller frees with narrowest_free, also after a failure, and keeps g until then. */
enum status narrowest_choose(const char *what, const struct graph *g, struct narrowest *narrowest,
                             struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void narrowest_free(struct narrowest *narrowest);

#endif
