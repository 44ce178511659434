// SPDX-License-Identifier: MIT
// Label correcting from a few sources at a time (this project; Yanagisawa 2010 for SIMD lanes).
//
// A block solves a strip of sources. The labels of all vertices from these sources, eight 16-bit
// ones side by side or fewer wider ones, are in its shared memory (strip.cuh). So a relaxation,
// which reads the labels of a vertex anywhere in the graph, causes no traffic outside the
// multiprocessor. Only the edges come from outside (rows.cuh): 4 bytes for eight relaxations, the
// same for all blocks and in the second-level cache.
//
// A sweep relaxes the edges into every vertex; the number of threads to a vertex depends on the
// number of edges. Threads read labels while others write them, in no order: whatever they find,
// old or new, is an upper bound, words are written whole, and only a sweep that changes nothing,
// between two barriers, is the last. Edges into a vertex are sorted by weight: once the next edge
// weighs as much as the largest of the vertex's labels, no later one can shorten a path. The first
// sweeps take only the lightest edges of each vertex, so that labels are small before all edges are
// read.
//
// The last sweep changes nothing and finds predecessors: the smallest tail of a tight edge.
//
// Labels are integers or, with the same code, real numbers. Since rounding is monotone, labels that
// no edge improves are the distances of real weights too (docs/real.md). Labels of float64 leave
// room for few sources, and their edges are four times as wide as those of 16-bit labels. So labels
// of float32 find trees first. The lengths of their paths in float64 are nearly all distances, and
// one sweep says so; more sweeps mend the others. If distances of a graph of rounded weights are
// there (refining.cu), their tight edges make the trees, which one sweep over integers finds.
//
// Each sweep is at most n m work, instead of n^3 in all. The number of sweeps decides; it grows
// with the number of edges on a path.
#include "search/gpu/multisource.cuh"

#include "gpu/gpu_solver.h"             // struct gpu_matrices
#include "gpu/launch/arena.cuh"         // Arena
#include "gpu/launch/launch.cuh"        // launch
#include "search/gpu/label_constants.h" // STRIP_WORDS
#include "search/gpu/labels.cuh"        // Narrow, Wide
#include "search/gpu/rows.cuh"          // Rows, sort_rows
#include "search/gpu/strip.cuh"         // Strip
#include "solve/quanta.h"               // quanta_in

namespace {

using namespace label_correcting;
using labels::Narrow;
using labels::Real;
using labels::Single;
using labels::Wide;

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

// Purposes of a launch.
enum class Pass {
    SOLVE,
    FIND_PREDECESSORS,  // distances are known
    FIND_TREES,         // stores trees where trees_of() says, and no distances
    FIND_ROUNDED_TREES, // finds trees of a graph of rounded weights, whose distances are known
    SOLVE_FROM_TREES
};

bool finds_trees(Pass pass) {
    return pass == Pass::FIND_TREES || pass == Pass::FIND_ROUNDED_TREES;
}

struct StripWorkspace {
    Rows rows, tree_rows;
    OutEdges out;
    Findings *found;
    void *outside;
};

// Bytes of shared memory that every GPU can give a block; tests on the host shim use less.
#ifdef CUDA_SHIM
constexpr size_t every_gpu = 0;
#else
constexpr size_t every_gpu = 48 << 10;
#endif

// Returns whether strips have a worklist. It would not pay in graphs with so many edges that
// listing the heads of some costs as much as a sweep over all; these graphs have short paths.
bool is_sparse(const struct gpu_matrices *m) {
    return m->in.m / m->n < 16 && m->n <= Worklist::max_vertices;
}

// Lays out the workspace. rounded: it is for refining, which needs edges for trees and no
// worklists.
StripWorkspace lay_out(const struct gpu_matrices *m, bool rounded, Arena *arena) {
    StripWorkspace w = {};
    w.rows.of = arena->take<Row>(static_cast<size_t>(m->n));
    const int64_t sheaves = m->type == NUMBER_FLOAT64 ? sheaves_before<Real<double>>(m->in.m, m->n)
                                                      : sheaves_before<Wide>(m->in.m, m->n);
    w.rows.all = arena->take<int4>(static_cast<size_t>(sheaves));
    if (m->type == NUMBER_FLOAT64 || rounded) {
        static_assert(Wide::sheaf == Real<float>::sheaf, "edges for trees have 8 bytes");
        w.tree_rows.of = arena->take<Row>(static_cast<size_t>(m->n));
        w.tree_rows.all =
            arena->take<int4>(static_cast<size_t>(sheaves_before<Wide>(m->in.m, m->n)));
    }
    if (is_sparse(m) && !rounded)
        w.out = OutEdges::take(m, arena);
    w.found = arena->take<Findings>(1);
    // Memory for labels of one vertex is kept even if labels fit into shared memory, because a
    // warm-up launches every kernel with one vertex.
    const size_t label =
        m->type == NUMBER_FLOAT64 ? label_bytes<Real<double>>(m->n, 1) : label_bytes<Wide>(m->n, 1);
    const bool inside = label + Worklist::bytes(m->n) <= every_gpu;
    const size_t vertices = inside ? 1 : static_cast<size_t>(m->n);
    w.outside = arena->take<char>(vertices * number_size(m->type) * outside_blocks * outside_words);
    return w;
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
int64_t strip_budget(int64_t budget, int32_t strips, int at_a_time) {
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
                status = inside<Single, 1>(err);
        }
        if (status == STATUS_OK)
            status = outside<Format>(err);
        return status;
    }
};

// Sorts the edges, unless an earlier block has left them sorted in this format.
template <typename Format>
enum status sort(const struct gpu_matrices *m, const StripWorkspace &w, struct error *err) {
    const uint32_t sorted = Format::lanes > 1 ? SORTED_NARROW : SORTED_WIDE;
    if ((m->state->known & sorted) != 0)
        return STATUS_OK;
    m->state->known &= ~static_cast<uint32_t>(SORTED_NARROW | SORTED_WIDE);
    m->state->known |= sorted;
    return launch(err, sort_rows<Format>, dim3(static_cast<unsigned>(m->n)), dim3(256),
                  sizeof(typename Format::edge) * sorted_at_once, m->in, w.rows);
}

// Makes the edges for trees from sorted edges of format From, unless an earlier block has left
// them.
template <typename From, typename To, typename Round>
enum status round_for_trees(const struct gpu_matrices *m, const StripWorkspace &w, Round round,
                            struct error *err) {
    RETURN_ON_FAILURE(sort<From>(m, w, err));
    if ((m->state->known & ROUNDED_FOR_TREES) != 0)
        return STATUS_OK;
    m->state->known |= ROUNDED_FOR_TREES;
    return launch(err, round_rows<From, To, Round>, dim3(static_cast<unsigned>(m->n)), dim3(64), 0,
                  m->in.first, w.rows, w.tree_rows, round);
}

struct ToFloat {
    __device__ float operator()(double weight) const {
        return static_cast<float>(weight);
    }
};

struct ToQuanta {
    double quantum;

    __device__ int32_t operator()(double weight) const {
        return quanta_in(weight, quantum);
    }
};

// Makes the edges that a pass reads.
template <typename Format>
enum status prepare(const struct gpu_matrices *m, const StripWorkspace &w, Pass pass,
                    const Rounded *rounded, struct error *err) {
    if (w.out.first != nullptr && (m->state->known & HAS_OUT_EDGES) == 0) {
        RETURN_ON_FAILURE(w.out.fill(m, err));
        m->state->known |= HAS_OUT_EDGES;
    }
    if (pass == Pass::FIND_TREES)
        return round_for_trees<Real<double>, Real<float>>(m, w, ToFloat{}, err);
    if (pass != Pass::FIND_ROUNDED_TREES)
        return sort<Format>(m, w, err);
    const ToQuanta round = {rounded->quantum};
    return m->type == NUMBER_FLOAT32 ? round_for_trees<Real<float>, Wide>(m, w, round, err)
                                     : round_for_trees<Real<double>, Wide>(m, w, round, err);
}

// Returns the limit below which all labels are exact: a sum of such a label and a weight does not
// overflow.
template <typename Format>
int32_t too_long(const struct gpu_matrices *m) {
    return Format::lanes > 1 ? NARROW_NO_PATH - m->in.max_weight : INT32_MAX;
}

// Returns the memory of trees: that of predecessors or, without these, that of distances.
int32_t *trees_of(const struct gpu_matrices *m, size_t *ld) {
    *ld = m->pred != nullptr ? m->ld : m->ld * (number_size(m->type) / sizeof(int32_t));
    return m->pred != nullptr ? m->pred : static_cast<int32_t *>(m->cells);
}

template <typename Format>
enum status run(const struct gpu_matrices *m, Pass pass, int64_t budget, const Rounded *rounded,
                Findings *found, struct error *err) {
    Arena arena(m->workspace);
    const StripWorkspace w = lay_out(m, rounded != nullptr, &arena);
    Problem p = {};
    p.rows = w.rows;
    p.dist = m->cells;
    p.pred = m->pred;
    p.source = m->source;
    p.count = m->rows;
    p.ld = m->ld;
    p.n = m->n;
    if (finds_trees(pass)) {
        p.rows = w.tree_rows;
        p.dist = nullptr;
        p.pred = trees_of(m, &p.ld);
    }
    if (pass == Pass::FIND_ROUNDED_TREES) {
        p.solved = rounded->dist;
        p.solved_ld = m->ld;
        p.solved_by_vertex = true;
    }
    if (pass == Pass::FIND_PREDECESSORS) {
        p.solved = m->cells;
        p.solved_ld = m->ld;
        p.dist = nullptr;
    }
    if (pass == Pass::SOLVE_FROM_TREES)
        p.tree = trees_of(m, &p.tree_ld);
    p.group = group_for<Format>(m);
    p.outside = w.outside;
    p.too_long = too_long<Format>(m);
    p.out = w.out;
    p.found = w.found;
    p.stop = m->stop.word;
    // With more vertices, the no_tail of 16 bits may be a vertex.
    p.component = m->n < Narrow::max_vertices ? m->component : nullptr;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemsetAsync(w.found, 0, sizeof *w.found, nullptr), "clearing flags", err));
    RETURN_ON_FAILURE(prepare<Format>(m, w, pass, rounded, err));
    Launcher launcher = {&p, m->wanted, budget, finds_trees(pass), m->warm_up, 0, false};
    RETURN_ON_FAILURE(launcher.launch_most<Format>(err));
    RETURN_ON_FAILURE(gpu_wait(m, err));
    return gpu_check(cudaMemcpy(found, w.found, sizeof *found, cudaMemcpyDeviceToHost),
                     "running the kernels", err);
}

// Solves with integer labels; they have 16 bits if that is exact.
enum status run_integers(const struct gpu_matrices *m, int64_t budget, Findings *found,
                         struct error *err) {
    const int32_t limit = too_long<Narrow>(m);
    *found = {INT32_MAX, 0, 0};
    if (m->n <= Narrow::max_vertices && limit > 0 && (m->state->known & NARROW_IS_TOO_SHORT) == 0)
        RETURN_ON_FAILURE(run<Narrow>(m, Pass::SOLVE, budget, nullptr, found, err));
    if ((found->farthest < limit || found->gave_up != 0) && !m->warm_up)
        return STATUS_OK;
    m->state->known |= NARROW_IS_TOO_SHORT;
    return run<Wide>(m, Pass::SOLVE, budget, nullptr, found, err);
}

// Solves with labels of float64, which begin with trees that labels of float32 find.
enum status run_double(const struct gpu_matrices *m, int64_t budget, Findings *found,
                       struct error *err) {
    RETURN_ON_FAILURE(run<Real<float>>(m, Pass::FIND_TREES, budget, nullptr, found, err));
    if (found->gave_up != 0 && !m->warm_up)
        return STATUS_OK;
    return run<Real<double>>(m, Pass::SOLVE_FROM_TREES, budget, nullptr, found, err);
}

// Finds the predecessors that are missing after real labels are found: those of vertices whose
// edges' weights vanish in sums.
enum status mend(const struct gpu_matrices *m, const Findings *found, struct error *err) {
    const bool waits = found->waiting != 0 && found->gave_up == 0;
    return m->pred != nullptr && (waits || m->warm_up) ? gpu_mend_vanishing(m, err) : STATUS_OK;
}

enum status run_real(const struct gpu_matrices *m, int64_t budget, Findings *found,
                     struct error *err) {
    RETURN_ON_FAILURE(m->type == NUMBER_FLOAT32
                          ? run<Real<float>>(m, Pass::SOLVE, budget, nullptr, found, err)
                          : run_double(m, budget, found, err));
    return mend(m, found, err);
}

// Calls run() with labels of m's type.
enum status run_of_type(const struct gpu_matrices *m, Pass pass, const Rounded *rounded,
                        Findings *found, struct error *err) {
    return m->type == NUMBER_INT32     ? run<Wide>(m, pass, 0, rounded, found, err)
           : m->type == NUMBER_FLOAT32 ? run<Real<float>>(m, pass, 0, rounded, found, err)
                                       : run<Real<double>>(m, pass, 0, rounded, found, err);
}

} // namespace

size_t multisource_workspace(const struct gpu_matrices *m) {
    Arena arena;
    lay_out(m, false, &arena);
    return arena.used();
}

size_t multisource_refine_workspace(const struct gpu_matrices *m) {
    Arena arena;
    lay_out(m, true, &arena);
    return arena.used();
}

enum status multisource_solve(const struct gpu_matrices *m, int64_t budget, bool *done,
                              struct error *err) {
    Findings found;
    RETURN_ON_FAILURE(m->type == NUMBER_INT32 ? run_integers(m, budget, &found, err)
                                              : run_real(m, budget, &found, err));
    *done = found.gave_up == 0;
    return STATUS_OK;
}

enum status multisource_predecessors(const struct gpu_matrices *m, struct error *err) {
    Findings found;
    RETURN_ON_FAILURE(run_of_type(m, Pass::FIND_PREDECESSORS, nullptr, &found, err));
    return m->type == NUMBER_INT32 ? STATUS_OK : mend(m, &found, err);
}

enum status multisource_refine(const struct gpu_matrices *m, const Rounded *rounded,
                               struct error *err) {
    Findings found;
    RETURN_ON_FAILURE(run<Wide>(m, Pass::FIND_ROUNDED_TREES, 0, rounded, &found, err));
    if (found.gave_up != 0 && !m->warm_up)
        return STATUS_OK; // the solve is told to stop
    RETURN_ON_FAILURE(run_of_type(m, Pass::SOLVE_FROM_TREES, rounded, &found, err));
    return mend(m, &found, err);
}
