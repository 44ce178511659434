// SPDX-License-Identifier: MIT
/* Breadth-first search from many sources at a time, with a bit for each source (Then et al. 2014),
 * for graphs with equal weights. If the sink takes totals, rows are counted without being written,
 * and the weights may also be small multiples of one number (common/graph/weight_unit.h). */
#ifndef SEARCH_CPU_BFS_H
#define SEARCH_CPU_BFS_H

#include "solve/solver.h" // struct solver_variant, struct solver_task

/* The solve() of the variant; see solver.h. It leaves other graphs, and rows of graphs with
 * different weights, to `multisource`. */
enum status cpu_bfs_solve(const struct solver_variant *variant, const struct solver_task *task,
                          struct solver_times *times, struct error *err);

/* The variant's memory() in solver.h. */
uint64_t cpu_bfs_memory(const struct solver_size *size);

/* The variant's model (solve/model.h): seconds of a solve, and of proving totals. */
double cpu_bfs_seconds(const struct solver_variant *variant, const struct model_question *q);
double cpu_bfs_proof_seconds(const struct solver_variant *variant, const struct model_question *q);

#endif
