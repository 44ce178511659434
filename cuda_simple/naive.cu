// SPDX-License-Identifier: MIT
// One kernel launch per k, one thread per cell, distances only, no test for
// INF (the reports' naive kernel): the denominator of the ladder's speed-ups.
//
// INF is 2^30 - 1, so INF + INF does not overflow and is not below INF: no test is needed. The
// minimum is stored even if it is not new.
//
// Reached on an H200 at n = 10000, 2 %: 4339 ms, 0.23 T/s.
#include "cuda_simple/simple_kernels.h"
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/pace.cuh"   // Pace

static const int block_side = 32;

static __global__ void relax_through(int32_t *dist, int32_t n, size_t ld, int32_t k) {
    const int32_t i = static_cast<int32_t>(blockIdx.y * blockDim.y + threadIdx.y);
    const int32_t j = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n || j >= n)
        return;
    const int32_t through_k = dist[i * ld + k] + dist[k * ld + j];
    dist[i * ld + j] = min(dist[i * ld + j], through_k);
}

enum status cuda_simple_naive(const struct gpu_matrices *m, struct progress *progress,
                              struct error *err) {
    const dim3 block(block_side, block_side);
    const dim3 grid(tiles_covering(m->n, block_side), tiles_covering(m->n, block_side));
    Pace pace(progress, m->n, static_cast<double>(m->n) * m->n);
    for (int32_t k = 0; k < m->n; k++) {
        RETURN_ON_FAILURE(launch(err, relax_through, grid, block, 0, m->dist, m->n, m->ld, k));
        RETURN_ON_FAILURE(pace.step(err));
    }
    return STATUS_OK;
}
