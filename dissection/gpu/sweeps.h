// SPDX-License-Identifier: MIT
/* Sweeps of batches of sources on the GPUs of a crew: from pieces to labels, totals or rows. */
#ifndef DISSECTION_GPU_SWEEPS_H
#define DISSECTION_GPU_SWEEPS_H

#include "common/base/error.h"        // enum status, struct error
#include "elimination/gpu/products.h" // enum product_kind

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define sweeps_prepare        BY_LENGTH(sweeps_prepare)
#define sweeps_run            BY_LENGTH(sweeps_run)
#define sweeps_padded_sources BY_LENGTH(sweeps_padded_sources)
#define sweeps_row_length     BY_LENGTH(sweeps_row_length)
#define sweeps_row_bytes      BY_LENGTH(sweeps_row_bytes)
#define sweeps_rows_at_once   BY_LENGTH(sweeps_rows_at_once)
#define sweeps_rows_may_stay  BY_LENGTH(sweeps_rows_may_stay)

struct crew; /* see crew.h */
struct crew_gpu;

/* Closes the crew's pieces on all GPUs, and allocates the memory for batches of sources. If totals
 * are to be proved, gpu->proof becomes ready where there is enough memory. Before the call, the
 * devices must hold nothing of the graph. STATUS_NO_RESOURCE if there is not enough memory,
 * STATUS_CANCELLED if progress says to stop. */
enum status sweeps_prepare(struct crew *c, struct error *err);

/* Sweeps `count` <= gpu->lanes sources of c->order from number `first` on. PRODUCT_LABELS needs
 * gpu->keeps_labels; PRODUCT_ROWS needs the members of gpu->batch for rows; kinds with totals need
 * gpu->totals. It may return before it is done. */
enum status sweeps_run(struct crew_gpu *gpu, enum product_kind kind, int32_t first, int32_t count,
                       struct error *err);

/* Returns the number of sources including those that fill up the last batch. */
size_t sweeps_padded_sources(const struct crew *c);

/* The first function returns the cells of a row on the device, the second the bytes of a row and,
 * if they are wanted, of its predecessors. */
size_t sweeps_row_length(const struct crew *c);
size_t sweeps_row_bytes(const struct crew *c);

/* Returns the largest number of rows that go to the host in one batch. */
int32_t sweeps_rows_at_once(const struct crew_gpu *gpu);

/* Returns whether the sink takes rows in the memory of this crew's device, all at once. */
bool sweeps_rows_may_stay(const struct crew *c);

#endif
