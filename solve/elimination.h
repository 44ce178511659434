// SPDX-License-Identifier: MIT
/* Features of a graph's elimination that are known before its vertices are eliminated. */
#ifndef SOLVE_ELIMINATION_H
#define SOLVE_ELIMINATION_H

#include <stdbool.h>
#include <stdint.h>

/* Vertices and edges that an elimination would leave, and its work (elimination/look.h). */
struct elimination_features {
    bool known;      /* somebody has looked */
    bool pays;       /* some of the graph is worth eliminating; otherwise only levels and width are
                        known, 0 if these are not either */
    int32_t levels;  /* of a search in breadth: how deep the graph is */
    double width;    /* vertices at a level */
    double fill;     /* nnz(L)/n, and */
    int32_t height;  /* the height of the tree, of the elimination of all vertices; 0: not known */
    int32_t core;    /* vertices that are better solved in another way */
    double once_s;   /* seconds on one thread, of the machine that was measured: the order, */
    double shared_s; /* and what all threads share */
    bool both_ways;  /* sums are wanted of all rows and, as directions differ, of all columns */
    double sums_s;   /* the same part if classes of rows are found for sums of all that is wanted,
                        columns included (dissection/cpu.h); 0: not known, or sweeps
                        take less */
};

#endif
