// SPDX-License-Identifier: MIT
/* Real weights by GPU variants for integers, as solve/refine.h does on the host: the weights are
 * rounded down to multiples of a quantum, the variant solves the graph with these, and blocks of
 * rows are refined in device memory. */
#ifndef SEARCH_GPU_REFINING_H
#define SEARCH_GPU_REFINING_H

#include "gpu/gpu_solver.h" // struct gpu_matrices

#ifdef __cplusplus
extern "C" {
#endif

/* The launch_refined of variants that fill a matrix (solver.h): fills a block of rows of real
 * weights >= 0. m->rung solves the rounded weights with the first block; its answer stays in the
 * workspace for the others. */
enum status gpu_refine(const struct gpu_matrices *m, struct progress *progress, struct error *err);

/* Returns the bytes of its workspace; m->rung must be set. */
size_t gpu_refine_workspace(const struct gpu_matrices *m, bool with_pred);

#ifdef __cplusplus
}
#endif

/* Members of struct solver_variant for a variant that refines. Label correcting is not built for
 * AMD's GPUs. */
#ifdef APSP_HIP
#define GPU_REFINES .launch_refined = NULL, .refined_workspace = NULL
#else
#define GPU_REFINES                                                                                \
    .launch_refined = GPU_LAUNCH(gpu_refine), .refined_workspace = GPU_LAUNCH(gpu_refine_workspace)
#endif

#endif
