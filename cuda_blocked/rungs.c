// SPDX-License-Identifier: MIT
#include "cuda_blocked/rungs.h"

#include "common/graph/graph.h"           // INF
#include "cuda_blocked/blocked_kernels.h" // cuda_blocked_*

#ifdef APSP_HIP /* `auto` is built for NVIDIA's GPUs only */
#define KERNEL(function) NULL
#else
#define KERNEL(function) GPU_LAUNCH(function)
#endif

const struct rung cuda_blocked_rungs[RUNGS] = {
    {
        /* a graph of one tile needs only one launch */
        .variant = "thesis",
        .most = SMALL_TILE,
        .longest = INF,
        .cells = SPREAD_NONE,
        .launch = KERNEL(cuda_blocked_thesis),
    },
    {
        .variant = "resident",
        .most = INT32_MAX,
        .longest = INF,
        .cells = SPREAD_NONE,
        .launch = KERNEL(cuda_blocked_resident_within),
        .limit = KERNEL(cuda_blocked_resident_limit),
    },
    {
        .variant = "tensor",
        .most = INT32_MAX,
        .longest = EXPONENT_LONGEST,
        .probes = true,
        .cells = SPREAD_EXPONENTS,
        .launch = KERNEL(cuda_blocked_tensor),
        .available = KERNEL(cuda_blocked_tensor_available),
    },
    {
        .variant = "dpx16",
        .most = INT32_MAX,
        .longest = WORD16_LONGEST,
        .cells = SPREAD_INT16,
        .launch = KERNEL(cuda_blocked_dpx16),
        .available = KERNEL(cuda_blocked_dpx16_available),
    },
    {
        .variant = "dpx32",
        .most = INT32_MAX,
        .longest = INF,
        .cells = SPREAD_INT32,
        .launch = KERNEL(cuda_blocked_dpx32),
        .available = KERNEL(cuda_blocked_dpx32_available),
    },
    {
        .variant = "tile64",
        .most = INT32_MAX,
        .longest = INF,
        .cells = SPREAD_NONE,
        .launch = KERNEL(cuda_blocked_tile64),
    },
};
