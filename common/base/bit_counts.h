// SPDX-License-Identifier: MIT
/* Sets of up to 512 lanes, a bit for each, and how often each lane is in one of many sets (bits.h).
 */
#ifndef COMMON_BASE_BIT_COUNTS_H
#define COMMON_BASE_BIT_COUNTS_H

#include <stdint.h>

enum { BIT_LANES = 512, BIT_WORDS = BIT_LANES / 64 };

/* A bit for each lane; a cache line. */
struct bit_set {
    _Alignas(64) uint64_t word[BIT_WORDS];
};

/* Bit k of the count of each lane is in slice k. */
enum { LOW_SLICES = 4, HIGH_SLICES = 28 };
struct bit_counts {
    struct bit_set low[LOW_SLICES];   /* counts of the last `pending` sets */
    struct bit_set high[HIGH_SLICES]; /* counts of the sets before them */
    int pending;
};

#endif
