// SPDX-License-Identifier: MIT
// The fastest way for the graph, as it turns out (this project).
//
// Label correcting from several sources at a time (multisource.cu) takes next to no time on
// most graphs and beyond measure on deep ones, whose shortest paths have thousands of
// edges. Nothing but solving tells them apart for certain. So it begins, with a budget:
// about what the blocked solver would take (blocked_model.c). The first strips that take more than
// their share of it end the attempt; what is lost is one strip's share. If the graph has few edges
// a queue for each source (queued.cu) gets the same chance, and then the blocked solver takes over.
// Real weights, which it does not take, are left to the queues or, if there are many edges, to the
// first attempt, without a budget. Predecessors are always found as multisource.cu finds them, so
// that it does not matter to the result who gave up, or when.
#include "cuda_blocked/blocked_kernels.h"
#include "engines/sparse_limits.h" // MANY_EDGES
#include "gpu/gpu_solver.h"        // struct gpu_matrices
#include "gpu/launch/launch.cuh"   // multiprocessors
#include "search/gpu/label_kernels.h"
#include "search/gpu/multisource.cuh"
#include "search/gpu/queued.cuh"

namespace {

enum status solve_blocked(const struct gpu_matrices *m, void *workspace, struct progress *progress,
                          struct error *err) {
    struct gpu_matrices rest = *m;
    rest.workspace = workspace;
    rest.pred = nullptr;
    rest.derives_pred = true;
    RETURN_ON_FAILURE(gpu_fill_adjacency(&rest, err));
    return cuda_blocked_auto(&rest, progress, err);
}

bool has_few_edges(const struct gpu_matrices *m) {
    return m->in.m / m->n < MANY_EDGES;
}

bool can_block(const struct gpu_matrices *m) {
    return m->state->matrix_fits && m->type == NUMBER_INT32;
}

} // namespace

size_t cuda_sparse_auto_workspace(const struct gpu_matrices *m, bool with_pred) {
    const size_t blocked = can_block(m) ? cuda_blocked_auto_workspace(m, false) : 0;
    const size_t queues = has_few_edges(m) ? queued_workspace(m, with_pred) : 0;
    return multisource_workspace(m) + (queues > blocked ? queues : blocked);
}

enum status cuda_sparse_auto(const struct gpu_matrices *m, struct progress *progress,
                             struct error *err) {
    void *const rest = static_cast<char *>(m->workspace) + multisource_workspace(m);
    const bool queues = has_few_edges(m), blocks = can_block(m);
    int count = 0;
    bool done = false;
    RETURN_ON_FAILURE(multiprocessors(&count, err));
    const int64_t budget =
        blocks   ? cuda_sparse_budget(m->n, count)
        : queues ? cuda_sparse_budget_beside_queues(m->n, m->in.m, m->wanted, m->rows, count)
                 : 0;
    if ((m->state->known & LEFT_MULTISOURCE) == 0) {
        *m->chosen = "multisource";
        RETURN_ON_FAILURE(multisource_solve(m, budget, &done, err));
        if (done && !m->warm_up)
            return STATUS_OK;
        m->state->known |= LEFT_MULTISOURCE;
        // The rungs from here on are best for all rows at a time, or take no others.
        if (m->state->matrix_fits && m->rows < m->n) {
            m->state->wants_matrix = true;
            return STATUS_OK;
        }
    }
    if (queues) {
        *m->chosen = "queued";
        RETURN_ON_FAILURE(queued_distances(m, blocks ? budget : 0, rest, &done, err));
    }
    if ((!done || m->warm_up) && blocks)
        RETURN_ON_FAILURE(solve_blocked(m, rest, progress, err));
    return m->pred != nullptr ? multisource_predecessors(m, err) : STATUS_OK;
}
