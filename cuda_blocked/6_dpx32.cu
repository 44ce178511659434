// SPDX-License-Identifier: MIT
// 128 x 128 tiles, 128 k per step, 8 x 8 cells per thread in registers, add-and-
// minimum in one instruction, one kernel (this project).
//
// What changes: phases 2 and 3 become min-plus matrix products (min_plus_tile.cuh) that read both
// operands k-major, the pivot column from a transposed copy. The inner loop is only VIADDMNMX, the
// DPX instruction of Hopper and later, and 16-byte loads from shared memory. A step takes 128 k
// instead of 32 and accesses global memory a quarter as often.
//
// Phase 1 has work for one block, and phase 2 too little for the whole GPU. So the phases no longer
// wait for one another: blocks draw tiles from a queue that puts the next step's phases 1 and 2
// into this step's phase 3 (dataflow.cuh).
//
// Predecessors are derived from the distances afterwards (predecessors.cuh), which costs the inner
// loop nothing and works for distances of any size.
//
// Reached on an H200 at n = 10000, 2 %: 68.6 ms, 14.6 T/s; with predecessors 69.9 ms.
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/parts/dataflow.cuh"     // solve
#include "cuda_blocked/parts/limits.h"         // DPX32_SHARED_KIB
#include "cuda_blocked/parts/panels.cuh"       // Panel, stage
#include "cuda_blocked/parts/predecessors.cuh" // derive_predecessors

namespace {

using min_plus::half;
using min_plus::line;
using min_plus::own;
using min_plus::run;
using Format = min_plus::Int32;

using Left = panels::Panel<int32_t, min_plus::left_words>;
using Right = panels::Panel<int32_t, min_plus::right_words<Format>>;

struct Work {
    static constexpr int tile = min_plus::tile, threads = min_plus::threads;
    static constexpr int blocks = 2; // per multiprocessor, if there is room
    static constexpr int piece_tiles = 4;
    static constexpr int lead_waves = 4;
    static constexpr size_t operand_bytes = min_plus::shared_bytes<Format, 1>;
    static constexpr size_t shared_bytes =
        operand_bytes > panels::staged_bytes ? operand_bytes : panels::staged_bytes;

    int32_t *dist;
    size_t ld;
    int32_t n;
    Left left;
    Right right;

    __device__ int32_t *tile_at(int32_t i, int32_t j) const {
        return dist + static_cast<size_t>(i) * tile * ld + static_cast<size_t>(j) * tile;
    }

    __device__ void update(int32_t *shared, const dataflow::Piece &piece, int32_t s) const {
        const int32_t i = piece.row;
        const auto right_tile = [&](int t, int) { return right.at(piece.column_of(t), s); };
        const auto start = [&](int t) {
            min_plus::prefetch_tile<tile>(tile_at(i, piece.column_of(t)), ld);
        };
        const auto visit = [&](int t, const int32_t(&cell)[own][own]) {
            const auto candidate = [&](int r, int c, uint32_t(&now)[run]) {
#pragma unroll
                for (int u = 0; u < run; u++)
                    now[u] = static_cast<uint32_t>(cell[r][c + u]);
            };
            min_plus::store_minima(tile_at(i, piece.column_of(t)), ld, candidate);
        };
        min_plus::multiply<Format, 1>(shared, piece.count, panels::slices(n, s), left.at(i, s),
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

static_assert(dataflow::block_kib<Work> == DPX32_SHARED_KIB, "as the registry describes it");

using Problem = dataflow::Problem<Work>;

Problem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const int32_t tiles = static_cast<int32_t>(tiles_covering(m->order, Work::tile));
    const Work work = {m->dist, m->ld, m->n, Left::take(arena, tiles), Right::take(arena, tiles)};
    return {work, dataflow::take_board(arena, tiles)};
}

} // namespace

size_t cuda_blocked_dpx32_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_dpx32_available(bool *available, struct error *err) {
    return dataflow::is_available<Work>(available, err);
}

enum status cuda_blocked_dpx32(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err) {
    Arena arena(m->workspace);
    const Problem problem = lay_out(m, &arena);
    RETURN_ON_FAILURE(dataflow::solve(problem, progress, err));
    return derive_predecessors(m, &arena, err);
}
