// SPDX-License-Identifier: MIT
// Label correcting with a queue for each source, which `queued` uses, and `auto` within a budget.
#ifndef SEARCH_GPU_QUEUED_CUH
#define SEARCH_GPU_QUEUED_CUH

#include "gpu/gpu_solver.h" // struct gpu_matrices

// Fills dist from the edges alone. A solve may take about `budget` cycles of all multiprocessors;
// 0: as many as it needs. Stores whether that was enough to *done; if not, dist is garbage. It uses
// pred, if there is one, as memory.
enum status queued_distances(const struct gpu_matrices *m, int64_t budget, void *workspace,
                             bool *done, struct error *err);

// The bytes of its workspace.
size_t queued_workspace(const struct gpu_matrices *m, bool with_pred);

#endif
