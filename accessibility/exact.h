// SPDX-License-Identifier: MIT
/* A graph in the types in which sums of its weights are exact. */
#ifndef ACCESSIBILITY_EXACT_H
#define ACCESSIBILITY_EXACT_H

#include "solve/narrowest.h" // struct narrowest

struct exact {
    const struct graph *wide;   /* graph of float64, for searches */
    const struct graph *narrow; /* graph for elimination: of int32 if distances fit, else `wide`;
                                   NULL: none */
    double unit;                /* length, in the graph's unit, of 1 in the whole numbers that
                                   elimination uses for `narrow` */
    struct graph own_wide;      /* memory of the graphs that had to be made */
    struct narrowest narrowest;
};

/* Finds `wide` and `narrow` for a graph with weights of integers, or of float64 on a grid. Refuses
 * other weights, weights below 0 and zones with STATUS_BAD_INPUT; the message begins with `what`.
 * The caller frees *x with exact_close, also after a failure, and keeps the graph until then. */
enum status exact_open(const char *what, const struct graph *g, struct exact *x, struct error *err);

/* Frees *x and zeroes it; safe on a zeroed struct. */
void exact_close(struct exact *x);

#endif
