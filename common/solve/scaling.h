// SPDX-License-Identifier: MIT
/* Potentials by scaling: weights are taken bit by bit, so that at each bit only
 * reduced weights of -1 remain to be mended, and many of them at a time. It bounds
 * the search for potentials where label correcting does not. (Goldberg 1995,
 * "Scaling algorithms for the shortest paths problem".) */
#ifndef COMMON_SOLVE_SCALING_H
#define COMMON_SOLVE_SCALING_H

#include "common/graph/graph.h"      // struct graph
#include "common/solve/edge_watch.h" // struct edge_watch

#include <stdbool.h>

/* A closed walk of g's vertices: the last has an edge to the first. A vertex may come twice. */
struct walk {
    int32_t *vertex;
    int64_t length; /* 0: there is none */
};

/* Bits of weights that scaling_find goes through; it adds 1 to watch->done for each. */
int scaling_bits(const struct graph *g);

/* Fills potential[0 .. n-1], so that w(u, v) + potential[u] - potential[v] >= 0 for every edge:
 * those that are the distances from a source with an edge of weight 0 to every vertex. Where there
 * is a negative cycle: STATUS_NEGATIVE_CYCLE, without a message, and *negative is a walk of
 * negative weight (the caller frees negative->vertex). O(sqrt(n) m log W) for weights >= -W, with
 * O(n) memory. Depends on nothing but g. `boldly`: every second step mends without a promise of how
 * much, which is most of it as a rule; the result is the same. */
enum status scaling_find(const struct graph *g, bool boldly, int64_t *potential,
                         struct walk *negative, struct edge_watch *watch, struct error *err);

#endif
