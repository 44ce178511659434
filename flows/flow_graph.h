// SPDX-License-Identifier: MIT
/* The graph along whose shortest paths something flows: ties are exact there, and no zone is left.
 */
#ifndef FLOWS_FLOW_GRAPH_H
#define FLOWS_FLOW_GRAPH_H

#include "common/graph/zones.h" // struct zone_split
#include "solve/grid.h"         // struct grid_rounding

struct flow_graph {
    const struct graph *graph; /* of int32 or, on a grid, float64; the given one or one of these: */
    struct graph own;          /* integers for decimals, or weights on a grid */
    struct zone_split split;   /* if there are zones; otherwise zeroed */
    double times;              /* weights of `graph` over those that were given; a power of ten */
    struct grid_rounding rounding;
};

/* Makes it of g, which it keeps using if g is of int32 and has no zones. asked: as in grid_apply.
 * Decimal weights become integers (solve/decimals.h) if GRID_AUTO is asked for, and other real ones
 * are put on a grid. Fails as grid_apply. The caller frees with flow_graph_free, also after a
 * failure. */
enum status flow_graph_make(const struct graph *g, double asked, const struct progress *progress,
                            struct flow_graph *flow, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void flow_graph_free(struct flow_graph *flow);

/* How vertices of the graph are those of the given one; NULL: they are the same. */
static inline const struct zone_split *flow_graph_split(const struct flow_graph *flow) {
    return flow->split.zones > 0 ? &flow->split : NULL;
}

#endif
