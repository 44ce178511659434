// 32 x 32 tiles, operands in shared memory, own cell in a register (report "b32").
//
// What changes from `pivot`: phase 3 reads one tile of the pivot row and one of the
// pivot column into shared memory, once each, instead of going to the caches for
// every k. With its own cell in a register, a thread writes nothing that another
// reads, so that the loop over k has no barrier. Phase 2, whose tile is its own
// operand, keeps it in shared memory with two barriers per k. The guards are gone:
// INF = 2^30 - 1 is chosen so that they are not needed.
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/phases.cuh" // Matrices, for_each_pivot

namespace {

constexpr int side = 32;

// A tile in shared memory; thread (x, y) loads cell (row y, column x).
template <bool with_pred>
struct Tile {
    int32_t (*dist)[side];
    int32_t (*pred)[side];

    __device__ Tile(int32_t *shared, int index)
        : dist(reinterpret_cast<int32_t (*)[side]>(shared) + (with_pred ? 2 : 1) * index * side),
          pred(dist + (with_pred ? side : 0)) {
    }
    __device__ void set(const Cell<with_pred> &cell) {
        dist[threadIdx.y][threadIdx.x] = cell.distance;
        if (with_pred)
            pred[threadIdx.y][threadIdx.x] = cell.predecessor;
    }
};

// The thread's cell of a tile of the matrix.
template <bool with_pred>
__device__ Cell<with_pred> load(const Matrices<with_pred> &m, int32_t row, int32_t column) {
    const int32_t i = row * side + static_cast<int32_t>(threadIdx.y);
    const int32_t j = column * side + static_cast<int32_t>(threadIdx.x);
    return {m.distance(i, j), m.predecessor(i, j)};
}

template <bool with_pred>
__device__ void store(const Matrices<with_pred> &m, int32_t row, int32_t column,
                      const Cell<with_pred> &cell) {
    m.store(row * side + static_cast<int32_t>(threadIdx.y),
            column * side + static_cast<int32_t>(threadIdx.x), cell.distance, cell.predecessor);
}

// Relaxes the cell through the k-th vertex of the pivot.
template <bool with_pred>
__device__ void relax(Cell<with_pred> &cell, const Tile<with_pred> &left,
                      const Tile<with_pred> &right, int k) {
    cell.relax(left.dist[threadIdx.y][k], right.dist[k][threadIdx.x], &right.pred[k][threadIdx.x]);
}

template <bool with_pred>
__global__ void close_pivot_tile(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    Tile<with_pred> tile(shared, 0);
    Cell<with_pred> cell = load(m, pivot, pivot);
    for (int k = 0; k < side; k++) {
        tile.set(cell);
        __syncthreads();
        relax(cell, tile, tile, k);
        __syncthreads();
    }
    store(m, pivot, pivot, cell);
}

// blockIdx.y = 0: the pivot row, 1: the pivot column.
template <bool with_pred>
__global__ void update_row_and_column(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    Tile<with_pred> centre(shared, 0), tile(shared, 1);
    const int32_t other = static_cast<int32_t>(blockIdx.x);
    const bool in_row = blockIdx.y == 0;
    if (other == pivot)
        return;
    const int32_t row = in_row ? pivot : other, column = in_row ? other : pivot;
    Cell<with_pred> cell = load(m, row, column);
    centre.set(load(m, pivot, pivot));
    for (int k = 0; k < side; k++) {
        tile.set(cell);
        __syncthreads();
        if (in_row)
            relax(cell, centre, tile, k);
        else
            relax(cell, tile, centre, k);
        __syncthreads();
    }
    store(m, row, column, cell);
}

template <bool with_pred>
__global__ void update_rest(Matrices<with_pred> m, int32_t pivot) {
    DYNAMIC_SHARED(int32_t, shared);
    Tile<with_pred> left(shared, 0), right(shared, 1);
    const int32_t row = static_cast<int32_t>(blockIdx.y), column = static_cast<int32_t>(blockIdx.x);
    if (row == pivot || column == pivot)
        return;
    left.set(load(m, row, pivot));
    right.set(load(m, pivot, column));
    __syncthreads();
    Cell<with_pred> cell = load(m, row, column);
#pragma unroll
    for (int k = 0; k < side; k++)
        relax(cell, left, right, k);
    store(m, row, column, cell);
}

template <bool with_pred>
enum status solve(const struct gpu_matrices *g, struct progress *progress, struct error *err) {
    const Matrices<with_pred> m = {g->dist, g->pred, g->n, g->ld};
    const unsigned tiles = tiles_covering(g->n, side);
    const dim3 block(side, side);
    const size_t tile_bytes = (with_pred ? 2 : 1) * sizeof(int32_t) * side * side;
    return for_each_pivot(
        static_cast<int32_t>(tiles), progress,
        [&](int32_t pivot) {
            return launch(err, close_pivot_tile<with_pred>, dim3(1), block, tile_bytes, m, pivot);
        },
        [&](int32_t pivot) {
            return launch(err, update_row_and_column<with_pred>, dim3(tiles, 2), block,
                          2 * tile_bytes, m, pivot);
        },
        [&](int32_t pivot) {
            return launch(err, update_rest<with_pred>, dim3(tiles, tiles), block, 2 * tile_bytes, m,
                          pivot);
        });
}

} // namespace

enum status cuda_blocked_tile32(const struct gpu_matrices *m, struct progress *progress,
                                struct error *err) {
    return m->pred != nullptr ? solve<true>(m, progress, err) : solve<false>(m, progress, err);
}
