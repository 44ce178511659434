// SPDX-License-Identifier: MIT
/* The same graph in the types in which sums of its weights are exact. */
#ifndef ACCESSIBILITY_EXACT_H
#define ACCESSIBILITY_EXACT_H

#include "solve/narrowest.h" // struct narrowest

struct exact {
    const struct graph *wide;   /* float64, for searches */
    const struct graph *narrow; /* for elimination: int32 where distances fit, else wide; NULL:
                                   there is none */
    double unit;                /* length of 1 of the numbers that elimination makes of narrow */
    struct graph own_wide;      /* memory of graphs that had to be made */
    struct narrowest narrowest;
};

/* Finds both for a graph with weights of integers, or float64 on a grid. It refuses other weights,
 * weights below 0 and zones with STATUS_BAD_INPUT in a line that begins with `what`. The caller
 * frees with exact_close, also after a failure, and keeps the graph until then. */
enum status exact_open(const char *what, const struct graph *g, struct exact *x, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void exact_close(struct exact *x);

#endif
