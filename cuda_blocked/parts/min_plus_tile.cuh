// SPDX-License-Identifier: MIT
// The min-plus product of two tiles, C = min(C, A x B), 128 x 128 cells and 128 deep: the inner
// loop of the dpx variants.
//
// Once the pivot tile is closed, phases 2 and 3 are such products, in any order of k. Each of 256
// threads owns 8 x 8 words in registers. If a word is one cell, these are 8 x 8 cells; if it is two
// cells, they are 8 x 8 cells of each of two tiles side by side. Per k a thread reads 8 words of A
// and 8 of B from shared memory, 16 bytes at a time, for 64 instructions that add and take the
// minimum, so arithmetic is the limit and not shared memory. Operands arrive in slices of 32 k; the
// next slice is copied while one is in use.
#ifndef CUDA_BLOCKED_PARTS_MIN_PLUS_TILE_CUH
#define CUDA_BLOCKED_PARTS_MIN_PLUS_TILE_CUH

#include "common/graph/graph.h"                // INF
#include "cuda_blocked/parts/tile_constants.h" // LARGE_TILE, WORD16_LONGEST
#include "gpu/launch/async_copy.cuh"           // copy_async, prefetch

#include <stddef.h>
#include <stdint.h>

namespace min_plus {

constexpr int tile = LARGE_TILE; // side of a tile, and depth of a product
constexpr int half = tile / 2;
constexpr int threads = 256; // threads of a block
constexpr int side = 16;     // the threads form a square of side x side
constexpr int own = 8;       // a thread owns own x own cells of a tile
constexpr int run = 4;       // a thread's rows and columns are two runs of 4 each, half a tile
                             // apart
constexpr int slice = 32;    // number of k in a slice
constexpr int stages = 2;    // number of slices in shared memory

static_assert(threads == side * side && side * own == tile, "the threads own the tile");

// The thread's place in the square. A warp has 4 x 8 threads, which read 4 and 8 neighbouring
// 16-byte words.
__device__ __forceinline__ int place_y() {
    return static_cast<int>(threadIdx.x) / 64 * 4 + static_cast<int>(threadIdx.x) % 32 / 8;
}
__device__ __forceinline__ int place_x() {
    return static_cast<int>(threadIdx.x) / 32 % 2 * 8 + static_cast<int>(threadIdx.x) % 8;
}

// The row number r of the threads at place y, or the column number r of the threads at place x.
__device__ __forceinline__ constexpr int line(int place, int r) {
    return place * run + r % run + r / run * half;
}

// Format of words that are one cell.
struct Int32 {
    using word = int32_t;
    static constexpr int cells = 1;            // number of cells in a word
    static constexpr int words = own / cells;  // number of words that a thread has for a row of its
                                               // cells
    static constexpr word no_path = INT32_MAX; // above all sums
    static __device__ __forceinline__ word relax(word to_k, word from_k, word cell) {
        return __viaddmin_s32(to_k, from_k, cell);
    }
    // The word's only cell as a word of operand A.
    static __device__ __forceinline__ word left_word(word cell, int) {
        return cell;
    }
};

// Format of words that are two cells: those in columns j and j + half. Words of operand A hold the
// same cell twice.
struct Uint16x2 {
    using word = uint32_t;
    static constexpr int cells = 2;
    static constexpr int words = own / cells;
    static constexpr word no_path = 0x7fff7fff;
    static __device__ __forceinline__ word relax(word to_k, word from_k, word cell) {
        return __viaddmin_u16x2(to_k, from_k, cell);
    }
    static __device__ __forceinline__ word minimum(word a, word b) {
        return __viaddmin_u16x2(a, 0, b);
    }
    static __device__ __forceinline__ word left_word(word two, int number) {
        const word cell = number == 0 ? two & 0xffff : two >> 16;
        return cell | cell << 16;
    }

    // Conversions for cells that are distances themselves. A sum of two cells does not overflow.
    static constexpr int32_t longest = WORD16_LONGEST;
    static __host__ __device__ __forceinline__ word cell_of(int32_t distance) {
        return static_cast<word>(distance <= longest ? distance : longest + 1);
    }
    static __host__ __device__ __forceinline__ int32_t distance_of(word cell) {
        return static_cast<int32_t>(cell) <= longest ? static_cast<int32_t>(cell) : INF;
    }
};

// Numbers of words of the operands in memory: left_row (A) and right_row (B) for one k, left_words
// and right_words for all k. For each k, A has the cells of a column and B those of a row.
constexpr int left_row = tile, left_words = tile * left_row;
template <typename Format>
constexpr int right_row = side *Format::words;
template <typename Format>
constexpr int right_words = tile *right_row<Format>;
// The bytes of shared memory for the product of a tile and `tiles` others at once.
template <typename Format, int tiles>
constexpr size_t shared_bytes = sizeof(int32_t) * stages *slice *(left_row +
                                                                  tiles * right_row<Format>);

// Starts copying `words` consecutive words, with all threads of the block.
template <int words, typename Word>
__device__ __forceinline__ void fetch(Word *to, const Word *from) {
    static_assert(words / 4 % threads == 0, "every thread copies as much");
    int4 *const own_to = reinterpret_cast<int4 *>(to) + threadIdx.x;
    const int4 *const own_from = reinterpret_cast<const int4 *>(from) + threadIdx.x;
#pragma unroll
    for (int c = 0; c < words / 4; c += threads)
        copy_async(own_to + c, own_from + c);
}

template <typename Word>
__device__ __forceinline__ void load_run(Word *to, const Word *from) {
    const int4 four = *reinterpret_cast<const int4 *>(from);
    to[0] = static_cast<Word>(four.x);
    to[1] = static_cast<Word>(four.y);
    to[2] = static_cast<Word>(four.z);
    to[3] = static_cast<Word>(four.w);
}

// Loads the numbers of the rows (or columns) that the threads at `place` own, from the `tile`
// numbers of all rows (or columns) at `from`. Other blocks write these numbers in the same launch.
__device__ __forceinline__ void load_lines(int32_t (&to)[own], const int32_t *from, int place) {
#pragma unroll
    for (int r = 0; r < own; r += run) {
        const int4 four = __ldcg(reinterpret_cast<const int4 *>(from + line(place, r)));
        to[r] = four.x;
        to[r + 1] = four.y;
        to[r + 2] = four.z;
        to[r + 3] = four.w;
    }
}

// Computes for t = 0 .. count - 1 the products of the tile `left` and the `tiles` tiles right(t,
// 0), right(t, 1) ..., through the first `slices` slices of k: the minima of left[k][row r] +
// right[k][word c]. It passes them to visit(t, cell), the words of one tile after those of the
// other. Before that it calls start(t), when the first copies for the product are about to begin.
// The whole block calls it; when it returns, all reads of the operands are done. `slices` is at
// least `stages`, so copies are never two products ahead.
template <typename Format, int tiles, typename Right, typename Start, typename Visit>
__device__ __forceinline__ void multiply(int32_t *shared, int count, int slices,
                                         const typename Format::word *left, Right right,
                                         Start start, Visit visit) {
    using word = typename Format::word;
    constexpr int words = Format::words;
    constexpr int left_slice = slice * left_row, right_slice = slice * right_row<Format>;
    constexpr int stage_words = left_slice + tiles * right_slice;
    word *const operands = reinterpret_cast<word *>(shared);
    int next_product = 0, next_slice = 0, next_stage = 0;
    const word *from[tiles];
    const auto begin_product = [&](int t) {
        start(t);
#pragma unroll
        for (int u = 0; u < tiles; u++)
            from[u] = right(t, u);
    };
    const auto fetch_slice = [&] {
        if (next_product < count) {
            word *const to = operands + next_stage * stage_words;
            fetch<left_slice>(to, left + next_slice * left_slice);
#pragma unroll
            for (int u = 0; u < tiles; u++)
                fetch<right_slice>(to + left_slice + u * right_slice,
                                   from[u] + next_slice * right_slice);
            next_stage = (next_stage + 1) % stages;
            if (++next_slice == slices) {
                next_slice = 0;
                if (++next_product < count)
                    begin_product(next_product);
            }
        }
        copy_commit();
    };
    begin_product(0);
#pragma unroll 1
    for (int s = 0; s < stages - 1; s++)
        fetch_slice();
    int stage = 0;
    for (int t = 0; t < count; t++) {
        word cell[own][tiles * words];
#pragma unroll
        for (int r = 0; r < own; r++) {
#pragma unroll
            for (int c = 0; c < tiles * words; c++)
                cell[r][c] = Format::no_path;
        }
        for (int s = 0; s < slices; s++) {
            copy_wait<stages - 2>();
            __syncthreads(); // all threads see this slice, and have read the last one
            const word *from_left = operands + stage * stage_words + place_y() * run;
            const word *from_right = operands + stage * stage_words + left_slice + place_x() * run;
            stage = (stage + 1) % stages;
#pragma unroll
            for (int k = 0; k < slice; k++) {
                // Not at the start, so that no thread waits while the copies begin.
                if (k == slice / 2)
                    fetch_slice();
                word to_k[own], from_k[tiles * words];
#pragma unroll
                for (int r = 0; r < own; r += run)
                    load_run(to_k + r, from_left + k * left_row + r / run * half);
#pragma unroll
                for (int c = 0; c < tiles * words; c += run)
                    load_run(from_k + c, from_right + c / words * right_slice +
                                             k * right_row<Format> + c % words / run * half);
#pragma unroll
                for (int r = 0; r < own; r++) {
#pragma unroll
                    for (int c = 0; c < tiles * words; c++)
                        cell[r][c] = Format::relax(to_k[r], from_k[c], cell[r][c]);
                }
            }
        }
        visit(t, cell);
    }
    __syncthreads();
}

// Prefetches a tile of the matrix, whose rows have row_words words, into the second-level cache.
template <int row_words, typename Word>
__device__ __forceinline__ void prefetch_tile(const Word *tile_at, size_t ld) {
    constexpr int line_words = 32, lines = row_words / line_words; // words in a cache line; cache
                                                                   // lines in a row
#pragma unroll
    for (int l = static_cast<int>(threadIdx.x); l < tile * lines; l += threads)
        prefetch(tile_at + static_cast<size_t>(l / lines) * ld + l % lines * line_words);
}

// Lowers the thread's cells of a tile of the matrix to the candidates: candidate(r, c, now) stores
// four values for the cells from (r, c) on along the row. They are unsigned, because sums with "no
// path" may exceed INT32_MAX. Four rows are read before one is written, so that their reads do not
// wait for one another.
template <typename Candidate>
__device__ __forceinline__ void store_minima(int32_t *tile_at, size_t ld, Candidate candidate) {
    int32_t *const from =
        tile_at + static_cast<size_t>(line(place_y(), 0)) * ld + line(place_x(), 0);
#pragma unroll
    for (int r0 = 0; r0 < own; r0 += run) {
#pragma unroll
        for (int c = 0; c < own; c += run) {
            int4 *const first =
                reinterpret_cast<int4 *>(from + static_cast<size_t>(r0 / run * half) * ld) +
                c / run * half / run;
            const size_t next = ld / run;
            int4 old[run];
#pragma unroll
            for (int r = 0; r < run; r++)
                old[r] = first[r * next];
#pragma unroll
            for (int r = 0; r < run; r++) {
                const uint32_t was[run] = {
                    static_cast<uint32_t>(old[r].x), static_cast<uint32_t>(old[r].y),
                    static_cast<uint32_t>(old[r].z), static_cast<uint32_t>(old[r].w)};
                uint32_t now[run];
                candidate(r0 + r, c, now);
                if (now[0] < was[0] || now[1] < was[1] || now[2] < was[2] || now[3] < was[3])
                    first[r * next] = make_int4(static_cast<int>(min(was[0], now[0])),
                                                static_cast<int>(min(was[1], now[1])),
                                                static_cast<int>(min(was[2], now[2])),
                                                static_cast<int>(min(was[3], now[3])));
            }
        }
    }
}

// Phase 1: closes a tile that the threads hold in registers. The owners of row k and column k put
// them into shared memory for all. There are two buffers, so one barrier per k is enough. Rows and
// columns from `lines` on hold no paths and are left out.
template <typename Format>
__device__ __forceinline__ void close(typename Format::word (&cell)[own][Format::words],
                                      int32_t *shared, int lines) {
    using word = typename Format::word;
    constexpr int words = Format::words;
    word *const buffers = reinterpret_cast<word *>(shared); // two buffers, each for a column and a
                                                            // row
    const int y = place_y(), x = place_x();
#pragma unroll
    for (int h = 0; h < own / run; h++) {
        for (int owner = 0; owner < side && h * half + owner * run < lines; owner++) {
#pragma unroll
            for (int u = 0; u < run; u++) {
                word *const column = buffers + u % 2 * 2 * tile;
                word *const row = column + tile;
                if (y == owner) {
#pragma unroll
                    for (int c = 0; c < words; c++)
                        row[line(x, c)] = cell[h * run + u][c];
                }
                if (x == owner) {
#pragma unroll
                    for (int r = 0; r < own; r++)
                        column[line(y, r)] = Format::left_word(cell[r][(h * run + u) % words],
                                                               (h * run + u) / words);
                }
                __syncthreads();
                word to_k[own], from_k[words];
#pragma unroll
                for (int r = 0; r < own; r += run)
                    load_run(to_k + r, column + line(y, r));
#pragma unroll
                for (int c = 0; c < words; c += run)
                    load_run(from_k + c, row + line(x, c));
#pragma unroll
                for (int r = 0; r < own; r++) {
#pragma unroll
                    for (int c = 0; c < words; c++)
                        cell[r][c] = Format::relax(to_k[r], from_k[c], cell[r][c]);
                }
            }
        }
    }
    __syncthreads();
}

} // namespace min_plus

#endif
