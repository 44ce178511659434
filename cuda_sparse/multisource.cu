// Label correcting from a few sources at a time (this project; Yanagisawa 2010 for
// SIMD lanes).
//
// A block solves a strip of sources. The labels of all vertices from these sources,
// eight 16-bit ones side by side, lie in its shared memory, so that a relaxation,
// which reads the labels of a vertex anywhere in the graph, costs no traffic
// outside the multiprocessor. What comes from outside are the edges, 4 bytes for
// eight relaxations, the same for all blocks and in the second-level cache.
//
// A sweep relaxes the edges into every vertex, as many threads to a vertex as edges
// suggest. Sweeps see what they have just written; they go on until one changes
// nothing. Edges into a vertex are in the order of weight: where the next is no
// lighter than the largest of the vertex's labels, no other one can shorten a path.
// The first sweeps take only the lightest edges of each vertex, so that labels are
// small when all edges are looked at.
//
// Predecessors are found at the end: the first edge into a vertex, in that order,
// that is tight.
//
// Work is n m, at most, for each sweep, instead of n^3. What decides is the number
// of sweeps, which grows with the number of edges on a path.
#include "common/arena.cuh"    // Arena
#include "common/flags.cuh"    // raise
#include "common/gpu_solver.h" // struct gpu_matrices
#include "common/launch.cuh"   // launch
#include "cuda_sparse/kernels.h"
#include "cuda_sparse/labels.cuh" // Narrow, Wide

namespace {

using labels::Narrow;
using labels::Wide;

constexpr int most_threads = 1024; // of a block
constexpr int light = 32;          // edges into a vertex that the first sweeps take
constexpr int64_t most_edges = INT64_MAX / 2;

// Threads that can compare notes without a barrier.
#ifdef CUDA_SHIM
constexpr int warp = 1;
#else
constexpr int warp = 32;
#endif

template <typename Word>
__device__ __forceinline__ Word from_lane(Word value, int distance) {
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(0xffffffff, value, distance);
#else
    (void)distance;
    return value;
#endif
}

// Edges in the order in which sweeps read them: those into v are edges[first[v]] ..
// edges[first[v + 1] - 1].
template <typename Format>
struct Rows {
    const int64_t *first;
    typename Format::edge *edges;
};

constexpr int sorted_at_once = 1024;

// One block for each vertex: its edges by weight. More than sorted_at_once are so
// many sorted runs, one behind the other.
template <typename Format>
__global__ void sort_rows(struct gpu_in_edges in, Rows<Format> rows) {
    using edge = typename Format::edge;
    DYNAMIC_SHARED(int32_t, shared);
    edge *const row = reinterpret_cast<edge *>(shared);
    const int64_t end = in.first[blockIdx.x + 1];
    const int thread = static_cast<int>(threadIdx.x);
    for (int64_t first = in.first[blockIdx.x]; first < end; first += sorted_at_once) {
        const int count = static_cast<int>(min(end - first, static_cast<int64_t>(sorted_at_once)));
        for (int e = thread; e < count; e += static_cast<int>(blockDim.x))
            row[e] = Format::edge_of(in.tail[first + e], in.weight[first + e]);
        __syncthreads();
        for (int e = thread; e < count; e += static_cast<int>(blockDim.x)) {
            const edge own = row[e];
            int rank = 0;
            for (int other = 0; other < count; other++)
                rank += Format::before(row[other], own);
            rows.edges[first + rank] = own;
        }
        __syncthreads();
    }
}

template <typename Format>
struct Problem {
    Rows<Format> rows;
    int32_t *dist, *pred; // pred: NULL where it is not wanted
    size_t ld;
    int32_t n;
    int group;                      // threads to a vertex, a power of two
    int32_t *farthest;              // the largest finite label of all
    typename Format::word *outside; // labels of all blocks, where they do not fit inside
};

template <typename Format, int words>
struct Labels {
    using word = typename Format::word;
    static constexpr int count = words * Format::lanes;
    word of[words];

    static __device__ __forceinline__ Labels at(const word *from) {
        Labels l;
        if constexpr (words % 4 == 0) {
#pragma unroll
            for (int w = 0; w < words; w += 4) {
                const int4 four = *reinterpret_cast<const int4 *>(from + w);
                l.of[w] = static_cast<word>(four.x);
                l.of[w + 1] = static_cast<word>(four.y);
                l.of[w + 2] = static_cast<word>(four.z);
                l.of[w + 3] = static_cast<word>(four.w);
            }
        } else if constexpr (words == 2) {
            const int2 two = *reinterpret_cast<const int2 *>(from);
            l.of[0] = static_cast<word>(two.x);
            l.of[1] = static_cast<word>(two.y);
        } else {
            l.of[0] = *from;
        }
        return l;
    }
    __device__ __forceinline__ void put(word *to) const {
        if constexpr (words % 4 == 0) {
#pragma unroll
            for (int w = 0; w < words; w += 4)
                *reinterpret_cast<int4 *>(to + w) =
                    make_int4(static_cast<int>(of[w]), static_cast<int>(of[w + 1]),
                              static_cast<int>(of[w + 2]), static_cast<int>(of[w + 3]));
        } else if constexpr (words == 2) {
            *reinterpret_cast<int2 *>(to) =
                make_int2(static_cast<int>(of[0]), static_cast<int>(of[1]));
        } else {
            *to = of[0];
        }
    }
    __device__ __forceinline__ int32_t label(int c) const {
        return Format::label(of[c / Format::lanes], c % Format::lanes);
    }
    __device__ __forceinline__ int32_t largest() const {
        int32_t most = 0;
#pragma unroll
        for (int c = 0; c < count; c++)
            most = max(most, label(c));
        return most;
    }
    __device__ __forceinline__ void relax(const Labels &to_tail, int32_t weight) {
        const word added = Format::all(weight);
#pragma unroll
        for (int w = 0; w < words; w++)
            of[w] = Format::relax(to_tail.of[w], added, of[w]);
    }
    __device__ __forceinline__ bool operator!=(const Labels &other) const {
        bool differs = false;
#pragma unroll
        for (int w = 0; w < words; w++)
            differs |= of[w] != other.of[w];
        return differs;
    }
};

// One block's part: the strip of sources that begins at `first_source`.
template <typename Format, int words>
struct Strip {
    using word = typename Format::word;
    using Vertex = Labels<Format, words>;

    const Problem<Format> &p;
    word *label; // [v][words]
    int32_t first_source;

    __device__ __forceinline__ Vertex at(int32_t v) const {
        return Vertex::at(label + static_cast<size_t>(v) * words);
    }
    static __device__ __forceinline__ int32_t threads() {
        return static_cast<int32_t>(blockDim.x);
    }
    __device__ __forceinline__ int member() const {
        return static_cast<int>(threadIdx.x) % p.group;
    }
    // Calls visit(v) for every vertex and thread of its group, and, so that whole warps
    // stay together, for some v >= n.
    template <typename Visit>
    __device__ __forceinline__ void for_each_vertex(Visit visit) const {
        const int32_t groups = threads() / p.group;
        const int32_t own = static_cast<int32_t>(threadIdx.x) / p.group;
        for (int32_t v = 0; v < p.n; v += groups)
            visit(v + own);
    }

    __device__ void begin() const {
        const word none = Format::all(Format::no_path);
        for (int32_t at = static_cast<int32_t>(threadIdx.x); at < p.n * words; at += threads()) {
            const int32_t v = at / words, lane = (v - first_source) - at % words * Format::lanes;
            label[at] = v >= first_source && lane >= 0 && lane < Format::lanes
                            ? Format::with_label(none, lane, 0)
                            : none;
        }
        __syncthreads();
    }

    // Calls visit(e, edge) for the group's share of the first `most` edges into v, in
    // each sorted run up to the first edge of weight `limit` or more.
    template <typename Visit>
    __device__ __forceinline__ void for_each_edge(int32_t v, int64_t most, int32_t limit,
                                                  Visit visit) const {
        const bool inside = v < p.n;
        const int64_t first = inside ? p.rows.first[v] : 0;
        const int64_t end = inside ? min(p.rows.first[v + 1], first + most) : 0;
        for (int64_t run = first; run < end; run += sorted_at_once) {
            const int64_t run_end = min(end, run + sorted_at_once);
            for (int64_t e = run + member(); e < run_end; e += p.group) {
                const typename Format::edge edge = p.rows.edges[e];
                if (Format::weight(edge) >= limit)
                    break;
                visit(e - first, edge);
            }
        }
    }

    // Relaxes the first `most` edges into every vertex; whether a label became smaller.
    __device__ bool sweep(int64_t most) const {
        bool changed = false;
        for_each_vertex([&](int32_t v) {
            Vertex best = {};
            if (v < p.n)
                best = at(v);
            const Vertex old = best;
            for_each_edge(v, most, best.largest(), [&](int64_t, typename Format::edge edge) {
                best.relax(at(Format::tail(edge)), Format::weight(edge));
            });
            for (int distance = p.group / 2; distance > 0; distance /= 2) {
#pragma unroll
                for (int w = 0; w < words; w++)
                    best.of[w] = Format::minimum(best.of[w], from_lane(best.of[w], distance));
            }
            if (best != old) {
                changed = true;
                if (member() == 0)
                    best.put(label + static_cast<size_t>(v) * words);
            }
        });
        return changed;
    }

    __device__ void correct() const {
        while (__syncthreads_or(sweep(light))) {
        }
        while (__syncthreads_or(sweep(most_edges))) {
        }
    }

    // Rows of distances.
    __device__ void write_distances() const {
        int32_t far = 0;
        for (int32_t v = static_cast<int32_t>(threadIdx.x); v < p.n; v += threads()) {
            const Vertex own = at(v);
#pragma unroll
            for (int c = 0; c < Vertex::count; c++) {
                const int32_t distance = own.label(c);
                const bool finite = distance < Format::no_path;
                far = finite ? max(far, distance) : far;
                if (first_source + c < p.n)
                    p.dist[static_cast<size_t>(first_source + c) * p.ld + v] =
                        finite ? distance : INF;
            }
        }
        if (far > load_acquire(p.farthest))
            raise(p.farthest, far);
    }

    __device__ void write_predecessors() const {
        constexpr int32_t none = INT32_MAX;
        for_each_vertex([&](int32_t v) {
            const bool inside = v < p.n;
            Vertex own = {};
            if (inside)
                own = at(v);
            int32_t found[Vertex::count]; // the number of an edge into v
            int32_t largest = -1;
#pragma unroll
            for (int c = 0; c < Vertex::count; c++) {
                const bool wanted =
                    inside && own.label(c) < Format::no_path && v != first_source + c;
                found[c] = wanted ? none : -1;
                largest = wanted ? max(largest, own.label(c)) : largest;
            }
            for_each_edge(v, most_edges, largest + 1, [&](int64_t e, typename Format::edge edge) {
                const Vertex before = at(Format::tail(edge));
                const int32_t weight = Format::weight(edge);
#pragma unroll
                for (int c = 0; c < Vertex::count; c++) {
                    if (found[c] == none && before.label(c) + weight == own.label(c))
                        found[c] = static_cast<int32_t>(e);
                }
            });
            for (int distance = p.group / 2; distance > 0; distance /= 2) {
#pragma unroll
                for (int c = 0; c < Vertex::count; c++)
                    found[c] = min(found[c], from_lane(found[c], distance));
            }
#pragma unroll
            for (int c = 0; c < Vertex::count; c++) {
                if (inside && c % p.group == member() && first_source + c < p.n)
                    p.pred[static_cast<size_t>(first_source + c) * p.ld + v] =
                        found[c] >= 0 ? Format::tail(p.rows.edges[p.rows.first[v] + found[c]]) : -1;
            }
        });
    }
};

template <typename Format, int words, bool inside>
__global__ void __launch_bounds__(most_threads) solve_strips(Problem<Format> p) {
    using word = typename Format::word;
    constexpr int32_t sources = words * Format::lanes;
    DYNAMIC_SHARED(int32_t, shared);
    word *const label =
        inside ? reinterpret_cast<word *>(shared)
               : p.outside + static_cast<size_t>(blockIdx.x) * static_cast<size_t>(p.n) * words;
    for (int32_t first = static_cast<int32_t>(blockIdx.x) * sources; first < p.n;
         first += static_cast<int32_t>(gridDim.x) * sources) {
        const Strip<Format, words> strip = {p, label, first};
        strip.begin();
        strip.correct();
        strip.write_distances();
        if (p.pred != nullptr)
            strip.write_predecessors();
        __syncthreads();
    }
}

struct Workspace {
    void *edges;
    int32_t *farthest;
    void *outside;
};

constexpr int outside_words = 8;    // of labels that are not in shared memory
constexpr int outside_blocks = 264; // at the most

Workspace lay_out(const struct gpu_matrices *m, Arena *arena) {
    Workspace w = {};
    w.edges = arena->take<Wide::edge>(static_cast<size_t>(m->in.m));
    w.farthest = arena->take<int32_t>(1);
    w.outside = arena->take<int32_t>(static_cast<size_t>(outside_blocks) *
                                     static_cast<size_t>(m->n) * outside_words);
    return w;
}

// About as many threads to a vertex as a sweep has edges for them, four to each.
int group_for(const struct gpu_matrices *m) {
    const int64_t edges = m->in.m / m->n < light ? m->in.m / m->n : light;
    int group = 1;
    while (group < warp && group * 4 < edges)
        group *= 2;
    return group;
}

template <typename Format, int words, bool inside>
enum status launch_strips(const Problem<Format> &p, size_t shared, int32_t blocks,
                          struct error *err) {
    const size_t bytes = inside ? static_cast<size_t>(p.n) * words * sizeof(int32_t) : 0;
    const unsigned threads = 2 * bytes <= shared ? most_threads / 2 : most_threads;
    constexpr int32_t sources = words * Format::lanes;
    const int32_t strips = (p.n + sources - 1) / sources;
    enum status status = allow_shared(solve_strips<Format, words, inside>, bytes, err);
    if (status == STATUS_OK)
        status = launch(err, solve_strips<Format, words, inside>,
                        dim3(static_cast<unsigned>(inside || strips < blocks ? strips : blocks)),
                        dim3(threads), bytes, p);
    return status;
}

template <typename Format>
enum status solve_with(const struct gpu_matrices *m, const Workspace &w, int32_t *farthest,
                       struct error *err) {
    Problem<Format> p = {{m->in.first, static_cast<typename Format::edge *>(w.edges)},
                         m->dist,
                         m->pred,
                         m->ld,
                         m->n,
                         group_for(m),
                         w.farthest,
                         static_cast<typename Format::word *>(w.outside)};
    size_t shared = 0;
    int processors = 0;
    enum status status = shared_limit(&shared, err);
    if (status == STATUS_OK)
        status = multiprocessors(&processors, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemsetAsync(w.farthest, 0, sizeof *w.farthest, nullptr),
                           "clearing flags", err);
    if (status == STATUS_OK)
        status = launch(err, sort_rows<Format>, dim3(static_cast<unsigned>(m->n)), dim3(256),
                        sizeof(typename Format::edge) * sorted_at_once, m->in, p.rows);
    if (status != STATUS_OK)
        return status;
    const size_t row = static_cast<size_t>(m->n) * sizeof(int32_t); // one word to a vertex
    const int32_t blocks = processors * 2 < outside_blocks ? processors * 2 : outside_blocks;
    if (4 * row <= shared)
        status = launch_strips<Format, 4, true>(p, shared, blocks, err);
    else if (2 * row <= shared)
        status = launch_strips<Format, 2, true>(p, shared, blocks, err);
    else if (row <= shared)
        status = launch_strips<Format, 1, true>(p, shared, blocks, err);
    else
        status = launch_strips<Format, outside_words, false>(p, shared, blocks, err);
    if (status == STATUS_OK)
        status = read_flag(w.farthest, farthest, err);
    return status;
}

} // namespace

size_t cuda_sparse_multisource_workspace(const struct gpu_matrices *m, bool) {
    Arena arena;
    lay_out(m, &arena);
    return arena.used();
}

enum status cuda_sparse_multisource(const struct gpu_matrices *m, struct progress *,
                                    struct error *err) {
    Arena arena(m->workspace);
    const Workspace w = lay_out(m, &arena);
    int32_t farthest = 0;
    enum status status = STATUS_OK;
    bool exact = false;
    // No sum of a label and a weight was cut off where all are below no_path.
    if (m->n <= Narrow::most_vertices && m->in.max_weight < Narrow::no_path) {
        status = solve_with<Narrow>(m, w, &farthest, err);
        exact = farthest < Narrow::no_path - m->in.max_weight;
    }
    if (status == STATUS_OK && (!exact || m->rehearsal))
        status = solve_with<Wide>(m, w, &farthest, err);
    return status;
}
