// SPDX-License-Identifier: MIT
/* Multi-source label correcting. The sources are divided into strips, with a vector lane for each
 * source, and a strip's labels are corrected until they are distances (strip.h). (Yanagisawa 2010.)
 *
 * The number of sweeps over the graph decides the time. Vertices are relaxed in an order in which
 * light edges lead forward (ordered_graph.h). If many sweeps are needed, because paths are long, a
 * strip goes on in the order of distance from one of its sources, which are neighbours. If label
 * correcting takes more than a share of the work of Dijkstra's algorithm, that algorithm solves the
 * strip. Labels have 16 bits if distances fit.
 *
 * Predecessors are found at the end: the last tight edge into each vertex, in an order that depends
 * on the graph only. So the result is the same, byte for byte, whichever way a strip was solved. */
#ifndef SEARCH_CPU_MULTISOURCE_H
#define SEARCH_CPU_MULTISOURCE_H

#include "solve/solver.h" // struct solver_variant, struct solver_task

/* Limits at which an attempt is given up. */
struct multisource_limits {
    int32_t sweeps; /* most sweeps in the order of the graph, before a strip goes on in its own
                       order */
    double share;   /* largest share of the work of Dijkstra's algorithm, before that algorithm
                       takes over */
    bool only_wide; /* no labels of 16 bits */
};

extern const struct multisource_limits multisource_limits;

/* Number of sources solved in each way. */
struct multisource_counts {
    int32_t narrow, wide; /* solved by labels of 16 bits, and of 32 bits */
    int32_t reordered;    /* number of these solved in the order of their strip */
    int32_t dijkstra;
};

/* Solves the task once, without its repetitions; its weights must be >= 0. Takes O(n m) vector
 * operations for most graphs, and never much more time than n times Dijkstra's algorithm. */
enum status multisource_solve(const struct solver_task *task,
                              const struct multisource_limits *limits,
                              struct multisource_counts *counts, struct error *err);

/* The solve() of the variant; see solver.h. It leaves tasks with potentials to `johnson`. */
enum status cpu_multisource_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err);

/* The variant's memory() in solver.h. */
uint64_t cpu_multisource_memory(const struct solver_size *size);

/* The variant's model (solve/model.h). */
double cpu_multisource_seconds(const struct solver_variant *variant,
                               const struct model_question *q);

#endif
