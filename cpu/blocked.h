// SPDX-License-Identifier: MIT
/* Blocked Floyd-Warshall (closure.h): n^3 relaxations on all threads. Predecessors are derived from
 * the distances afterwards (predecessors.h). These are the solve() functions of three variants; see
 * solver.h.
 *
 * Cells of 32 bits are exact for every graph. Cells of 16 bits are twice as fast and hold distances
 * below INF16. Every part of a shortest path is a shortest path, so they compute min(d, INF16)
 * exactly, and a check afterwards tells whether a distance was cut off (range.h). */
#ifndef CPU_BLOCKED_H
#define CPU_BLOCKED_H

#include "solve/solver.h" // struct solver_variant, struct solver_task

/* Uses 16 bits if that is exact, otherwise 32. Tries 16 if a bound on the distances suggests it
 * (distance_bound.h). */
enum status cpu_blocked_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err);

/* Uses 16 bits; STATUS_BAD_INPUT if a distance is INF16 or more. */
enum status cpu_blocked16_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);

/* Uses 32 bits. */
enum status cpu_blocked32_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);

/* The memory() functions, see solver.h: of both variants with 16-bit cells, and of the third. */
uint64_t cpu_blocked_memory(const struct solver_size *size);
uint64_t cpu_blocked32_memory(const struct solver_size *size);

/* Their models (solve/model.h). */
double cpu_blocked_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_blocked16_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_blocked32_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
