// SPDX-License-Identifier: MIT
// Cells relative to the smallest of their row or column: the work (dataflow.cuh) of dpx16 if
// distances do not fit in 16 bits but their differences do.
//
// The matrix stays 32-bit. Each row of a left operand, and each column of a right one, is relative
// to its smallest distance, and sums get both added again.
//
// This is exact if no finite length in such a row or column is more than 16383 above the smallest:
// sums of two stay below 32767, which stands for "no path", and no sum with 32767 overflows. The
// encoding of the operands checks it, and the solve stops if it does not hold. Lengths are those of
// the paths found so far: a long detour that a later step would shorten counts too.
#ifndef CUDA_BLOCKED_PARTS_RELATIVE_TILES_CUH
#define CUDA_BLOCKED_PARTS_RELATIVE_TILES_CUH

#include "common/graph/graph.h"            // INF
#include "cuda_blocked/parts/dataflow.cuh" // Task
#include "cuda_blocked/parts/offsets.cuh"  // relative, absolute
#include "cuda_blocked/parts/panels.cuh"   // Panel, stage

namespace relative_tiles {

using min_plus::half;
using min_plus::line;
using min_plus::own;
using min_plus::run;
using Format = min_plus::Uint16x2;

using Left = panels::Panel<uint32_t, min_plus::left_words>;
using Right = panels::Panel<uint32_t, min_plus::right_words<Format>>;
using Offsets = panels::Panel<int32_t, min_plus::tile>;

struct Work {
    static constexpr int tile = min_plus::tile, threads = min_plus::threads;
    static constexpr int blocks = 2; // blocks per multiprocessor, if there is room
    static constexpr int task_tiles = 4;
    static constexpr int lead_waves = 5;
    static constexpr size_t staged_words = panels::staged_bytes / sizeof(int32_t);
    static constexpr size_t encode_bytes = panels::staged_bytes + threads * sizeof(int32_t);
    static constexpr size_t operand_bytes = min_plus::shared_bytes<Format, 2>;
    static constexpr size_t shared_bytes =
        operand_bytes > encode_bytes ? operand_bytes : encode_bytes;

    int32_t *dist;
    size_t ld;
    int32_t n;
    Left left;
    Right right;
    Offsets left_offset, right_offset; // left_offset: of rows; right_offset: of columns
    int32_t *inexact;                  // set if a difference does not fit

    __device__ int32_t *tile_at(int32_t i, int32_t j) const {
        return dist + static_cast<size_t>(i) * tile * ld + static_cast<size_t>(j) * tile;
    }

    // Puts two operands into a word; clears *fit if a difference does not fit.
    static __device__ uint32_t word(int32_t low, int32_t low_offset, int32_t high,
                                    int32_t high_offset, bool *fit) {
        *fit = *fit && offsets::fits(low, low_offset) && offsets::fits(high, high_offset);
        return offsets::relative(low, low_offset) | offsets::relative(high, high_offset) << 16;
    }

    __device__ void stop_unless(bool fit) const {
        if (!fit)
            store_release(inexact, 1);
    }

    __device__ __forceinline__ void prefetch(int32_t i, int32_t j) const {
        min_plus::prefetch_tile<tile>(tile_at(i, j), ld);
    }

    template <int words>
    __device__ __forceinline__ void store(int32_t i, int32_t j, int32_t s,
                                          const uint32_t (&cell)[own][words], int first) const {
        int32_t of_rows[own], of_columns[own];
        min_plus::load_lines(of_rows, left_offset.at(i, s), min_plus::place_y());
        min_plus::load_lines(of_columns, right_offset.at(j, s), min_plus::place_x());
        const auto candidate = [&](int r, int c, uint32_t(&now)[run]) {
#pragma unroll
            for (int v = 0; v < run; v++) {
                const uint32_t two = cell[r][first + v];
                now[v] = offsets::absolute(c == 0 ? two & 0xffff : two >> 16, of_rows[r],
                                           of_columns[c + v]);
            }
        };
        min_plus::store_minima(tile_at(i, j), ld, candidate);
    }

    __device__ void update(int32_t *shared, const dataflow::Task &task, int32_t s) const {
        panels::multiply_pairs<Format>(*this, shared, task, s);
    }

    // Every row of the pivot tile has a zero, so distances are their own differences.
    __device__ void close(int32_t *shared, int32_t s) const {
        const int y = min_plus::place_y(), x = min_plus::place_x();
        uint32_t cell[own][Format::words];
        bool fit = true;
#pragma unroll
        for (int r = 0; r < own; r++) {
            const int32_t *row = tile_at(s, s) + static_cast<size_t>(line(y, r)) * ld + x * run;
#pragma unroll
            for (int c = 0; c < run; c++)
                cell[r][c] = word(row[c], 0, row[c + half], 0, &fit);
        }
        stop_unless(fit);
        min_plus::close<Format>(cell, shared, panels::vertices(n, s, tile));
#pragma unroll
        for (int r = 0; r < own; r++) {
            int32_t *row = tile_at(s, s) + static_cast<size_t>(line(y, r)) * ld + x * run;
#pragma unroll
            for (int c = 0; c < run; c++) {
                const uint32_t low = offsets::absolute(cell[r][c] & 0xffff, 0, 0);
                const uint32_t high = offsets::absolute(cell[r][c] >> 16, 0, 0);
                row[c] = static_cast<int32_t>(min(low, static_cast<uint32_t>(INF)));
                row[c + half] = static_cast<int32_t>(min(high, static_cast<uint32_t>(INF)));
            }
        }
        __syncthreads();
    }

    // The smallest cell of the thread's line of the staged tile, 0 if the line has no path.
    // `between`: cells from one line to the next; `step`: from one cell of a line to the next. Two
    // threads share a line.
    __device__ int32_t smallest(int32_t *shared, int between, int step) const {
        int32_t *const of_halves = shared + staged_words;
        const int l = static_cast<int>(threadIdx.x) % tile;
        const int first = static_cast<int>(threadIdx.x) / tile * half;
        int32_t least = INF;
#pragma unroll 16
        for (int k = first; k < first + half; k++)
            least = min(least, shared[l * between + k * step]);
        of_halves[threadIdx.x] = least;
        __syncthreads();
        least = min(of_halves[l], of_halves[l + tile]);
        return least < INF ? least : 0;
    }

    __device__ void encode_left(int32_t *shared, int32_t i, int32_t s) const {
        panels::stage(shared, tile_at(i, s), ld);
        const int32_t offset = smallest(shared, panels::pitch, 1);
        const int row = static_cast<int>(threadIdx.x) % tile;
        const int first = static_cast<int>(threadIdx.x) / tile;
        left_offset.at(i, s)[row] = offset; // both threads of a row write the same value
        uint32_t *const to = left.at(i, s);
        bool fit = true;
#pragma unroll 8
        for (int k = first; k < tile; k += threads / tile) {
            const int32_t distance = shared[row * panels::pitch + k];
            to[k * tile + row] = word(distance, offset, distance, offset, &fit);
        }
        stop_unless(fit);
        __syncthreads();
    }

    __device__ void encode_right(int32_t *shared, int32_t j, int32_t s) const {
        panels::stage(shared, tile_at(s, j), ld);
        int32_t *const offset = shared + staged_words;
        const int32_t least = smallest(shared, 1, panels::pitch);
        __syncthreads();
        const int column = static_cast<int>(threadIdx.x) % tile;
        offset[column] = least;
        right_offset.at(j, s)[column] = least;
        __syncthreads();
        const int x = static_cast<int>(threadIdx.x) % half;
        uint32_t *const to = right.at(j, s);
        bool fit = true;
#pragma unroll 8
        for (int k = static_cast<int>(threadIdx.x) / half; k < tile; k += threads / half) {
            const int32_t *row = shared + k * panels::pitch;
            to[k * half + x] = word(row[x], offset[x], row[x + half], offset[x + half], &fit);
        }
        stop_unless(fit);
        __syncthreads();
    }
};

} // namespace relative_tiles

#endif
