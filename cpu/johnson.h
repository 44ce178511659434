// SPDX-License-Identifier: MIT
/* Johnson's algorithm: potentials once (common/solve/potentials.h), then Dijkstra's
 * algorithm from every vertex. */
#ifndef CPU_JOHNSON_H
#define CPU_JOHNSON_H

#include "common/solve/solver.h" // struct solver_variant, struct solver_task

enum { JOHNSON_SOURCES = 8 }; /* that a thread takes at a time */

/* The solve() of the variant, which takes potentials; see solver.h. Sources are
 * shared among the threads; each row of the matrices is written by one.
 * O(n (n + m) log n) time; beside the matrices O(n) memory for each thread, and
 * O(m) where the task has potentials. */
enum status cpu_johnson_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err);

/* Its memory() in solver.h. */
uint64_t cpu_johnson_memory(const struct solver_size *size);

/* Its model (common/solve/model.h). */
double cpu_johnson_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
