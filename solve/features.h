// SPDX-License-Identifier: MIT
/* Features of a graph that decide how long it takes to solve, for the variants' models of time
 * (model.h). */
#ifndef SOLVE_FEATURES_H
#define SOLVE_FEATURES_H

#include "common/base/number.h" // enum number_type
#include "solve/elimination.h"  // struct elimination_features

#include <stdbool.h>
#include <stdint.h>

/* Which float64 weights are on a grid (grid.h). GRID_DISTANCES: engines for grids may find only
 * distances, because some edges weigh 0. GRID_ALL: predecessors too. */
enum grid_use { GRID_NONE, GRID_DISTANCES, GRID_ALL };

struct features {
    int32_t n;
    int64_t m;
    enum number_type type; /* type of the weights */
    bool integral; /* the weights are those of an integral graph (graph.h); reports print it */
    enum grid_use grid;
    /* of real weights: both 0, but min_weight is -1 if some weights are below 0 */
    int32_t max_weight, min_weight;
    /* the largest weight, in units of which all weights are multiples, if searches by levels take
     * as many (weight_unit.h); 0: they do not, or it is not known */
    int32_t steps;
    double degree; /* mean number of edges from a vertex */
    double reach;  /* share of the vertices that a vertex reaches, estimated from a few sources */
    bool narrow;   /* all distances are probably below 32767, or nobody has checked (see bounded) */
    bool bounded;  /* `narrow` was checked; only models of the CPU ask for it */
    bool wide;     /* reduced weights need 64 bits; only variants that take potentials solve such a
                      graph. For all others only n, m, degree and reach are known. */
    bool deep; /* hops and longest were measured; only models of GPUs ask for them. false: both are
                  lower bounds. */
    double hops; /* the most edges on a shortest path from a few sources; among equally short paths
                    the one with the fewest edges counts */
    double longest; /* the longest distance from those sources; for real weights, in quanta
                       (refine.h) */
    struct elimination_features elimination;
    /* A graph with weights below 0 needs potentials (potentials.h). These are the sizes of that
     * problem, for the graph as it was read; 0: no weight is below 0. */
    int64_t negative_edges; /* edges plus vertices, m + n */
    int negative_bits; /* number of bits of the lowest weight, which scaling processes one by one
                          (scaling.h) */
};

/* Returns whether all weights are the same integer above 0, or there are none. */
static inline bool features_have_equal_weights(const struct features *f) {
    return f->type == NUMBER_INT32 && f->max_weight == f->min_weight &&
           (f->max_weight > 0 || f->m == 0);
}

#endif
