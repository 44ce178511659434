// SPDX-License-Identifier: MIT
// Predecessors from finished distances: p precedes j on a shortest path from i if and only if
// D[i][p] + w(p, j) = D[i][j], and p leads to i unless it lies on a zero-weight cycle with j
// (solve/zero_cycles.h). So edges inside a component of m->component are left out, and a vertex to
// which no other edge leads gets the predecessor n, which gpu_mend_predecessors replaces.
#ifndef CUDA_BLOCKED_PARTS_PREDECESSORS_CUH
#define CUDA_BLOCKED_PARTS_PREDECESSORS_CUH

#include "gpu/gpu_solver.h"     // struct gpu_matrices
#include "gpu/launch/arena.cuh" // Arena

#include <cuda_runtime.h>

// The edges that are shortest paths themselves, without those inside components, by their heads;
// and memory to work in. Only such edges end a shortest path, so all rows take O(n m'), with
// m' <= m the number of these edges.
struct Derivation {
    int2 *edges;    // tail and weight; the edges into vertex j begin at in.first[j]
    int32_t *count; // number of edges into each vertex
    int32_t *to_all;
    int32_t strips; // number of strips of 128 sources that to_all has room for

    // Takes memory of a size that follows from n, order, ld, in.m and staging of m; nothing else of
    // m has to be set.
    static Derivation take(const struct gpu_matrices *m, Arena *arena);

    // Finds the edges to keep: those that have a flag or, if `flag` is NULL, those whose weight is
    // the distance in m->dist. Runs in the default stream, as derive does.
    enum status keep_edges(const struct gpu_matrices *m, const uint8_t *flag,
                           struct error *err) const;

    // Fills the predecessors of the sources first .. first + rows - 1, of which `dist` and `pred`
    // are the rows, with leading dimension m->ld. `rows` is a multiple of 128.
    enum status derive(const struct gpu_matrices *m, int32_t first, int32_t rows,
                       const int32_t *dist, int32_t *pred, struct error *err) const;
};

// Fills m->pred, unless it is NULL, from m->dist and m->in, in the default stream. It takes its
// memory from the arena, after the variant's. Matrices are padded to a multiple of 128.
enum status derive_predecessors(const struct gpu_matrices *m, Arena *arena, struct error *err);

// The bytes of the workspace of a variant that derives predecessors: those that lay_out(m, &arena)
// takes, and those that deriving takes.
template <typename LayOut>
size_t workspace_bytes(const struct gpu_matrices *m, bool with_pred, LayOut lay_out) {
    Arena arena;
    lay_out(m, &arena);
    if (with_pred)
        Derivation::take(m, &arena);
    return arena.used();
}

#endif
