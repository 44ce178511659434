// SPDX-License-Identifier: MIT
// One kernel launch per k, one thread per cell (thesis, section 4.4).
//
// Each k reads every cell of the matrix, and writes it if the path through k is shorter: at least n
// times 4 n^2 bytes, so the kernel is bound by memory. In a launch no thread writes a cell that
// another reads: row k and column k do not change in step k, because D[k][k] = 0 and only strictly
// shorter paths are stored.
//
// Reached on an H200 at n = 10000, 2 %: 4364 ms, 0.229 T/s; with predecessors 4370 ms.
#include "common/base/progress.h" // progress_report
#include "common/graph/graph.h"   // INF
#include "cuda_simple/simple_kernels.h"
#include "gpu/launch/launch.cuh" // launch

static const int block_side = 32;

template <bool with_pred>
static __global__ void relax_through(int32_t *dist, int32_t *pred, int32_t n, size_t ld,
                                     int32_t k) {
    const int32_t i = static_cast<int32_t>(blockIdx.y * blockDim.y + threadIdx.y);
    const int32_t j = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n || j >= n)
        return;
    const int32_t to_k = dist[i * ld + k];
    const int32_t from_k = dist[k * ld + j];
    if (to_k == INF || from_k == INF)
        return;
    if (to_k + from_k < dist[i * ld + j]) {
        dist[i * ld + j] = to_k + from_k;
        if (with_pred)
            pred[i * ld + j] = pred[k * ld + j];
    }
}

enum status cuda_simple_thesis(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err) {
    const dim3 block(block_side, block_side);
    const dim3 grid(tiles_covering(m->n, block_side), tiles_covering(m->n, block_side));
    void (*kernel)(int32_t *, int32_t *, int32_t, size_t, int32_t) =
        m->pred != nullptr ? relax_through<true> : relax_through<false>;
    for (int32_t k = 0; k < m->n; k++) {
        RETURN_ON_FAILURE(launch(err, kernel, grid, block, 0, m->dist, m->pred, m->n, m->ld, k));
        // As the thesis's program does, wait for every launch.
        RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "running a kernel", err));
        if (!progress_report(progress, k + 1, m->n))
            return progress_cancelled(err);
    }
    return STATUS_OK;
}
