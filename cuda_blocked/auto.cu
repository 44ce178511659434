// SPDX-License-Identifier: MIT
// The fastest variant that is exact for this graph on this device (this project).
//
// A graph of one small tile goes to `thesis`, whose one launch is all it needs,
// other small matrices go to `resident`. Otherwise `tensor` is tried if distances are
// likely to be short enough (probe.cuh), then `dpx16`, then `dpx32`, which solves everything.
// The first two find out for themselves when they are not exact; the matrix is
// then made anew from the edges for the next. If blocks of the GPU have too
// little shared memory for any of these, `tile64` takes their place. What that
// is expected to come to is in blocked_model.c, and this order is in rungs.c. Real weights in
// quanta (gpu_solver.h) go to `dpx32` at once.
//
// Reached on an H200 at n = 10000, 2 %: 10.7 ms, 93.9 T/s; with predecessors 12 ms.
#include "common/graph/graph.h" // INF
#include "cuda_blocked/blocked_kernels.h"
#include "cuda_blocked/parts/probe.cuh"        // Probe
#include "cuda_blocked/parts/tile_constants.h" // SMALL_TILE
#include "cuda_blocked/rungs.h"                // cuda_blocked_rungs
#include "gpu/gpu_solver.h"                    // struct gpu_matrices
#include "gpu/launch/arena.cuh"                // Arena

namespace {

constexpr int32_t one_tile = SMALL_TILE; // vertices that one tile of `thesis` has room for

// Finds whether a rung is worth trying: the device can run it, and it is likely to be exact for the
// graph. In a warm-up every rung that the device can run is tried.
enum status is_worth_it(const rung &rung, const struct gpu_matrices *m, const Probe &probe,
                        bool *is_worth_it, struct error *err) {
    int32_t most = rung.most;
    bool available = true, likely = true;
    *is_worth_it = false;
    if (rung.limit != nullptr)
        RETURN_ON_FAILURE(rung.limit(&most, err));
    if (m->n > most || (rung.longest < INF && m->rounded && !m->warm_up))
        return STATUS_OK;
    if (rung.available != nullptr)
        RETURN_ON_FAILURE(rung.available(&available, err));
    if (available && rung.probes)
        RETURN_ON_FAILURE(probe.is_likely(m, rung.longest, &likely, err));
    *is_worth_it = available && (likely || m->warm_up);
    return STATUS_OK;
}

} // namespace

size_t cuda_blocked_auto_workspace(const struct gpu_matrices *m, bool with_pred) {
    Arena arena;
    Probe::take(m, &arena);
    size_t most = cuda_blocked_dpx32_workspace(m, with_pred);
    const size_t others[] = {
        cuda_blocked_dpx16_workspace(m, with_pred), cuda_blocked_tensor_workspace(m, with_pred),
        m->n <= cuda_blocked_resident_max ? cuda_blocked_resident_workspace(m, with_pred) : 0};
    for (const size_t bytes : others)
        most = bytes > most ? bytes : most;
    return arena.used() + most;
}

enum status cuda_blocked_auto(const struct gpu_matrices *m, struct progress *progress,
                              struct error *err) {
    Arena arena(m->workspace);
    const Probe probe = Probe::take(m, &arena);
    struct gpu_matrices rest = *m;
    rest.workspace = static_cast<char *>(m->workspace) + arena.used();
    rest.tile = one_tile;
    rest.derives_pred = true; // after a rung that was not exact, only distances are filled again
    bool done = false;
    for (const rung &rung : cuda_blocked_rungs) {
        bool is_tried = false;
        if (done && !m->warm_up) // a warm-up launches all rungs
            break;
        RETURN_ON_FAILURE(is_worth_it(rung, &rest, probe, &is_tried, err));
        if (!is_tried)
            continue;
        const enum status status = rung.launch(&rest, progress, err);
        done = status != STATUS_BAD_INPUT; // otherwise the rung is not exact, and has changed the
                                           // matrices
        *m->chosen = rung.variant;
        RETURN_ON_FAILURE(done ? status : gpu_fill_adjacency(&rest, err));
    }
    return STATUS_OK;
}
