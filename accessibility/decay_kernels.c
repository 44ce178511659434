// SPDX-License-Identifier: MIT
/* The kernels of decay_kernels.h for one instruction set (isa.h). */
#include "accessibility/decay_kernels.h"

#include "common/base/vector_exp.h" // vector_f64_decayed, vector_f64_fused

#include <string.h>

enum {
    LANES = DECAY_LANES,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(double),
    BLOCK = 64, /* number of targets whose factors are kept at a time */
    WIDE = 2,   /* number of vectors of lanes that are summed up at a time */
    STRIDE = WIDE * PER_VECTOR,
};

/* Number of masses that are summed up at a time; their sums stay in registers. */
#if VECTOR_BYTES == 64
enum { TILE = 10 };
#else
enum { TILE = 5 };
#endif

/* Returns a vector of labels as float64 numbers. */
static inline vector_f64 lengths(const path_length *label) {
#ifdef LENGTH_F64
    return vector_f64_load(label);
#else
    typedef int32_t half __attribute__((vector_size(VECTOR_BYTES / 2)));
    half lanes;
    memcpy(&lanes, label, sizeof lanes);
    return __builtin_convertvector(lanes, vector_f64);
#endif
}

/* Finds the factors of `count` labels, with the numbers chosen[0 .. ], for one rate:
 * factor[i * LANES + lane], lane < lanes. */
static void find_factors(const path_length *label, int32_t lanes, const int32_t *chosen,
                         int32_t count, double rate, double *factor) {
    const vector_f64 none = vector_all(vector_f64, (double)LENGTH_INF);
    for (int32_t i = 0; i < count; i++) {
        const path_length *const own = label + (ptrdiff_t)chosen[i] * LANES;
        for (int32_t lane = 0; lane < lanes; lane += PER_VECTOR) {
            const vector_f64 length = lengths(own + lane);
            const vector_i64 reached = length < none;
            const vector_f64 found = vector_f64_decayed(length * rate);
            vector_f64_store(factor + (ptrdiff_t)i * LANES + lane,
                             (vector_f64)((vector_i64)found & reached));
        }
    }
}

/* Adds factors times masses to sum[m * LANES + lane], for WIDE vectors of lanes and `masses`
 * masses. */
static inline __attribute__((always_inline)) void add_tile(const double *factor,
                                                           const double *const *mass, int32_t count,
                                                           const int masses, double *sum) {
    vector_f64 own[TILE][WIDE];
    UNROLLED
    for (int m = 0; m < masses; m++) {
        UNROLLED
        for (int k = 0; k < WIDE; k++)
            own[m][k] = vector_all(vector_f64, 0);
    }
    for (int32_t i = 0; i < count; i++) {
        vector_f64 lanes[WIDE];
        UNROLLED
        for (int k = 0; k < WIDE; k++)
            lanes[k] = vector_f64_load(factor + (ptrdiff_t)i * LANES + k * PER_VECTOR);
        UNROLLED
        for (int m = 0; m < masses; m++) {
            UNROLLED
            for (int k = 0; k < WIDE; k++)
                own[m][k] =
                    vector_f64_fused(lanes[k], vector_all(vector_f64, mass[i][m]), own[m][k]);
        }
    }
    UNROLLED
    for (int m = 0; m < masses; m++) {
        UNROLLED
        for (int k = 0; k < WIDE; k++) {
            double *const to = sum + (ptrdiff_t)m * LANES + k * PER_VECTOR;
            vector_f64_store(to, vector_f64_load(to) + own[m][k]);
        }
    }
}

static void add_block(const struct decays *d, const double *factor, int32_t lanes,
                      const double **mass, int32_t count, double *sum) {
    int32_t m = 0;
    for (; m + TILE <= d->masses; m += TILE) {
        for (int32_t lane = 0; lane < lanes; lane += STRIDE)
            add_tile(factor + lane, mass, count, TILE, sum + (ptrdiff_t)m * LANES + lane);
        for (int32_t i = 0; i < count; i++)
            mass[i] += TILE;
    }
    for (; m < d->masses; m++) {
        for (int32_t lane = 0; lane < lanes; lane += STRIDE)
            add_tile(factor + lane, mass, count, 1, sum + (ptrdiff_t)m * LANES + lane);
        for (int32_t i = 0; i < count; i++)
            mass[i]++;
    }
    for (int32_t i = 0; i < count; i++)
        mass[i] -= d->masses;
}

static bool has_mass(const double *mass, int32_t masses) {
    for (int32_t m = 0; m < masses; m++) {
        if (mass[m] != 0)
            return true;
    }
    return false;
}

static void take(const struct decays *d, const path_length *label, int32_t lanes,
                 const int32_t *position, int32_t count, double *sum) {
    _Alignas(64) double factor[BLOCK * LANES];
    const double *mass[BLOCK];
    int32_t chosen[BLOCK];
    lanes = (lanes + STRIDE - 1) / STRIDE * STRIDE;
    memset(sum, 0, (size_t)d->decays * (size_t)d->masses * LANES * sizeof *sum);
    for (int32_t i = 0; i < count;) {
        int32_t some = 0;
        for (; i < count && some < BLOCK; i++) {
            mass[some] = d->mass + (ptrdiff_t)position[i] * d->masses;
            chosen[some] = i;
            some += has_mass(mass[some], d->masses);
        }
        for (int32_t j = 0; j < d->decays && some > 0; j++) {
            find_factors(label, lanes, chosen, some, d->rate[j], factor);
            add_block(d, factor, lanes, mass, some, sum + (ptrdiff_t)j * d->masses * LANES);
        }
    }
}

const struct decay_kernels ISA_SYMBOL(decay_kernels) = {take};
