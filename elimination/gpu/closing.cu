// SPDX-License-Identifier: MIT
#include "elimination/gpu/closing.h"

#include "gpu/launch/launch.cuh" // launch

namespace {

constexpr int tile = CLOSING_TILE;
constexpr int each = 4;           // a thread has each x each cells of a tile
constexpr int side = tile / each; // a block has side x side threads
constexpr int cells_of_tile = tile * tile;

// Number of threads of a block of the kernels that fill the matrix.
constexpr int filling_threads = 64;

__device__ constexpr double no_path = __builtin_inf();

__global__ void fill(double *dist, size_t ld) {
    for (size_t v = threadIdx.x; v < ld; v += blockDim.x)
        dist[blockIdx.x * ld + v] = v == blockIdx.x ? 0 : no_path;
}

__global__ void scatter(closing_graph g, double *dist, size_t ld) {
    const size_t low = blockIdx.x * blockDim.x + threadIdx.x;
    if (low >= static_cast<size_t>(g.n))
        return;
    for (int64_t e = g.first[low]; e < g.first[low + 1]; e++) {
        const size_t high = static_cast<size_t>(g.higher[e]);
        dist[low * ld + high] = g.up[e];
        dist[high * ld + low] = g.down[e];
    }
}

// A tile in shared memory.
struct SharedTile {
    double cell[tile][tile];
};

__device__ void read_tile(const double *from, size_t ld, SharedTile &to) {
    const int thread = static_cast<int>(threadIdx.y * side + threadIdx.x);
    for (int c = thread; c < cells_of_tile; c += side * side)
        to.cell[c / tile][c % tile] = from[static_cast<size_t>(c / tile) * ld + c % tile];
}

// Closes tile k on the diagonal: finds its distances through its own vertices.
__global__ void __launch_bounds__(side *side) close_diagonal(double *dist, size_t ld, size_t k) {
    DYNAMIC_SHARED(SharedTile, shared);
    SharedTile &own = shared[0];
    double *const at = dist + k * tile * (ld + 1);
    const int thread = static_cast<int>(threadIdx.y * side + threadIdx.x);
    read_tile(at, ld, own);
    for (int through = 0; through < tile; through++) {
        __syncthreads();
        // Row and column `through` do not change, because the diagonal is 0.
        for (int c = thread; c < cells_of_tile; c += side * side) {
            const int i = c / tile, j = c % tile;
            if (i != through && j != through)
                own.cell[i][j] = min(own.cell[i][j], own.cell[i][through] + own.cell[through][j]);
        }
    }
    __syncthreads();
    for (int c = thread; c < cells_of_tile; c += side * side)
        at[static_cast<size_t>(c / tile) * ld + c % tile] = own.cell[c / tile][c % tile];
}

// Sets tile (i, j) to the least of itself and of the product of tiles (i, k) and (k, j). One of
// these may be tile (i, j) itself: all threads read them before any thread writes.
__device__ void multiply(double *dist, size_t ld, size_t i, size_t j, size_t k) {
    DYNAMIC_SHARED(SharedTile, shared);
    SharedTile &left = shared[0], &right = shared[1];
    double *const at = dist + (i * ld + j) * tile;
    double least[each][each];
    read_tile(dist + (i * ld + k) * tile, ld, left);
    read_tile(dist + (k * ld + j) * tile, ld, right);
    const auto cell = [&](int r, int c) {
        return at + (threadIdx.y + static_cast<size_t>(r * side)) * ld + threadIdx.x + c * side;
    };
#pragma unroll
    for (int r = 0; r < each; r++) {
#pragma unroll
        for (int c = 0; c < each; c++)
            least[r][c] = *cell(r, c);
    }
    __syncthreads();
#pragma unroll 4
    for (int through = 0; through < tile; through++) {
        double there[each], back[each];
#pragma unroll
        for (int r = 0; r < each; r++) {
            there[r] = left.cell[threadIdx.y + r * side][through];
            back[r] = right.cell[through][threadIdx.x + r * side];
        }
#pragma unroll
        for (int r = 0; r < each; r++) {
#pragma unroll
            for (int c = 0; c < each; c++)
                least[r][c] = min(least[r][c], there[r] + back[c]);
        }
    }
#pragma unroll
    for (int r = 0; r < each; r++) {
#pragma unroll
        for (int c = 0; c < each; c++)
            *cell(r, c) = least[r][c];
    }
}

// Returns the index of a tile in row or column k by its number among those off the diagonal.
__device__ size_t other_than(size_t k, unsigned number) {
    return number < k ? number : number + 1;
}

// Multiplies the tiles of row k and of column k, except the one on the diagonal.
__global__ void __launch_bounds__(side *side) close_cross(double *dist, size_t ld, size_t k) {
    const size_t other = other_than(k, blockIdx.x);
    multiply(dist, ld, blockIdx.y == 0 ? k : other, blockIdx.y == 0 ? other : k, k);
}

__global__ void __launch_bounds__(side *side) close_rest(double *dist, size_t ld, size_t k) {
    multiply(dist, ld, other_than(k, blockIdx.y), other_than(k, blockIdx.x), k);
}

} // namespace

enum status closing_run(const struct closing_graph *g, struct progress *progress, double *dist,
                        size_t ld, struct error *err) {
    const unsigned tiles = static_cast<unsigned>(ld / tile), others = tiles - 1;
    const dim3 threads(side, side);
    RETURN_ON_FAILURE(
        launch(err, fill, dim3(static_cast<unsigned>(ld)), dim3(filling_threads), 0, dist, ld));
    RETURN_ON_FAILURE(launch(err, scatter, dim3(tiles_covering(g->n, filling_threads)),
                             dim3(filling_threads), 0, *g, dist, ld));
    for (size_t k = 0; k < tiles; k++) {
        if (!progress_goes_on(progress))
            return progress_cancelled(err);
        RETURN_ON_FAILURE(
            launch(err, close_diagonal, dim3(1), threads, sizeof(SharedTile), dist, ld, k));
        if (others == 0)
            continue;
        RETURN_ON_FAILURE(launch(err, close_cross, dim3(others, 2), threads, 2 * sizeof(SharedTile),
                                 dist, ld, k));
        RETURN_ON_FAILURE(launch(err, close_rest, dim3(others, others), threads,
                                 2 * sizeof(SharedTile), dist, ld, k));
    }
    return STATUS_OK;
}
