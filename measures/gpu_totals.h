// SPDX-License-Identifier: MIT
/* Totals of rows in device memory: what measures need of an answer (struct answer_totals), summed
 * up by kernels while they have the distances (totals.cuh). */
#ifndef MEASURES_GPU_TOTALS_H
#define MEASURES_GPU_TOTALS_H

#include <stdint.h>

enum { TOTALS_BINS = 2048 }; /* of a histogram while it is counted */

/* In device memory. A lane is a source's number. */
struct gpu_totals {
    /* Of each lane over its finite distances, as struct row_totals has them; to add to. */
    uint64_t *sum;
    int64_t *high, *low;
    int32_t *reached, *farthest;
    /* TOTALS_BINS for each of the blocks that count at the same time, to add to: of the distances d
     * with d >> shift == k. Distances beyond the bins are counted in the last one. */
    uint64_t *count;
    int32_t shift;
};

#endif
