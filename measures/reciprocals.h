// SPDX-License-Identifier: MIT
/* Reciprocals that can be summed without rounding (struct row_totals). The double nearest to 1 / d
 * is split into two parts: a multiple of 2^-41, and a remainder of at most 2^-42, which is a
 * multiple of 2^-82. A double holds the sum of 2^11 such multiples exactly, and of 2^12 such
 * remainders. The code is compiled for the vectors of each instruction set (common/base/vector.h).
 */
#ifndef MEASURES_RECIPROCALS_H
#define MEASURES_RECIPROCALS_H

#include "common/base/vector.h" // VECTOR_BYTES, vector_f64
#include "common/graph/graph.h" // INF

#include <math.h>
#include <string.h>

enum {
    RECIPROCAL_HIGH_BITS = 41,
    /* number of reciprocals that may be added up */
    MAX_RECIPROCALS = 1 << 11,
    /* number of reciprocals that are computed at a time */
    RECIPROCAL_LANES = VECTOR_BYTES / sizeof(double)
};

/* Stores the two parts of 1 / d for each of RECIPROCAL_LANES distances; zeros for INF and for 0. */
static inline void reciprocals(const int32_t *dist, vector_f64 *high, vector_f64 *low) {
    typedef int32_t half __attribute__((vector_size(VECTOR_BYTES / 2)));
    /* All doubles between to_high / 2 and to_high are multiples of 2^-41. So a number in -1 .. 1 is
     * rounded to such a multiple if to_high is added to it and subtracted again. */
    const double to_high = 3.0 * (1 << (52 - RECIPROCAL_HIGH_BITS - 1));
    half d;
    memcpy(&d, dist, sizeof d);
    const half counts = (d != INF) & (d != 0);
    const half divisor = (d & counts) | (INF & ~counts);
    const vector_f64 reciprocal =
        __builtin_convertvector(-counts, vector_f64) / __builtin_convertvector(divisor, vector_f64);
    *high = (reciprocal + to_high) - to_high;
    *low = reciprocal - *high;
}

/* Stores the two parts of 1 / d in units of 2^-41 and 2^-82 (struct row_totals); zeros for INF and
 * for 0. */
static inline void reciprocal_parts(int32_t d, int64_t *high, int64_t *low) {
    const double to_high = 3.0 * (1 << (52 - RECIPROCAL_HIGH_BITS - 1));
    const double reciprocal = d != 0 && d != INF ? 1.0 / d : 0;
    const double rounded = (reciprocal + to_high) - to_high;
    *high = (int64_t)ldexp(rounded, RECIPROCAL_HIGH_BITS);
    *low = (int64_t)ldexp(reciprocal - rounded, 2 * RECIPROCAL_HIGH_BITS);
}

#endif
