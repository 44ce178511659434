// SPDX-License-Identifier: MIT
// Label correcting with a queue for each source, as `queued` and, up to a point, `auto` do it.
#ifndef CUDA_SPARSE_QUEUED_CUH
#define CUDA_SPARSE_QUEUED_CUH

#include "common/gpu/gpu_solver.h" // struct gpu_matrices

// Fills dist from the edges alone. budget: so many cycles of all multiprocessors a solve may
// take, about; 0: as many as it needs. *done: whether that was enough; if not, dist is
// garbage. pred, where there is one, is used as memory.
enum status queued_distances(const struct gpu_matrices *m, int64_t budget, void *workspace,
                             bool *done, struct error *err);

// The bytes of its workspace.
size_t queued_workspace(const struct gpu_matrices *m, bool with_pred);

#endif
