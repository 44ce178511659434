// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_flows.h"

#ifndef APSP_NO_CUDA

#include "flows/gpu/gpu_class_flows.h"  // gpu_class_flows
#include "flows/gpu/gpu_search_flows.h" // gpu_search_flows

const struct flow_engine gpu_flows = {.classes = &gpu_class_flows,
                                      .classes_f64 = &gpu_class_flows_f64,
                                      .searches = &gpu_search_flows};

#endif
