// SPDX-License-Identifier: MIT
/* The kernels of proportional_kernels.h for one instruction set (isa.h). */
#include "classes/proportional_kernels.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/transpose.h"   // transpose_quad
#include "common/base/vector.h"      // vector_i32, UNROLLED
#include "common/graph/graph.h"      // INF

#include <string.h>

enum {
    LANES = PROPORTIONAL_LANES,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t),
    VECTORS = LANES / PER_VECTOR,
};

#define AT(number) ((ptrdiff_t)(number)*LANES)

/* The larger ones of numbers >= 0. */
static inline vector_i32 vector_max(vector_i32 a, vector_i32 b) {
    return -vector_min(-a, -b);
}

typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

static void up(const struct proportional_region *r, int32_t *label) {
    const vector_i32 inf = vector_all(vector_i32, INF);
    for (int32_t i = 0; i < r->own; i++) {
        const int32_t at = r->position[i];
        vector_i32 from[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            from[k] = vector_load(label + AT(i) + k * PER_VECTOR);
        vector_i32 least = from[0];
        UNROLLED
        for (int k = 1; k < VECTORS; k++)
            least = vector_min(least, from[k]);
        if (!vector_any(least < inf)) /* most positions are above no source of the strip */
            continue;
        for (int64_t e = r->first[at]; e < r->first[at + 1]; e++) {
            int32_t *const to = label + AT(r->local[e]);
            const vector_i32 length = vector_all(vector_i32, r->up[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                int32_t *const lanes = to + k * PER_VECTOR;
                vector_store(lanes, vector_min(vector_load(lanes), from[k] + length));
            }
        }
    }
}

static inline __attribute__((always_inline)) void go_down(const struct proportional_region *r,
                                                          const bool is_fresh, int32_t *label) {
    for (int32_t i = r->own - 1; i >= 0; i--) {
        const int32_t at = r->position[i];
        int32_t *const own = label + AT(i);
        vector_i32 least[VECTORS];
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            least[k] = vector_all(vector_i32, INF);
            if (!is_fresh)
                least[k] = vector_load(own + k * PER_VECTOR);
        }
        for (int64_t e = r->first[at]; e < r->first[at + 1]; e++) {
            const int32_t *const from = label + AT(r->local[e]);
            const vector_i32 length = vector_all(vector_i32, r->down[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                least[k] = vector_min(least[k], vector_load(from + k * PER_VECTOR) + length);
        }
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            vector_store(own + k * PER_VECTOR, least[k]);
    }
}

static void lower(const struct proportional_region *r, int32_t *label) {
    go_down(r, false, label);
}

static void down(const struct proportional_region *r, int32_t *label) {
    go_down(r, true, label);
}

/* Columns whose labels stay in registers. */
#if VECTOR_BYTES == 64
enum { TILE = 8 };
#elif VECTOR_BYTES == 32
enum { TILE = 3 };
#else
enum { TILE = 1 };
#endif

static inline __attribute__((always_inline)) void
multiply_tile(const int32_t *from, const int32_t *number, int32_t count, const int32_t *matrix,
              int32_t pitch, const int tile, int32_t *label) {
    vector_i32 least[TILE][VECTORS];
    UNROLLED
    for (int c = 0; c < tile; c++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            least[c][k] = vector_all(vector_i32, INF);
    }
    for (int32_t b = 0; b < count; b++) {
        const int32_t *const row = matrix + (ptrdiff_t)number[b] * pitch;
        UNROLLED
        for (int c = 0; c < tile; c++) {
            const vector_i32 length = vector_all(vector_i32, row[c]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                least[c][k] =
                    vector_min(least[c][k], vector_load(from + AT(b) + k * PER_VECTOR) + length);
        }
    }
    UNROLLED
    for (int c = 0; c < tile; c++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            vector_store(label + AT(c) + k * PER_VECTOR, least[c][k]);
    }
}

static void multiply(const int32_t *from, const int32_t *number, int32_t count,
                     const int32_t *matrix, int32_t pitch, int32_t columns, int32_t *label) {
    int32_t c = 0;
    for (; c + TILE <= columns; c += TILE)
        multiply_tile(from, number, count, matrix + c, pitch, TILE, label + AT(c));
    for (; c < columns; c++)
        multiply_tile(from, number, count, matrix + c, pitch, 1, label + AT(c));
}

/* The halves of block_sizes.addends labels have sums of 32 bits. */
enum { HALF_BITS = 16 };

static void sum(const int32_t *label, int32_t count, struct proportional_sums *sums) {
    const vector_i32 inf = vector_all(vector_i32, INF);
    const vector_u32 half = vector_all(vector_u32, (1U << HALF_BITS) - 1);
    for (int32_t first = 0; first < count; first += block_sizes.addends) {
        const int32_t end =
            count - first < block_sizes.addends ? count : first + block_sizes.addends;
        for (int k = 0; k < VECTORS; k++) {
            const int at = k * PER_VECTOR;
            vector_i32 reached = vector_load(sums->reached + at);
            vector_i32 farthest = vector_load(sums->farthest + at);
            vector_u32 low = {0}, high = {0};
            for (int32_t i = first; i < end; i++) {
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
    }
}

/* An odd factor for each label, none of which is a small multiple of another. */
static inline uint32_t factor(int32_t b) {
    uint32_t by = ((uint32_t)b + 1) * 0x9e3779b1U;
    by = (by ^ by >> 15) * 0x85ebca6bU;
    return (by ^ by >> 13) | 1;
}

static void make_rows(const int32_t *label, const int32_t *number, int32_t width, bool is_relative,
                      struct proportional_rows *rows) {
    const vector_i32 inf = vector_all(vector_i32, INF);
    const int32_t pitch = proportional_pitch(width);
    vector_i32 least[VECTORS];
    vector_u32 hash[VECTORS];
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        least[k] = is_relative ? inf : vector_all(vector_i32, 0);
        hash[k] = vector_all(vector_u32, 0);
    }
    for (int32_t b = 0; b < width && is_relative; b++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            least[k] = vector_min(least[k], vector_load(label + AT(number[b]) + k * PER_VECTOR));
    }
    for (int32_t first = 0; first < width; first += QUAD) {
        _Alignas(64) int32_t four[QUAD * LANES];
        for (int32_t i = 0; i < QUAD; i++) {
            const uint32_t by = factor(first + i);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                vector_i32 cell = vector_all(vector_i32, 0);
                if (first + i < width) {
                    const vector_i32 own =
                        vector_load(label + AT(number[first + i]) + k * PER_VECTOR);
                    const vector_i32 finite = own < inf;
                    cell = ((own - least[k]) & finite) | (inf & ~finite);
                }
                hash[k] += (vector_u32)cell * by;
                vector_store(four + AT(i) + k * PER_VECTOR, cell);
            }
        }
        for (int32_t lane = 0; lane < LANES; lane += QUAD)
            transpose_quad(four + lane, LANES, rows->row + (ptrdiff_t)lane * pitch + first, pitch);
    }
    UNROLLED
    for (int k = 0; k < VECTORS; k++) {
        /* Every bit of a sum of products counts for the lowest ones, and those for all. */
        hash[k] = (hash[k] ^ hash[k] >> 15) * 0x2c1b3c6dU;
        hash[k] ^= hash[k] >> 13;
        vector_store(rows->least + k * PER_VECTOR, least[k]);
        vector_store((int32_t *)rows->hash + k * PER_VECTOR, (vector_i32)hash[k]);
    }
}

static void take_rows(const int32_t *row, int32_t rows, int32_t width, const int32_t *number,
                      int32_t *label) {
    const int32_t pitch = proportional_pitch(width);
    int32_t lane = 0;
    for (; lane + QUAD <= rows; lane += QUAD) {
        for (int32_t first = 0; first < width; first += QUAD) {
            _Alignas(64) int32_t four[QUAD * QUAD];
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
