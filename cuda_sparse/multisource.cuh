// SPDX-License-Identifier: MIT
// Multi-source label correcting, which `multisource` uses, and `auto` within a budget.
#ifndef CUDA_SPARSE_MULTISOURCE_CUH
#define CUDA_SPARSE_MULTISOURCE_CUH

#include "common/gpu/gpu_solver.h" // struct gpu_matrices

// Fills dist and pred from the edges alone; it does not read the adjacency matrices. A solve may
// take about `budget` cycles of all multiprocessors; 0: as many as it needs. Stores whether that
// was enough to *done; if not, dist and pred are garbage.
enum status multisource_solve(const struct gpu_matrices *m, int64_t budget, bool *done,
                              struct error *err);

// Fills pred from finished distances, whoever found them, as multisource_solve() does.
enum status multisource_predecessors(const struct gpu_matrices *m, struct error *err);

// The bytes of its workspace.
size_t multisource_workspace(const struct gpu_matrices *m);

#endif
