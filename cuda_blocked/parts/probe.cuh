// SPDX-License-Identifier: MIT
// Whether all distances are likely to be short, before any is known.
#ifndef CUDA_BLOCKED_PARTS_PROBE_CUH
#define CUDA_BLOCKED_PARTS_PROBE_CUH

#include "common/gpu/arena.cuh"    // Arena
#include "common/gpu/gpu_solver.h" // struct gpu_matrices

#include <cuda_runtime.h>

struct Probe {
    int4 *distance;    // from a few sources, to each vertex
    int32_t *changed;  // [sweeps]: whether one of the last sweeps shortened any
    int32_t *farthest; // behind them: the largest finite one

    static Probe take(const struct gpu_matrices *m, Arena *arena);

    // Estimates from degrees and weights whether distances are up to `longest`, as if
    // the graph were a random one; where a solve costs much more than looking, the
    // distances from a few sources are computed as well. Deep graphs, whose
    // distances take many sweeps, count as unlikely.
    enum status is_likely(const struct gpu_matrices *m, int32_t longest, bool *likely,
                          struct error *err) const;
};

#endif
