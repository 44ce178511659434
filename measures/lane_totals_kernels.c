// SPDX-License-Identifier: MIT
/* The kernels of lane_totals.h for one instruction set (isa.h). */
#include "measures/lane_totals.h"

#include "common/base/vector.h"   // vector_i32
#include "measures/reciprocals.h" // reciprocals

#include <math.h>

#ifdef LENGTH_F64

enum { PER_VECTOR = VECTOR_BYTES / (int)sizeof(double) };

_Static_assert((int)LANE_TOTALS_CHUNK <= 1 << 11, "sums of digits in doubles do not round");

/* Returns each lane of `yes` where the mask is set, and of `no` elsewhere. */
static inline vector_f64 pick(vector_i64 mask, vector_f64 yes, vector_f64 no) {
    return (vector_f64)(((vector_i64)yes & mask) | ((vector_i64)no & ~mask));
}

static inline vector_f64 larger(vector_f64 a, vector_f64 b) {
    return pick(a < b, b, a);
}

static inline vector_f64 vector_of(double x) {
    return vector_all(vector_f64, x);
}

static void add_distances(const double *label, int32_t count, int lanes, struct lane_sums *sums) {
    /* Splits whole numbers below 2^52 into multiples of 2^26 and the rest. */
    const vector_f64 to_upper = vector_of(0x1.8p78), no_path = vector_of(LENGTH_INF);
    const vector_f64 none = {0};
    vector_f64 nearest = no_path, largest = {0};
    for (int lane = 0; lane < lanes; lane += PER_VECTOR) {
        vector_f64 upper = {0}, lower = {0}, most = {0};
        vector_i64 reached = {0};
        for (int32_t k = 0; k < count; k++) {
            const vector_f64 distance = vector_load(label + (ptrdiff_t)k * lanes + lane);
            const vector_i64 finite = distance < no_path;
            const vector_f64 d = pick(finite, distance, none);
            const vector_f64 rounded = (d + to_upper) - to_upper;
            upper += rounded;
            lower += d - rounded;
            reached -= finite;
            most = larger(most, d);
            nearest = vector_min(nearest, pick(d > none, d, no_path));
        }
        largest = larger(largest, most);
        for (int k = 0; k < PER_VECTOR; k++) {
            sums->upper[lane + k] += (int64_t)(upper[k] * 0x1p-26);
            sums->lower[lane + k] += (int64_t)lower[k];
            sums->reached[lane + k] += (int32_t)reached[k];
            if (most[k] > sums->farthest[lane + k])
                sums->farthest[lane + k] = most[k];
        }
    }
    sums->nearest = LENGTH_INF;
    sums->largest = 0;
    for (int k = 0; k < PER_VECTOR; k++) {
        sums->nearest = nearest[k] < sums->nearest ? nearest[k] : sums->nearest;
        sums->largest = largest[k] > sums->largest ? largest[k] : sums->largest;
    }
}

/* Adds the reciprocals of some lanes, which have digits at `levels` levels at most, and counts
 * their cells at the same time: divisions leave time for that. */
static inline void add_digits(const double *label, const int32_t *cell, int32_t count, int lanes,
                              int lane, const struct digit_range *digits, int levels,
                              struct lane_sums *sums, struct lane_counters *counters) {
    const vector_f64 no_path = vector_of(LENGTH_INF), scale = vector_of(digits->scale);
    const vector_f64 none = {0};
    vector_f64 sum[DIGIT_LEVELS] = {{0}};
    for (int32_t k = 0; k < count; k++) {
        const ptrdiff_t at = (ptrdiff_t)k * lanes + lane;
        const vector_f64 distance = vector_load(label + at);
        const vector_f64 divisor = pick(distance > none, distance, no_path);
        vector_f64 rest = 1 / divisor * scale;
        UNROLLED
        for (int c = 0; c < PER_VECTOR; c++)
            counters->count[c % LANE_COUNTERS][cell[at + c]]++;
        UNROLLED
        for (int p = 0; p < levels; p++) {
            const vector_f64 rounder = vector_of(digits->rounder[p]);
            const vector_f64 digit = (rest + rounder) - rounder;
            sum[p] += digit;
            rest -= digit;
        }
    }
    for (int p = 0; p < levels; p++) {
        for (int k = 0; k < PER_VECTOR; k++)
            sums->digit[digits->first + p][lane + k] += (int64_t)(sum[p][k] * digits->units[p]);
    }
}

static void add_reciprocals(const double *label, int32_t count, int lanes,
                            const struct digit_range *digits, struct lane_sums *sums,
                            struct lane_counters *counters) {
    int32_t cell[LANE_TOTALS_CHUNK * LANE_TOTALS_LANES];
    const double to_bin = ldexp(1, -counters->shift);
    for (ptrdiff_t at = 0; at < (ptrdiff_t)count * lanes; at++)
        cell[at] = label[at] < LENGTH_INF ? (int32_t)(label[at] * to_bin) : LANE_TOTALS_BINS;
    for (int lane = 0; lane < lanes; lane += PER_VECTOR) {
        if (digits->count <= 2) /* reciprocals of distances that are not very short */
            add_digits(label, cell, count, lanes, lane, digits, 2, sums, counters);
        else
            add_digits(label, cell, count, lanes, lane, digits, DIGIT_LEVELS, sums, counters);
    }
}

#else

_Static_assert((int)LANE_TOTALS_CHUNK <= (int)MAX_RECIPROCALS,
               "sums of reciprocals in doubles do not round");

static inline vector_i32 max_of(vector_i32 a, vector_i32 b) {
    const vector_i32 less = a < b;
    return (b & less) | (a & ~less);
}

static void add_distances(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums) {
    enum { PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t), HALF = 16 };
    for (int lane = 0; lane < lanes; lane += PER_VECTOR) {
        /* Adds the low and the high 16 bits separately: over a chunk, each sum fits in 32 bits. */
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

/* Adds the two parts of a sum of reciprocals to a lane's parts, and carries from the low part into
 * the high one, so that the low part never overflows. */
static inline void add_parts(double high, double low, int64_t *to_high, int64_t *to_low) {
    const int64_t unit = (int64_t)1 << RECIPROCAL_HIGH_BITS;
    const int64_t rest = *to_low + (int64_t)(low * 0x1p82);
    *to_high += (int64_t)(high * 0x1p41) + (rest >> RECIPROCAL_HIGH_BITS);
    *to_low = rest & (unit - 1);
}

static void add_reciprocals(const int32_t *label, int32_t count, int lanes,
                            const struct digit_range *digits, struct lane_sums *sums,
                            struct lane_counters *counters) {
    (void)digits;
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

#endif

const struct lane_totals_kernels ISA_SYMBOL(lane_totals_kernels) = {
    .add_distances = add_distances,
    .add_reciprocals = add_reciprocals,
};
