// SPDX-License-Identifier: MIT
/* The variant of cpu that is predicted to be the fastest for a graph. */
#ifndef ENGINES_CPU_AUTO_H
#define ENGINES_CPU_AUTO_H

#include "elimination/look.h" // struct look
#include "solve/other_engines.h"
#include "solve/solver.h" // struct solver_variant, struct solver_task

/* Predicted seconds of a candidate (struct variant_model) if predecessors are asked for and
 * distances are short; features must have n, degree and reach, and those of the elimination if they
 * are known. */
double auto_cost(const struct solver_variant *candidate, const struct model_question *q);

/* The candidate with the least auto_cost; of several, the first in cpu_solver. */
const struct solver_variant *auto_choose(const struct model_question *q);

/* The candidates other than `dissection`, to which `dissection` leaves graphs. */
extern const struct other_engines cpu_others;

/* Fills *q, the question about `rows` rows of a graph with these features. Without predecessors it
 * is about this machine with `threads` threads (0: one per core), because distances are the same
 * from every variant. With predecessors, which depend on the variant if there are several shortest
 * paths, it is about the machine that was measured, with AUTO_THREADS, so that the choice depends
 * on the graph only. STATUS_BAD_INPUT if APSP_SIMD is wrong. */
enum { AUTO_THREADS = 4 };
enum status auto_question(const struct features *features, int32_t rows, int threads,
                          bool predecessors, struct model_question *q, struct error *err);

/* Returns whether Dijkstra's algorithm searches from each source without a look at the graph,
 * because a look would take longer than another variant could save: for few of the n rows; for
 * somewhat more if distances have a limit. Not for real weights below 0. */
bool auto_searches(int32_t n, int32_t sources, bool limited);

/* The variant that auto_searches recommends, and the reason that users are told. */
#define AUTO_SEARCHES     "johnson"
#define AUTO_SEARCHES_WHY "few sources: a search from each, without a prediction"

/* Finds how long an elimination of g would take (elimination/look.h), for a task of that size and
 * `room` bytes of memory, compared with the best other candidate, and adds that to the features, of
 * which all others are known. If there is too little memory to look, elimination does not pay. The
 * caller frees *look with look_free; NULL: only the features are wanted. quick: as in struct
 * look_limits. */
enum status auto_look(const struct graph *g, const struct solver_size *size, uint64_t room,
                      bool quick, struct features *features, struct look *look, struct error *err);

/* The solve() of the variant; see solver.h. Takes potentials, which it leaves to `johnson`. The
 * choice depends on what auto_question() says and on the memory that there is, not on time; the
 * result is the same on any number of threads. The time of choosing counts. */
enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err);

/* The variant's memory(); see solver.h. */
uint64_t cpu_auto_memory(const struct solver_size *size);

/* The variant's model (solve/model.h): that of the candidate that it takes. */
double cpu_auto_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
