// SPDX-License-Identifier: MIT
/* Real weights by GPU variants for integers. It is what solve/refine.h does on the host: the
 * weights are rounded down to multiples of a quantum, the variant solves these, and blocks of rows
 * are refined, where they are. */
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

/* Bytes of its workspace; m->rung is set. */
size_t gpu_refine_workspace(const struct gpu_matrices *m, bool with_pred);

#ifdef __cplusplus
}
#endif

/* The members of struct solver_variant. For AMD's GPUs label correcting is not built. */
#ifdef APSP_HIP
#define GPU_REFINES .launch_refined = NULL, .refined_workspace = NULL
#else
#define GPU_REFINES                                                                                \
    .launch_refined = GPU_LAUNCH(gpu_refine), .refined_workspace = GPU_LAUNCH(gpu_refine_workspace)
#endif

#endif
