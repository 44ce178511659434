// SPDX-License-Identifier: MIT
// Launches strips of label correcting (strip.cuh): as many labels of a vertex side by side as fit
// into shared memory, and the workspace that every launch needs.
#ifndef SEARCH_GPU_LAUNCH_STRIPS_CUH
#define SEARCH_GPU_LAUNCH_STRIPS_CUH

#include "gpu/gpu_solver.h"             // struct gpu_matrices
#include "gpu/launch/arena.cuh"         // Arena
#include "gpu/launch/launch.cuh"        // launch
#include "search/gpu/label_constants.h" // STRIP_WORDS
#include "search/gpu/labels.cuh"        // Single
#include "search/gpu/multisource.cuh"   // SORTED_WIDE
#include "search/gpu/rows.cuh"          // Rows, sort_rows
#include "search/gpu/strip.cuh"         // Strip

namespace label_correcting {

constexpr int max_threads = 1024;       // most threads of a block
constexpr int32_t outside_words = 8;    // most words of labels of a vertex, if labels are not in
                                        // shared memory
constexpr int32_t outside_blocks = 264; // most blocks, if labels are not in shared memory

// Returns the bytes of the labels of all vertices, rounded up so that the memory behind them is
// aligned.
template <typename Format>
__host__ __device__ size_t label_bytes(int32_t n, int words) {
    return (static_cast<size_t>(n) * words * sizeof(typename Format::word) + 15) / 16 * 16;
}

// Solves strips. trees: finds trees instead of predecessors (strip.cuh).
template <typename Format, int words, bool inside, bool trees>
__global__ void __launch_bounds__(max_threads) solve_strips(Problem p) {
    using word = typename Format::word;
    constexpr int32_t sources = words * Format::lanes;
    DYNAMIC_SHARED(int32_t, shared);
    word *const label = inside
                            ? reinterpret_cast<word *>(shared)
                            : static_cast<word *>(p.outside) + static_cast<size_t>(blockIdx.x) *
                                                                   static_cast<size_t>(p.n) * words;
    const Worklist worklist =
        inside
            ? Worklist::at(reinterpret_cast<char *>(shared) + label_bytes<Format>(p.n, words), p.n)
            : Worklist{};
    for (int32_t first = static_cast<int32_t>(blockIdx.x) * sources; first < p.count;
         first += static_cast<int32_t>(gridDim.x) * sources) {
        const Strip<Format, words> strip = {p, label, worklist, first};
        if (strip.is_hopeless())
            break;
        strip.begin();
        strip.template correct<trees>();
        if (p.dist != nullptr)
            strip.write_distances();
        __syncthreads();
    }
}

// Bytes of shared memory that every GPU can give a block; tests on the host shim use less.
#ifdef CUDA_SHIM
constexpr size_t every_gpu = 0;
#else
constexpr size_t every_gpu = 48 << 10;
#endif

// Returns whether strips have a worklist. It would not pay in graphs with so many edges that
// listing the heads of some costs as much as a sweep over all; these graphs have short paths.
inline bool is_sparse(const struct gpu_matrices *m) {
    return m->in.m / m->n < 16 && m->n <= Worklist::max_vertices;
}

// Returns whether labels are minus the lengths, as in semirings whose best length is the greatest.
inline bool wants_greatest(const struct gpu_matrices *m) {
    return semiring_wants_greatest(m->semiring);
}

// The workspace of a launch of strips.
struct StripWorkspace {
    Rows rows;
    OutEdges out; // its pointers are nullptr if strips have no worklist
    Findings *found;
    void *outside; // labels of all blocks, if they do not fit into shared memory
};

// Lays out the workspace for labels of format Widest, the widest of m's type.
template <typename Widest>
StripWorkspace lay_out_widest(const struct gpu_matrices *m, bool lists, Arena *arena) {
    StripWorkspace w = {};
    w.rows.of = arena->take<Row>(static_cast<size_t>(m->n));
    w.rows.all = arena->take<int4>(static_cast<size_t>(sheaves_before<Widest>(m->in.m, m->n)));
    if (lists && is_sparse(m))
        w.out = OutEdges::take(m, arena);
    w.found = arena->take<Findings>(1);
    // Memory for labels of one vertex is kept even if labels fit into shared memory, because a
    // warm-up launches every kernel with one vertex.
    const bool inside = label_bytes<Widest>(m->n, 1) + Worklist::bytes(m->n) <= every_gpu;
    const size_t vertices = inside ? 1 : static_cast<size_t>(m->n);
    w.outside = arena->take<char>(vertices * sizeof(typename Widest::word) * outside_blocks *
                                  outside_words);
    return w;
}

// Lays out the workspace for labels of m's type. lists: strips have worklists if the graph is
// sparse.
inline StripWorkspace lay_out_strips(const struct gpu_matrices *m, bool lists, Arena *arena) {
    return m->type == NUMBER_FLOAT64 ? lay_out_widest<labels::Real<double>>(m, lists, arena)
                                     : lay_out_widest<labels::Wide>(m, lists, arena);
}

// Returns the number of threads for a vertex, each of which gets about four sheaves of a sweep.
template <typename Format>
int group_for(const struct gpu_matrices *m) {
    const int64_t edges = m->in.m / m->n < light ? m->in.m / m->n : light;
    int group = 1;
    while (group < warp && group * 4 * Format::sheaf < edges)
        group *= 2;
    return group;
}

// Returns the part of the budget that one strip may spend. The budget must last for all strips that
// a multiprocessor solves one after the other. A strip gets at most half, because giving up must
// not cost as much as the whole solve.
inline int64_t strip_budget(int64_t budget, int32_t strips, int at_a_time) {
    const int64_t rounds = (strips + at_a_time - 1) / at_a_time;
    return budget / (rounds > 2 ? rounds : 2);
}

// Launches the strips once, with as many labels of a vertex as fit; in a warm-up, launches every
// kernel.
struct Launcher {
    Problem *p;
    int32_t wanted; // number of rows of the whole answer
    int64_t budget;
    bool trees; // finds trees
    bool warm_up;
    size_t shared;
    bool launched;

    template <typename Format, int words, bool inside>
    enum status launch_strips(size_t bytes, struct error *err) {
        auto kernel = solve_strips<Format, words, inside, false>;
        if constexpr (Format::finds_trees)
            kernel = trees ? solve_strips<Format, words, inside, true> : kernel;
        const int32_t strips =
            static_cast<int32_t>(tiles_covering(p->count, words * Format::lanes));
        const unsigned threads = inside && 2 * bytes > shared ? max_threads : max_threads / 2;
        int together = 0;
        RETURN_ON_FAILURE(allow_shared(kernel, bytes, err));
        RETURN_ON_FAILURE(blocks_together(kernel, threads, bytes, &together, err));
        together = max(1, inside ? together : min(together, outside_blocks));
        p->budget = strip_budget(
            budget, static_cast<int32_t>(tiles_covering(wanted, words * Format::lanes)), together);
        launched = true;
        return launch(err, kernel, dim3(static_cast<unsigned>(inside ? strips : together)),
                      dim3(threads), bytes, *p);
    }

    template <typename Format, int words>
    enum status inside(struct error *err) {
        const size_t bytes = label_bytes<Format>(p->n, words) +
                             (p->out.first != nullptr ? Worklist::bytes(p->n) : 0);
        if ((launched && !warm_up) || bytes > shared)
            return STATUS_OK;
        return launch_strips<Format, words, true>(bytes, err);
    }

    template <typename Format>
    enum status outside(struct error *err) {
        if (launched && !warm_up)
            return STATUS_OK;
        p->out.first = nullptr;
        return launch_strips<Format, outside_words, false>(0, err);
    }

    template <typename Format>
    enum status launch_most(struct error *err) {
        enum status status = shared_limit(&shared, err);
        if (status == STATUS_OK)
            status = inside<Format, STRIP_WORDS>(err);
        if (status == STATUS_OK)
            status = inside<Format, STRIP_WORDS / 2>(err);
        if (status == STATUS_OK)
            status = inside<Format, 1>(err);
        if constexpr (Format::lanes > 1) {
            if (status == STATUS_OK)
                status = inside<labels::Single, 1>(err);
        }
        if (status == STATUS_OK)
            status = outside<Format>(err);
        return status;
    }
};

// Makes the out-edges that worklists need, unless an earlier block has left them.
inline enum status list_out_edges(const struct gpu_matrices *m, const StripWorkspace &w,
                                  struct error *err) {
    if (w.out.first == nullptr || (m->state->known & HAS_OUT_EDGES) != 0)
        return STATUS_OK;
    m->state->known |= HAS_OUT_EDGES;
    return w.out.fill(m, err);
}

// Sorts the edges, unless an earlier block has left them sorted in this format.
template <typename Format>
enum status sort(const struct gpu_matrices *m, const StripWorkspace &w, struct error *err) {
    const uint32_t sorted = Format::lanes > 1 ? SORTED_NARROW : SORTED_WIDE;
    if ((m->state->known & sorted) != 0)
        return STATUS_OK;
    m->state->known &= ~static_cast<uint32_t>(SORTED_NARROW | SORTED_WIDE);
    m->state->known |= sorted;
    return launch(err, sort_rows<Format>, dim3(static_cast<unsigned>(m->n)), dim3(256),
                  sizeof(typename Format::edge) * sorted_at_once, m->in, wants_greatest(m), w.rows);
}

// Returns what all launches of strips of this format have in common.
template <typename Format>
Problem problem_of(const struct gpu_matrices *m, const StripWorkspace &w) {
    Problem p = {};
    p.rows = w.rows;
    p.dist = m->cells;
    p.pred = m->pred;
    p.source = m->source;
    p.count = m->rows;
    p.ld = m->ld;
    p.n = m->n;
    p.group = group_for<Format>(m);
    p.outside = w.outside;
    p.too_long = INT32_MAX;
    p.negated = wants_greatest(m);
    p.out = w.out;
    p.found = w.found;
    p.stop = m->stop.word;
    return p;
}

// Launches the strips of a problem, whose edges are prepared, waits for them, and stores what they
// have found.
template <typename Format>
enum status run_strips(const struct gpu_matrices *m, Problem *p, int64_t budget, bool trees,
                       Findings *found, struct error *err) {
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(p->found, 0, sizeof *p->found, nullptr), "clearing flags", err));
    Launcher launcher = {p, m->wanted, budget, trees, m->warm_up, 0, false};
    RETURN_ON_FAILURE(launcher.launch_most<Format>(err));
    RETURN_ON_FAILURE(gpu_wait(m, err));
    return gpu_check(cudaMemcpy(found, p->found, sizeof *found, cudaMemcpyDeviceToHost),
                     "running the kernels", err);
}

// Finds the predecessors that are missing once labels are found: those of vertices that no tight
// edge from a nearer vertex reaches.
inline enum status find_waiting(const struct gpu_matrices *m, const Findings *found,
                                struct error *err) {
    const bool waits = found->waiting != 0 && found->gave_up == 0;
    return m->pred != nullptr && (waits || m->warm_up) ? gpu_mend_vanishing(m, err) : STATUS_OK;
}

} // namespace label_correcting

#endif
