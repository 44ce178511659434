// SPDX-License-Identifier: MIT
/* All pairs by elimination (elimination/dissection.h), in strips of sources on all threads. The
 * core that the elimination leaves, if that pays, is solved by the best of the other engines, and
 * so is a graph of which nothing is worth eliminating. Predecessors are found in each strip from
 * its distances, as the tails of tight edges (rows_kernels.h). */
#ifndef DISSECTION_CPU_H
#define DISSECTION_CPU_H

#include "common/base/length.h"   // BY_LENGTH
#include "elimination/look.h"     // struct look
#include "elimination/symbolic.h" // struct core_costs
#include "solve/model.h"          // struct model_question
#include "solve/other_engines.h"
#include "solve/solver.h" // struct solver_variant, struct solver_task

#define dissection_solve     BY_LENGTH(dissection_solve)
#define cpu_dissection_solve BY_LENGTH(cpu_dissection_solve)

/* Report on a solve, for people and tests. */
struct dissection_report {
    int32_t core;    /* vertices in the core; all of them if nothing was eliminated */
    int64_t entries; /* nnz(L) of what was eliminated */
    int32_t height;  /* of the tree */
    bool reduced;    /* totals were handed on instead of rows */
    bool classes;    /* all vertices were eliminated for classes of rows first, */
    bool in_vain;    /* which did not suffice, so that the graph was eliminated again */
    double order_s, eliminate_s, core_s, sweep_s;
};

/* Solves the task once (its repetitions are not looked at), whose weights are >= 0 or, if only
 * distances are asked for, such as eliminate_takes() takes: STATUS_NEGATIVE_CYCLE if there is a
 * negative cycle. `most` >= 0: no vertex with more neighbours is eliminated, whatever that costs;
 * -1: the elimination stops where it is predicted to pay. STATUS_NO_RESOURCE if this build has no
 * AMD. */
enum status dissection_solve(const struct other_engines *others, const struct solver_task *task,
                             int32_t most, struct dissection_report *report, struct error *err);

/* The solve() of the variant; see solver.h. Takes potentials, which it leaves to `johnson`. */
enum status cpu_dissection_solve(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err);

#ifndef LENGTH_F64
/* The same for graphs on a grid (solver.h). */
enum status cpu_dissection_solve_f64(const struct solver_variant *variant,
                                     const struct solver_task *task, struct solver_times *times,
                                     struct error *err);
#endif

/* Returns how many of `threads` threads a graph of n vertices keeps busy. */
int cpu_dissection_threads(int32_t n, int threads);

/* By what the elimination stops, for a task of that size, with limits to what may be left in `room`
 * bytes of memory. */
void cpu_dissection_costs(const struct solver_size *size, uint64_t room, struct core_costs *costs);

/* The seconds on one thread of core_costs' machine that the sums of so many rows take by classes of
 * rows and, if look->found.both_ways, those of the columns. 0 if nothing is known, or sweeps take
 * less. */
double cpu_dissection_sums_seconds(const struct look *look, int32_t rows);

/* Returns how many seconds all of q's threads take for work that takes one thread of core_costs'
 * machine one second. */
double cpu_dissection_slowness(const struct solver_variant *variant,
                               const struct model_question *q);

/* Returns the seconds that a solve takes by the variant's model. If nobody has looked at what an
 * elimination leaves, that is about the most it takes. If no elimination pays, or this build has no
 * AMD, it is more than label correcting takes. */
double cpu_dissection_seconds(const struct solver_variant *variant, const struct model_question *q);

/* Returns the seconds that proving sums takes, by the variant's model. */
double cpu_dissection_proof_seconds(const struct solver_variant *variant,
                                    const struct model_question *q);

/* Its memory() in solver.h. */
uint64_t cpu_dissection_memory(const struct solver_size *size);

#endif
