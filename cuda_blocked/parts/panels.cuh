// SPDX-License-Identifier: MIT
// The operands of a step's products (dataflow.cuh): for every tile of the pivot
// column a tile of A, for every tile of the pivot row a tile of B, in the words
// that the variant multiplies; the products of a task; and the reading of
// matrix tiles into shared memory.
#ifndef CUDA_BLOCKED_PARTS_PANELS_CUH
#define CUDA_BLOCKED_PARTS_PANELS_CUH

#include "cuda_blocked/parts/dataflow.cuh"      // Task, panels_kept
#include "cuda_blocked/parts/min_plus_tile.cuh" // multiply
#include "gpu/launch/arena.cuh"                 // Arena

namespace panels {

// Memory of panels: `count` items for each tile of a panel, for the panels of panels_kept steps.
template <typename Item, int count>
struct Panel {
    Item *items;
    int32_t tiles;

    __host__ __device__ Item *at(int32_t index, int32_t step) const {
        return items + (static_cast<size_t>(step % dataflow::panels_kept) * tiles + index) * count;
    }
    static Panel take(Arena *arena, int32_t tiles) {
        return {arena->take<Item>(dataflow::panels_kept * static_cast<size_t>(tiles) * count),
                tiles};
    }
};

// Copies a tile of 32-bit cells to shared memory, in which rows and columns can be read without
// bank conflicts.
constexpr int pitch = min_plus::tile + 1;
constexpr size_t staged_bytes = sizeof(int32_t) * min_plus::tile * pitch;

__device__ __forceinline__ void stage(int32_t *shared, const int32_t *from, size_t ld) {
    const int x = static_cast<int>(threadIdx.x) % min_plus::tile;
#pragma unroll 8
    for (int y = static_cast<int>(threadIdx.x) / min_plus::tile; y < min_plus::tile;
         y += min_plus::threads / min_plus::tile)
        shared[y * pitch + x] = from[static_cast<size_t>(y) * ld + x];
    __syncthreads();
}

// The number of vertices in tile s of a row of tiles; a tile has room for `room` vertices.
__device__ __forceinline__ int vertices(int32_t n, int32_t s, int32_t room) {
    return min(n - s * room, room);
}

// The number of slices of k in step s's products that hold vertices, and at least as many as
// multiply() needs.
__device__ __forceinline__ int slices(int32_t n, int32_t s) {
    const int depth = vertices(n, s, min_plus::tile);
    return max((depth + min_plus::slice - 1) / min_plus::slice, min_plus::stages);
}

// Does `count` products of a task (dataflow.cuh), each of `tiles` tiles, from the task's column
// `first` on. Work provides n, the panels left and right, prefetch(i, j) for tile (i, j) of the
// matrix, and store(i, j, s, cell, first), which lowers the tile's cells to the sums of step s: the
// words from `first` on of each row of `cell`.
template <typename Format, int tiles, typename Work>
__device__ __forceinline__ void multiply_tiles(const Work &work, int32_t *shared,
                                               const dataflow::Task &task, int32_t first,
                                               int32_t count, int32_t s) {
    if (count == 0)
        return;
    const int32_t i = task.row;
    const auto column = [&](int t, int u) { return task.column_of(first + t * tiles + u); };
    const auto right_tile = [&](int t, int u) { return work.right.at(column(t, u), s); };
    const auto start = [&](int t) {
#pragma unroll
        for (int u = 0; u < tiles; u++)
            work.prefetch(i, column(t, u));
    };
    const auto visit = [&](int t, const auto &cell) {
#pragma unroll
        for (int u = 0; u < tiles; u++)
            work.store(i, column(t, u), s, cell, u * Format::words);
    };
    min_plus::multiply<Format, tiles>(shared, count, slices(work.n, s), work.left.at(i, s),
                                      right_tile, start, visit);
}

// Does all products of a task whose words hold two cells: with two tiles at once a thread has 8 x
// 8 words.
template <typename Format, typename Work>
__device__ __forceinline__ void multiply_pairs(const Work &work, int32_t *shared,
                                               const dataflow::Task &task, int32_t s) {
    // Both numbers are read here: after the pairs' last barrier `task` may hold the next task.
    const int32_t pairs = task.count / 2, single = task.count % 2;
    multiply_tiles<Format, 2>(work, shared, task, 0, pairs, s);
    multiply_tiles<Format, 1>(work, shared, task, 2 * pairs, single, s);
}

} // namespace panels

#endif
