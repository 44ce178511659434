// SPDX-License-Identifier: MIT
/* Launchers of bench_ceilings' kernels, which show the best that a GPU can do. */
#ifndef EXPERIMENTS_CEILINGS_CEILINGS_H
#define EXPERIMENTS_CEILINGS_CEILINGS_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>

/* Memory of the loops. Loops that stay in registers use `sink` only. */
struct ceiling_memory {
    void *device[2]; /* two buffers, each several times as large as the L2 cache */
    void *pinned;    /* pinned memory of the host */
    size_t device_bytes, pinned_bytes;
    int *sink; /* device memory to which results would go */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a loop of `steps` (>= 1) steps on every multiprocessor, in the default stream. *amount is
 * its work in all: relaxations, multiply-adds or bytes. */
typedef enum status ceiling_launch(const struct ceiling_memory *memory, int steps, double *amount,
                                   struct error *err);

ceiling_launch ceiling_viaddmin_s32, ceiling_viaddmin_u16x2, ceiling_fp32_add_min,
    ceiling_s32_with_predecessor;
ceiling_launch ceiling_bf16_mma; /* compute capability 8.0 and later; does nothing before */
ceiling_launch ceiling_memory_read;

#ifdef __cplusplus
}
#endif

#endif
