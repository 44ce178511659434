// SPDX-License-Identifier: MIT
/* Betweenness by its definition, from rows of distances that are proved already.
 *
 * An edge u -> v is tight for a source if its weight is the difference of their distances. The
 * tight edges of a row are those of all shortest paths from its source, and without a cycle of
 * weight 0 they make no cycle. Forwards along them the numbers of shortest paths add up, and
 * backwards each vertex hands the flow that ends there or passes through it to the vertices before
 * it, in proportion to the numbers of paths (Brandes 2001). A pair may count more or less than
 * once. The code shares nothing with the engines. */
#ifndef CERTIFICATE_FLOW_SINK_H
#define CERTIFICATE_FLOW_SINK_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sink
#include "common/graph/zones.h"     // struct zone_split

/* Says how often each pair of a source and a target counts. */
struct flow_pairs {
    /* Returns how often the pair of a source and another vertex that it reaches at a distance
     * counts. */
    double (*count)(const void *self, int32_t source, int32_t target, double distance);
    const void *self; /* first argument of count */
};

/* Totals over all pairs of which the source reaches the target. */
struct flow_totals {
    /* How often the pairs count together; sum of the distances, each as often as its pair counts.
     */
    double pairs, length;
};

/* The buffers and sums of one thread. */
struct flow_thread;

struct flow_sink {
    struct row_sink sink; /* the first member */
    const struct graph *graph;
    const struct zone_split *split; /* the split that made `graph`; NULL: no zones were split */
    struct flow_pairs pairs;        /* count NULL: each pair counts once */
    struct flow_thread *thread;     /* one for each thread; NULL: no answer has begun */
    int threads;                    /* number of elements of thread */
};

/* Makes a sink for rows of g, whose weights are int32 or, on a grid, float64, and whose edges of
 * weight 0 make no cycle. Unless split is NULL, g is a graph whose zones were split, perhaps with
 * other weights: an origin and its own zone then make no pair, and `pairs` gets the zone in place
 * of its origin. The sink owns none of the arguments. */
void flow_sink_open(struct flow_sink *sink, const struct graph *g, const struct zone_split *split,
                    const struct flow_pairs *pairs);

/* Stores the sums over all rows: the flow over each edge (edge, m entries), the number of pairs
 * whose paths lead through each vertex and neither begin nor end there (vertex, n entries), and the
 * totals. Rounding depends on how threads have divided the rows. */
void flow_sink_finish(const struct flow_sink *sink, double *vertex, double *edge,
                      struct flow_totals *totals);

/* Safe on a zeroed struct; leaves it zeroed. */
void flow_sink_close(struct flow_sink *sink);

#endif
