// SPDX-License-Identifier: MIT
// Predecessors from finished distances: p precedes j on a shortest path from i
// exactly where D[i][p] + w(p, j) = D[i][j]. Solvers see no zero-weight cycles
// (common/solve/zero_cycles.h), so any such p will do.
#ifndef CUDA_BLOCKED_PARTS_PREDECESSORS_CUH
#define CUDA_BLOCKED_PARTS_PREDECESSORS_CUH

#include "common/gpu/arena.cuh"    // Arena
#include "common/gpu/gpu_solver.h" // struct gpu_matrices

// Takes the memory that derive_predecessors will take.
void take_predecessors(const struct gpu_matrices *m, Arena *arena);

// Fills m->pred, unless it is NULL, from m->dist and m->in, in the default stream,
// with memory from behind what the variant has taken. Matrices are padded to a
// multiple of 128. O(n m') where m' <= m counts the edges that are shortest paths
// themselves: only those can be last on one.
enum status derive_predecessors(const struct gpu_matrices *m, Arena *arena, struct error *err);

// The workspace of a variant that derives predecessors: what lay_out(m, &arena)
// takes, and what they do.
template <typename LayOut>
size_t workspace_bytes(const struct gpu_matrices *m, bool with_pred, LayOut lay_out) {
    Arena arena;
    lay_out(m, &arena);
    if (with_pred)
        take_predecessors(m, &arena);
    return arena.used();
}

#endif
