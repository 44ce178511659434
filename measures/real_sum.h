// SPDX-License-Identifier: MIT
/* Sums of doubles that are the same bits in any order and grouping (after Demmel and Nguyen,
 * "Parallel reproducible summation", 2015).
 *
 * With W bits, the digit of a number at level k is a multiple of 2^(W k): the multiple nearest to
 * what the digits above leave of it, ties to even. A number of at most half of 2^(W (k + 1)) has no
 * digits above level k, and so its digits depend on nothing but itself. A sum keeps the digits of
 * three levels from that of its largest number on, each added up in integers. So the sum of `count`
 * numbers is wrong by at most count * 2^-(2 W) times the largest, and then is rounded once. W is 40
 * for fewer than 2^24 numbers. */
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

/* A sum of such sums: as many as there are int32 numbers. */
__extension__ typedef __int128 wide_part;
struct wide_sum {
    wide_part part[REAL_SUM_PARTS];
    int32_t level;
};

/* Number of levels of which digits are added up. Distances that are not 0 differ by less than 2^53,
 * and so the largest reciprocals of two sources by two levels at most. */
enum { DIGIT_LEVELS = REAL_SUM_PARTS + 2 };

/* Some of these levels, for numbers that have digits of no others. */
struct digit_range {
    double scale;                 /* 1 / distance = scale / label */
    int first, count;             /* levels; `first` counts from the top one */
    double rounder[DIGIT_LEVELS]; /* of each level from `first` on (real_sum_rounder), */
    double units[DIGIT_LEVELS];   /* and how many units of it 1 is; both 0 behind the last */
};

/* W for sums of at most n numbers. */
int real_sum_bits(int32_t n);

/* The level of a number, not negative and at most 2^960; REAL_SUM_EMPTY for 0. */
int32_t real_sum_level(double largest, int bits);

/* The largest number of a level; -1 for REAL_SUM_EMPTY, which takes no number. */
double real_sum_most(int32_t level, int bits);

/* Returns what rounds a number to its digit of a level, if it is added and taken away again,
 * provided that the number has no digits above; 0 for REAL_SUM_EMPTY. */
double real_sum_rounder(int32_t level, int bits);

/* How many units of a level a sum of digits of that level is. */
int64_t real_sum_units(double digits, int32_t level, int bits);

/* Makes the level of a sum at least that of numbers that are to be added. */
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

/* A sum, rounded to the nearest double. */
double real_sum_value(const struct real_sum *sum, int bits);

#endif
