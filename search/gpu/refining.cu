// SPDX-License-Identifier: MIT
// Real weights by variants for integers (refining.h): iterative refinement.
//
// The distances to and from one vertex bound all others, and so the quantum: the longest distance
// has as many quanta as the variant takes. They need not be exact, because the length of any path
// is no less, so rounds of relaxing all edges end after a while. If there is not a path to and from
// every vertex, the bound is that of the heaviest edges.
//
// The rounded distances say which edges are tight, and these make a tree for each source. Along it
// multisource.cu adds up the real weights, and relaxes all edges until no sum improves. What the
// quanta cut off so decides how much is left to relax, and nothing else. A tree is followed an edge
// a round, so that this takes long where paths have thousands of edges.
//
// Reached on an H200 at n = 12500, 2 %, weights with six decimals: 17 ms beside 133 ms for the
// rung, 13 ms in float32.
#include "search/gpu/refining.h"

#include "common/base/clock.h"        // clock_seconds
#include "gpu/launch/arena.cuh"       // Arena
#include "gpu/launch/bits.cuh"        // bits_of
#include "gpu/launch/flags.cuh"       // lower, raise
#include "gpu/launch/launch.cuh"      // launch, read_flag
#include "search/gpu/multisource.cuh" // multisource_refine
#include "solve/quanta.h"             // quantum_for, quanta_in

#include <math.h>
#include <string.h>

namespace {

constexpr unsigned threads = 256;
constexpr unsigned most_blocks = 4096; // most blocks; more would not fill a GPU better
constexpr unsigned lanes = 32;         // number of threads for the edges into a vertex
constexpr unsigned vertices = 8;       // number of vertices of a block
constexpr int rounds_to_a_look = 4;    // number of rounds between two checks whether they have
                                       // changed anything
constexpr int most_rounds = 1024;

// Values that the kernels pass to each other and to the host. Real numbers >= 0 are compared by
// their bits, which have the same order.
struct Told {
    uint64_t hub;      // upper half: number of in-edges of the hub; lower half: n - vertex number
                       // of the hub
    uint64_t farthest; // bits of the largest distance
    int32_t changed, max_quanta;
};

__host__ __device__ __forceinline__ double number_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// Calls visit(k) for k = 0 .. count - 1, each in one thread.
template <typename Visit>
__device__ __forceinline__ void for_each_of(int64_t count, Visit visit) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t k = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count;
         k += step)
        visit(k);
}

unsigned blocks_for(int64_t count) {
    const int64_t blocks = (count - 1) / threads + 1;
    return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

// Finds the hub: the vertex with the most in-edges; among several, the first.
__global__ void find_hub(struct gpu_in_edges in, int32_t n, Told *told) {
    uint64_t best = 0;
    for_each_of(n, [&](int64_t v) {
        const uint64_t degree = static_cast<uint64_t>(in.first[v + 1] - in.first[v]);
        const uint64_t key = degree << 32 | static_cast<uint64_t>(n - v);
        best = key > best ? key : best;
    });
    raise(&told->hub, best);
}

// Sets from and to, the bits of the lengths of paths from the hub to each vertex and back, for
// paths without edges.
__global__ void begin_paths(int32_t n, const Told *told, uint64_t *from, uint64_t *to) {
    const int64_t hub = n - static_cast<int64_t>(told->hub & UINT32_MAX);
    for_each_of(n, [&](int64_t v) { from[v] = to[v] = bits_of(v == hub ? 0 : INFINITY); });
}

// Relaxes every edge once, in both directions. Threads read lengths that others lower at the same
// time; every value read is the length of some path.
__global__ void relax_paths(struct gpu_in_edges in, int32_t n, uint64_t *from, uint64_t *to,
                            Told *told) {
    const int32_t v = static_cast<int32_t>(blockIdx.x * vertices + threadIdx.y);
    if (v >= n)
        return;
    const double own = number_of(load_relaxed(from + v)), back = number_of(load_relaxed(to + v));
    double best = own;
    bool changed = false;
    for (int64_t e = in.first[v] + threadIdx.x; e < in.first[v + 1]; e += lanes) {
        const int32_t u = in.tail[e];
        const double weight = in.real_weight[e];
        best = fmin(best, number_of(load_relaxed(from + u)) + weight);
        if (back + weight < number_of(load_relaxed(to + u))) {
            lower(to + u, bits_of(back + weight));
            changed = true;
        }
    }
    if (best < own) {
        lower(from + v, bits_of(best));
        changed = true;
    }
    if (changed)
        raise(&told->changed, 1);
}

__global__ void find_farthest(int32_t n, const uint64_t *path, Told *told) {
    uint64_t most = 0;
    for_each_of(n, [&](int64_t v) { most = path[v] > most ? path[v] : most; });
    raise(&told->farthest, most);
}

__global__ void round_weights(struct gpu_in_edges in, double quantum, int32_t *quanta, Told *told) {
    int32_t most = 0;
    for_each_of(in.m, [&](int64_t e) {
        quanta[e] = quanta_in(in.real_weight[e], quantum);
        most = max(most, quanta[e]);
    });
    raise(&told->max_quanta, most);
}

// The workspace. The rung's part is reused for refining, when the rounded distances are known.
struct RefiningWorkspace {
    Told *told;
    uint64_t *from, *to;
    int32_t *quanta;
    int32_t *dist;
    void *rest;
};

// Returns the matrix of rounded distances that the rung fills.
struct gpu_matrices rounded_of(const struct gpu_matrices *m) {
    struct gpu_matrices r = *m;
    r.type = NUMBER_INT32;
    r.dist = nullptr;
    r.pred = nullptr;
    r.rows = r.wanted = m->n;
    r.source = nullptr;
    r.state = nullptr;
    r.derives_pred = true;
    r.rounded = true;
    return r;
}

RefiningWorkspace lay_out(const struct gpu_matrices *m, Arena *arena) {
    const struct gpu_matrices rounded = rounded_of(m);
    const size_t n = static_cast<size_t>(m->n);
    const size_t rung = m->rung.workspace != nullptr ? m->rung.workspace(&rounded, false) : 0;
    const size_t refining = multisource_refine_workspace(m);
    RefiningWorkspace w;
    w.told = arena->take<Told>(1);
    w.from = arena->take<uint64_t>(n);
    w.to = arena->take<uint64_t>(n);
    w.quanta = arena->take<int32_t>(static_cast<size_t>(m->in.m));
    w.dist = arena->take<int32_t>(static_cast<size_t>(m->order) * m->ld);
    w.rest = arena->take<char>(rung > refining ? rung : refining);
    return w;
}

enum status read_told(const RefiningWorkspace &w, Told *told, struct error *err) {
    return gpu_check(cudaMemcpy(told, w.told, sizeof *told, cudaMemcpyDeviceToHost),
                     "running the kernels", err);
}

// Stores in *bound the sum of the longest distance from the hub and the longest distance to it.
enum status add_farthest(const struct gpu_matrices *m, const RefiningWorkspace &w, double *bound,
                         struct error *err) {
    Told told = {};
    *bound = 0;
    for (const uint64_t *path : {w.from, w.to}) {
        RETURN_ON_FAILURE(
            gpu_check(cudaMemsetAsync(&w.told->farthest, 0, sizeof told.farthest, nullptr),
                      "clearing flags", err));
        RETURN_ON_FAILURE(launch(err, find_farthest, dim3(blocks_for(m->n)), dim3(threads), 0, m->n,
                                 path, w.told));
        RETURN_ON_FAILURE(read_told(w, &told, err));
        *bound += number_of(told.farthest);
    }
    return STATUS_OK;
}

// Stores in *bound a number that no finite distance exceeds; infinite if none is found.
enum status bound_distances(const struct gpu_matrices *m, const RefiningWorkspace &w, double *bound,
                            struct error *err) {
    const double pays = 0.9; // rounds go on only while they lower the bound by at least this factor
    const dim3 each(blocks_for(m->n)), block(threads);
    const dim3 heads(tiles_covering(m->n, vertices)), edges(lanes, vertices);
    RETURN_ON_FAILURE(launch(err, find_hub, each, block, 0, m->in, m->n, w.told));
    RETURN_ON_FAILURE(launch(err, begin_paths, each, block, 0, m->n, w.told, w.from, w.to));
    int32_t changed = 1;
    double before = INFINITY;
    *bound = INFINITY;
    for (int round = 0; round < most_rounds && changed != 0; round += rounds_to_a_look) {
        RETURN_ON_FAILURE(gpu_check(cudaMemsetAsync(&w.told->changed, 0, sizeof changed, nullptr),
                                    "clearing flags", err));
        for (int k = 0; k < rounds_to_a_look; k++)
            RETURN_ON_FAILURE(
                launch(err, relax_paths, heads, edges, 0, m->in, m->n, w.from, w.to, w.told));
        RETURN_ON_FAILURE(add_farthest(m, w, bound, err));
        if (*bound > pays * before)
            break;
        before = *bound;
        RETURN_ON_FAILURE(read_flag(&w.told->changed, &changed, err));
    }
    return STATUS_OK;
}

// Rounds the weights to quanta, and solves the rounded graph by the rung.
enum status solve_rounded(const struct gpu_matrices *m, const RefiningWorkspace &w, double *quantum,
                          struct progress *progress, struct error *err) {
    struct gpu_matrices rounded = rounded_of(m);
    Told told = {};
    double bound = 0;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(w.told, 0, sizeof told, nullptr), "clearing flags", err));
    RETURN_ON_FAILURE(bound_distances(m, w, &bound, err));
    *quantum = quantum_for(m->in.max_real_weight, bound, m->n, m->rung.most);
    if (m->in.m > 0 || m->warm_up)
        RETURN_ON_FAILURE(launch(err, round_weights, dim3(blocks_for(m->in.m)), dim3(threads), 0,
                                 m->in, *quantum, w.quanta, w.told));
    RETURN_ON_FAILURE(read_told(w, &told, err));
    rounded.dist = w.dist;
    rounded.workspace = w.rest;
    rounded.in.weight = w.quanta;
    rounded.in.max_weight = told.max_quanta;
    RETURN_ON_FAILURE(gpu_fill_adjacency(&rounded, err));
    RETURN_ON_FAILURE(m->rung.launch(&rounded, progress, err));
    return gpu_wait(m, err);
}

} // namespace

size_t gpu_refine_workspace(const struct gpu_matrices *m, bool) {
    Arena arena;
    lay_out(m, &arena);
    return arena.used();
}

enum status gpu_refine(const struct gpu_matrices *m, struct progress *progress, struct error *err) {
    Arena arena(m->workspace);
    const RefiningWorkspace w = lay_out(m, &arena);
    struct gpu_matrices rows = *m;
    rows.workspace = w.rest;
    if ((m->state->known & HAS_ROUNDED) == 0) {
        const double begun = clock_seconds();
        RETURN_ON_FAILURE(solve_rounded(m, w, &m->state->quantum, progress, err));
        m->state->rounded_s = clock_seconds() - begun;
        m->state->known |= HAS_ROUNDED;
    }
    const Rounded rounded = {m->state->quantum, w.dist};
    return multisource_refine(&rows, &rounded, err);
}
