// SPDX-License-Identifier: MIT
/* Sums of the doubles nearest to 1 / d without rounding (struct row_totals): each is cut in two
 * parts, multiples of 2^-41, of which 2^11 fit in a double, and the rest, multiples of 2^-82 of at
 * most 2^-42, of which 2^12 fit. For vectors of an instruction set (common/base/vector.h). */
#ifndef COMMON_GRAPH_RECIPROCALS_H
#define COMMON_GRAPH_RECIPROCALS_H

#include "common/base/vector.h" // VECTOR_BYTES, vector_f64
#include "common/graph/graph.h" // INF

#include <string.h>

enum {
    RECIPROCAL_HIGH_BITS = 41,
    MAX_RECIPROCALS = 1 << 11,                       /* that may be added up */
    RECIPROCAL_LANES = VECTOR_BYTES / sizeof(double) /* that are computed at a time */
};

/* Stores the two parts of 1 / d for each of RECIPROCAL_LANES distances; zeros for INF and for 0. */
static inline void reciprocals(const int32_t *dist, vector_f64 *high, vector_f64 *low) {
    typedef int32_t half __attribute__((vector_size(VECTOR_BYTES / 2)));
    /* Doubles between half of this and itself are multiples of 2^-41: adding it and taking it away
     * rounds what is in -1 .. 1 to one. */
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

#endif
