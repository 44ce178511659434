// SPDX-License-Identifier: MIT
#include "cuda_blocked/parts/probe.cuh"

#include "common/gpu/flags.cuh"  // store_release, raise
#include "common/gpu/launch.cuh" // launch
#include "common/graph/graph.h"  // INF

#include <math.h>

namespace {

constexpr int32_t least_to_look = 4000; // vertices
constexpr int sources = 4;              // an int4 of distances to each vertex
constexpr int sweeps = 16;              // between two looks at whether they are done
constexpr int lanes = 8;                // threads that share the edges into a vertex
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

__global__ void find_farthest(const int4 *distance, int32_t n, int32_t *farthest) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * threads + threadIdx.x);
    if (v >= n)
        return;
    const int4 d = distance[v];
    const auto finite = [](int32_t one) { return one < INF ? one : 0; };
    const int32_t far = max(max(finite(d.x), finite(d.y)), max(finite(d.z), finite(d.w)));
    if (far > load_acquire(farthest))
        raise(farthest, far);
}

// A look must stay cheap beside the solve that it may save.
int32_t max_sweeps(int32_t n) {
    constexpr int32_t most = 256;
    return n / 64 < most ? n / 64 : most;
}

// The largest distance from a few sources, INF where it is not yet known.
enum status look(const struct gpu_matrices *m, const Probe &p, int32_t *farthest,
                 struct error *err) {
    const dim3 block(threads), each(tiles_covering(m->n, threads));
    enum status status = launch(err, begin_sweeps, each, block, 0, p.distance, m->n);
    *farthest = INF;
    for (int32_t done = 0; status == STATUS_OK && *farthest == INF; done += sweeps) {
        int32_t found[sweeps + 1] = {};
        if (done > 0 && done >= max_sweeps(m->n))
            break;
        status =
            gpu_check(cudaMemsetAsync(p.changed, 0, sizeof found, nullptr), "clearing flags", err);
        for (int sweep = 0; sweep < sweeps && status == STATUS_OK; sweep++)
            status = launch(err, sweep_edges, dim3(tiles_covering(m->n, vertices)), block,
                            threads * sizeof(int4), m->in, p.distance, m->n, p.changed, sweep);
        if (status == STATUS_OK)
            status = launch(err, find_farthest, each, block, 0, p.distance, m->n, p.farthest);
        if (status == STATUS_OK)
            status = gpu_check(cudaMemcpy(found, p.changed, sizeof found, cudaMemcpyDeviceToHost),
                               "looking at distances", err);
        if (found[sweeps - 1] == 0)
            *farthest = found[sweeps];
    }
    return status;
}

// In a random graph whose weights are spread evenly up to the largest, the number
// of vertices within reach grows as exp(distance * degree / largest weight); the
// longest distance is some three times that at which it is n.
double estimate(const struct gpu_matrices *m) {
    const double degree = static_cast<double>(m->in.m) / m->n;
    return 3 * log(static_cast<double>(m->n)) * m->in.max_weight / degree;
}

// Of what is asked for: the distances of a few sources, or of an estimate, are
// shorter than the longest of all.
constexpr double margin = 0.75;

} // namespace

Probe Probe::take(const struct gpu_matrices *m, Arena *arena) {
    int4 *distance = arena->take<int4>(static_cast<size_t>(m->n));
    int32_t *changed = arena->take<int32_t>(sweeps + 1);
    return {distance, changed, changed + sweeps};
}

enum status Probe::is_likely(const struct gpu_matrices *m, int32_t longest, bool *likely,
                             struct error *err) const {
    int32_t found = 0;
    enum status status = STATUS_OK;
    *likely = m->in.m == 0 || estimate(m) <= margin * longest;
    if ((*likely && m->n >= least_to_look) || m->rehearsal) {
        status = look(m, *this, &found, err);
        *likely = found <= margin * longest;
    }
    return status;
}
