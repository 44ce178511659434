// SPDX-License-Identifier: MIT
/* What decides how long the engines take on a graph, of its structure. */
#ifndef APSP_FEATURES_H
#define APSP_FEATURES_H

#include "common/graph/graph.h" // struct graph
#include "cpu/auto.h"           // struct auto_features

struct features {
    int32_t n;
    int64_t m;
    int32_t max_weight;
    struct auto_features cpu; /* vertices, edges for each, share reached */
    bool narrow;              /* all distances are probably below INF16 (cpu/parts/min_plus.h) */
    bool wide;   /* reduced weights need 64 bits: only for variants that take potentials. Of the
                    others only n, m and cpu are known then */
    bool deep;   /* what follows is known, which only models of GPUs ask for */
    double hops; /* the most edges on a shortest path from a few sources, of those with the fewest
                    edges the one */
    double longest; /* the longest distance from them */
    /* Of a graph with weights below 0, as it was read, for which potentials have to be found
     * (potentials.h); 0 of any other: */
    int64_t negative_edges; /* its edges and vertices */
    int negative_bits;      /* of the lowest weight (scaling.h) */
};

/* Looks at g, whose weights are >= 0. O(n + m), little of m in most graphs; not deep. */
enum status features_look(const struct graph *g, struct features *features, struct error *err);

/* The rest of the features of g, unless they are deep already, or wide. A few times
 * O((n + m) log n), on up to `threads` >= 1 threads; the same at any number. */
enum status features_look_deep(const struct graph *g, int threads, struct features *features,
                               struct error *err);

/* Where reduced weights need 64 bits: g as it was read. O(n + m). */
enum status features_look_wide(const struct graph *g, struct features *features, struct error *err);

/* All features of any graph, as it will be solved (solve.h), without solving anything.
 * Weights below 0 count as 0, which is what the edges of shortest paths
 * weigh once potentials have made weights non-negative; whether that needs 64 bits is a guess by
 * the others, and a negative cycle is not found. */
enum status features_look_at_any(const struct graph *g, int threads, struct features *features,
                                 struct error *err);

/* Of a graph of that size before it is known: as if it were a random one with short distances. */
void features_suppose(int32_t n, int64_t m, struct features *features);

#endif
