// SPDX-License-Identifier: MIT
// 32-bit cells: the work (dataflow.cuh) of dpx32, on one GPU or on several.
#ifndef CUDA_BLOCKED_PARTS_WIDE_TILES_CUH
#define CUDA_BLOCKED_PARTS_WIDE_TILES_CUH

#include "common/graph/graph.h"            // INF
#include "cuda_blocked/parts/dataflow.cuh" // Task
#include "cuda_blocked/parts/panels.cuh"   // Panel, stage

namespace wide_tiles {

using min_plus::half;
using min_plus::line;
using min_plus::own;
using min_plus::run;
using Format = min_plus::Int32;

using Left = panels::Panel<int32_t, min_plus::left_words>;
using Right = panels::Panel<int32_t, min_plus::right_words<Format>>;

// If the matrix is spread over several GPUs, each has the tile rows with the same remainder modulo
// `parts`, one after the other.
template <bool spread>
struct Work {
    static constexpr int tile = min_plus::tile, threads = min_plus::threads;
    static constexpr int vertices = tile; // vertices that a row or column of a tile has room for
    static constexpr int blocks = 2;      // blocks per multiprocessor, if there is room
    static constexpr int task_tiles = 4, least_tiles = 1;
    static constexpr int lead_waves = 4;
    static constexpr size_t cell_bytes = sizeof(int32_t);
    static constexpr uint32_t no_paths = INF; // a word of cells without a path
    static constexpr size_t operand_bytes = min_plus::shared_bytes<Format, 1>;
    static constexpr size_t shared_bytes =
        operand_bytes > panels::staged_bytes ? operand_bytes : panels::staged_bytes;

    int32_t *dist;
    size_t ld;
    int32_t n;
    Left left;
    Right right;
    int32_t parts; // number of GPUs that share the matrix; 1: it is not spread

    __device__ int32_t *tile_at(int32_t i, int32_t j) const {
        const int32_t row = spread ? i / parts : i;
        return dist + static_cast<size_t>(row) * tile * ld + static_cast<size_t>(j) * tile;
    }

    // The distance to vertex v in a row of the matrix.
    __device__ int32_t distance(size_t row, int32_t v) const {
        return dist[row * ld + v];
    }
    __device__ void place(size_t row, int32_t v, int32_t distance) const {
        dist[row * ld + v] = distance;
    }

    __device__ void update(int32_t *shared, const dataflow::Task &task, int32_t s) const {
        const int32_t i = task.row;
        const auto right_tile = [&](int t, int) { return right.at(task.column_of(t), s); };
        const auto start = [&](int t) {
            min_plus::prefetch_tile<tile>(tile_at(i, task.column_of(t)), ld);
        };
        const auto visit = [&](int t, const int32_t(&cell)[own][own]) {
            const auto candidate = [&](int r, int c, uint32_t(&now)[run]) {
#pragma unroll
                for (int u = 0; u < run; u++)
                    now[u] = static_cast<uint32_t>(cell[r][c + u]);
            };
            min_plus::store_minima(tile_at(i, task.column_of(t)), ld, candidate);
        };
        min_plus::multiply<Format, 1>(shared, task.count, panels::slices(n, s), left.at(i, s),
                                      right_tile, start, visit);
    }

    __device__ void close(int32_t *shared, int32_t s) const {
        const int y = min_plus::place_y(), x = min_plus::place_x();
        int32_t *pivot = tile_at(s, s);
        int32_t cell[own][own];
#pragma unroll
        for (int r = 0; r < own; r++) {
#pragma unroll
            for (int c = 0; c < own; c += run)
                min_plus::load_run(&cell[r][c],
                                   pivot + static_cast<size_t>(line(y, r)) * ld + line(x, c));
        }
        min_plus::close<Format>(cell, shared, panels::vertices(n, s, tile));
#pragma unroll
        for (int r = 0; r < own; r++) {
#pragma unroll
            for (int c = 0; c < own; c++)
                pivot[static_cast<size_t>(line(y, r)) * ld + line(x, c)] = cell[r][c];
        }
        __syncthreads();
    }

    __device__ void encode_left(int32_t *shared, int32_t i, int32_t s) const {
        panels::stage(shared, tile_at(i, s), ld);
        int32_t *to = left.at(i, s);
#pragma unroll 8
        for (int c = static_cast<int>(threadIdx.x); c < tile * tile; c += threads)
            to[c] = shared[c % tile * panels::pitch + c / tile];
        __syncthreads();
    }

    __device__ void encode_right(int32_t *, int32_t j, int32_t s) const {
        const int32_t *from = tile_at(s, j);
        int32_t *to = right.at(j, s);
#pragma unroll 8
        for (int c = static_cast<int>(threadIdx.x); c < tile * tile; c += threads)
            to[c] = from[static_cast<size_t>(c / tile) * ld + c % tile];
        __syncthreads();
    }
};

} // namespace wide_tiles

#endif
