// SPDX-License-Identifier: MIT
/* Potentials by scaling. Weights are added bit by bit, so that at each bit only reduced weights of
 * -1 have to be mended, many of them at a time. This bounds the search for potentials on graphs on
 * which label correcting takes too long. (Goldberg 1995, "Scaling algorithms for the shortest paths
 * problem".) */
#ifndef SOLVE_SCALING_H
#define SOLVE_SCALING_H

#include "common/graph/graph.h" // struct graph
#include "solve/edge_watch.h"   // struct edge_watch

#include <stdbool.h>

/* A closed walk: there is an edge from its last vertex to its first. A vertex may occur twice. */
struct closed_walk {
    int32_t *vertex;
    int64_t length; /* number of vertices; 0: there is no walk */
};

/* Returns the number of bits that scaling_find processes; scaling_find adds 1 to watch->done for
 * each. */
int scaling_bits(const struct graph *g);

/* Fills potential[0 .. n-1] with the distances from a source that has an edge of weight 0 to every
 * vertex, so that w(u, v) + potential[u] - potential[v] >= 0 for every edge. If there is a negative
 * cycle: STATUS_NEGATIVE_CYCLE, without a message, and *negative is a walk of negative weight (the
 * caller frees negative->vertex). O(sqrt(n) m log W) for weights >= -W, with O(n) memory. The
 * result depends on nothing but g. `boldly` lets every second step mend as many edges as it can,
 * without a bound on its work; such steps usually mend most edges. It does not change the result.
 */
enum status scaling_find(const struct graph *g, bool boldly, int64_t *potential,
                         struct closed_walk *negative, struct edge_watch *watch, struct error *err);

#endif
