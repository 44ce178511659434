// SPDX-License-Identifier: MIT
/* Algorithm 1 of the thesis: the textbook Floyd-Warshall triple loop. */
#ifndef CPU_SEQUENTIAL_H
#define CPU_SEQUENTIAL_H

#include "solve/solver.h" // struct solver_variant, struct solver_task

/* The solve() of the variant; see solver.h. It does n^3 relaxations on one thread. */
enum status cpu_sequential_solve(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err);

/* Predicts the variant's seconds (solve/model.h). */
double cpu_sequential_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
