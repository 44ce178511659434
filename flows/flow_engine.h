// SPDX-License-Identifier: MIT
/* An engine that finds betweenness in place of the CPU: a GPU (flows/gpu/gpu_flows.h). */
#ifndef FLOWS_FLOW_ENGINE_H
#define FLOWS_FLOW_ENGINE_H

#include "flows/class_flows.h"  // struct class_flows_engine
#include "flows/search_flows.h" // struct search_flows_engine

struct flow_engine {
    const struct class_flows_engine *classes;     /* for lengths of int32 */
    const struct class_flows_engine *classes_f64; /* for lengths of float64 */
    const struct search_flows_engine *searches;
};

#endif
