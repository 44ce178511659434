// SPDX-License-Identifier: MIT
/* Multi-source label correcting: the sources in strips, one vector lane for each, every strip
 * corrected until its labels are distances (strip.h). (Yanagisawa 2010.)
 *
 * The number of sweeps over the graph is what decides. Vertices are relaxed in an order in which
 * light edges lead forward (arcs.h); where that takes many sweeps, because paths are long, a strip
 * goes on in the order of distance from one of its sources, which are neighbours; and where it
 * takes more work than a share of what Dijkstra's algorithm would need, that solves the strip.
 * 16-bit labels are used where they suffice.
 *
 * Predecessors are found at the end, as the last tight edge into each vertex in an order that
 * depends on the graph only, so that the same bytes come out whichever way a strip was solved. */
#ifndef CPU_MULTISOURCE_H
#define CPU_MULTISOURCE_H

#include "common/solve/solver.h" // struct solver_variant, struct solver_task

/* When to give up what. */
struct multisource_limits {
    int32_t sweeps; /* in the order of the graph, before a strip goes on in its own */
    double share;   /* of the work of Dijkstra's algorithm, before that takes over */
    bool wide;      /* no 16-bit labels */
};

extern const struct multisource_limits multisource_limits;

/* How many sources were solved in which way. */
struct multisource_counts {
    int32_t narrow, wide; /* by labels of 16 and of 32 bits */
    int32_t reordered;    /* of them, in an order of their own */
    int32_t dijkstra;
};

/* Solves the task once (its repetitions are not looked at), whose weights are >= 0. O(n m) for
 * most graphs, by vectors; never much more than n times Dijkstra's algorithm. */
enum status multisource_solve(const struct solver_task *task,
                              const struct multisource_limits *limits,
                              struct multisource_counts *counts, struct error *err);

/* The solve() of the variant; see solver.h. Takes potentials, which it leaves to `johnson`. */
enum status cpu_multisource_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err);

/* Its memory() in solver.h. */
uint64_t cpu_multisource_memory(const struct solver_size *size);

/* Its model (common/solve/model.h). */
double cpu_multisource_seconds(const struct solver_variant *variant,
                               const struct model_question *q);

#endif
