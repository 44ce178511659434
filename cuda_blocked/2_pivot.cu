// SPDX-License-Identifier: MIT
// 32 x 32 tiles, only the pivot tile in shared memory (contest report "pivot").
//
// Changes from `thesis`: a block owns one output tile, a thread keeps one cell in a register,
// and operands other than the pivot tile are read from global memory, from which the caches serve a
// row or column to the whole block. The loop over k has no barrier in phases 2 and 3: once the
// pivot tile is closed, the old values of row and column suffice, in any order of k. Tests for INF
// guard the additions, as in the report.
//
// Reached on an H200 at n = 10000, 2 %: 1052 ms, 0.951 T/s; with predecessors 1622 ms.
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/phases.cuh"       // Matrices, Tile, run_phases
#include "cuda_blocked/parts/tile_constants.h" // SMALL_TILE

namespace {

constexpr int side = SMALL_TILE;

template <bool with_pred>
__device__ void relax_guarded(Cell<with_pred> &cell, int32_t to_k, int32_t from_k,
                              const int32_t *before) {
    if (to_k < INF && from_k < INF)
        cell.relax(to_k, from_k, before);
}

template <bool with_pred>
__global__ void close_pivot_tile(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> tile(shared, 0);
    const Place own(pivot, pivot);
    const unsigned x = threadIdx.x, y = threadIdx.y;
    Cell<with_pred> cell = m.load(own.i, own.j);
    for (int k = 0; k < side; k++) {
        tile.set(y, x, cell);
        __syncthreads();
        relax_guarded(cell, tile.dist[y][k], tile.dist[k][x], &tile.pred[k][x]);
        __syncthreads();
    }
    m.store(own.i, own.j, cell);
}

// Phase 2. blockIdx.y = 0: the pivot row, 1: the pivot column.
template <bool with_pred>
__global__ void update_row_and_column(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> centre(shared, 0);
    const int32_t other = static_cast<int32_t>(blockIdx.x);
    const bool in_row = blockIdx.y == 0;
    if (other == pivot)
        return;
    const Place own(in_row ? pivot : other, in_row ? other : pivot), pivot_cell(pivot, pivot);
    const unsigned x = threadIdx.x, y = threadIdx.y;
    centre.set(y, x, m.load(pivot_cell.i, pivot_cell.j));
    __syncthreads();
    Cell<with_pred> cell = m.load(own.i, own.j);
    for (int k = 0; k < side; k++) {
        const int32_t vertex = pivot * side + k;
        if (in_row) {
            const int32_t before = m.predecessor(vertex, own.j);
            relax_guarded(cell, centre.dist[y][k], m.distance(vertex, own.j), &before);
        } else {
            relax_guarded(cell, m.distance(own.i, vertex), centre.dist[k][x], &centre.pred[k][x]);
        }
    }
    __syncthreads(); // the tile is its own operand: all threads read before one writes
    m.store(own.i, own.j, cell);
}

template <bool with_pred>
__global__ void update_rest(Matrices<with_pred> m, int32_t pivot) {
    const int32_t row = static_cast<int32_t>(blockIdx.y), column = static_cast<int32_t>(blockIdx.x);
    if (row == pivot || column == pivot)
        return;
    const Place own(row, column);
    Cell<with_pred> cell = m.load(own.i, own.j);
    for (int k = 0; k < side; k++) {
        const int32_t vertex = pivot * side + k;
        const int32_t before = m.predecessor(vertex, own.j);
        relax_guarded(cell, m.distance(own.i, vertex), m.distance(vertex, own.j), &before);
    }
    m.store(own.i, own.j, cell);
}

template <bool with_pred>
enum status solve(const struct gpu_matrices *m, struct progress *progress, struct error *err) {
    const unsigned tiles = tiles_covering(m->n, side);
    const size_t bytes = tile_bytes<with_pred>(side);
    const Phase<with_pred> phases[] = {{close_pivot_tile<with_pred>, dim3(1), bytes},
                                       {update_row_and_column<with_pred>, dim3(tiles, 2), bytes},
                                       {update_rest<with_pred>, dim3(tiles, tiles), 0}};
    return run_phases(m, side, dim3(side, side), phases, progress, err);
}

} // namespace

enum status cuda_blocked_pivot(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err) {
    return m->pred != nullptr ? solve<true>(m, progress, err) : solve<false>(m, progress, err);
}
