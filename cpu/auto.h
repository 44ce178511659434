// SPDX-License-Identifier: MIT
/* The variant that is predicted to be the fastest for a graph. */
#ifndef CPU_AUTO_H
#define CPU_AUTO_H

#include "common/solve/solver.h" // struct solver_variant, struct solver_task

/* Predicted seconds of a candidate (struct variant_model) for so many rows on the machine that was
 * measured, on one thread, which needs n, degree and reach of the features. Only comparing them is
 * of use: all candidates but `sequential` gain as much by more threads and by vectors. */
double auto_cost(const struct solver_variant *candidate, const struct features *features,
                 int32_t rows);

/* The candidate that costs least; of equal ones the first of cpu_solver. The other function leaves
 * the one of that name out, for a variant that hands on what is not worth its own work. */
const struct solver_variant *auto_choose(const struct features *features, int32_t rows);
const struct solver_variant *auto_choose_except(const struct features *features, int32_t rows,
                                                const char *except);

/* The solve() of the variant; see solver.h. Takes potentials, which it leaves to `johnson`. The
 * choice depends on the graph and the number of rows only, not on threads, instruction set or time,
 * and so does the result; but it does not take a variant for which there is no memory. The time of
 * choosing counts. */
enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err);

/* Its memory() in solver.h. */
uint64_t cpu_auto_memory(const struct solver_size *size);

/* Its model (common/solve/model.h): that of the candidate it takes. */
double cpu_auto_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
