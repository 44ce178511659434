// SPDX-License-Identifier: MIT
#include "graphgen/random.h"

void permutation_start(struct permutation *p, uint64_t key, uint64_t size) {
    int bits = 2;
    p->size = size;
    while (bits < 63 && (UINT64_C(1) << bits) < p->size)
        bits++;
    p->low_bits = bits / 2;
    p->low_mask = (UINT64_C(1) << p->low_bits) - 1;
    p->high_mask = (UINT64_C(1) << (bits - p->low_bits)) - 1;
    for (uint64_t round = 0; round < PERMUTATION_ROUNDS; round++)
        p->key[round] = random_word(key, round);
}

uint64_t permute(const struct permutation *p, uint64_t index) {
    do {
        uint64_t low = index & p->low_mask, high = index >> p->low_bits;
        for (int round = 0; round < PERMUTATION_ROUNDS; round += 2) {
            low ^= splitmix64_mix(p->key[round] ^ high) & p->low_mask;
            high ^= splitmix64_mix(p->key[round + 1] ^ low) & p->high_mask;
        }
        index = high << p->low_bits | low;
    } while (index >= p->size);
    return index;
}
