// SPDX-License-Identifier: MIT
// 128 x 128 tiles, 128 k per step, 8 x 8 cells per thread in registers, add-and-
// minimum in one instruction, one kernel (this project).
//
// Changes: phases 2 and 3 become min-plus matrix products (min_plus_tile.cuh) that read both
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
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/dataflow.cuh"     // solve
#include "cuda_blocked/parts/predecessors.cuh" // derive_predecessors
#include "cuda_blocked/parts/tile_constants.h" // DPX32_SHARED_KIB
#include "cuda_blocked/parts/wide_tiles.cuh"

namespace {

using WideWork = wide_tiles::Work<false>;

static_assert(dataflow::block_kib<WideWork> == DPX32_SHARED_KIB, "as the table of variants has it");

using WideProblem = dataflow::Problem<WideWork>;

WideProblem lay_out(const struct gpu_matrices *m, Arena *arena) {
    const int32_t tiles = static_cast<int32_t>(tiles_covering(m->order, WideWork::tile));
    const WideWork work = {m->dist,
                           m->ld,
                           m->n,
                           wide_tiles::Left::take(arena, tiles),
                           wide_tiles::Right::take(arena, tiles),
                           1};
    return {work, dataflow::take_board(arena, tiles)};
}

} // namespace

size_t cuda_blocked_dpx32_workspace(const struct gpu_matrices *m, bool with_pred) {
    return workspace_bytes(m, with_pred, lay_out);
}

enum status cuda_blocked_dpx32_available(bool *available, struct error *err) {
    return dataflow::is_available<WideWork>(available, err);
}

enum status cuda_blocked_dpx32(const struct gpu_matrices *m, struct progress *progress,
                               struct error *err) {
    Arena arena(m->workspace);
    const WideProblem problem = lay_out(m, &arena);
    RETURN_ON_FAILURE(dataflow::solve(problem, progress, err));
    return derive_predecessors(m, &arena, err);
}
