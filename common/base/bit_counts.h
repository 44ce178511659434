// SPDX-License-Identifier: MIT
/* Sets of up to 512 lanes with a bit for each lane, and counters of how many sets each lane is in
 * (bits.h). */
#ifndef COMMON_BASE_BIT_COUNTS_H
#define COMMON_BASE_BIT_COUNTS_H

#include <stdint.h>

enum { BIT_LANES = 512, BIT_WORDS = BIT_LANES / 64 };

/* A set: a bit for each lane, one cache line. */
struct bit_set {
    _Alignas(64) uint64_t word[BIT_WORDS];
};

/* Slices of counts: bit k of every lane's count is in slice k. */
enum { LOW_SLICES = 4, HIGH_SLICES = 28 };
struct bit_counts {
    struct bit_set low[LOW_SLICES];   /* counts of the last `pending` sets */
    struct bit_set high[HIGH_SLICES]; /* counts of all sets before those */
    int pending;
};

#endif
