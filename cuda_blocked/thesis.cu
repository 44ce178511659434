// Three phases per block step, tiles of D and of predecessors in shared memory,
// one cell per thread (thesis, section 4.5).
//
// A step takes B values of k at once. Phase 1 closes the pivot tile, which needs
// nothing else; phase 2 updates the tiles in its row and column, which need only
// the pivot tile and themselves; phase 3 updates every other tile from one tile
// of the pivot column and one of the pivot row. Global memory is touched once
// per B relaxations instead of once per relaxation.
//
// The thesis's program is wrong where B does not divide n. Here cells outside
// the matrix read as INF, which never improves a path, and are not stored.
#include "common/graph.h"    // INF
#include "common/launch.cuh" // launch
#include "common/progress.h" // progress_report
#include "cuda_blocked/kernels.h"

namespace {

// The matrices in device memory, as every phase needs them.
struct Matrices {
    int32_t *dist, *pred;
    int32_t n;
    size_t ld;
};

// One B x B tile of both matrices in shared memory. Thread (x, y) of the block
// loads, owns and stores cell (row y, column x).
template <bool with_pred>
struct Tile {
    int32_t *dist, *pred;

    // The index-th tile in the block's shared memory.
    __device__ Tile(int32_t *shared, int index) {
        const unsigned cells = blockDim.x * blockDim.y;
        dist = shared + (with_pred ? 2 : 1) * index * cells;
        pred = dist + cells;
    }

    __device__ void load(const Matrices &m, int32_t tile_row, int32_t tile_column) {
        const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
        const unsigned i = tile_row * blockDim.y + threadIdx.y;
        const unsigned j = tile_column * blockDim.x + threadIdx.x;
        const bool inside = i < static_cast<unsigned>(m.n) && j < static_cast<unsigned>(m.n);
        dist[own] = inside ? m.dist[i * m.ld + j] : INF;
        if (with_pred)
            pred[own] = inside ? m.pred[i * m.ld + j] : -1;
    }

    __device__ void store(const Matrices &m, int32_t tile_row, int32_t tile_column) const {
        const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
        const unsigned i = tile_row * blockDim.y + threadIdx.y;
        const unsigned j = tile_column * blockDim.x + threadIdx.x;
        if (i >= static_cast<unsigned>(m.n) || j >= static_cast<unsigned>(m.n))
            return;
        m.dist[i * m.ld + j] = dist[own];
        if (with_pred)
            m.pred[i * m.ld + j] = pred[own];
    }

    // Relaxes the thread's own cell through the k-th vertex of the pivot: the
    // path to it from tile `left`, the path on from it, with its predecessors,
    // from tile `right`.
    __device__ void relax(const Tile &left, const Tile &right, unsigned k) {
        const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
        const int32_t to_k = left.dist[threadIdx.y * blockDim.x + k];
        const int32_t from_k = right.dist[k * blockDim.x + threadIdx.x];
        if (to_k != INF && from_k != INF && to_k + from_k < dist[own]) {
            dist[own] = to_k + from_k;
            if (with_pred)
                pred[own] = right.pred[k * blockDim.x + threadIdx.x];
        }
    }
};

// The index of a tile other than the pivot: 0, 1, ... without the pivot.
__device__ int32_t skip_pivot(unsigned index, int32_t pivot) {
    return static_cast<int32_t>(index) + min((static_cast<int32_t>(index) + 1) / (pivot + 1), 1);
}

// In phases 1 and 2 a tile is its own operand. One barrier per k is enough: step
// k changes neither row k nor column k of any tile, since D[k][k] = 0.

template <bool with_pred>
__global__ void close_pivot_tile(Matrices m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    Tile<with_pred> tile(shared, 0);
    tile.load(m, pivot, pivot);
    for (unsigned k = 0; k < blockDim.x; k++) {
        __syncthreads();
        tile.relax(tile, tile, k);
    }
    tile.store(m, pivot, pivot);
}

template <bool with_pred>
__global__ void update_row_and_column(Matrices m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    Tile<with_pred> pivot_tile(shared, 0), tile(shared, 1);
    const int32_t other = skip_pivot(blockIdx.x, pivot);
    const bool in_pivot_row = blockIdx.y == 0;
    const int32_t row = in_pivot_row ? pivot : other;
    const int32_t column = in_pivot_row ? other : pivot;
    pivot_tile.load(m, pivot, pivot);
    tile.load(m, row, column);
    for (unsigned k = 0; k < blockDim.x; k++) {
        __syncthreads();
        if (in_pivot_row)
            tile.relax(pivot_tile, tile, k);
        else
            tile.relax(tile, pivot_tile, k);
    }
    tile.store(m, row, column);
}

template <bool with_pred>
__global__ void update_rest(Matrices m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    Tile<with_pred> left(shared, 0), right(shared, 1), tile(shared, 2);
    const int32_t row = skip_pivot(blockIdx.y, pivot);
    const int32_t column = skip_pivot(blockIdx.x, pivot);
    left.load(m, row, pivot);
    right.load(m, pivot, column);
    tile.load(m, row, column);
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; k++)
        tile.relax(left, right, k);
    tile.store(m, row, column);
}

template <bool with_pred>
enum status solve(const struct gpu_matrices *g, struct progress *progress, struct error *err) {
    const Matrices m = {g->dist, g->pred, g->n, g->ld};
    const unsigned side = static_cast<unsigned>(g->tile);
    const unsigned tiles = tiles_covering(g->n, g->tile);
    const dim3 block(side, side);
    const size_t tile_bytes = (with_pred ? 2 : 1) * sizeof(int32_t) * side * side;
    for (unsigned step = 0; step < tiles; step++) {
        const int32_t pivot = static_cast<int32_t>(step);
        enum status status =
            launch(err, close_pivot_tile<with_pred>, dim3(1), block, tile_bytes, m, pivot);
        if (status == STATUS_OK && tiles > 1)
            status = launch(err, update_row_and_column<with_pred>, dim3(tiles - 1, 2), block,
                            2 * tile_bytes, m, pivot);
        if (status == STATUS_OK && tiles > 1)
            status = launch(err, update_rest<with_pred>, dim3(tiles - 1, tiles - 1), block,
                            3 * tile_bytes, m, pivot);
        if (status != STATUS_OK)
            return status;
        progress_report(progress, step + 1, tiles);
    }
    return STATUS_OK;
}

} // namespace

enum status cuda_blocked_thesis(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    return m->pred != nullptr ? solve<true>(m, progress, err) : solve<false>(m, progress, err);
}
