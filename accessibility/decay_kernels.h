// SPDX-License-Identifier: MIT
/* Sums of masses that decay exponentially with distance.
 *
 * Lanes do not mix: a result depends on its own operands alone, and on whether the instruction set
 * rounds a product and a sum together. exp has an error of at most 1 unit in the last place beside
 * that of its argument, which is rounded twice: the relative error of a factor exp(-d / decay) is
 * at most (2 d / decay + 2) 2^-53 down to 2^-1022, below which factors are rounded to multiples of
 * 2^-1074. */
#ifndef ACCESSIBILITY_DECAY_KERNELS_H
#define ACCESSIBILITY_DECAY_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // path_length

#define decay_kernels BY_LENGTH(decay_kernels)

enum {
    DECAY_LANES = 128 / sizeof(path_length), /* those of classes/proportional_kernels.h */
    DECAY_PAD = 8, /* the number of factors that are found at a time is a multiple of it */
};

struct decays {
    int32_t masses, decays; /* how many */
    const double *mass;     /* masses of each position */
    const double *rate;     /* decays rounded up to DECAY_PAD: 1 / decay of a length of 1, then 0 */
};

/* Returns the number of rates with those that fill up. */
static inline int32_t decays_padded(int32_t decays) {
    return (decays + DECAY_PAD - 1) / DECAY_PAD * DECAY_PAD;
}

struct decay_kernels {
    /* Stores in sum[(j * masses + m) * DECAY_LANES + lane] the sum over i < count of mass m of
     * position[i] times exp(-label * rate[j]), label being label[i * DECAY_LANES + lane], 64-byte
     * aligned, for the first `lanes` lanes; others become anything. Labels of LENGTH_INF have no
     * part in it. */
    void (*take)(const struct decays *d, const path_length *label, int32_t lanes,
                 const int32_t *position, int32_t count, double *sum);
    /* Stores exp(-length[i] * rate), length >= 0, for i < count, a multiple of DECAY_PAD. */
    void (*decay_all)(const double *length, int32_t count, double rate, double *factor);
    /* Stores exp(-length * rate[j]), length >= 0, for j < count, a multiple of DECAY_PAD. */
    void (*by_rates)(double length, const double *rate, int32_t count, double *factor);
};

ISA_KERNELS(decay_kernels);

#endif
