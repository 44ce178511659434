// SPDX-License-Identifier: MIT
/* Real weights by engines for integers. The weights are rounded down to multiples of a quantum, an
 * engine solves the graph of those multiples, and a sink in front of the caller's sink refines the
 * engine's rows: it adds up the real weights along the shortest paths found, and relaxes until no
 * edge improves a sum (real_rows.h). As in iterative refinement, rounding changes only how much is
 * left to relax, not the answer. */
#ifndef SOLVE_REFINE_H
#define SOLVE_REFINE_H

#include "common/graph/row_block.h" // struct row_sink
#include "solve/real_rows.h"        // struct real_problem
#include "solve/solver.h"           // struct solver_size, struct solver_variant

/* Returns how many quanta the variant lets a distance have at most. */
int32_t refine_most(const struct solver_variant *variant);

/* Returns STATUS_BAD_INPUT if refine_most(variant) quanta are too few to tell paths with weights of
 * that real type apart. */
enum status refine_check(const struct solver_variant *variant, enum number_type type,
                         struct error *err);

/* Makes a graph with the edges of g, whose weights are real and >= 0, and integer weights: the
 * number of quanta that fit in each. The quantum is so large that no distance exceeds `most`
 * quanta. The caller frees it with graph_free. O(n log n + m). */
enum status refine_coarsen(const struct graph *g, int32_t most, struct graph *coarse,
                           const struct progress *progress, struct error *err);

struct refine_sink {
    struct row_sink sink; /* the first member; takes distances of the coarse graph */
    struct row_sink *to;
    struct real_problem problem;
    struct real_worker *worker;
    double *worked_s; /* for each thread, seconds since begin, without those of `to` */
    int threads;
    bool in_range; /* no distance can overflow */
};

/* `coarse` is a graph that refine_coarsen made of g; both outlive the sink. `to` gets the rows of g
 * within the limit, and with predecessors if `with_pred`. The caller frees with refine_sink_close,
 * also after a failure. */
enum status refine_sink_open(struct refine_sink *sink, const struct graph *g,
                             const struct graph *coarse, double limit, bool with_pred,
                             struct row_sink *to, const struct progress *progress,
                             struct error *err);

/* Returns how many seconds a thread, on average, has refined rows since begin. */
double refine_sink_seconds(const struct refine_sink *sink);

/* Returns how many bytes refining takes at most in addition to the solve of the rounded weights,
 * for a task of that size whose type is real: for the rounded weights, the sink and its threads. */
uint64_t refine_memory(const struct solver_size *size);

/* Safe on a zeroed struct; leaves it zeroed. */
void refine_sink_close(struct refine_sink *sink);

#endif
