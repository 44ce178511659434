// SPDX-License-Identifier: MIT
/* All pairs by elimination (elimination/dissection.h), in strips of sources on all threads. The
 * elimination stops at a core if that pays, and the best of the other engines solves the core. That
 * engine also solves a graph in which no vertex is worth eliminating. Predecessors are found in
 * each strip from its distances, as the tails of tight edges (elimination/rows_kernels.h). */
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

/* Report of a solve, for users and tests. */
struct dissection_report {
    int32_t core;    /* number of vertices in the core; all of them if none was eliminated */
    int64_t entries; /* number of edges to higher neighbours that eliminated vertices have,
                        nnz(L) */
    int32_t height;  /* height of the elimination tree */
    bool reduced;    /* totals were handed on instead of rows */
    bool classes;    /* all vertices were eliminated at first, for classes of rows */
    bool in_vain;    /* classes of rows did not suffice, and the graph was eliminated again */
    double order_s, eliminate_s, core_s, sweep_s;
};

/* Solves the task once, without its repetitions. Weights must be >= 0 or, if only distances are
 * wanted, such as eliminate_takes() takes: STATUS_NEGATIVE_CYCLE if there is a negative cycle. most
 * >= 0: no vertex with more neighbours is eliminated, whatever that costs; -1: the elimination
 * stops where that is predicted to pay. STATUS_NO_RESOURCE if this build has no AMD. */
enum status dissection_solve(const struct other_engines *others, const struct solver_task *task,
                             int32_t most, struct dissection_report *report, struct error *err);

/* The solve() of the variant; see solver.h. It leaves tasks with potentials to `johnson`. */
enum status cpu_dissection_solve(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err);

#ifndef LENGTH_F64
/* The solve() of the variant for graphs on a grid (solver.h). */
enum status cpu_dissection_solve_f64(const struct solver_variant *variant,
                                     const struct solver_task *task, struct solver_times *times,
                                     struct error *err);
#endif

/* Returns how many of `threads` threads a graph of n vertices keeps busy. */
int cpu_dissection_threads(int32_t n, int threads);

/* Stores the costs by which the elimination stops, for a task of that size. Their limits are such
 * that what the elimination leaves fits into `room` bytes of memory. */
void cpu_dissection_costs(const struct solver_size *size, uint64_t room, struct core_costs *costs);

/* Returns the seconds on one thread of core_costs' machine that the sums of `rows` rows take by
 * classes of rows and, if look->found.both_ways, the sums of the columns; 0 if nothing is known, or
 * if sweeps take less time. */
double cpu_dissection_sums_seconds(const struct look *look, const struct graph *g, int32_t rows,
                                   int threads);

/* Returns how many seconds all of q's threads take for work that takes one thread of core_costs'
 * machine one second. */
double cpu_dissection_slowness(const struct solver_variant *variant,
                               const struct model_question *q);

/* Returns the seconds that a solve takes by the variant's model. Without a look at what an
 * elimination leaves, the result is about the most that a solve takes. If no elimination pays, or
 * this build has no AMD, the result is more than label correcting takes. */
double cpu_dissection_seconds(const struct solver_variant *variant, const struct model_question *q);

/* Returns the seconds that proving sums takes, by the variant's model. */
double cpu_dissection_proof_seconds(const struct solver_variant *variant,
                                    const struct model_question *q);

/* The variant's memory() in solver.h. */
uint64_t cpu_dissection_memory(const struct solver_size *size);

#endif
