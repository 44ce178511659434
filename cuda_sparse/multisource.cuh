// SPDX-License-Identifier: MIT
// Label correcting as `multisource` and, up to a point, `auto` do it.
#ifndef CUDA_SPARSE_MULTISOURCE_CUH
#define CUDA_SPARSE_MULTISOURCE_CUH

#include "common/gpu/gpu_solver.h" // struct gpu_matrices

// Fills dist and pred from the edges alone: the adjacency matrices are not read.
// budget: so many cycles of all multiprocessors a solve may take, about; 0: as many as
// it needs. *done: whether that was enough; if not, dist and pred are garbage.
enum status multisource_solve(const struct gpu_matrices *m, int64_t budget, bool *done,
                              struct error *err);

// Fills pred, for distances from wherever: the same ones as multisource_solve().
enum status multisource_predecessors(const struct gpu_matrices *m, struct error *err);

size_t multisource_workspace(const struct gpu_matrices *m);

#endif
