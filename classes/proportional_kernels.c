// SPDX-License-Identifier: MIT
/* The kernels of proportional_kernels.h for one instruction set (isa.h). */
#include "classes/proportional_kernels.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/transpose.h"   // transpose_quad
#include "common/base/vector.h"      // vector_length, UNROLLED

#include <string.h>

enum {
    LANES = PROPORTIONAL_LANES,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(path_length),
    VECTORS = LANES / PER_VECTOR,
};

#define AT(number) ((ptrdiff_t)(number)*LANES)

/* Returns the larger of each two numbers, which are >= 0. */
static inline vector_length vector_max(vector_length a, vector_length b) {
    return -vector_min(-a, -b);
}

typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

static void up(const struct proportional_region *r, path_length *label) {
    const vector_length inf = vector_all(vector_length, LENGTH_INF);
    for (int32_t i = 0; i < r->own; i++) {
        const int32_t at = r->position[i];
        vector_length from[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            from[k] = vector_load(label + AT(i) + k * PER_VECTOR);
        vector_length least = from[0];
        UNROLLED
        for (int k = 1; k < VECTORS; k++)
            least = vector_min(least, from[k]);
        const vector_mask reached = least < inf;
        if (!vector_any(reached)) /* most positions are not ancestors of a source of the strip */
            continue;
        for (int64_t e = r->first[at]; e < r->first[at + 1]; e++) {
            path_length *const to = label + AT(r->local[e]);
            const vector_length along = vector_all(vector_length, r->up[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                path_length *const lanes = to + k * PER_VECTOR;
                vector_store(lanes, vector_min(vector_load(lanes), from[k] + along));
            }
        }
    }
}

static inline __attribute__((always_inline)) void go_down(const struct proportional_region *r,
                                                          const bool is_fresh, path_length *label) {
    for (int32_t i = r->own - 1; i >= 0; i--) {
        const int32_t at = r->position[i];
        path_length *const own = label + AT(i);
        vector_length least[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            least[k] = vector_all(vector_length, LENGTH_INF);
            if (!is_fresh)
                least[k] = vector_load(own + k * PER_VECTOR);
        }
        for (int64_t e = r->first[at]; e < r->first[at + 1]; e++) {
            const path_length *const from = label + AT(r->local[e]);
            const vector_length along = vector_all(vector_length, r->down[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                least[k] = vector_min(least[k], vector_load(from + k * PER_VECTOR) + along);
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            vector_store(own + k * PER_VECTOR, least[k]);
    }
}

static void lower(const struct proportional_region *r, path_length *label) {
    go_down(r, false, label);
}

static void down(const struct proportional_region *r, path_length *label) {
    go_down(r, true, label);
}

/* Number of columns of a product whose labels stay in registers. */
#if VECTOR_BYTES == 64
enum { TILE = 8 };
#elif VECTOR_BYTES == 32
enum { TILE = 3 };
#else
enum { TILE = 1 };
#endif

static inline __attribute__((always_inline)) void
multiply_tile(const path_length *from, const int32_t *number, int32_t count,
              const path_length *matrix, int32_t pitch, const int tile, path_length *label) {
    vector_length least[TILE][VECTORS];
    UNROLLED
    for (int c = 0; c < tile; c++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            least[c][k] = vector_all(vector_length, LENGTH_INF);
    }
    for (int32_t b = 0; b < count; b++) {
        const path_length *const row = matrix + (ptrdiff_t)number[b] * pitch;
        UNROLLED
        for (int c = 0; c < tile; c++) {
            const vector_length along = vector_all(vector_length, row[c]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                least[c][k] =
                    vector_min(least[c][k], vector_load(from + AT(b) + k * PER_VECTOR) + along);
        }
    }
    UNROLLED
    for (int c = 0; c < tile; c++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            vector_store(label + AT(c) + k * PER_VECTOR, least[c][k]);
    }
}

static void multiply(const path_length *from, const int32_t *number, int32_t count,
                     const path_length *matrix, int32_t pitch, int32_t columns,
                     path_length *label) {
    int32_t c = 0;
    for (; c + TILE <= columns; c += TILE)
        multiply_tile(from, number, count, matrix + c, pitch, TILE, label + AT(c));
    for (; c < columns; c++)
        multiply_tile(from, number, count, matrix + c, pitch, 1, label + AT(c));
}

#ifdef LENGTH_F64

/* Whole numbers are added up in two parts, the upper of which is a multiple of 2^LOW_BITS. So sums
 * of up to 2^26 numbers below 2^53 are exact. */
enum { LOW_BITS = 26 };

static void sum(const double *label, int32_t count, struct proportional_sums *sums) {
    const vector_f64 inf = vector_all(vector_f64, LENGTH_INF);
    /* Adding and subtracting it rounds a number to a multiple of 2^26. */
    const vector_f64 rounder = vector_all(vector_f64, 0x1.8p78);
    for (int k = 0; k < VECTORS; k++) {
        const int at = k * PER_VECTOR;
        vector_f64 farthest = vector_load(sums->farthest + at), low = {0}, high = {0};
        vector_i64 reached = {0};
        for (int32_t i = 0; i < count; i++) {
            const vector_f64 own = vector_load(label + AT(i) + at);
            const vector_i64 finite = own < inf;
            const vector_f64 distance = (vector_f64)((vector_i64)own & finite);
            const vector_f64 upper = (distance + rounder) - rounder;
            reached -= finite;
            high += upper;
            low += distance - upper;
            farthest = vector_max(farthest, distance);
        }
        vector_store(sums->farthest + at, farthest);
        for (int lane = 0; lane < PER_VECTOR; lane++) {
            sums->reached[at + lane] += (int32_t)reached[lane];
            sums->sum[at + lane] +=
                (path_length_sum)(int64_t)(high[lane] * 0x1p-26) * (1 << LOW_BITS) +
                (int64_t)low[lane];
        }
    }
}

#else

/* Labels are added up in two halves of HALF_BITS bits each, so that sums of block_sizes.addends
 * halves fit into 32 bits. */
enum { HALF_BITS = 16 };

/* Adds up the labels of some lanes, of which some have no path. */
static void sum_some(const int32_t *label, int32_t count, int at, struct proportional_sums *sums) {
    const vector_i32 inf = vector_all(vector_i32, LENGTH_INF);
    const vector_u32 half = vector_all(vector_u32, (1U << HALF_BITS) - 1);
    vector_i32 reached = vector_load(sums->reached + at);
    vector_i32 farthest = vector_load(sums->farthest + at);
    vector_u32 low = {0}, high = {0};
    for (int32_t i = 0; i < count; i++) {
        const vector_i32 own = vector_load(label + AT(i) + at);
        const vector_i32 finite = own < inf, distance = own & finite;
        reached -= finite;
        low += (vector_u32)distance & half;
        high += (vector_u32)distance >> HALF_BITS;
        farthest = vector_max(farthest, distance);
    }
    vector_store(sums->reached + at, reached);
    vector_store(sums->farthest + at, farthest);
    for (int lane = 0; lane < PER_VECTOR; lane++)
        sums->sum[at + lane] += low[lane] + ((int64_t)high[lane] << HALF_BITS);
}

static void sum(const int32_t *label, int32_t count, struct proportional_sums *sums) {
    enum { TOGETHER = 2 }; /* number of vectors whose sums stay in registers */
    const vector_i32 inf = vector_all(vector_i32, LENGTH_INF);
    for (int32_t first = 0; first < count; first += block_sizes.addends) {
        const int32_t left = count - first;
        const int32_t own = left < block_sizes.addends ? left : block_sizes.addends;
        const int32_t *const from = label + AT(first);
        for (int k = 0; k < VECTORS; k += TOGETHER) {
            vector_u32 all[TOGETHER] = {{0}}, high[TOGETHER] = {{0}};
            vector_i32 most[TOGETHER] = {{0}};
            for (int32_t i = 0; i < own; i++) {
                UNROLLED
                for (int v = 0; v < TOGETHER; v++) {
                    const vector_i32 one = vector_load(from + AT(i) + (k + v) * PER_VECTOR);
                    all[v] += (vector_u32)one;
                    high[v] += (vector_u32)one >> HALF_BITS;
                    most[v] = vector_max(most[v], one);
                }
            }
            for (int v = 0; v < TOGETHER; v++) {
                const int at = (k + v) * PER_VECTOR;
                if (vector_any(most[v] >= inf)) {
                    sum_some(from, own, at, sums);
                    continue;
                }
                /* The sum of the lower halves is right modulo 2^32, and less than that. */
                const vector_u32 low = all[v] - (high[v] << HALF_BITS);
                vector_store(sums->farthest + at,
                             vector_max(vector_load(sums->farthest + at), most[v]));
                for (int lane = 0; lane < PER_VECTOR; lane++) {
                    sums->reached[at + lane] += own;
                    sums->sum[at + lane] += low[lane] + ((int64_t)high[v][lane] << HALF_BITS);
                }
            }
        }
    }
}

#endif

/* Returns an odd factor for label b; no factor is a small multiple of another. */
static inline uint32_t factor(int32_t b) {
    uint32_t by = ((uint32_t)b + 1) * 0x9e3779b1U;
    by = (by ^ by >> 15) * 0x85ebca6bU;
    return (by ^ by >> 13) | 1;
}

/* Returns the bits of a cell that a hash multiplies. Of a whole number in float64, the upper bits
 * are mixed into the lower ones. */
static inline vector_u32 bits_of(vector_length cell) {
    const vector_u32 bits = (vector_u32)cell;
    return sizeof(path_length) == sizeof(uint32_t) ? bits : bits ^ bits >> 15 ^ bits >> 22;
}

/* Stores the hashes of a vector of lanes from sums of products in each 32 bits of a cell. Every bit
 * of such a sum changes its highest bits; here, each bit changes the lowest ones, too. */
static inline void store_hashes(vector_u32 hash, uint32_t *to) {
#ifdef LENGTH_F64
    for (int lane = 0; lane < PER_VECTOR; lane++)
        to[lane] = hash[2 * lane] + hash[2 * lane + 1] * 0x9e3779b1U;
    for (int lane = 0; lane < PER_VECTOR; lane++) {
        to[lane] = (to[lane] ^ to[lane] >> 15) * 0x2c1b3c6dU;
        to[lane] ^= to[lane] >> 13;
    }
#else
    hash = (hash ^ hash >> 15) * 0x2c1b3c6dU;
    hash ^= hash >> 13;
    vector_store((int32_t *)to, (vector_i32)hash);
#endif
}

static void make_rows(const path_length *label, const int32_t *number, int32_t width,
                      bool is_relative, struct proportional_rows *rows) {
    const vector_length inf = vector_all(vector_length, LENGTH_INF);
    const int32_t pitch = proportional_pitch(width);
    vector_length least[VECTORS];
    vector_u32 hash[VECTORS];
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        least[k] = is_relative ? inf : vector_all(vector_length, 0);
        hash[k] = vector_all(vector_u32, 0);
    }
    for (int32_t b = 0; b < width && is_relative; b++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            least[k] = vector_min(least[k], vector_load(label + AT(number[b]) + k * PER_VECTOR));
    }
    for (int32_t first = 0; first < width; first += QUAD) {
        _Alignas(64) path_length four[QUAD * LANES];
        for (int32_t i = 0; i < QUAD; i++) {
            const uint32_t by = factor(first + i);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                vector_length cell = vector_all(vector_length, 0);
                if (first + i < width) {
                    const vector_length own =
                        vector_load(label + AT(number[first + i]) + k * PER_VECTOR);
                    const vector_mask finite = own < inf;
                    cell = (vector_length)(((vector_mask)(own - least[k]) & finite) |
                                           ((vector_mask)inf & ~finite));
                }
                hash[k] += bits_of(cell) * by;
                vector_store(four + AT(i) + k * PER_VECTOR, cell);
            }
        }
        for (int32_t lane = 0; lane < LANES; lane += QUAD)
            transpose_quad(four + lane, LANES, rows->row + (ptrdiff_t)lane * pitch + first, pitch);
    }
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        vector_store(rows->least + k * PER_VECTOR, least[k]);
        store_hashes(hash[k], rows->hash + k * PER_VECTOR);
    }
}

static void take_rows(const path_length *row, int32_t rows, int32_t width, const int32_t *number,
                      path_length *label) {
    const int32_t pitch = proportional_pitch(width);
    int32_t lane = 0;
    for (; lane + QUAD <= rows; lane += QUAD) {
        for (int32_t first = 0; first < width; first += QUAD) {
            _Alignas(64) path_length four[QUAD * QUAD];
            transpose_quad(row + (ptrdiff_t)lane * pitch + first, pitch, four, QUAD);
            for (int32_t i = 0; i < QUAD && first + i < width; i++) {
                const int32_t to = number != NULL ? number[first + i] : first + i;
                memcpy(label + AT(to) + lane, four + i * QUAD, QUAD * sizeof *four);
            }
        }
    }
    for (; lane < rows; lane++) {
        for (int32_t b = 0; b < width; b++)
            label[AT(number != NULL ? number[b] : b) + lane] = row[(ptrdiff_t)lane * pitch + b];
    }
}

const struct proportional_kernels ISA_SYMBOL(proportional_kernels) = {
    up, lower, down, multiply, sum, make_rows, take_rows};
