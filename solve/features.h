// SPDX-License-Identifier: MIT
/* Features of a graph that decide how long it takes to solve, for the variants' models of time
 * (model.h). */
#ifndef SOLVE_FEATURES_H
#define SOLVE_FEATURES_H

#include "common/base/number.h" // enum number_type
#include "solve/elimination.h"  // struct elimination_features

#include <stdbool.h>
#include <stdint.h>

/* Which weights of float64 are on a grid (grid.h), on which edges of weight 0 leave predecessors
 * to others. */
enum grid_use { GRID_NONE, GRID_DISTANCES, GRID_ALL };

struct features {
    int32_t n;
    int64_t m;
    enum number_type type; /* of the weights */
    bool integral;         /* they are those of an integral graph (graph.h): for people */
    enum grid_use grid;
    int32_t max_weight, min_weight; /* of real weights: 0 and, if some are below 0, -1 */
    int32_t steps; /* the largest weight in units of which all weights are multiples, if searches by
                      levels take so many (weight_unit.h); otherwise, or unless it is known, 0 */
    double degree; /* edges for each vertex */
    double reach;  /* share of the vertices that a vertex reaches, by a few sources */
    bool narrow;   /* all distances are probably below 32767, or nobody has looked */
    bool bounded;  /* somebody has looked; only a model of the CPU asks for it */
    bool wide;     /* reduced weights need 64 bits: only for variants that take potentials. Of the
                      others only n, m, degree and reach are known then */
    bool deep;     /* what follows is known; only models of GPUs ask for it. Otherwise it is no more
                      than that */
    double hops; /* the most edges on a shortest path from a few sources; of several shortest paths
                    the one with the fewest edges counts */
    double longest; /* the longest distance from them; of real weights, in quanta (refine.h) */
    struct elimination_features elimination;
    /* If the graph has weights below 0, potentials have to be found (potentials.h). This is the
     * size of that problem, of the graph as it was read; otherwise 0. */
    int64_t negative_edges; /* its edges and vertices */
    int negative_bits;      /* of the lowest weight (scaling.h) */
};

/* Returns whether all weights are the same integer above 0, or there are none. */
static inline bool features_have_equal_weights(const struct features *f) {
    return f->type == NUMBER_INT32 && f->max_weight == f->min_weight &&
           (f->max_weight > 0 || f->m == 0);
}

#endif
