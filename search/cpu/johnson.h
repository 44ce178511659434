// SPDX-License-Identifier: MIT
/* Johnson's algorithm: it finds potentials once (solve/potentials.h), then runs Dijkstra's
 * algorithm from every vertex. */
#ifndef SEARCH_CPU_JOHNSON_H
#define SEARCH_CPU_JOHNSON_H

#include "solve/solver.h" // struct solver_variant, struct solver_task

/* The solve() of the variant, which takes potentials; see solver.h. Threads share the sources, and
 * one thread writes each row of the matrices. It takes O(n (n + m) log n) time, O(n) memory for
 * each thread in addition to the matrices, and O(m) more if the task has potentials. */
enum status cpu_johnson_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err);

/* The variant's memory() in solver.h. */
uint64_t cpu_johnson_memory(const struct solver_size *size);

/* The variant's model (solve/model.h). */
double cpu_johnson_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
