// SPDX-License-Identifier: MIT
/* Sums of doubles that are the same bits in any order and grouping (after Demmel and Nguyen,
 * "Parallel reproducible summation", 2015).
 *
 * With W bits, the digit of a number at level k is a multiple of 2^(W k): the multiple nearest to
 * the remainder that the digits at higher levels leave, ties to even. A number of at most half of
 * 2^(W (k + 1)) has no digits above level k, and so its digits depend on nothing but itself. A sum
 * keeps the digits of three levels from that of its largest number on, each added up in integers.
 * So the sum of `count` numbers is wrong by at most count * 2^-(2 W) times the largest, and then is
 * rounded once. W is 40 for fewer than 2^24 numbers. */
#ifndef MEASURES_REAL_SUM_H
#define MEASURES_REAL_SUM_H

#include <limits.h>
#include <stdint.h>

enum { REAL_SUM_PARTS = 3, REAL_SUM_EMPTY = INT_MIN };

/* part[p] counts units of level - p. Empty: only zeros have been added. */
struct real_sum {
    int64_t part[REAL_SUM_PARTS];
    int32_t level;
};

/* A part of a sum of up to 2^31 struct real_sum. */
__extension__ typedef __int128 wide_part;
struct wide_sum {
    wide_part part[REAL_SUM_PARTS];
    int32_t level;
};

/* Number of levels of which digits are added up. Distances above 0 differ by a factor below 2^53,
 * so the largest reciprocals of two sources differ by two levels at most. */
enum { DIGIT_LEVELS = REAL_SUM_PARTS + 2 };

/* A range of these levels, for numbers that have no digits at other levels. */
struct digit_range {
    double scale; /* 1 / distance = scale / label */
    /* first level, counted from the top level, and number of levels */
    int first, count;
    /* rounder of each level from `first` on (real_sum_rounder); 0 after the last */
    double rounder[DIGIT_LEVELS];
    double units[DIGIT_LEVELS]; /* units of each level that make 1; 0 after the last */
};

/* Returns W, the bits of a digit, for sums of at most n numbers. */
int real_sum_bits(int32_t n);

/* Returns the level of a number that is not negative and at most 2^960; REAL_SUM_EMPTY for 0. */
int32_t real_sum_level(double largest, int bits);

/* Returns the largest number of a level; -1 for REAL_SUM_EMPTY, which takes no number. */
double real_sum_most(int32_t level, int bits);

/* Returns a number that rounds another number to its digit of a level, if it is added and
 * subtracted again, provided that the number has no digits at higher levels; 0 for REAL_SUM_EMPTY.
 */
double real_sum_rounder(int32_t level, int bits);

/* Returns how many units of a level a sum of digits of that level is. */
int64_t real_sum_units(double digits, int32_t level, int bits);

/* Raises the level of a sum to at least that of numbers to be added. */
void real_sum_raise(struct real_sum *sum, int32_t level);

/* Adds one sum to another. */
void real_sum_add(struct real_sum *sum, const struct real_sum *other);
void wide_sum_add(struct wide_sum *sum, const struct real_sum *other);

/* A number value * 2^exponent, |value| < 2^126. The last bit of a value of more than 64 bits may
 * stand for all that follow it, so that rounding is right. */
struct binary_number {
    wide_part value;
    int exponent;
};
struct binary_number wide_sum_number(const struct wide_sum *sum, int bits);

/* Returns a sum, rounded to the nearest double. */
double real_sum_value(const struct real_sum *sum, int bits);

#endif
