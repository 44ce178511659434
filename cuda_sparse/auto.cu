// The faster of label correcting and the blocked solver (this project).
//
// Label correcting takes next to no time on most graphs and beyond measure on deep ones,
// whose shortest paths have thousands of edges. Nothing but solving tells them apart for
// certain. So it begins, with a budget: about what the blocked solver would take. The
// first strips that take more than their share of it end the attempt, and the blocked
// solver takes over: what is lost is one strip's share. Predecessors are then found as
// label correcting finds them, so that it does not matter to the result when it gave up.
#include "common/gpu_solver.h" // struct gpu_matrices
#include "common/launch.cuh"   // multiprocessors
#include "cuda_blocked/kernels.h"
#include "cuda_sparse/kernels.h"
#include "cuda_sparse/multisource.cuh"

namespace {

// What a multiprocessor's part of a blocked solve takes: relaxations, and steps that
// follow one another, at the rates of an H200.
enum status blocked_cycles(int32_t n, int64_t *cycles, struct error *err) {
    constexpr double relaxations_a_cycle = 57; // dpx32
    constexpr double cycles_a_vertex = 350;    // resident
    int count = 0;
    enum status status = multiprocessors(&count, err);
    if (status == STATUS_OK) {
        const double vertices = n;
        *cycles =
            static_cast<int64_t>(vertices * vertices * vertices / relaxations_a_cycle / count +
                                 vertices * cycles_a_vertex);
    }
    return status;
}

enum status solve_blocked(const struct gpu_matrices *m, struct progress *progress,
                          struct error *err) {
    struct gpu_matrices rest = *m;
    rest.workspace = static_cast<char *>(m->workspace) + multisource_workspace(m);
    rest.pred = nullptr;
    rest.derives_pred = true;
    enum status status = gpu_fill_adjacency(&rest, err);
    if (status == STATUS_OK)
        status = cuda_blocked_auto(&rest, progress, err);
    if (status == STATUS_OK && m->pred != nullptr)
        status = multisource_predecessors(m, err);
    return status;
}

} // namespace

size_t cuda_sparse_auto_workspace(const struct gpu_matrices *m, bool) {
    return multisource_workspace(m) + cuda_blocked_auto_workspace(m, false);
}

enum status cuda_sparse_auto(const struct gpu_matrices *m, struct progress *progress,
                             struct error *err) {
    int64_t budget = 0;
    bool done = false;
    enum status status = blocked_cycles(m->n, &budget, err);
    if (status == STATUS_OK)
        status = multisource_solve(m, budget, &done, err);
    *m->chosen = "multisource";
    if (status == STATUS_OK && (!done || m->rehearsal))
        status = solve_blocked(m, progress, err);
    return status;
}
