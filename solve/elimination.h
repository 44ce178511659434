// SPDX-License-Identifier: MIT
/* Features of a graph's elimination that are known before its vertices are eliminated. */
#ifndef SOLVE_ELIMINATION_H
#define SOLVE_ELIMINATION_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Vertices and edges that an elimination would leave, and its work, as a look at the graph predicts
 * them (elimination/look.h). */
struct elimination_features {
    bool known; /* the graph was looked at */
    bool pays;  /* some vertices are worth eliminating; else only levels and width may be known */
    int32_t levels; /* number of levels of a breadth-first search; 0: not known */
    double width;   /* mean number of vertices on a level of that search; 0: not known */
    double fill; /* entries of the factor L for each vertex, nnz(L) / n, if all are eliminated; 0:
                    not known */
    /* height of the elimination tree if all vertices are eliminated; 0: not known */
    int32_t height;
    int32_t core; /* number of vertices that are better solved in another way */
    /* seconds that the order takes on one thread, on the machine measured; more threads find it
     * sooner (elimination_order_seconds) */
    double once_s;
    double shared_s; /* seconds on one thread for the work that threads share, on the machine
                        measured */
    bool both_ways;  /* sums of all rows and, in a directed graph, of all columns are wanted */
    /* seconds in place of shared_s if sums are found for classes of rows, columns included
     * (dissection/cpu.h); 0: not known, or sweeps are faster */
    double sums_s;
};

/* Returns the seconds that an order takes on that number of threads which takes once_s on one, as
 * measured on 4 and 16 threads with road networks of 126 146 to 1.07 million vertices. */
static inline double elimination_order_seconds(double once_s, double threads) {
    return once_s * pow(fmax(1, threads), -0.3);
}

#endif
