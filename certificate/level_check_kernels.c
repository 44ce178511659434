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

/* Stores the levels that are `step` above those of slices; returns where they overflow. */
static inline struct bits add_step(struct bits *sum, const struct bits *level, int32_t step,
                                   int slices) {
    struct bits carry = {0};
    UNROLLED
    for (int k = 0; k < slices; k++) {
        const struct bits differ = bits_xor(level[k], carry), both = bits_and(level[k], carry);
        const bool one = step >> k & 1;
        sum[k] = one ? bits_not(differ) : differ;
        carry = one ? bits_or(level[k], carry) : both;
    }
    return carry;
}

/* Returns the lanes in which a level is above `last`, which may be more than levels can be. */
static inline struct bits above_last(const struct bits *level, int32_t last, int slices) {
    struct bits equal = bits_not((struct bits){0}), above = {0};
    if (last >> slices != 0)
        return above;
    for (int k = slices - 1; k >= 0; k--) {
        if ((last >> k & 1) == 0)
            above = bits_or(above, bits_and(equal, level[k]));
        equal = last >> k & 1 ? bits_and(equal, level[k]) : bits_without(equal, level[k]);
    }
    return above;
}

/* Returns the lanes in which the levels of vertex v are wrong. */
static inline __attribute__((always_inline)) struct bits
wrong_lanes(const struct level_proof *proof, const struct level_block *block, int32_t v,
            const struct bits *own, struct bits zero, struct bits none, bool by_edges, int slices) {
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
        struct bits level[LEVEL_SLICES], next[LEVEL_SLICES];
        UNROLLED
        for (int k = 0; k < slices; k++)
            level[k] = bits_load(&tail[k]);
        /* Where it overflows the tail has no path. */
        struct bits equal = bits_not(add_step(next, level, by_edges ? in->weight[e] : 1, slices));
        struct bits above = {0};
        UNROLLED
        for (int k = slices - 1; k >= 0; k--) {
            const struct bits differ = bits_xor(own[k], next[k]);
            above = bits_or(above, bits_and(equal, bits_and(differ, own[k])));
            equal = bits_without(equal, differ);
        }
        if (proof->last < LEVELS_MOST) /* there may be a path that nobody asks for */
            above = bits_without(above, bits_and(none, above_last(next, proof->last, slices)));
        wrong = bits_or(wrong, above);
        covered = bits_or(covered, equal);
    }
    return bits_or(wrong, bits_not(covered));
}

static inline __attribute__((always_inline)) bool prove_all(struct level_prover *prover,
                                                            const struct level_proof *proof,
                                                            const struct level_block *block,
                                                            bool by_edges, int slices) {
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
        /* All ones stand for no path, and the numbers just below that are no levels. */
        struct bits beyond[LEVEL_SLICES];
        const struct bits high = add_step(beyond, own, proof->steps + 1, slices);
        struct bits wrong = bits_without(high, none);
        wrong = bits_or(wrong, wrong_lanes(proof, block, v, own, zero, none, by_edges, slices));
        wrong = bits_or(wrong, bits_xor(zero, bits_load(&source)));
        wrong = bits_or(wrong, bits_without(above_last(own, proof->last, slices), none));
        if (bits_any(bits_and(wrong, used)))
            return false;
        add_vertex(prover, v, own, slices, bits_without(used, none));
    }
    return true;
}

static inline __attribute__((always_inline)) bool prove_edges(struct level_prover *prover,
                                                              const struct level_proof *proof,
                                                              const struct level_block *block,
                                                              bool by_edges) {
    switch (block->slices) { /* so that loops over slices are unrolled */
    case 2:
        return prove_all(prover, proof, block, by_edges, 2);
    case 3:
        return prove_all(prover, proof, block, by_edges, 3);
    case 4:
        return prove_all(prover, proof, block, by_edges, 4);
    case 5:
        return prove_all(prover, proof, block, by_edges, 5);
    default:
        return prove_all(prover, proof, block, by_edges, LEVEL_SLICES);
    }
}

static bool prove(struct level_prover *prover, const struct level_proof *proof,
                  const struct level_block *block) {
    return proof->steps == 1 ? prove_edges(prover, proof, block, false)
                             : prove_edges(prover, proof, block, true);
}

static void count(struct bit_counts *counts, int32_t of_lane[BIT_LANES]) {
    bit_counts_take(counts, of_lane);
}

const struct level_check_kernels ISA_SYMBOL(level_check_kernels) = {prove, count};
