// SPDX-License-Identifier: MIT
/* Betweenness on a GPU: by classes of rows (gpu_class_flows.h) or by searches
 * (gpu_search_flows.h). */
#ifndef FLOWS_GPU_GPU_FLOWS_H
#define FLOWS_GPU_GPU_FLOWS_H

#include "flows/flow_engine.h" // struct flow_engine

extern const struct flow_engine gpu_flows;

#endif
