// SPDX-License-Identifier: MIT
// A guess whether all distances are short, before the solve.
#ifndef CUDA_BLOCKED_PARTS_PROBE_CUH
#define CUDA_BLOCKED_PARTS_PROBE_CUH

#include "gpu/gpu_solver.h"     // struct gpu_matrices
#include "gpu/launch/arena.cuh" // Arena

#include <cuda_runtime.h>

struct Probe {
    int4 *distance;    // distances from a few sources to each vertex
    int32_t *changed;  // [sweeps]: whether each of the last sweeps shortened a distance
    int32_t *farthest; // the largest finite distance, behind `changed`

    static Probe take(const struct gpu_matrices *m, Arena *arena);

    // Estimates from degrees and weights, as if the graph were random, whether distances are up to
    // `longest`. If a solve costs much more than that, it also computes the distances from a few
    // sources. *likely is false for deep graphs, whose distances take too many sweeps.
    enum status is_likely(const struct gpu_matrices *m, int32_t longest, bool *likely,
                          struct error *err) const;
};

#endif
