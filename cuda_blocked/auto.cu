// SPDX-License-Identifier: MIT
// The fastest variant that is exact for this graph on this device (this project).
//
// A graph of one small tile goes to `thesis`, whose one launch is all it needs,
// other small matrices go to `resident`. Otherwise `tensor` is tried if distances are
// likely to be short enough (probe.cuh), then `dpx16`, then `dpx32`, which solves everything.
// The first two find out for themselves when they are not exact; the matrix is
// then made anew from the edges for the next. If blocks of the GPU have too
// little shared memory for any of these, `tile64` takes their place. What that
// is expected to come to is in model.c. Real weights in quanta (gpu_solver.h) go to `dpx32` at
// once.
//
// Reached on an H200 at n = 10000, 2 %: 10.7 ms, 93.9 T/s; with predecessors 12 ms.
#include "cuda_blocked/kernels.h"
#include "cuda_blocked/parts/exponent_code.cuh" // largest
#include "cuda_blocked/parts/limits.h"          // SMALL_TILE
#include "cuda_blocked/parts/probe.cuh"         // Probe
#include "gpu/gpu_solver.h"                     // struct gpu_matrices
#include "gpu/launch/arena.cuh"                 // Arena

namespace {

constexpr int32_t one_tile = SMALL_TILE; // vertices

enum status tensor_is_worth_it(const struct gpu_matrices *m, const Probe &probe, bool *is_worth_it,
                               struct error *err) {
    bool available = false, likely = false;
    *is_worth_it = false;
    RETURN_ON_FAILURE(cuda_blocked_tensor_available(&available, err));
    if (available)
        RETURN_ON_FAILURE(probe.is_likely(m, exponent_code::largest, &likely, err));
    *is_worth_it = available && (likely || m->warm_up);
    return STATUS_OK;
}

using Launch = enum status (*)(const struct gpu_matrices *, struct progress *, struct error *);
using Available = enum status (*)(bool *, struct error *);

// What has been tried so far, and with what success.
struct Attempts {
    const struct gpu_matrices *m;
    struct progress *progress;
    bool done;

    // Tries a variant, unless one has succeeded or the device cannot run it (nullptr:
    // it can). If it is not exact, the matrices are made anew. In a warm_up all
    // take their turn.
    enum status attempt(const char *name, Launch variant, Available available, struct error *err) {
        bool runs = true;
        if (done && !m->warm_up)
            return STATUS_OK;
        if (available != nullptr)
            RETURN_ON_FAILURE(available(&runs, err));
        if (!runs)
            return STATUS_OK;
        const enum status status = variant(m, progress, err);
        done = status != STATUS_BAD_INPUT;
        *m->chosen = name;
        return done ? status : gpu_fill_adjacency(m, err);
    }
};

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
    rest.derives_pred = true; // says what is to be made anew: distances only
    Attempts attempts = {&rest, progress, false};
    const bool all = m->warm_up, tries_shorter = !m->rounded || all;
    int32_t limit = 0;
    bool is_worth_it = false;
    if (m->n <= one_tile)
        RETURN_ON_FAILURE(attempts.attempt("thesis", cuda_blocked_thesis, nullptr, err));
    if (!attempts.done || all)
        RETURN_ON_FAILURE(cuda_blocked_resident_limit(&limit, err));
    if (m->n <= limit)
        RETURN_ON_FAILURE(attempts.attempt("resident", cuda_blocked_resident_within, nullptr, err));
    if ((!attempts.done && tries_shorter) || all)
        RETURN_ON_FAILURE(tensor_is_worth_it(&rest, probe, &is_worth_it, err));
    if (is_worth_it)
        RETURN_ON_FAILURE(attempts.attempt("tensor", cuda_blocked_tensor, nullptr, err));
    if (tries_shorter)
        RETURN_ON_FAILURE(
            attempts.attempt("dpx16", cuda_blocked_dpx16, cuda_blocked_dpx16_available, err));
    RETURN_ON_FAILURE(
        attempts.attempt("dpx32", cuda_blocked_dpx32, cuda_blocked_dpx32_available, err));
    return attempts.attempt("tile64", cuda_blocked_tile64, nullptr, err);
}
