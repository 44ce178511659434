// SPDX-License-Identifier: MIT
/* Betweenness by searches on a GPU (flows/search_flows.h), from 64 sources at a time
 * (gpu_search_kernels.h). */
#ifndef FLOWS_GPU_GPU_SEARCH_FLOWS_H
#define FLOWS_GPU_GPU_SEARCH_FLOWS_H

#include "flows/search_flows.h" // struct search_flows_engine

/* Fails with STATUS_NO_RESOURCE also for searches of more than 255 levels or of many more than the
 * request says, for numbers of paths of 2^700 or more, for masses of targets that are, or decay to,
 * less than 2^-300 but not 0, for masses of sources above 2^300, and without a GPU. */
extern const struct search_flows_engine gpu_search_flows;

#endif
