// SPDX-License-Identifier: MIT
/* Graphs of real weights, by engines that relax along edges: label correcting for strips of
 * sources, and Dijkstra's algorithm. */
#ifndef CPU_REAL_H
#define CPU_REAL_H

#include "common/solve/real_rows.h" // enum real_way
#include "common/solve/solver.h"    // struct solver_task

/* Solves the task, whose graph is of a real type, in one of the ways. */
enum status cpu_real_solve(const struct solver_task *task, enum real_way way,
                           struct solver_times *times, struct error *err);

/* Bytes that it takes beside the graph. */
uint64_t cpu_real_memory(const struct solver_size *size);

#endif
