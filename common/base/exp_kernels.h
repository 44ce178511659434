// SPDX-License-Identifier: MIT
/* Factors by which masses decay with distance, exp(-length * rate), of many lengths or rates.
 *
 * A factor's relative error is at most (2 length * rate + 2) 2^-53 down to 2^-1022: the product is
 * rounded before the exponential is (vector_exp.h). A factor of length 0 is 1, and one of an
 * infinite length is 0. */
#ifndef COMMON_BASE_EXP_KERNELS_H
#define COMMON_BASE_EXP_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <float.h>
#include <stdint.h>

/* Range of decays, the lengths at which a factor is 1 / e. */
#define DECAY_LEAST 1e-300
#define DECAY_MOST  1e300

/* Returns the rate for lengths in multiples of `unit`. It is finite, so that length 0 has factor 1.
 */
static inline double decay_rate(double unit, double decay) {
    const double rate = unit / decay;
    return rate < DBL_MAX ? rate : DBL_MAX;
}

enum { EXP_PAD = 8 }; /* counts are multiples of this number */

/* Returns a count rounded up to a multiple of EXP_PAD. */
static inline int32_t exp_padded(int32_t count) {
    return (count + EXP_PAD - 1) / EXP_PAD * EXP_PAD;
}

struct exp_kernels {
    /* Stores exp(-length[i] * rate), length >= 0, for i < count. */
    void (*of_lengths)(const double *length, int32_t count, double rate, double *factor);
    /* Stores exp(-length * rate[j]), length >= 0, for j < count. */
    void (*of_rates)(double length, const double *rate, int32_t count, double *factor);
};

ISA_KERNELS(exp_kernels);

#endif
