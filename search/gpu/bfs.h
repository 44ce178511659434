// SPDX-License-Identifier: MIT
/* Breadth-first search on GPUs from 1024 sources at a time. It finds the totals of rows, of some
 * sources or all, up to a limit or without one, of graphs whose weights are all equal or small
 * multiples of one number (common/graph/weight_unit.h). GPUs and processes claim batches of
 * sources. Rows themselves, and graphs with other weights, are left to other engines. */
#ifndef SEARCH_GPU_BFS_H
#define SEARCH_GPU_BFS_H

#include "solve/other_engines.h" // struct other_engines
#include "solve/solver.h"        // struct solver_variant, struct solver_task

/* Number of rows for which one more GPU is worth requesting. */
enum { CUDA_BFS_SPREAD_ROWS = 16 * 1024 };

/* Report of a solve, for users and tests. */
struct cuda_bfs_report {
    bool counted;   /* totals were handed on; false: another engine solved the task */
    bool proved;    /* totals were proved on the device */
    int32_t levels; /* number of levels of the deepest batch */
};

/* Solves the task once, without its repetitions. */
enum status cuda_bfs_solve(const struct other_engines *others, const struct solver_task *task,
                           struct cuda_bfs_report *report, struct solver_times *times,
                           struct error *err);

/* See solver.h. Without CUDA, cuda_sparse_bfs_solve reports that. */
enum status cuda_sparse_bfs_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err);
double cuda_sparse_bfs_seconds(const struct solver_variant *variant,
                               const struct model_question *q);
double cuda_sparse_bfs_proof_seconds(const struct solver_variant *variant,
                                     const struct model_question *q);

#endif
