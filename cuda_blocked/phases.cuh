// What the rungs below dpx32 share: the matrices as their kernels see them, and
// the order of the three phases.
#ifndef CUDA_BLOCKED_PHASES_CUH
#define CUDA_BLOCKED_PHASES_CUH

#include "common/gpu_solver.h" // struct gpu_matrices
#include "common/graph.h"      // INF
#include "common/launch.cuh"   // tiles_covering
#include "common/progress.h"   // progress_report

// The matrices in device memory. Cells outside read as INF and -1, which never
// improve a path, and are not stored, so that any n is solved.
template <bool with_pred>
struct Matrices {
    int32_t *dist, *pred;
    int32_t n;
    size_t ld;

    __device__ bool inside(int32_t i, int32_t j) const {
        return i < n && j < n;
    }
    __device__ int32_t distance(int32_t i, int32_t j) const {
        return inside(i, j) ? dist[i * ld + j] : INF;
    }
    __device__ int32_t predecessor(int32_t i, int32_t j) const {
        return with_pred && inside(i, j) ? pred[i * ld + j] : -1;
    }
    __device__ void store(int32_t i, int32_t j, int32_t distance, int32_t predecessor) const {
        if (!inside(i, j))
            return;
        dist[i * ld + j] = distance;
        if (with_pred)
            pred[i * ld + j] = predecessor;
    }
};

// One cell in registers: a distance and, with_pred, the predecessor on its path.
template <bool with_pred>
struct Cell {
    int32_t distance, predecessor;

    // The path through k: `to_k` long up to k, from there `from_k` long with last
    // predecessor *before. INF + INF does not overflow and is not below INF.
    __device__ void relax(int32_t to_k, int32_t from_k, const int32_t *before) {
        if (!with_pred) {
            distance = min(distance, to_k + from_k);
        } else if (to_k + from_k < distance) {
            distance = to_k + from_k;
            predecessor = *before;
        }
    }
};

// For every pivot tile in turn: phase 1, phase 2, phase 3. Each is a function of
// the pivot's number that launches a kernel; phases 2 and 3 are left out where the
// pivot is the only tile.
template <typename Phase1, typename Phase2, typename Phase3>
static enum status for_each_pivot(int32_t tiles, struct progress *progress, Phase1 phase_1,
                                  Phase2 phase_2, Phase3 phase_3) {
    for (int32_t pivot = 0; pivot < tiles; pivot++) {
        enum status status = phase_1(pivot);
        if (status == STATUS_OK && tiles > 1)
            status = phase_2(pivot);
        if (status == STATUS_OK && tiles > 1)
            status = phase_3(pivot);
        if (status != STATUS_OK)
            return status;
        progress_report(progress, pivot + 1, tiles);
    }
    return STATUS_OK;
}

#endif
