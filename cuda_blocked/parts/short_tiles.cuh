// SPDX-License-Identifier: MIT
// Two cells to a word: the work (dataflow.cuh) of dpx16 if distances fit in 16 bits, on one GPU or
// on several.
//
// Distances up to 32766 stand for themselves, longer ones and "no path" are 32767. Sums of two do
// not overflow 16 bits, and a path that is too long never gets below 32767, alone or with others.
// So every cell below 32767 is exact, and the others are if every "no path" is true
// (reachability.cuh).
//
// A word holds the cells of columns j and j + 64 of a row of a tile.
#ifndef CUDA_BLOCKED_PARTS_SHORT_TILES_CUH
#define CUDA_BLOCKED_PARTS_SHORT_TILES_CUH

#include "common/graph/graph.h"            // INF
#include "cuda_blocked/parts/dataflow.cuh" // Task
#include "cuda_blocked/parts/panels.cuh"   // Panel

namespace short_tiles {

using min_plus::half;
using min_plus::line;
using min_plus::own;
using min_plus::run;
using Format = min_plus::Uint16x2;

using Left = panels::Panel<uint32_t, min_plus::left_words>;
using Right = panels::Panel<uint32_t, min_plus::right_words<Format>>;

// If the matrix is spread over several GPUs, each has some of the tile rows (wide_tiles.cuh).
template <bool spread>
struct Work {
    static constexpr int tile = min_plus::tile, threads = min_plus::threads;
    static constexpr int vertices = tile;
    static constexpr int blocks = 2; // blocks per multiprocessor, if there is room
    static constexpr int task_tiles = 4, least_tiles = 2;
    static constexpr int lead_waves = 5;
    static constexpr int pitch = half + 1; // words of a row of a tile that is being transposed
    static constexpr size_t staged_bytes = sizeof(uint32_t) * tile * pitch;
    static constexpr size_t operand_bytes = min_plus::shared_bytes<Format, 2>;
    static constexpr size_t shared_bytes =
        operand_bytes > staged_bytes ? operand_bytes : staged_bytes;
    static constexpr size_t cell_bytes = sizeof(uint16_t);
    static constexpr uint32_t no_paths = 0x7fff7fff;

    uint32_t *words;
    size_t ld; // leading dimension, in words
    int32_t n;
    Left left; // both halves of a word hold the same cell
    Right right;
    int32_t parts; // number of GPUs that share the matrix, if it is spread

    __device__ uint32_t *tile_at(int32_t i, int32_t j) const {
        const int32_t row = spread ? i / parts : i;
        return words + static_cast<size_t>(row) * tile * ld + static_cast<size_t>(j) * half;
    }

    __device__ uint16_t *cell_of(size_t row, int32_t v) const {
        const int32_t word = v / tile * half + v % half;
        return reinterpret_cast<uint16_t *>(words + row * ld + word) + v % tile / half;
    }
    __device__ int32_t distance(size_t row, int32_t v) const {
        return Format::distance_of(*cell_of(row, v));
    }
    __device__ void place(size_t row, int32_t v, int32_t distance) const {
        *cell_of(row, v) = static_cast<uint16_t>(Format::cell_of(distance));
    }

    // The thread's four words of row r.
    __device__ __forceinline__ static uint4 *own_words(uint32_t *tile_at, size_t ld, int r) {
        const int y = min_plus::line(min_plus::place_y(), r);
        return reinterpret_cast<uint4 *>(tile_at + static_cast<size_t>(y) * ld) +
               min_plus::place_x();
    }

    __device__ __forceinline__ void prefetch(int32_t i, int32_t j) const {
        min_plus::prefetch_tile<half>(tile_at(i, j), ld);
    }

    template <int words>
    __device__ __forceinline__ void store(int32_t i, int32_t j, int32_t,
                                          const uint32_t (&cell)[own][words], int first) const {
        uint32_t *const own_tile = tile_at(i, j);
#pragma unroll
        for (int r0 = 0; r0 < own; r0 += run) {
            uint4 old[run];
#pragma unroll
            for (int r = 0; r < run; r++)
                old[r] = *own_words(own_tile, ld, r0 + r);
#pragma unroll
            for (int r = 0; r < run; r++) {
                const uint32_t *const sum = &cell[r0 + r][first];
                const uint4 was = old[r];
                const uint4 now =
                    make_uint4(Format::minimum(was.x, sum[0]), Format::minimum(was.y, sum[1]),
                               Format::minimum(was.z, sum[2]), Format::minimum(was.w, sum[3]));
                if (((was.x ^ now.x) | (was.y ^ now.y) | (was.z ^ now.z) | (was.w ^ now.w)) != 0)
                    *own_words(own_tile, ld, r0 + r) = now;
            }
        }
    }

    __device__ void update(int32_t *shared, const dataflow::Task &task, int32_t s) const {
        panels::multiply_pairs<Format>(*this, shared, task, s);
    }

    __device__ void close(int32_t *shared, int32_t s) const {
        uint32_t cell[own][Format::words];
#pragma unroll
        for (int r = 0; r < own; r++) {
            const uint4 four = *own_words(tile_at(s, s), ld, r);
            cell[r][0] = four.x;
            cell[r][1] = four.y;
            cell[r][2] = four.z;
            cell[r][3] = four.w;
        }
        min_plus::close<Format>(cell, shared, panels::vertices(n, s, tile));
#pragma unroll
        for (int r = 0; r < own; r++)
            *own_words(tile_at(s, s), ld, r) =
                make_uint4(cell[r][0], cell[r][1], cell[r][2], cell[r][3]);
        __syncthreads();
    }

    __device__ void encode_left(int32_t *shared, int32_t i, int32_t s) const {
        uint32_t *const staged = reinterpret_cast<uint32_t *>(shared);
        const uint32_t *const from = tile_at(i, s);
        const int x = static_cast<int>(threadIdx.x) % half;
#pragma unroll 8
        for (int y = static_cast<int>(threadIdx.x) / half; y < tile; y += threads / half)
            staged[y * pitch + x] = from[static_cast<size_t>(y) * ld + x];
        __syncthreads();
        uint32_t *const to = left.at(i, s);
        const int row = static_cast<int>(threadIdx.x) % tile;
#pragma unroll 8
        for (int k = static_cast<int>(threadIdx.x) / tile; k < half; k += threads / tile) {
            const uint32_t two = staged[row * pitch + k];
            to[k * tile + row] = Format::left_word(two, 0);
            to[(k + half) * tile + row] = Format::left_word(two, 1);
        }
        __syncthreads();
    }

    __device__ void encode_right(int32_t *, int32_t j, int32_t s) const {
        const uint32_t *const from = tile_at(s, j);
        uint32_t *const to = right.at(j, s);
        const int x = static_cast<int>(threadIdx.x) % half;
#pragma unroll 8
        for (int k = static_cast<int>(threadIdx.x) / half; k < tile; k += threads / half)
            to[k * half + x] = from[static_cast<size_t>(k) * ld + x];
        __syncthreads();
    }
};

} // namespace short_tiles

#endif
