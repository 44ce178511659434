// SPDX-License-Identifier: MIT
/* Potentials by scaling. It adds the weights bit by bit, so that at each bit only reduced weights
 * of -1 have to be mended, many of them at a time. This bounds the search for potentials on graphs
 * on which label correcting takes too long. (Goldberg 1995, "Scaling algorithms for the shortest
 * paths problem".) */
#ifndef SOLVE_SCALING_H
#define SOLVE_SCALING_H

#include "common/graph/graph.h" // struct graph
#include "solve/edge_watch.h"   // struct edge_watch

#include <stdbool.h>

/* A closed walk: the last vertex has an edge to the first. A vertex may occur twice. */
struct closed_walk {
    int32_t *vertex;
    int64_t length; /* 0: there is none */
};

/* Returns the number of bits that scaling_find processes; it adds 1 to watch->done for each. */
int scaling_bits(const struct graph *g);

/* Fills potential[0 .. n-1] with the distances from a source that has an edge of weight 0 to every
 * vertex, so that w(u, v) + potential[u] - potential[v] >= 0 for every edge. If there is a negative
 * cycle: STATUS_NEGATIVE_CYCLE, without a message, and *negative is a walk of negative weight (the
 * caller frees negative->vertex). O(sqrt(n) m log W) for weights >= -W, with O(n) memory. The
 * result depends on nothing but g. `boldly` lets every second step mend as many edges as it can,
 * without a bound; these steps usually mend most edges. The result is the same. */
enum status scaling_find(const struct graph *g, bool boldly, int64_t *potential,
                         struct closed_walk *negative, struct edge_watch *watch, struct error *err);

#endif
