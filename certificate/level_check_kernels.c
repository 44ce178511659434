// SPDX-License-Identifier: MIT
#include "certificate/level_check_kernels.h"

#include "common/base/bits.h"       // struct bits, bit_counts_add
#include "common/graph/row_block.h" // struct row_totals

/* Edges ahead of the one that is checked, for whose tails levels are fetched. */
enum { FETCHED_AHEAD = 8 };

/* Adds up one vertex's levels of the used lanes, of which `reached` have a path. */
static inline void add_vertex(struct level_prover *prover, int32_t v, const struct bits *own,
                              int slices, struct bits reached) {
    for (int32_t level = 0; bits_any(reached); level++) {
        struct bits at = reached;
        for (int k = 0; k < slices; k++)
            at = level >> k & 1 ? bits_and(at, own[k]) : bits_without(at, own[k]);
        reached = bits_without(reached, at);
        bit_counts_add(&prover->counts[level], at);
        if (prover->column == NULL)
            continue;
        struct bit_set set;
        int32_t size = 0;
        bits_store(&set, at);
        for (int w = 0; w < BIT_WORDS; w++)
            size += __builtin_popcountll(set.word[w]);
        const struct level_value *const value = &prover->value[level];
        struct row_totals *const column = &prover->column[v];
        column->sum += (int64_t)size * value->distance;
        column->high += size * value->high;
        column->low += size * value->low;
        column->reached += size;
        if (value->distance > column->farthest)
            column->farthest = value->distance;
    }
}

/* Returns the lanes in which the levels of vertex v are wrong. */
static inline struct bits wrong_lanes(const struct level_proof *proof,
                                      const struct level_block *block, int32_t v,
                                      const struct bits *own, struct bits zero, struct bits none,
                                      int slices) {
    const struct graph *const in = &proof->in;
    struct bits covered = bits_or(zero, none), wrong = {0};
    for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
        const struct bit_set *const tail =
            block->slice + (size_t)block->place[in->head[e]] * (size_t)slices;
        if (e + FETCHED_AHEAD < in->m) {
            const int32_t later = block->place[in->head[e + FETCHED_AHEAD]];
            for (int k = 0; k < slices; k++)
                __builtin_prefetch(&block->slice[(size_t)later * (size_t)slices + (size_t)k]);
        }
        struct bits next[LEVEL_SLICES], carry = bits_not((struct bits){0});
        UNROLLED
        for (int k = 0; k < slices; k++) { /* one level above the tail's */
            const struct bits bit = bits_load(&tail[k]);
            next[k] = bits_xor(bit, carry);
            carry = bits_and(carry, bit);
        }
        /* Where it overflows the tail has no path. */
        struct bits equal = bits_not(carry), above = {0};
        UNROLLED
        for (int k = slices - 1; k >= 0; k--) {
            const struct bits differ = bits_xor(own[k], next[k]);
            above = bits_or(above, bits_and(equal, bits_and(differ, own[k])));
            equal = bits_without(equal, differ);
        }
        wrong = bits_or(wrong, above);
        covered = bits_or(covered, equal);
    }
    return bits_or(wrong, bits_not(covered));
}

static inline bool prove_all(struct level_prover *prover, const struct level_proof *proof,
                             const struct level_block *block, int slices) {
    struct bit_set lanes = {{0}};
    for (int lane = 0; lane < block->count; lane++)
        lanes.word[lane / 64] |= (uint64_t)1 << lane % 64;
    const struct bits used = bits_load(&lanes);
    for (int32_t v = 0; v < proof->n; v++) {
        const struct bit_set *const slice = block->slice + (size_t)block->place[v] * (size_t)slices;
        struct bits own[LEVEL_SLICES], any = {0}, none = bits_not((struct bits){0});
        UNROLLED
        for (int k = 0; k < slices; k++) {
            own[k] = bits_load(&slice[k]);
            any = bits_or(any, own[k]);
            none = bits_and(none, own[k]);
        }
        const struct bits zero = bits_not(any);
        struct bit_set source = {{0}};
        if (prover->lane[v] >= 0)
            source.word[prover->lane[v] / 64] = (uint64_t)1 << prover->lane[v] % 64;
        /* All ones stand for no path, and the number one below that is no level. */
        struct bits wrong = bits_not(own[0]);
        UNROLLED
        for (int k = 1; k < slices; k++)
            wrong = bits_and(wrong, own[k]);
        wrong = bits_or(wrong, wrong_lanes(proof, block, v, own, zero, none, slices));
        wrong = bits_or(wrong, bits_xor(zero, bits_load(&source)));
        if (bits_any(bits_and(wrong, used)))
            return false;
        add_vertex(prover, v, own, slices, bits_without(used, none));
    }
    return true;
}

static bool prove(struct level_prover *prover, const struct level_proof *proof,
                  const struct level_block *block) {
    switch (block->slices) { /* so that loops over slices are unrolled */
    case 2:
        return prove_all(prover, proof, block, 2);
    case 3:
        return prove_all(prover, proof, block, 3);
    case 4:
        return prove_all(prover, proof, block, 4);
    default:
        return prove_all(prover, proof, block, LEVEL_SLICES);
    }
}

static void count(struct bit_counts *counts, int32_t of_lane[BIT_LANES]) {
    bit_counts_take(counts, of_lane);
}

const struct level_check_kernels ISA_SYMBOL(level_check_kernels) = {prove, count};
