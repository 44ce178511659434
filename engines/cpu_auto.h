// SPDX-License-Identifier: MIT
/* The variant that is predicted to be the fastest for a graph. */
#ifndef ENGINES_CPU_AUTO_H
#define ENGINES_CPU_AUTO_H

#include "elimination/look.h" // struct look
#include "solve/other_engines.h"
#include "solve/solver.h" // struct solver_variant, struct solver_task

/* Predicted seconds of a candidate (struct variant_model) if predecessors are asked for and
 * distances are short; of the features it needs n, degree and reach, and those of the elimination
 * if they are known. */
double auto_cost(const struct solver_variant *candidate, const struct model_question *q);

/* The candidate that costs least; of equal ones the first of cpu_solver. */
const struct solver_variant *auto_choose(const struct model_question *q);

/* The candidates other than `dissection`. */
extern const struct other_engines cpu_others;

/* The question about so many rows of a graph of these features. For distances, which are the same
 * whatever finds them, it is about this machine with so many threads (0: one per core). With
 * predecessors, which may be those of another shortest path if another variant is taken, it is
 * about the machine that was measured, with AUTO_THREADS, so that the choice depends on the graph
 * only. STATUS_BAD_INPUT if APSP_SIMD is wrong. */
enum { AUTO_THREADS = 4 };
enum status auto_question(const struct features *features, int32_t rows, int threads,
                          bool predecessors, struct model_question *q, struct error *err);

/* Tells whether Dijkstra's algorithm searches from each of the sources without any look at the
 * graph, which takes longer than what another variant could save: for few rows of the n, more with
 * a limit on distances. Not for real weights below 0. */
bool auto_searches(int32_t n, int32_t sources, bool limited);

/* The variant that auto_searches recommends, and the reason that users are told. */
#define AUTO_SEARCHES     "johnson"
#define AUTO_SEARCHES_WHY "few sources: a search from each, without a prediction"

/* Looks at what an elimination of g would take (elimination/look.h), whose other features are
 * known, beside the best other candidate by that question, for a task of that size and `room` bytes
 * of memory, and adds it to the features. If there is too little memory to look, nothing is found
 * to pay. The caller frees *look with look_free. */
enum status auto_look(const struct graph *g, const struct solver_size *size, uint64_t room,
                      struct features *features, struct look *look, struct error *err);

/* The solve() of the variant; see solver.h. Takes potentials, which it leaves to `johnson`. The
 * choice depends on what auto_question() says and on the memory that there is, not on time; the
 * result is the same on any number of threads. The time of choosing counts. */
enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err);

/* Its memory() in solver.h. */
uint64_t cpu_auto_memory(const struct solver_size *size);

/* Its model (solve/model.h): that of the candidate it takes. */
double cpu_auto_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
