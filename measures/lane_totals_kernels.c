// SPDX-License-Identifier: MIT
/* The kernels of lane_totals.h for one instruction set (isa.h). */
#include "measures/lane_totals.h"

#include "common/base/vector.h"   // vector_i32
#include "measures/reciprocals.h" // reciprocals

_Static_assert((int)LANE_TOTALS_CHUNK <= (int)MAX_RECIPROCALS,
               "sums of reciprocals in doubles do not round");

static inline vector_i32 max_of(vector_i32 a, vector_i32 b) {
    const vector_i32 less = a < b;
    return (b & less) | (a & ~less);
}

static void add_distances(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums) {
    enum { PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t), HALF = 16 };
    for (int lane = 0; lane < lanes; lane += PER_VECTOR) {
        /* Adds the low and the high 16 bits apart: over a chunk, either sum fits in 32 bits. */
        vector_i32 low = {0}, high = {0}, reached = {0};
        vector_i32 farthest = vector_load(sums->farthest + lane);
        for (int32_t k = 0; k < count; k++) {
            const vector_i32 distance = vector_load(label + (ptrdiff_t)k * lanes + lane);
            const vector_i32 finite = distance != vector_all(vector_i32, INF);
            const vector_i32 d = distance & finite;
            low += d & ((1 << HALF) - 1);
            high += d >> HALF;
            reached -= finite;
            farthest = max_of(farthest, d);
        }
        vector_store(sums->farthest + lane, farthest);
        vector_store(sums->reached + lane, vector_load(sums->reached + lane) + reached);
        for (int k = 0; k < PER_VECTOR; k++)
            sums->sum[lane + k] += (int64_t)high[k] * (1 << HALF) + low[k];
    }
}

/* Adds the two parts of a sum of reciprocals to those of a lane, and carries from the low part into
 * the high one, so that the low part never overflows. */
static inline void add_parts(double high, double low, int64_t *to_high, int64_t *to_low) {
    const int64_t unit = (int64_t)1 << RECIPROCAL_HIGH_BITS;
    const int64_t rest = *to_low + (int64_t)(low * 0x1p82);
    *to_high += (int64_t)(high * 0x1p41) + (rest >> RECIPROCAL_HIGH_BITS);
    *to_low = rest & (unit - 1);
}

static void add_reciprocals(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums,
                            struct lane_counters *counters) {
    uint16_t cell[LANE_TOTALS_CHUNK * LANE_TOTALS_LANES];
    const int32_t shift = counters->shift;
    for (int32_t k = 0; k < count; k++) {
        for (ptrdiff_t at = (ptrdiff_t)k * lanes; at < (ptrdiff_t)(k + 1) * lanes; at++)
            cell[at] = (uint16_t)(label[at] == INF ? LANE_TOTALS_BINS : label[at] >> shift);
    }
    for (int lane = 0; lane < lanes; lane += RECIPROCAL_LANES) {
        vector_f64 high = {0}, low = {0};
        for (int32_t k = 0; k < count; k++) {
            const ptrdiff_t at = (ptrdiff_t)k * lanes + lane;
            vector_f64 h, l;
            reciprocals(label + at, &h, &l);
            UNROLLED
            for (int c = 0; c < RECIPROCAL_LANES; c++)
                counters->count[c % LANE_COUNTERS][cell[at + c]]++;
            high += h;
            low += l;
        }
        for (int c = 0; c < RECIPROCAL_LANES; c++)
            add_parts(high[c], low[c], &sums->high[lane + c], &sums->low[lane + c]);
    }
}

const struct lane_totals_kernels ISA_SYMBOL(lane_totals_kernels) = {
    .add_distances = add_distances,
    .add_reciprocals = add_reciprocals,
};
