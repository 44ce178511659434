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

enum { TOTALS_BINS = 2048 }; /* bins of a histogram while distances are counted */

/* Totals that kernels add to, in device memory. A lane is a source's number. */
struct gpu_totals {
    /* For each lane, over its finite distances: */
#ifdef LENGTH_F64
    double *upper, *lower; /* the sum of distances: multiples of 2^26 spacings, and the rest */
    int64_t *digit;        /* the sum of reciprocals: its digit of level k at digit[k * apart] */
    size_t apart;
#else
    uint64_t *sum;       /* the sum of distances, */
    int64_t *high, *low; /* and of reciprocals, both as struct row_totals has them */
#endif
    int32_t *reached;      /* vertices at finite distances */
    path_length *farthest; /* the largest distance */
    /* TOTALS_BINS for each of the blocks that count at the same time: number of distances d with
     * d >> shift == k. Distances beyond the bins are counted in the last one. */
    uint64_t *count;
    int32_t shift;
#ifdef LENGTH_F64
    struct digit_range range; /* the range of the digits of all reciprocals */
#endif
};

#endif
