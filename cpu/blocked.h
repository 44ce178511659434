// SPDX-License-Identifier: MIT
/* Blocked Floyd-Warshall (closure.h) with the predecessors derived from its distances
 * (predecessors.h), n^3 relaxations on all threads. The solve() of three variants; see solver.h.
 *
 * Two kinds of cells: 32 bits, exact for every graph, and 16 bits, twice as fast, which hold
 * distances below INF16. A shortest path consists of shortest paths, so 16 bits compute min(d,
 * INF16) exactly, and whether a distance was cut off is seen afterwards (range.h). */
#ifndef CPU_BLOCKED_H
#define CPU_BLOCKED_H

#include "common/solve/solver.h" // struct solver_variant, struct solver_task

/* 16 bits where that is exact, otherwise 32. Tries 16 where bounds on some distances suggest it. */
enum status cpu_blocked_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err);

/* STATUS_BAD_INPUT where a distance is INF16 or more. */
enum status cpu_blocked16_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);

enum status cpu_blocked32_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err);

/* Their memory() in solver.h; the first of the two with 16-bit cells. */
uint64_t cpu_blocked_memory(const struct solver_size *size);
uint64_t cpu_blocked32_memory(const struct solver_size *size);

/* Their models (common/solve/model.h). */
double cpu_blocked_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_blocked16_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_blocked32_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
