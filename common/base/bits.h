// SPDX-License-Identifier: MIT
/* Operations on sets of 512 lanes (bit_counts.h) in vectors. For kernel sources (isa.h) only.
 *
 * A set is added to counts as a carry from slice to slice. Few carries go beyond the low slices, so
 * 15 sets are added to these alone before their counts are added to the high slices. */
#ifndef COMMON_BASE_BITS_H
#define COMMON_BASE_BITS_H

#include "common/base/bit_counts.h" // struct bit_set, struct bit_counts
#include "common/base/vector.h"     // vector_i64, vector_any

/* A bit_set in registers. */
enum { BIT_VECTORS = sizeof(struct bit_set) / VECTOR_BYTES };
struct bits {
    vector_i64 part[BIT_VECTORS];
};

static inline struct bits bits_load(const struct bit_set *from) {
    struct bits bits = {0};
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        memcpy(&bits.part[k], (const char *)from + k * VECTOR_BYTES, VECTOR_BYTES);
    return bits;
}

static inline void bits_store(struct bit_set *to, struct bits bits) {
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        memcpy((char *)to + k * VECTOR_BYTES, &bits.part[k], VECTOR_BYTES);
}

static inline struct bits bits_or(struct bits a, struct bits b) {
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        a.part[k] |= b.part[k];
    return a;
}

static inline struct bits bits_and(struct bits a, struct bits b) {
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        a.part[k] &= b.part[k];
    return a;
}

static inline struct bits bits_not(struct bits a) {
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        a.part[k] = ~a.part[k];
    return a;
}

/* Returns the lanes of a that are not in b. */
static inline struct bits bits_without(struct bits a, struct bits b) {
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        a.part[k] &= ~b.part[k];
    return a;
}

static inline struct bits bits_xor(struct bits a, struct bits b) {
    UNROLLED
    for (int k = 0; k < BIT_VECTORS; k++)
        a.part[k] ^= b.part[k];
    return a;
}

static inline bool bits_any(struct bits a) {
    vector_i64 any = a.part[0];
    UNROLLED
    for (int k = 1; k < BIT_VECTORS; k++)
        any |= a.part[k];
    return vector_any(any);
}

static inline bool bits_all(struct bits a) {
    vector_i64 all = a.part[0];
    UNROLLED
    for (int k = 1; k < BIT_VECTORS; k++)
        all &= a.part[k];
    return !vector_any(~all);
}

/* Adds `carry` to slices, from the first one on; a carry out of the last slice is lost. */
static inline void bit_counts_carry(struct bit_set *slice, int slices, struct bits carry) {
    for (int k = 0; k < slices && bits_any(carry); k++) {
        const struct bits sum = bits_load(&slice[k]);
        bits_store(&slice[k], bits_xor(sum, carry));
        carry = bits_and(carry, sum);
    }
}

/* Adds the counts in the low slices to those in the high ones, whose slice 0 also counts units, and
 * clears the low slices. */
static inline void bit_counts_settle(struct bit_counts *counts) {
    for (int k = 0; k < LOW_SLICES; k++) {
        bit_counts_carry(counts->high + k, HIGH_SLICES - k, bits_load(&counts->low[k]));
        bits_store(&counts->low[k], (struct bits){0});
    }
    counts->pending = 0;
}

/* Counts the lanes of a set; at most 2^28 - 1 sets before bit_counts_take. */
static inline void bit_counts_add(struct bit_counts *counts, struct bits set) {
    UNROLLED
    for (int k = 0; k < LOW_SLICES; k++) {
        const struct bits sum = bits_load(&counts->low[k]);
        bits_store(&counts->low[k], bits_xor(sum, set));
        set = bits_and(set, sum);
    }
    if (++counts->pending == (1 << LOW_SLICES) - 1)
        bit_counts_settle(counts);
}

/* Stores the count of each lane and begins again with 0. */
static inline void bit_counts_take(struct bit_counts *counts, int32_t count[BIT_LANES]) {
    bit_counts_settle(counts);
    memset(count, 0, BIT_LANES * sizeof *count);
    for (int k = 0; k < HIGH_SLICES; k++) {
        if (!bits_any(bits_load(&counts->high[k])))
            continue;
        for (int lane = 0; lane < BIT_LANES; lane++)
            count[lane] |= (int32_t)(counts->high[k].word[lane / 64] >> lane % 64 & 1) << k;
        bits_store(&counts->high[k], (struct bits){0});
    }
}

#endif
