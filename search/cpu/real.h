// SPDX-License-Identifier: MIT
/* Graphs of real weights by label correcting for strips of sources. */
#ifndef SEARCH_CPU_REAL_H
#define SEARCH_CPU_REAL_H

#include "solve/solver.h" // struct solver_task

/* Solves a task whose graph has a real type. */
enum status cpu_real_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err);

/* Returns the bytes of memory that it takes, without the graph. */
uint64_t cpu_real_memory(const struct solver_size *size);

#endif
