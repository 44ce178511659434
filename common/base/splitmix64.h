// SPDX-License-Identifier: MIT
/* SplitMix64: random 64-bit words that are the same on every machine. (Steele, Lea and Flood 2014,
 * with Stafford's variant 13 of the finaliser of MurmurHash3.) */
#ifndef COMMON_BASE_SPLITMIX64_H
#define COMMON_BASE_SPLITMIX64_H

#include <stdint.h>

/* The state grows by this number for each word. */
#define SPLITMIX64_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Returns the image of x under a bijection of 64-bit words in which every bit of the result depends
 * on every bit of x. */
static inline uint64_t splitmix64_mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Returns the next word; any state is a good one to start with. */
static inline uint64_t splitmix64_next(uint64_t *state) {
    return splitmix64_mix(*state += SPLITMIX64_STEP);
}

#endif
