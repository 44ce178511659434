// SPDX-License-Identifier: MIT
// The fastest way for the graph, as it turns out (this project).
//
// Label correcting from several sources at a time (multisource.cu) takes next to no time on
// most graphs and beyond measure on deep ones, whose shortest paths have thousands of
// edges. Nothing but solving tells them apart for certain. So it begins, with a budget:
// about what the blocked solver would take. The first strips that take more than their
// share of it end the attempt; what is lost is one strip's share. If the graph has few
// edges a queue for each source (queued.cu) gets the same chance, and then the blocked
// solver takes over. Predecessors are always found as multisource.cu finds them, so that
// it does not matter to the result who gave up, or when.
#include "common/gpu/gpu_solver.h" // struct gpu_matrices
#include "common/gpu/launch.cuh"   // multiprocessors
#include "cuda_blocked/kernels.h"
#include "cuda_sparse/kernels.h"
#include "cuda_sparse/multisource.cuh"
#include "cuda_sparse/parts/limits.h" // MANY_EDGES
#include "cuda_sparse/queued.cuh"

namespace {

enum status solve_blocked(const struct gpu_matrices *m, void *workspace, struct progress *progress,
                          struct error *err) {
    struct gpu_matrices rest = *m;
    rest.workspace = workspace;
    rest.pred = nullptr;
    rest.derives_pred = true;
    enum status status = gpu_fill_adjacency(&rest, err);
    if (status == STATUS_OK)
        status = cuda_blocked_auto(&rest, progress, err);
    return status;
}

bool has_few_edges(const struct gpu_matrices *m) {
    return m->in.m / m->n < MANY_EDGES;
}

} // namespace

size_t cuda_sparse_auto_workspace(const struct gpu_matrices *m, bool with_pred) {
    const size_t blocked = cuda_blocked_auto_workspace(m, false);
    const size_t queues = has_few_edges(m) ? queued_workspace(m, with_pred) : 0;
    return multisource_workspace(m) + (queues > blocked ? queues : blocked);
}

enum status cuda_sparse_auto(const struct gpu_matrices *m, struct progress *progress,
                             struct error *err) {
    void *const rest = static_cast<char *>(m->workspace) + multisource_workspace(m);
    int64_t budget = 0;
    int count = 0;
    bool done = false;
    enum status status = multiprocessors(&count, err);
    if (status == STATUS_OK) {
        budget = cuda_sparse_budget(m->n, count);
        status = multisource_solve(m, budget, &done, err);
    }
    *m->chosen = "multisource";
    if (status != STATUS_OK || (done && !m->rehearsal))
        return status;
    if (has_few_edges(m)) {
        status = queued_distances(m, budget, rest, &done, err);
        *m->chosen = "queued";
    }
    if (status == STATUS_OK && (!done || m->rehearsal))
        status = solve_blocked(m, rest, progress, err);
    if (status == STATUS_OK && m->pred != nullptr)
        status = multisource_predecessors(m, err);
    return status;
}
