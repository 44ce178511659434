// SPDX-License-Identifier: MIT
/* An engine that finds betweenness in place of the CPU: a GPU (flows/gpu/gpu_flows.h). */
#ifndef FLOWS_FLOW_ENGINE_H
#define FLOWS_FLOW_ENGINE_H

#include "common/base/block_sizes.h" // block_sizes
#include "flows/class_flows.h"       // struct class_flows_engine
#include "flows/search_flows.h"      // struct search_flows_engine

struct flow_engine {
    const struct class_flows_engine *classes;     /* for lengths of int32 */
    const struct class_flows_engine *classes_f64; /* for lengths of float64 */
    const struct search_flows_engine *searches;
};

/* Return whether `threads` threads take longer for the flows of that number of sources, by classes
 * and by searches, than a GPU takes to start. cells: number of vertices and edges of the graph. */
static inline bool flow_classes_outlast_start(double sources, int threads) {
    return sources >= (double)block_sizes.gpu_flow_sources * threads;
}

static inline bool flow_searches_outlast_start(double sources, double cells, int threads) {
    return sources * cells >= (double)block_sizes.gpu_search_cells * threads;
}

#endif
