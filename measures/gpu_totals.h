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

enum { TOTALS_BINS = 2048 }; /* number of bins of a histogram on the GPU */

/* Totals that kernels add to, in device memory. Sources are numbered as lanes. */
struct gpu_totals {
    /* The following arrays have an entry for each lane, over its finite distances. */
#ifdef LENGTH_F64
    double *upper, *lower; /* the sum of distances: multiples of 2^26 spacings, and the rest */
    /* digits of the sum of reciprocals: that of level k is digit[k * apart] */
    int64_t *digit;
    size_t apart;
#else
    uint64_t *sum;       /* the sum of distances */
    int64_t *high, *low; /* the sum of reciprocals, in the two parts of struct row_totals */
#endif
    int32_t *reached;      /* number of vertices at finite distances */
    path_length *farthest; /* the largest distance */
    /* TOTALS_BINS counts for each block that counts at the same time: count[k] is the number of
     * distances d with d >> shift == k. The last bin also counts distances beyond the bins. */
    uint64_t *count;
    int32_t shift;
#ifdef LENGTH_F64
    struct digit_range range; /* the range of the digits of all reciprocals */
#endif
};

#endif
