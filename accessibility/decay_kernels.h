// SPDX-License-Identifier: MIT
/* Sums of masses that decay exponentially with distance.
 *
 * The errors of factors are those of common/base/exp_kernels.h. */
#ifndef ACCESSIBILITY_DECAY_KERNELS_H
#define ACCESSIBILITY_DECAY_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // path_length

#define decay_kernels BY_LENGTH(decay_kernels)

enum {
    DECAY_LANES = 128 / sizeof(path_length), /* number of lanes, as in
                                                classes/proportional_kernels.h */
};

struct decays {
    int32_t masses, decays; /* number of masses of a position, and number of decays */
    const double *mass;     /* masses of each position */
    const double *rate;     /* rates, exp_padded(decays) entries: 1 / decay of a length of 1, filled
                               up with 0 */
};

struct decay_kernels {
    /* Stores in sum[(j * masses + m) * DECAY_LANES + lane] the sum over i < count of mass m of
     * position[i] times exp(-label * rate[j]), where label is label[i * DECAY_LANES + lane],
     * 64-byte aligned. Other lanes than the first `lanes` get garbage. Labels of LENGTH_INF are
     * left out. */
    void (*take)(const struct decays *d, const path_length *label, int32_t lanes,
                 const int32_t *position, int32_t count, double *sum);
};

ISA_KERNELS(decay_kernels);

#endif
