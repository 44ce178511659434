// SPDX-License-Identifier: MIT
/* Blocked Floyd-Warshall (closure.h): n^3 relaxations on all threads. Predecessors are derived from
 * the distances afterwards (predecessors.h). These are the solve() functions of three variants; see
 * solver.h.
 *
 * Cells of 32 bits are exact for every graph. Cells of 16 bits are twice as fast and hold distances
 * below INF16. Every part of a shortest path is a shortest path, so the result is exactly
 * min(distance, INF16), and a check afterwards tells whether a distance was cut off (range.h). */
#ifndef CPU_BLOCKED_H
#define CPU_BLOCKED_H

#include "solve/solver.h" // struct solver_variant, struct solver_task

/* Solves with 16-bit cells if that is exact, otherwise with 32-bit cells. Tries 16 bits if a bound
 * on the distances suggests it (distance_bound.h). */
enum status cpu_blocked_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err);

/* Solves with 16-bit cells; STATUS_BAD_INPUT if a distance is INF16 or more. */
enum status cpu_blocked16_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);

/* Solves with 32-bit cells. */
enum status cpu_blocked32_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);

/* The memory() functions; see solver.h. The first is for both variants with 16-bit cells. */
uint64_t cpu_blocked_memory(const struct solver_size *size);
uint64_t cpu_blocked32_memory(const struct solver_size *size);

/* Predict the variants' seconds (solve/model.h). */
double cpu_blocked_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_blocked16_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_blocked32_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
