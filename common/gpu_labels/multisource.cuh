// SPDX-License-Identifier: MIT
// Multi-source label correcting, which `multisource` uses, and `auto` within a budget.
#ifndef COMMON_GPU_LABELS_MULTISOURCE_CUH
#define COMMON_GPU_LABELS_MULTISOURCE_CUH

#include "common/gpu/gpu_solver.h" // struct gpu_matrices

// What the variants of cuda_sparse keep in gpu_state's `known`.
enum Known {
    SORTED_NARROW = 1, // the workspace holds the edges sorted, in that format
    SORTED_WIDE = 2,
    HAS_OUT_EDGES = 4,        // and those that worklists need
    QUEUE_HAS_EDGES = 8,      // and those of queued.cu
    NARROW_IS_TOO_SHORT = 16, // distances do not fit in 16 bits
    LEFT_MULTISOURCE = 32,    // `auto` has given it up
    SORTED_FOR_TREES = 64,    // the workspace holds the edges by float32 weights, too
};

// Fills dist and pred from the edges alone; it does not read the adjacency matrices. An answer may
// take about `budget` cycles of all multiprocessors; 0: as many as it needs. Stores whether that
// was enough to *done; if not, dist and pred are garbage.
enum status multisource_solve(const struct gpu_matrices *m, int64_t budget, bool *done,
                              struct error *err);

// Fills pred from finished distances, whoever found them, as multisource_solve() does.
enum status multisource_predecessors(const struct gpu_matrices *m, struct error *err);

// The bytes of its workspace.
size_t multisource_workspace(const struct gpu_matrices *m);

#endif
