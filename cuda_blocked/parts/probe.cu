// SPDX-License-Identifier: MIT
#include "cuda_blocked/parts/probe.cuh"

#include "common/graph/graph.h"                // INF
#include "cuda_blocked/parts/tile_constants.h" // PROBE_MARGIN
#include "gpu/launch/flags.cuh"                // store_release, raise
#include "gpu/launch/launch.cuh"               // launch

#include <math.h>

namespace {

constexpr int32_t min_vertices = 4000; // vertices from which on distances are measured
constexpr int sources = 4;             // number of sources: distances to a vertex are an int4
constexpr int sweeps = 16;             // sweeps between two checks whether distances are final
constexpr int lanes = 8;               // threads that share the edges into a vertex
constexpr int threads = 256;
constexpr int vertices = threads / lanes; // vertices of a block

// Minimum and sum of distances from all sources to a vertex.
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

// Relaxes all edges once (Bellman-Ford). Sets changed[sweep] if a distance became shorter, and does
// nothing if the sweep before changed nothing.
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

// Measuring must stay cheap compared with the solve that it may save.
int32_t max_sweeps(int32_t n) {
    constexpr int32_t most = 256;
    return n / 64 < most ? n / 64 : most;
}

// Stores the largest distance from a few sources in *farthest; INF if that takes too many sweeps.
enum status measure(const struct gpu_matrices *m, const Probe &p, int32_t *farthest,
                    struct error *err) {
    const dim3 block(threads), each(tiles_covering(m->n, threads));
    *farthest = INF;
    RETURN_ON_FAILURE(launch(err, begin_sweeps, each, block, 0, p.distance, m->n));
    for (int32_t done = 0; *farthest == INF; done += sweeps) {
        int32_t found[sweeps + 1] = {};
        if (done > 0 && done >= max_sweeps(m->n))
            break;
        RETURN_ON_FAILURE(
            gpu_check(cudaMemsetAsync(p.changed, 0, sizeof found, nullptr), "clearing flags", err));
        for (int sweep = 0; sweep < sweeps; sweep++)
            RETURN_ON_FAILURE(launch(err, sweep_edges, dim3(tiles_covering(m->n, vertices)), block,
                                     threads * sizeof(int4), m->in, p.distance, m->n, p.changed,
                                     sweep));
        RETURN_ON_FAILURE(launch(err, find_farthest, each, block, 0, p.distance, m->n, p.farthest));
        RETURN_ON_FAILURE(
            gpu_check(cudaMemcpy(found, p.changed, sizeof found, cudaMemcpyDeviceToHost),
                      "measuring distances", err));
        if (found[sweeps - 1] == 0)
            *farthest = found[sweeps];
    }
    return STATUS_OK;
}

// In a random graph whose weights are spread evenly up to the largest, the number of vertices
// within a distance grows as exp(distance * degree / largest weight). The longest distance is some
// three times the distance at which that number is n.
double estimate(const struct gpu_matrices *m) {
    const double degree = static_cast<double>(m->in.m) / m->n;
    return 3 * log(static_cast<double>(m->n)) * m->in.max_weight / degree;
}

} // namespace

Probe Probe::take(const struct gpu_matrices *m, Arena *arena) {
    int4 *distance = arena->take<int4>(static_cast<size_t>(m->n));
    int32_t *changed = arena->take<int32_t>(sweeps + 1);
    return {distance, changed, changed + sweeps};
}

enum status Probe::is_likely(const struct gpu_matrices *m, int32_t longest, bool *likely,
                             struct error *err) const {
    int32_t found = 0;
    *likely = m->in.m == 0 || estimate(m) <= PROBE_MARGIN * longest;
    if ((*likely && m->n >= min_vertices) || m->warm_up) {
        RETURN_ON_FAILURE(measure(m, *this, &found, err));
        *likely = found <= PROBE_MARGIN * longest;
    }
    return STATUS_OK;
}
