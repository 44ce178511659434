// SPDX-License-Identifier: MIT
/* The variants of which `auto` takes one, in the order in which it tries them: the one table that
 * `auto` on a GPU (auto.cu), its model (model.h) and a matrix on several GPUs (spread.c) read. */
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
    int32_t most;    /* vertices at most; INT32_MAX: any number */
    int32_t longest; /* the longest distance that it solves exactly; INF: all are */
    bool probes;     /* it is tried if a probe says that distances are likely to fit */
    enum spread_cells
        cells; /* that a matrix on several GPUs has for it; SPREAD_NONE: it has none */
    /* NULL in builds that do not have the kernels: */
    enum status (*launch)(const struct gpu_matrices *m, struct progress *progress,
                          struct error *err);
    /* Finds the most vertices on this device; NULL: `most`. */
    enum status (*limit)(int32_t *vertices, struct error *err);
    /* Finds whether this device can run it; NULL: every device can. */
    enum status (*available)(bool *available, struct error *err);
};

/* The last one solves every graph on every device. */
enum { RUNGS = 6 };
extern const struct rung cuda_blocked_rungs[RUNGS];

#ifdef __cplusplus
}
#endif

#endif
