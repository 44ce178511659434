// SPDX-License-Identifier: MIT
/* A graph for flows along shortest paths: equal path lengths compare equal exactly, and there are
 * no zones. */
#ifndef FLOWS_FLOW_GRAPH_H
#define FLOWS_FLOW_GRAPH_H

#include "common/graph/zones.h" // struct zone_split
#include "solve/grid.h"         // struct grid_rounding

struct flow_graph {
    const struct graph *graph; /* the graph for flows, of int32 or, on a grid, float64: the given
                                  one, or one of the next two fields */
    struct graph own;          /* graph with integers for decimals, or with weights on a grid */
    struct zone_split split;   /* graph with split zones; zeroed if there are no zones */
    double times;              /* factor from the given weights to those of `graph`, a power of
                                  ten */
    struct grid_rounding rounding;
};

/* Makes the graph for flows from g; it uses g itself if g is of int32 and has no zones. asked: as
 * in grid_apply. Decimal weights become integers (solve/decimals.h) if `asked` is GRID_AUTO; other
 * real ones are put on a grid. Fails as grid_apply. The caller frees *flow with flow_graph_free,
 * also after a failure. */
enum status flow_graph_make(const struct graph *g, double asked, const struct progress *progress,
                            struct flow_graph *flow, struct error *err);

/* Frees *flow and zeroes it; safe on a zeroed struct. */
void flow_graph_free(struct flow_graph *flow);

/* Returns how vertices of the graph relate to those of the given one; NULL: they are the same. */
static inline const struct zone_split *flow_graph_split(const struct flow_graph *flow) {
    return flow->split.zones > 0 ? &flow->split : NULL;
}

#endif
