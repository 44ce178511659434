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
#include "search/gpu/labels.cuh"        // Narrow, Wide
#include "search/gpu/launch_strips.cuh" // run_strips
#include "search/gpu/rows.cuh"          // Rows, round_rows
#include "solve/quanta.h"               // quanta_in

namespace {

using namespace label_correcting;
using labels::Narrow;
using labels::Real;
using labels::Wide;

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

// Workspace with edges for trees: rounded ones of float64, or those of a graph of rounded weights.
struct TreeWorkspace : StripWorkspace {
    Rows tree_rows;
};

// Lays out the workspace. rounded: it is for refining, which needs edges for trees and no
// worklists.
TreeWorkspace lay_out(const struct gpu_matrices *m, bool rounded, Arena *arena) {
    TreeWorkspace w = {};
    static_cast<StripWorkspace &>(w) = lay_out_strips(m, !rounded, arena);
    if (m->type == NUMBER_FLOAT64 || rounded) {
        static_assert(Wide::sheaf == Real<float>::sheaf, "edges for trees have 8 bytes");
        w.tree_rows.of = arena->take<Row>(static_cast<size_t>(m->n));
        w.tree_rows.all =
            arena->take<int4>(static_cast<size_t>(sheaves_before<Wide>(m->in.m, m->n)));
    }
    return w;
}

// Makes the edges for trees from sorted edges of format From, unless an earlier block has left
// them.
template <typename From, typename To, typename Round>
enum status round_for_trees(const struct gpu_matrices *m, const TreeWorkspace &w, Round round,
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
enum status prepare(const struct gpu_matrices *m, const TreeWorkspace &w, Pass pass,
                    const Rounded *rounded, struct error *err) {
    RETURN_ON_FAILURE(list_out_edges(m, w, err));
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
    const TreeWorkspace w = lay_out(m, rounded != nullptr, &arena);
    Problem p = problem_of<Format>(m, w);
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
    p.too_long = too_long<Format>(m);
    // With more vertices, the no_tail of 16 bits may be a vertex.
    p.component = m->n < Narrow::max_vertices ? m->component : nullptr;
    RETURN_ON_FAILURE(prepare<Format>(m, w, pass, rounded, err));
    return run_strips<Format>(m, &p, budget, finds_trees(pass), found, err);
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

enum status run_real(const struct gpu_matrices *m, int64_t budget, Findings *found,
                     struct error *err) {
    RETURN_ON_FAILURE(m->type == NUMBER_FLOAT32
                          ? run<Real<float>>(m, Pass::SOLVE, budget, nullptr, found, err)
                          : run_double(m, budget, found, err));
    return find_waiting(m, found, err);
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
    return m->type == NUMBER_INT32 ? STATUS_OK : find_waiting(m, &found, err);
}

enum status multisource_refine(const struct gpu_matrices *m, const Rounded *rounded,
                               struct error *err) {
    Findings found;
    RETURN_ON_FAILURE(run<Wide>(m, Pass::FIND_ROUNDED_TREES, 0, rounded, &found, err));
    if (found.gave_up != 0 && !m->warm_up)
        return STATUS_OK; // the solve is told to stop
    RETURN_ON_FAILURE(run_of_type(m, Pass::SOLVE_FROM_TREES, rounded, &found, err));
    return find_waiting(m, &found, err);
}
