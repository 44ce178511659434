// SPDX-License-Identifier: MIT
/* The variants that `auto` tries, in their order. One table serves `auto` on a GPU (auto.cu), its
 * model (blocked_model.h) and a matrix on several GPUs (spread.c). */
#ifndef CUDA_BLOCKED_RUNGS_H
#define CUDA_BLOCKED_RUNGS_H

#include "cuda_blocked/parts/tile_constants.h" // enum spread_cells
#include "gpu/gpu_solver.h"                    // struct gpu_matrices

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rung {
    const char *variant;
    int32_t most;    /* most vertices; INT32_MAX: any number */
    int32_t longest; /* the longest distance that is exact; INF: all are */
    bool probes; /* true: it is tried only if a probe says that distances are likely to be exact */
    enum spread_cells cells; /* cells on several GPUs; SPREAD_NONE: one GPU only */
    /* Launches the variant; NULL: this build has no such kernels. */
    enum status (*launch)(const struct gpu_matrices *m, struct progress *progress,
                          struct error *err);
    /* Finds the most vertices on this device; NULL: `most` holds for every device. */
    enum status (*limit)(int32_t *vertices, struct error *err);
    /* Finds whether this device can run the variant; NULL: every device can. */
    enum status (*available)(bool *available, struct error *err);
};

/* The last rung solves every graph on every device. */
enum { RUNGS = 6 };
extern const struct rung cuda_blocked_rungs[RUNGS];

#ifdef __cplusplus
}
#endif

#endif
