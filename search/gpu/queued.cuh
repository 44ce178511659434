// SPDX-License-Identifier: MIT
// Label correcting with a queue for each source, which `queued` uses, and `auto` within a budget.
#ifndef SEARCH_GPU_QUEUED_CUH
#define SEARCH_GPU_QUEUED_CUH

#include "gpu/gpu_solver.h" // struct gpu_matrices

// Fills dist from the edges alone. A solve may take about `budget` cycles of all multiprocessors;
// 0: as many as it needs. *done: the budget was enough; if not, dist is garbage. If there is a
// matrix pred, it serves as memory for the queues.
enum status queued_distances(const struct gpu_matrices *m, int64_t budget, void *workspace,
                             bool *done, struct error *err);

// Returns the bytes of the workspace of queued_distances.
size_t queued_workspace(const struct gpu_matrices *m, bool with_pred);

#endif
