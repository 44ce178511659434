// SPDX-License-Identifier: MIT
// Three phases per block step, tiles of D and of predecessors in shared memory,
// one cell per thread (thesis, section 4.5).
//
// A step takes B values of k at once. Phase 1 closes the pivot tile, which needs nothing else.
// Phase 2 updates the tiles in its row and column, which need only the pivot tile and themselves.
// Phase 3 updates every other tile from a tile of the pivot column and one of the pivot row. Global
// memory is accessed once per B relaxations instead of once per relaxation.
//
// The thesis's program is wrong if B does not divide n. Here cells outside the matrix read as INF,
// which never improves a path, and are not stored.
//
// Reached on an H200 at n = 10000, 2 %: 616 ms, 1.62 T/s; with predecessors 838 ms.
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/phases.cuh" // Matrices, run_phases

namespace {

// A tile of both matrices in shared memory, as large as the block. Each thread loads, owns and
// stores one cell of it.
template <bool with_pred>
struct AnyTile {
    int32_t *dist, *pred;
    unsigned own;

    // The index-th tile in the block's shared memory.
    __device__ AnyTile(int32_t *shared, int index) : own(threadIdx.y * blockDim.x + threadIdx.x) {
        const unsigned cells = blockDim.x * blockDim.y;
        dist = shared + (with_pred ? 2 : 1) * index * cells;
        pred = dist + cells;
    }

    __device__ void load(const Matrices<with_pred> &m, const Place &place) {
        const Cell<with_pred> cell = m.load(place.i, place.j);
        dist[own] = cell.distance;
        if (with_pred)
            pred[own] = cell.predecessor;
    }

    __device__ void store(const Matrices<with_pred> &m, const Place &place) const {
        m.store(place.i, place.j, {dist[own], with_pred ? pred[own] : -1});
    }

    // Relaxes the thread's own cell through the k-th vertex of the pivot. Tile `left` has the path
    // to that vertex, tile `right` the path from that vertex on, with its predecessors.
    __device__ void relax(const AnyTile &left, const AnyTile &right, unsigned k) {
        const unsigned row_k = k * blockDim.x + threadIdx.x;
        const int32_t to_k = left.dist[threadIdx.y * blockDim.x + k];
        const int32_t from_k = right.dist[row_k];
        if (to_k != INF && from_k != INF && to_k + from_k < dist[own]) {
            dist[own] = to_k + from_k;
            if (with_pred)
                pred[own] = right.pred[row_k];
        }
    }
};

// The number of the tile with that index, if the pivot is left out of the indices.
__device__ int32_t skip_pivot(unsigned index, int32_t pivot) {
    return static_cast<int32_t>(index) + min((static_cast<int32_t>(index) + 1) / (pivot + 1), 1);
}

// In phases 1 and 2 a tile is its own operand. One barrier per k is enough: step k changes neither
// row k nor column k of any tile, because D[k][k] = 0.

template <bool with_pred>
__global__ void close_pivot_tile(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    AnyTile<with_pred> tile(shared, 0);
    const Place place(pivot, pivot);
    tile.load(m, place);
    for (unsigned k = 0; k < blockDim.x; k++) {
        __syncthreads();
        tile.relax(tile, tile, k);
    }
    tile.store(m, place);
}

// Phase 2. blockIdx.y = 0: the pivot row, 1: the pivot column.
template <bool with_pred>
__global__ void update_row_and_column(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    AnyTile<with_pred> pivot_tile(shared, 0), tile(shared, 1);
    const int32_t other = skip_pivot(blockIdx.x, pivot);
    const bool in_row = blockIdx.y == 0;
    const Place place(in_row ? pivot : other, in_row ? other : pivot);
    pivot_tile.load(m, Place(pivot, pivot));
    tile.load(m, place);
    for (unsigned k = 0; k < blockDim.x; k++) {
        __syncthreads();
        if (in_row)
            tile.relax(pivot_tile, tile, k);
        else
            tile.relax(tile, pivot_tile, k);
    }
    tile.store(m, place);
}

template <bool with_pred>
__global__ void update_rest(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    AnyTile<with_pred> left(shared, 0), right(shared, 1), tile(shared, 2);
    const int32_t row = skip_pivot(blockIdx.y, pivot);
    const int32_t column = skip_pivot(blockIdx.x, pivot);
    const Place place(row, column);
    left.load(m, Place(row, pivot));
    right.load(m, Place(pivot, column));
    tile.load(m, place);
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; k++)
        tile.relax(left, right, k);
    tile.store(m, place);
}

template <bool with_pred>
enum status solve(const struct gpu_matrices *m, struct progress *progress, struct error *err) {
    const unsigned side = static_cast<unsigned>(m->tile);
    const unsigned others = tiles_covering(m->n, m->tile) - 1;
    const size_t bytes = tile_bytes<with_pred>(m->tile);
    const Phase<with_pred> phases[] = {
        {close_pivot_tile<with_pred>, dim3(1), bytes},
        {update_row_and_column<with_pred>, dim3(others, 2), 2 * bytes},
        {update_rest<with_pred>, dim3(others, others), 3 * bytes}};
    return run_phases(m, m->tile, dim3(side, side), phases, progress, err);
}

} // namespace

enum status cuda_blocked_thesis(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    return m->pred != nullptr ? solve<true>(m, progress, err) : solve<false>(m, progress, err);
}
