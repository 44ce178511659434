// SPDX-License-Identifier: MIT
/* Betweenness by its definition, from rows of distances that are proved already.
 *
 * An edge u -> v is tight for a source if its weight is the difference of their distances. The
 * tight edges of a row are those of all shortest paths from its source, and without a cycle of
 * weight 0 they make no cycle. Forwards along them the numbers of shortest paths add up, and
 * backwards each vertex hands what ends there or passes it to the vertices before it, in proportion
 * to these numbers (Brandes 2001). A pair may count more or less than once. Nothing of the engines
 * is used. */
#ifndef CERTIFICATE_FLOW_SINK_H
#define CERTIFICATE_FLOW_SINK_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sink
#include "common/graph/zones.h"     // struct zone_split

/* How often pairs count. */
struct flow_pairs {
    /* Returns how often the pair of a source and another vertex that it reaches at a distance
     * counts. */
    double (*count)(const void *self, int32_t source, int32_t target, double distance);
    const void *self;
};

/* All pairs that arrive, and their lengths. */
struct flow_totals {
    double pairs, length;
};

/* The buffers and sums of one thread. */
struct flow_thread;

struct flow_sink {
    struct row_sink sink; /* the first member */
    const struct graph *graph;
    const struct zone_split *split; /* of which `graph` is the graph; NULL */
    struct flow_pairs pairs;        /* count NULL: once each */
    struct flow_thread *thread;     /* one for each thread; NULL: no answer has begun */
    int threads;
};

/* Makes a sink for rows of g, of int32 or, on a grid, float64, whose edges of weight 0 make no
 * cycle. Unless split is NULL, g is a graph whose zones were split, perhaps with other weights; no
 * pair is one of an origin and its own zone; `pairs` is asked for the zone then. All stay the
 * caller's. */
void flow_sink_open(struct flow_sink *sink, const struct graph *g, const struct zone_split *split,
                    const struct flow_pairs *pairs);

/* Stores what all rows add up to: the flow over each edge (edge, m), the pairs that lead through
 * each vertex and neither begin nor end there (vertex, n), and the totals. The order of sums
 * depends on threads. */
void flow_sink_finish(const struct flow_sink *sink, double *vertex, double *edge,
                      struct flow_totals *totals);

/* Safe on a zeroed struct; leaves it zeroed. */
void flow_sink_close(struct flow_sink *sink);

#endif
