// SPDX-License-Identifier: MIT
// Predecessors from finished distances: p precedes j on a shortest path from i if and only if
// D[i][p] + w(p, j) = D[i][j]. Solvers see no zero-weight cycles (common/solve/zero_cycles.h), so
// any such p will do.
#ifndef CUDA_BLOCKED_PARTS_PREDECESSORS_CUH
#define CUDA_BLOCKED_PARTS_PREDECESSORS_CUH

#include "common/gpu/arena.cuh"    // Arena
#include "common/gpu/gpu_solver.h" // struct gpu_matrices

// Takes the memory that derive_predecessors will take.
void take_predecessors(const struct gpu_matrices *m, Arena *arena);

// Fills m->pred, unless it is NULL, from m->dist and m->in, in the default stream. It takes its
// memory from the arena, after the variant's. Matrices are padded to a multiple of 128. O(n m'),
// with m' <= m the number of edges that are shortest paths themselves: only these end a shortest
// path.
enum status derive_predecessors(const struct gpu_matrices *m, Arena *arena, struct error *err);

// The bytes of the workspace of a variant that derives predecessors: those that lay_out(m, &arena)
// takes, and those for the predecessors.
template <typename LayOut>
size_t workspace_bytes(const struct gpu_matrices *m, bool with_pred, LayOut lay_out) {
    Arena arena;
    lay_out(m, &arena);
    if (with_pred)
        take_predecessors(m, &arena);
    return arena.used();
}

#endif
