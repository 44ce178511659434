// SPDX-License-Identifier: MIT
/* Random numbers that are functions of a key and an index. They have no state, and are the same on
 * every machine. */
#ifndef GRAPHGEN_RANDOM_H
#define GRAPHGEN_RANDOM_H

#include "common/base/splitmix64.h" // splitmix64_mix

#include <stdint.h>

/* The index-th word of the sequence that the key names (SplitMix64). */
static inline uint64_t random_word(uint64_t key, uint64_t index) {
    return splitmix64_mix(key + index * SPLITMIX64_STEP);
}

/* A key for one use of random numbers: no two streams share any. */
static inline uint64_t random_key(uint64_t seed, uint64_t stream, uint64_t n) {
    return splitmix64_mix(splitmix64_mix(seed + SPLITMIX64_STEP * stream) + n);
}

/* A number uniform in 0 .. range - 1, to within 2^-32, from a random word. */
static inline uint64_t random_below(uint64_t word, uint64_t range) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)word * range >> 64);
}

/* A random permutation of 0 .. size - 1, size below 2^63: a Feistel network over the next power of
 * two, walked until it falls inside (Black and Rogaway 2002). */
enum { PERMUTATION_ROUNDS = 10 };
struct permutation {
    uint64_t key[PERMUTATION_ROUNDS];
    int low_bits; /* bits of the network's lower half */
    uint64_t low_mask, high_mask, size;
};

void permutation_start(struct permutation *p, uint64_t key, uint64_t size);

/* The number to which the permutation takes `index`. */
uint64_t permute(const struct permutation *p, uint64_t index);

#endif
