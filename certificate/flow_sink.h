// SPDX-License-Identifier: MIT
/* Betweenness by its definition, from rows of distances that are proved already.
 *
 * An edge u -> v is tight for a source if its weight is the difference of their distances. The
 * tight edges of a row are those of all shortest paths from its source, and without a cycle of
 * weight 0 they make no cycle. Forwards along them the numbers of shortest paths add up, and
 * backwards each vertex hands what ends there or passes it to the vertices before it, in proportion
 * to these numbers (Brandes 2001). Nothing of the engines is used. */
#ifndef CERTIFICATE_FLOW_SINK_H
#define CERTIFICATE_FLOW_SINK_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sink
#include "common/graph/zones.h"     // struct zone_split

/* The buffers and sums of one thread. */
struct flow_thread;

struct flow_sink {
    struct row_sink sink; /* the first member */
    const struct graph *graph;
    const struct zone_split *split; /* of which `graph` is the graph; NULL */
    struct flow_thread *thread;     /* one for each thread; NULL: no answer has begun */
    int threads;
};

/* Makes a sink for rows of g, of int32 or, on a grid, float64, whose edges of weight 0 make no
 * cycle. Unless split is NULL, g is a graph whose zones were split, perhaps with other weights; no
 * pair is one of an origin and its own zone. Both stay the caller's. */
void flow_sink_open(struct flow_sink *sink, const struct graph *g, const struct zone_split *split);

/* Stores what all rows add up to: the flow over each edge (edge, m), and the pairs that lead
 * through each vertex and neither begin nor end there (vertex, n). The order of sums depends on
 * threads. */
void flow_sink_finish(const struct flow_sink *sink, double *vertex, double *edge);

/* Safe on a zeroed struct; leaves it zeroed. */
void flow_sink_close(struct flow_sink *sink);

#endif
