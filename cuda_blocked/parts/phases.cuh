// SPDX-License-Identifier: MIT
// Shared by the variants below dpx32: the matrices as kernels see them, tiles in shared memory, and
// the launches of the three phases.
#ifndef CUDA_BLOCKED_PARTS_PHASES_CUH
#define CUDA_BLOCKED_PARTS_PHASES_CUH

#include "common/graph/graph.h"  // INF
#include "gpu/gpu_solver.h"      // struct gpu_matrices
#include "gpu/launch/launch.cuh" // launch, allow_shared, tiles_covering
#include "gpu/launch/pace.cuh"   // Pace

// One cell in registers: a distance and, with_pred, the predecessor on its path.
template <bool with_pred>
struct Cell {
    int32_t distance, predecessor;

    // Takes the path through k if it is shorter: its length is to_k up to k and from_k from there
    // on, and its predecessor is *before. INF + INF does not overflow and is not below INF.
    __device__ void relax(int32_t to_k, int32_t from_k, const int32_t *before) {
        if (!with_pred) {
            distance = min(distance, to_k + from_k);
        } else if (to_k + from_k < distance) {
            distance = to_k + from_k;
            predecessor = *before;
        }
    }
};

// The matrices in device memory. Cells outside the matrix read as INF and -1, which never improve a
// path, and are not stored, so any n is solved. If not `checked`, a cell must be inside.
template <bool with_pred>
struct Matrices {
    int32_t *dist, *pred;
    int32_t n;
    size_t ld;

    __device__ bool inside(int32_t i, int32_t j) const {
        return i < n && j < n;
    }
    template <bool checked = true>
    __device__ int32_t distance(int32_t i, int32_t j) const {
        return !checked || inside(i, j) ? dist[i * ld + j] : INF;
    }
    template <bool checked = true>
    __device__ int32_t predecessor(int32_t i, int32_t j) const {
        return with_pred && (!checked || inside(i, j)) ? pred[i * ld + j] : -1;
    }
    template <bool checked = true>
    __device__ Cell<with_pred> load(int32_t i, int32_t j) const {
        return {distance<checked>(i, j), predecessor<checked>(i, j)};
    }
    template <bool checked = true>
    __device__ void store(int32_t i, int32_t j, const Cell<with_pred> &cell) const {
        if (checked && !inside(i, j))
            return;
        dist[i * ld + j] = cell.distance;
        if (with_pred)
            pred[i * ld + j] = cell.predecessor;
    }
};

// The bytes of shared memory that a tile takes.
template <bool with_pred>
constexpr size_t tile_bytes(int32_t side) {
    return (with_pred ? 2 : 1) * sizeof(int32_t) * static_cast<size_t>(side) *
           static_cast<size_t>(side);
}

// The index-th tile in the block's shared memory.
template <int side, bool with_pred>
struct Tile {
    int32_t (*dist)[side];
    int32_t (*pred)[side];

    __device__ Tile(int32_t *shared, int index)
        : dist(reinterpret_cast<int32_t (*)[side]>(shared) + (with_pred ? 2 : 1) * index * side),
          pred(dist + (with_pred ? side : 0)) {
    }
    __device__ void set(unsigned y, unsigned x, const Cell<with_pred> &cell) const {
        dist[y][x] = cell.distance;
        if (with_pred)
            pred[y][x] = cell.predecessor;
    }
};

// The cell of the matrix that a thread owns in the tile (tile_row, tile_column) if a block has a
// thread for every cell: row y, column x.
struct Place {
    int32_t i, j;

    __device__ Place(int32_t tile_row, int32_t tile_column)
        : i(tile_row * static_cast<int32_t>(blockDim.y) + static_cast<int32_t>(threadIdx.y)),
          j(tile_column * static_cast<int32_t>(blockDim.x) + static_cast<int32_t>(threadIdx.x)) {
    }
};

// The launch of one phase. Its kernel takes the matrices and the pivot's number.
template <bool with_pred>
struct Phase {
    void (*kernel)(Matrices<with_pred> m, int32_t pivot);
    dim3 grid;
    size_t shared_bytes;
};

// Launches the three phases for every pivot tile in turn; only phase 1 if the pivot is the only
// tile.
template <bool with_pred>
static enum status run_phases(const struct gpu_matrices *g, int32_t side, dim3 block,
                              const Phase<with_pred> (&phases)[3], struct progress *progress,
                              struct error *err) {
    const size_t given_bytes = 48 * 1024; // bytes of shared memory that every kernel may have
                                          // without asking
    const Matrices<with_pred> m = {g->dist, g->pred, g->n, g->ld};
    const int32_t tiles = static_cast<int32_t>(tiles_covering(g->n, side));
    const int count = tiles > 1 ? 3 : 1;
    for (int p = 0; p < count; p++) {
        if (phases[p].shared_bytes > given_bytes)
            RETURN_ON_FAILURE(allow_shared(phases[p].kernel, phases[p].shared_bytes, err));
    }
    Pace pace(progress, tiles, static_cast<double>(g->n) * g->n * side);
    for (int32_t pivot = 0; pivot < tiles; pivot++) {
        for (int p = 0; p < count; p++)
            RETURN_ON_FAILURE(launch(err, phases[p].kernel, phases[p].grid, block,
                                     phases[p].shared_bytes, m, pivot));
        RETURN_ON_FAILURE(pace.step(err));
    }
    return STATUS_OK;
}

#endif
