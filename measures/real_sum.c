// SPDX-License-Identifier: MIT
#include "measures/real_sum.h"

#include <math.h>

int real_sum_bits(int32_t n) {
    enum { BITS = 40, INTEGER_BITS = 64 };
    int of_n = 0;
    while (n >> of_n > 0)
        of_n++;
    return INTEGER_BITS - of_n < BITS ? INTEGER_BITS - of_n : BITS;
}

int32_t real_sum_level(double largest, int bits) {
    int exponent;
    if (largest == 0)
        return REAL_SUM_EMPTY;
    if (frexp(largest, &exponent) == 0.5)
        exponent--; /* the largest number is at most 2^exponent */
    /* The least level k with exponent <= bits (k + 1) - 1. */
    return (int32_t)floor((double)exponent / bits);
}

double real_sum_most(int32_t level, int bits) {
    return level == REAL_SUM_EMPTY ? -1 : ldexp(1, bits * (level + 1) - 1);
}

double real_sum_rounder(int32_t level, int bits) {
    return level == REAL_SUM_EMPTY ? 0 : ldexp(1.5, bits * level + 52);
}

int64_t real_sum_units(double digits, int32_t level, int bits) {
    return digits == 0 ? 0 : (int64_t)ldexp(digits, -bits * level);
}

void real_sum_raise(struct real_sum *sum, int32_t level) {
    if (level <= sum->level)
        return;
    const int64_t by = sum->level == REAL_SUM_EMPTY ? REAL_SUM_PARTS : (int64_t)level - sum->level;
    for (int p = REAL_SUM_PARTS - 1; p >= 0; p--)
        sum->part[p] = p >= by ? sum->part[p - by] : 0;
    sum->level = level;
}

void real_sum_add(struct real_sum *sum, const struct real_sum *other) {
    if (other->level == REAL_SUM_EMPTY)
        return;
    real_sum_raise(sum, other->level);
    for (int64_t p = (int64_t)sum->level - other->level, k = 0; p < REAL_SUM_PARTS; p++, k++)
        sum->part[p] += other->part[k];
}

void wide_sum_add(struct wide_sum *sum, const struct real_sum *other) {
    if (other->level == REAL_SUM_EMPTY)
        return;
    if (other->level > sum->level) {
        const int64_t by =
            sum->level == REAL_SUM_EMPTY ? REAL_SUM_PARTS : (int64_t)other->level - sum->level;
        for (int p = REAL_SUM_PARTS - 1; p >= 0; p--)
            sum->part[p] = p >= by ? sum->part[p - by] : 0;
        sum->level = other->level;
    }
    for (int64_t p = (int64_t)sum->level - other->level, k = 0; p < REAL_SUM_PARTS; p++, k++)
        sum->part[p] += other->part[k];
}

struct binary_number wide_sum_number(const struct wide_sum *sum, int bits) {
    const wide_part unit = (wide_part)1 << bits, one = 1;
    if (sum->level == REAL_SUM_EMPTY)
        return (struct binary_number){0, 0};
    wide_part low = sum->part[2], mid = sum->part[1], high = sum->part[0];
    mid += low >> bits;
    low &= unit - 1;
    high += mid >> bits;
    mid &= unit - 1;
    const wide_part size = high < 0 ? -high : high;
    if (size < one << (126 - 2 * bits))
        return (struct binary_number){(high * unit + mid) * unit + low, bits * (sum->level - 2)};
    if (size < one << (126 - bits))
        return (struct binary_number){(high * unit + mid) | (low != 0), bits * (sum->level - 1)};
    return (struct binary_number){high | ((mid | low) != 0), bits * sum->level};
}

double real_sum_value(const struct real_sum *sum, int bits) {
    struct wide_sum wide = {.level = REAL_SUM_EMPTY};
    wide_sum_add(&wide, sum);
    const struct binary_number number = wide_sum_number(&wide, bits);
    return ldexp((double)number.value, number.exponent);
}
