// SPDX-License-Identifier: MIT
/* Breadth-first search on GPUs from 1024 sources at a time: the totals of the rows of a graph whose
 * weights are all the same or small multiples of one number (common/graph/weight_unit.h), of some
 * sources or all, up to a limit or all. GPUs and processes claim batches of sources. Rows
 * themselves, and graphs of other weights, are left to others. */
#ifndef SEARCH_GPU_BFS_H
#define SEARCH_GPU_BFS_H

#include "solve/other_engines.h" // struct other_engines
#include "solve/solver.h"        // struct solver_variant, struct solver_task

/* Rows for which one more GPU is worth asking for. */
enum { CUDA_BFS_SPREAD_ROWS = 16 * 1024 };

/* Report on a solve, for people and tests. */
struct cuda_bfs_report {
    bool counted;   /* totals were handed on; otherwise the others solved it */
    bool proved;    /* on the device */
    int32_t levels; /* of the deepest batch */
};

/* Solves the task once (its repetitions are not looked at). */
enum status cuda_bfs_solve(const struct other_engines *others, const struct solver_task *task,
                           struct cuda_bfs_report *report, struct solver_times *times,
                           struct error *err);

/* See solver.h. Without CUDA the first says so. */
enum status cuda_sparse_bfs_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err);
double cuda_sparse_bfs_seconds(const struct solver_variant *variant,
                               const struct model_question *q);
double cuda_sparse_bfs_proof_seconds(const struct solver_variant *variant,
                                     const struct model_question *q);

#endif
