// SPDX-License-Identifier: MIT
/* All pairs by elimination on a GPU. The host finds the order and eliminates
 * (elimination/dissection.h); the device does all work that grows with n^2, as products of small
 * matrices over (min, +) (elimination/gpu/products.h). */
#ifndef DISSECTION_GPU_GPU_H
#define DISSECTION_GPU_GPU_H

#include "classes/regions.h"    // struct regions_options
#include "common/base/length.h" // BY_LENGTH
#include "solve/model.h"        // struct model_question
#include "solve/other_engines.h"
#include "solve/solver.h" // struct solver_variant, struct solver_task

#define cuda_dissection_solve        BY_LENGTH(cuda_dissection_solve)
#define cuda_sparse_dissection_solve BY_LENGTH(cuda_sparse_dissection_solve)

/* Average number of entries of a vertex up to which an elimination is used. cuda_dissection_entries
 * returns the number of entries for n vertices, for this average or another one. */
enum { DISSECTION_ENTRIES = 256 };
int64_t cuda_dissection_entries(int32_t n, int for_each);

/* How a graph is eliminated and cut into pieces. Fields that are 0: the best choice. */
struct cuda_dissection_options {
    int32_t leaf, middle; /* see struct pieces_options */
    int32_t lanes;        /* most sources of a batch */
    int32_t most;         /* see struct dissection_options */
    int32_t top;          /* most vertices of a top that is not cut into pieces in turn */
    int32_t top_most;     /* middle pieces are enlarged until the top has no more vertices than
                             this */
    /* For tests: how to cut the graph into regions of proportional rows, which are used whether
     * they pay or not; NULL: as usual. */
    const struct regions_options *regions;
};

/* Report of a solve, for users and tests. */
struct cuda_dissection_report {
    bool dissected;         /* false: no vertex was worth eliminating, and `otherwise` has solved
                               the task */
    bool reduced;           /* the sink took totals instead of rows */
    bool proportional;      /* the totals were found by classes of proportional rows */
    bool proved;            /* the sink wanted a proof, and the device proved the whole answer */
    const char *otherwise;  /* name of the variant that solved the task instead */
    int32_t top, middle;    /* number of vertices in the top, and in middle pieces */
    int32_t leaves, pieces; /* number of leaf pieces, and of all pieces */
    double order_s, eliminate_s, cut_s, close_s, sweep_s, prove_s;
};

/* Solves the task once, without its repetitions; weights must be >= 0. *times: times of that
 * solve. */
enum status cuda_dissection_solve(const struct other_engines *others,
                                  const struct solver_task *task,
                                  const struct cuda_dissection_options *options,
                                  struct cuda_dissection_report *report, struct solver_times *times,
                                  struct error *err);

/* See solver.h. Without CUDA, cuda_sparse_dissection_solve reports that. */
enum status cuda_sparse_dissection_solve(const struct solver_variant *variant,
                                         const struct solver_task *task, struct solver_times *times,
                                         struct error *err);
#ifndef LENGTH_F64
/* Solves for the sums of a graph on a grid (solver.h). */
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
