// The fastest variant that is exact for this graph on this device (this project).
//
// A graph of one small tile goes to `thesis`, whose one launch is all it needs,
// other small matrices to `resident`. Otherwise `tensor` is tried where distances are
// likely to be short enough, then `dpx16`, then `dpx32`, which solves everything.
// The first two find out for themselves when they are not exact; the matrix is
// then made anew from the edges for the next. Where blocks of the GPU have too
// little shared memory for any of these, `tile64` takes their place.
//
// Whether distances are likely to be short is estimated from degrees and weights,
// as if the graph were a random one; where a failed attempt would cost much more
// than looking, the distances from a few sources are computed as well.
//
// Reached on an H200 at n = 10000, 2 %: 10.5 ms, 94.8 T/s; with predecessors 12.2 ms.
#include "common/arena.cuh"               // Arena
#include "common/flags.cuh"               // store_release
#include "common/gpu_solver.h"            // struct gpu_matrices
#include "common/graph.h"                 // INF
#include "common/launch.cuh"              // launch
#include "cuda_blocked/exponent_code.cuh" // largest
#include "cuda_blocked/kernels.h"

#include <math.h>

namespace {

// Shortest longest distances: tensor is tried up to here. Those of a few sources,
// or of an estimate, are shorter than the longest of all.
constexpr int32_t likely = exponent_code::largest * 3 / 4;

constexpr int32_t one_tile = 32;        // vertices
constexpr int32_t least_to_look = 4000; // vertices
constexpr int sources = 4;              // an int4 of distances to each vertex
constexpr int sweeps = 16;
constexpr int lanes = 8; // threads that share the edges into a vertex
constexpr int threads = 256;
constexpr int vertices = threads / lanes; // of a block

// Distances from all sources to a vertex.
__device__ __forceinline__ int4 minimum(int4 a, int4 b) {
    return make_int4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w));
}

__device__ __forceinline__ int4 plus(int4 a, int32_t weight) {
    return make_int4(a.x + weight, a.y + weight, a.z + weight, a.w + weight);
}

__global__ void begin_sweeps(int4 *distance, int32_t n) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * threads + threadIdx.x);
    if (v >= n)
        return;
    const int32_t apart = n / sources;
    distance[v] = make_int4(v == 0 ? 0 : INF, v == apart ? 0 : INF, v == 2 * apart ? 0 : INF,
                            v == 3 * apart ? 0 : INF);
}

// Relaxes all edges once (Bellman-Ford); sets changed[sweep] where a distance has
// become shorter, and does nothing where the sweep before has not.
__global__ void sweep_edges(struct gpu_in_edges in, int4 *distance, int32_t n, int32_t *changed,
                            int32_t sweep) {
    DYNAMIC_SHARED(int4, of_threads);
    if (sweep > 0 && changed[sweep - 1] == 0)
        return;
    const int32_t v = static_cast<int32_t>(blockIdx.x * vertices + threadIdx.x / lanes);
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    int4 best = v < n ? distance[v] : make_int4(INF, INF, INF, INF);
    for (int64_t e = v < n ? in.first[v] + lane : 0; v < n && e < in.first[v + 1]; e += lanes) {
        if (in.weight[e] < INF)
            best = minimum(best, plus(distance[in.tail[e]], in.weight[e]));
    }
    of_threads[threadIdx.x] = best;
    __syncthreads();
    if (lane != 0 || v >= n)
        return;
    for (int l = 1; l < lanes; l++)
        best = minimum(best, of_threads[threadIdx.x + l]);
    const int4 old = distance[v];
    if (best.x < old.x || best.y < old.y || best.z < old.z || best.w < old.w) {
        distance[v] = best;
        store_release(changed + sweep, 1);
    }
}

__global__ void find_far(const int4 *distance, int32_t n, int32_t *far) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * threads + threadIdx.x);
    if (v >= n)
        return;
    const int4 d = distance[v];
    const auto is_far = [](int32_t one) { return one > likely && one < INF; };
    if (is_far(d.x) || is_far(d.y) || is_far(d.z) || is_far(d.w))
        store_release(far, 1);
}

struct Look {
    int4 *distance;
    int32_t *changed; // [sweeps], and behind it whether a distance is far
};

Look lay_out(const struct gpu_matrices *m, Arena *arena) {
    int4 *distance = arena->take<int4>(static_cast<size_t>(m->n));
    return {distance, arena->take<int32_t>(sweeps + 1)};
}

// Whether the distances from a few sources are all short.
enum status look(const struct gpu_matrices *m, const Look &l, bool *are_short, struct error *err) {
    int32_t found[sweeps + 1] = {};
    int32_t *const far = l.changed + sweeps;
    const dim3 block(threads), each(tiles_covering(m->n, threads));
    enum status status =
        gpu_check(cudaMemsetAsync(l.changed, 0, sizeof found, nullptr), "clearing flags", err);
    if (status == STATUS_OK)
        status = launch(err, begin_sweeps, each, block, 0, l.distance, m->n);
    for (int sweep = 0; sweep < sweeps && status == STATUS_OK; sweep++)
        status = launch(err, sweep_edges, dim3(tiles_covering(m->n, vertices)), block,
                        threads * sizeof(int4), m->in, l.distance, m->n, l.changed, sweep);
    if (status == STATUS_OK)
        status = launch(err, find_far, each, block, 0, l.distance, m->n, far);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemcpy(found, l.changed, sizeof found, cudaMemcpyDeviceToHost),
                           "looking at distances", err);
    *are_short = found[sweeps - 1] == 0 && found[sweeps] == 0;
    return status;
}

// In a random graph whose weights are spread evenly up to the largest, the number
// of vertices within reach grows as exp(distance * degree / largest weight); the
// longest distance is some three times that at which it is n.
bool estimate_is_short(const struct gpu_matrices *m) {
    const double degree = static_cast<double>(m->in.m) / m->n;
    return 3 * log(static_cast<double>(m->n)) * m->in.max_weight <= degree * likely;
}

enum status tensor_is_worth_it(const struct gpu_matrices *m, const Look &l, bool *is_worth_it,
                               struct error *err) {
    bool available = false;
    enum status status = cuda_blocked_tensor_available(&available, err);
    *is_worth_it = available && (m->rehearsal || estimate_is_short(m));
    if (status == STATUS_OK && *is_worth_it && (m->n >= least_to_look || m->rehearsal))
        status = look(m, l, is_worth_it, err);
    return status;
}

using Launch = enum status (*)(const struct gpu_matrices *, struct progress *, struct error *);
using Available = enum status (*)(bool *, struct error *);

// What has been tried so far, and with what success.
struct Attempts {
    const struct gpu_matrices *m;
    struct progress *progress;
    bool done;

    // Tries a variant, unless one has succeeded or the device cannot run it (nullptr:
    // it can). Where it is not exact, the matrices are made anew. In a rehearsal all
    // take their turn.
    enum status attempt(Launch variant, Available available, struct error *err) {
        bool runs = true;
        if (done && !m->rehearsal)
            return STATUS_OK;
        enum status status = available != nullptr ? available(&runs, err) : STATUS_OK;
        if (status != STATUS_OK || !runs)
            return status;
        status = variant(m, progress, err);
        done = status != STATUS_BAD_INPUT;
        return done ? status : gpu_fill_adjacency(m, err);
    }
};

} // namespace

size_t cuda_blocked_auto_workspace(const struct gpu_matrices *m, bool with_pred) {
    Arena arena;
    lay_out(m, &arena);
    size_t most = cuda_blocked_dpx32_workspace(m, with_pred);
    const size_t others[] = {
        cuda_blocked_dpx16_workspace(m, with_pred), cuda_blocked_tensor_workspace(m, with_pred),
        m->n <= cuda_blocked_resident_most ? cuda_blocked_resident_workspace(m, with_pred) : 0};
    for (const size_t bytes : others)
        most = bytes > most ? bytes : most;
    return arena.used() + most;
}

enum status cuda_blocked_auto(const struct gpu_matrices *m, struct progress *progress,
                              struct error *err) {
    Arena arena(m->workspace);
    const Look l = lay_out(m, &arena);
    struct gpu_matrices rest = *m;
    rest.workspace = static_cast<char *>(m->workspace) + arena.used();
    rest.tile = one_tile;
    rest.derives_pred = true; // says what is to be made anew: distances only
    Attempts attempts = {&rest, progress, false};
    const bool all = m->rehearsal;
    int32_t limit = 0;
    bool is_worth_it = false;
    enum status status = STATUS_OK;
    if (m->n <= one_tile)
        status = attempts.attempt(cuda_blocked_thesis, nullptr, err);
    if (status == STATUS_OK && (!attempts.done || all))
        status = cuda_blocked_resident_limit(&limit, err);
    if (status == STATUS_OK && m->n <= limit)
        status = attempts.attempt(cuda_blocked_resident, nullptr, err);
    if (status == STATUS_OK && (!attempts.done || all))
        status = tensor_is_worth_it(&rest, l, &is_worth_it, err);
    if (status == STATUS_OK && is_worth_it)
        status = attempts.attempt(cuda_blocked_tensor, nullptr, err);
    if (status == STATUS_OK)
        status = attempts.attempt(cuda_blocked_dpx16, cuda_blocked_dpx16_available, err);
    if (status == STATUS_OK)
        status = attempts.attempt(cuda_blocked_dpx32, cuda_blocked_dpx32_available, err);
    if (status == STATUS_OK)
        status = attempts.attempt(cuda_blocked_tile64, nullptr, err);
    return status;
}
