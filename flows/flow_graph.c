// SPDX-License-Identifier: MIT
#include "flows/flow_graph.h"

#include "solve/decimals.h" // decimals_graph

enum status flow_graph_make(const struct graph *g, double asked, const struct progress *progress,
                            struct flow_graph *flow, struct error *err) {
    static const struct grid_purpose purpose = {.needs_grid = true};
    *flow = (struct flow_graph){.graph = g, .times = 1};
    if (g->zones > 0) {
        RETURN_ON_FAILURE(zone_split_make(g, &flow->split, err));
        flow->graph = &flow->split.graph;
    }
    if (flow->graph->type == NUMBER_INT32)
        return STATUS_OK;
    if (asked == GRID_AUTO)
        RETURN_ON_FAILURE(decimals_graph(flow->graph, &flow->own, &flow->times, progress, err));
    if (flow->times == 1) {
        RETURN_ON_FAILURE(graph_widen(flow->graph, &flow->own, err));
        RETURN_ON_FAILURE(grid_apply(&flow->own, asked, &purpose, &flow->rounding, progress, err));
    }
    flow->graph = &flow->own;
    return STATUS_OK;
}

void flow_graph_free(struct flow_graph *flow) {
    graph_free(&flow->own);
    zone_split_free(&flow->split);
    *flow = (struct flow_graph){.graph = NULL};
}
