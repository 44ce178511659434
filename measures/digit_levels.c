// SPDX-License-Identifier: MIT
#include "measures/digit_levels.h"

#include <math.h>

struct digit_levels digit_levels_for(const struct graph *g, int bits) {
    double least = (double)INFINITY; /* least weight above 0: no distance above 0 is less */
    for (int64_t e = 0; e < g->m; e++) {
        const double weight = g->real_weight[e];
        least = weight > 0 && weight < least ? weight : least;
    }
    return (struct digit_levels){.spacing = g->spacing,
                                 .bits = bits,
                                 .least = least / g->spacing,
                                 .top = isinf(least) ? 0 : real_sum_level(1 / least, bits)};
}

struct digit_range digit_range_of(const struct digit_levels *levels, double nearest,
                                  double farthest) {
    enum { MANTISSA = 53 };
    struct digit_range range = {.scale = 1 / levels->spacing};
    int exponent;
    if (farthest <= 0)
        return range;
    const int32_t first = real_sum_level(1 / (nearest * levels->spacing), levels->bits);
    frexp(1 / (farthest * levels->spacing), &exponent);
    const int32_t last = (int32_t)floor((double)(exponent - MANTISSA) / levels->bits);
    range.first = levels->top - first;
    for (int32_t level = first; level >= last && range.first + range.count < DIGIT_LEVELS;
         level--) {
        range.rounder[range.count] = real_sum_rounder(level, levels->bits);
        range.units[range.count++] = ldexp(1, -levels->bits * level);
    }
    return range;
}

/* The level of a sum is that of its largest number, the first level with any digits. */
void digit_levels_take(const struct digit_levels *levels, const int64_t *digit, size_t apart,
                       struct grid_totals *to) {
    size_t first = 0;
    while (first < DIGIT_LEVELS && digit[first * apart] == 0)
        first++;
    if (first == DIGIT_LEVELS)
        return; /* all distances are 0 */
    to->level = levels->top - (int32_t)first;
    for (size_t p = 0; p < REAL_SUM_PARTS && first + p < DIGIT_LEVELS; p++)
        to->part[p] = digit[(first + p) * apart];
}
