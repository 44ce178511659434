// SPDX-License-Identifier: MIT
/* Totals of rows in device memory: what measures need of an answer (struct answer_totals), summed
 * up by kernels while they have the distances (gpu_totals.cuh). Compiled for both types of lengths
 * (common/base/length.h). */
#ifndef MEASURES_GPU_TOTALS_H
#define MEASURES_GPU_TOTALS_H

#include "common/base/length.h" // path_length
#include "measures/real_sum.h"  // DIGIT_LEVELS, struct digit_range

#include <stddef.h>
#include <stdint.h>

enum { TOTALS_BINS = 2048 }; /* of a histogram while it is counted */

/* In device memory. A lane is a source's number. */
struct gpu_totals {
    /* Of each lane over its finite distances, to add to. */
#ifdef LENGTH_F64
    double *upper, *lower; /* the sum, in multiples of 2^26 spacings and in what is left */
    int64_t *digit;        /* of the sum of reciprocals: that of level k at digit[k * apart] */
    size_t apart;
#else
    uint64_t *sum; /* as struct row_totals has them, */
    int64_t *high, *low;
#endif
    int32_t *reached;
    path_length *farthest;
    /* TOTALS_BINS for each of the blocks that count at the same time, to add to: of the distances d
     * with d >> shift == k. Distances beyond the bins are counted in the last one. */
    uint64_t *count;
    int32_t shift;
#ifdef LENGTH_F64
    struct digit_range range; /* of all reciprocals */
#endif
};

#endif
