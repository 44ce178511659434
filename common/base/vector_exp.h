// SPDX-License-Identifier: MIT
/* The exponential function of vectors. For kernel sources (isa.h) only.
 *
 * Lanes do not mix: a result depends on its own operand alone, and on whether the instruction set
 * rounds a product and a sum together. The error is at most 1 unit in the last place down to
 * 2^-1022, below which results are rounded to multiples of 2^-1074. */
#ifndef COMMON_BASE_VECTOR_EXP_H
#define COMMON_BASE_VECTOR_EXP_H

#include "common/base/vector.h" // vector_f64

/* Returns a * b + c, rounded once if the instruction set can do that. */
static inline vector_f64 vector_f64_fused(vector_f64 a, vector_f64 b, vector_f64 c) {
#if VECTOR_BYTES == 64
    return (vector_f64)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
    return a * b + c;
#endif
}

/* Returns 2^k for whole k in -1022 .. 1023. */
static inline vector_f64 vector_f64_power_of_two(vector_f64 k) {
    /* The sum has k + 1023 in its lowest bits, which become the exponent. */
    const vector_f64 biased = k + vector_all(vector_f64, 0x1.8p52 + 1023);
    return (vector_f64)((vector_i64)biased << 52);
}

/* Returns exp(-x) for x >= 0, as exp(r) 2^k with |r| <= ln 2 / 2 (Cody and Waite 1980) and the
 * series of exp, whose term 14 is below 2^-57. */
static inline vector_f64 vector_f64_decayed(vector_f64 x) {
    static const double inverse[] = {
        /* reciprocals of factorials, from 13! down to 2! */
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
        1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2};
    const vector_f64 rounder = vector_all(vector_f64, 0x1.8p52);
    x = vector_min(x, vector_all(vector_f64, 746)); /* for larger x the result is 0 */
    const vector_f64 k =                            /* -x / ln 2 */
        vector_f64_fused(x, vector_all(vector_f64, -0x1.71547652b82fep0), rounder) - rounder;
    /* ln 2 in two parts; the product with the first one is exact. */
    const vector_f64 r =
        vector_f64_fused(k, vector_all(vector_f64, -0x1.a39ef35793c76p-33),
                         vector_f64_fused(k, vector_all(vector_f64, -0x1.62e42feep-1), -x));
    vector_f64 series = vector_all(vector_f64, inverse[0]);
    UNROLLED
    for (size_t i = 1; i < sizeof inverse / sizeof *inverse; i++)
        series = vector_f64_fused(series, r, vector_all(vector_f64, inverse[i]));
    series = vector_f64_fused(series, r, vector_all(vector_f64, 1));
    series = vector_f64_fused(series, r, vector_all(vector_f64, 1));
    /* 2^k may be a subnormal number, but the product of two halves is rounded once. */
    const vector_f64 half = (k * 0.5 + rounder) - rounder;
    return series * vector_f64_power_of_two(half) * vector_f64_power_of_two(k - half);
}

#endif
