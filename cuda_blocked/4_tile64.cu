// SPDX-License-Identifier: MIT
// 64 x 64 tiles by 32 x 32 threads, 2 x 2 cells per thread (report "tile64-2x2").
//
// Changes from `tile32`: a thread owns four cells in registers, so two operands from a row and
// two from a column serve four relaxations: half as many reads of shared memory per relaxation. A
// step takes 64 k, so global memory is accessed half as often. The loop over k is unrolled. Phase 3
// treats the pivot's row and column like the rest: relaxing them again changes nothing.
//
// Reached on an H200 at n = 10000, 2 %: 124 ms, 8.09 T/s; with predecessors 292 ms.
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/phases.cuh"       // Matrices, Tile, run_phases
#include "cuda_blocked/parts/tile_constants.h" // MIDDLE_TILE

namespace {

constexpr int side = MIDDLE_TILE;
constexpr int threads_side = 32;
constexpr int own = side / threads_side; // a thread owns own x own neighbouring cells

// The cells that a thread owns in one tile.
template <bool with_pred>
struct Cells {
    Cell<with_pred> cell[own][own];
    int32_t y, x; // row and column of the first cell in the tile

    __device__ Cells()
        : y(static_cast<int32_t>(threadIdx.y) * own), x(static_cast<int32_t>(threadIdx.x) * own) {
    }

    __device__ void load(const Matrices<with_pred> &m, int32_t row, int32_t column) {
        for (int r = 0; r < own; r++) {
            for (int c = 0; c < own; c++)
                cell[r][c] = m.load(row * side + y + r, column * side + x + c);
        }
    }

    __device__ void store(const Matrices<with_pred> &m, int32_t row, int32_t column) const {
        for (int r = 0; r < own; r++) {
            for (int c = 0; c < own; c++)
                m.store(row * side + y + r, column * side + x + c, cell[r][c]);
        }
    }

    __device__ void put_into(const Tile<side, with_pred> &tile) const {
        for (int r = 0; r < own; r++) {
            for (int c = 0; c < own; c++)
                tile.set(y + r, x + c, cell[r][c]);
        }
    }

    __device__ void relax(const Tile<side, with_pred> &left, const Tile<side, with_pred> &right,
                          int k) {
        int32_t to_k[own], from_k[own];
        for (int r = 0; r < own; r++)
            to_k[r] = left.dist[y + r][k];
        for (int c = 0; c < own; c++)
            from_k[c] = right.dist[k][x + c];
        for (int r = 0; r < own; r++) {
            for (int c = 0; c < own; c++)
                cell[r][c].relax(to_k[r], from_k[c], &right.pred[k][x + c]);
        }
    }
};

template <bool with_pred>
__global__ void close_pivot_tile(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> tile(shared, 0);
    Cells<with_pred> cells;
    cells.load(m, pivot, pivot);
    for (int k = 0; k < side; k++) {
        cells.put_into(tile);
        __syncthreads();
        cells.relax(tile, tile, k);
        __syncthreads();
    }
    cells.store(m, pivot, pivot);
}

// Phase 2. blockIdx.y = 0: the pivot row, 1: the pivot column. The old values of the tile suffice
// as operands, because the pivot tile is closed.
template <bool with_pred>
__global__ void update_row_and_column(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> centre(shared, 0), tile(shared, 1);
    const int32_t other = static_cast<int32_t>(blockIdx.x);
    const bool in_row = blockIdx.y == 0;
    if (other == pivot)
        return;
    const int32_t row = in_row ? pivot : other, column = in_row ? other : pivot;
    Cells<with_pred> cells;
    cells.load(m, pivot, pivot);
    cells.put_into(centre);
    cells.load(m, row, column);
    cells.put_into(tile);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < side; k++)
        cells.relax(in_row ? centre : tile, in_row ? tile : centre, k);
    cells.store(m, row, column);
}

template <bool with_pred>
__global__ void update_all(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    const Tile<side, with_pred> left(shared, 0), right(shared, 1);
    const int32_t row = static_cast<int32_t>(blockIdx.y), column = static_cast<int32_t>(blockIdx.x);
    Cells<with_pred> cells;
    cells.load(m, row, pivot);
    cells.put_into(left);
    cells.load(m, pivot, column);
    cells.put_into(right);
    cells.load(m, row, column);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < side; k++)
        cells.relax(left, right, k);
    // Other blocks may read the pivot's row and column, which have not changed.
    if (row != pivot && column != pivot)
        cells.store(m, row, column);
}

template <bool with_pred>
enum status solve(const struct gpu_matrices *m, struct progress *progress, struct error *err) {
    const unsigned tiles = tiles_covering(m->n, side);
    const size_t bytes = tile_bytes<with_pred>(side);
    const Phase<with_pred> phases[] = {
        {close_pivot_tile<with_pred>, dim3(1), bytes},
        {update_row_and_column<with_pred>, dim3(tiles, 2), 2 * bytes},
        {update_all<with_pred>, dim3(tiles, tiles), 2 * bytes}};
    return run_phases(m, side, dim3(threads_side, threads_side), phases, progress, err);
}

} // namespace

enum status cuda_blocked_tile64(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    return m->pred != nullptr ? solve<true>(m, progress, err) : solve<false>(m, progress, err);
}
