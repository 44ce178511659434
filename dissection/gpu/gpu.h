// SPDX-License-Identifier: MIT
/* All pairs by elimination on a GPU: the order and the elimination on the host
 * (elimination/dissection.h), all that grows with n^2 as products of small matrices over (min, +)
 * on the device (elimination/gpu/products.h). */
#ifndef DISSECTION_GPU_GPU_H
#define DISSECTION_GPU_GPU_H

#include "classes/regions.h"    // struct regions_options
#include "common/base/length.h" // BY_LENGTH
#include "solve/model.h"        // struct model_question
#include "solve/other_engines.h"
#include "solve/solver.h" // struct solver_variant, struct solver_task

#define cuda_dissection_solve        BY_LENGTH(cuda_dissection_solve)
#define cuda_sparse_dissection_solve BY_LENGTH(cuda_sparse_dissection_solve)

/* Entries of a vertex that an elimination may leave on average; how many that is for n vertices, or
 * for another number than this. */
enum { DISSECTION_ENTRIES = 256 };
int64_t cuda_dissection_entries(int32_t n, int for_each);

/* How a graph is eliminated and cut up. 0: as is best. */
struct cuda_dissection_options {
    int32_t leaf, middle; /* struct pieces_options */
    int32_t lanes;        /* sources of a batch, at most */
    int32_t most;         /* struct dissection_options, whatever it costs */
    int32_t top;          /* larger tops are cut into pieces in turn; */
    int32_t top_most;     /* middle pieces become larger until the top is no larger than this */
    /* For tests: the regions of proportional rows, which are used whether that pays or not. */
    const struct regions_options *regions;
};

/* Report on a solve, for people and tests. */
struct cuda_dissection_report {
    bool dissected;         /* false: nothing was worth eliminating, and `otherwise` solved it */
    bool reduced;           /* the sink took totals, */
    bool proportional;      /* of rows of which only one of each class was found */
    bool proved;            /* the device proved all of the answer, which the sink asked for */
    const char *otherwise;  /* name of the variant that solved it instead */
    int32_t top, middle;    /* vertices there */
    int32_t leaves, pieces; /* leaf pieces, all pieces */
    double order_s, eliminate_s, cut_s, close_s, sweep_s, prove_s;
};

/* Solves the task once (its repetitions are not looked at), whose weights are >= 0. *times: of one
 * repetition. */
enum status cuda_dissection_solve(const struct other_engines *others,
                                  const struct solver_task *task,
                                  const struct cuda_dissection_options *options,
                                  struct cuda_dissection_report *report, struct solver_times *times,
                                  struct error *err);

/* See solver.h. Without CUDA the first says so. */
enum status cuda_sparse_dissection_solve(const struct solver_variant *variant,
                                         const struct solver_task *task, struct solver_times *times,
                                         struct error *err);
#ifndef LENGTH_F64
/* The same for the sums of a graph on a grid (solver.h). */
enum status cuda_sparse_dissection_solve_f64(const struct solver_variant *variant,
                                             const struct solver_task *task,
                                             struct solver_times *times, struct error *err);
#endif
uint64_t cuda_sparse_dissection_memory(const struct solver_size *size);
double cuda_sparse_dissection_seconds(const struct solver_variant *variant,
                                      const struct model_question *q);
double cuda_sparse_dissection_proof_seconds(const struct solver_variant *variant,
                                            const struct model_question *q);

#endif
