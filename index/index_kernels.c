// SPDX-License-Identifier: MIT
/* The kernels of index_kernels.h for one instruction set (isa.h). */
#include "index/index_kernels.h"

#include "common/base/vector.h" // vector_i32, UNROLLED
#include "common/graph/graph.h" // INF

enum {
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t),
    VECTORS = INDEX_LANES / PER_VECTOR,
};
_Static_assert((int)PER_VECTOR <= (int)INDEX_PAD, "reads beyond a label stay in its section");

typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

static inline vector_i32 sum_of(vector_i32 a, vector_i32 b) {
    return (vector_i32)((vector_u32)a + (vector_u32)b);
}

static inline int32_t least_of(vector_i32 lanes) {
    int32_t cell[PER_VECTOR], least;
    memcpy(cell, &lanes, sizeof cell);
    least = cell[0];
    UNROLLED
    for (int k = 1; k < PER_VECTOR; k++)
        least = cell[k] < least ? cell[k] : least;
    return least;
}

/* Lane k holds k. */
static inline vector_i32 numbers(void) {
    static const int32_t number[INDEX_PAD] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return vector_load(number);
}

static int32_t meet(const int32_t *a, const int32_t *b, uint32_t count) {
    vector_i32 least = vector_all(vector_i32, 2 * INF), second = least;
    uint32_t k = 0;
    for (; k + 2 * PER_VECTOR <= count; k += 2 * PER_VECTOR) {
        least = vector_min(least, sum_of(vector_load(a + k), vector_load(b + k)));
        second = vector_min(
            second, sum_of(vector_load(a + k + PER_VECTOR), vector_load(b + k + PER_VECTOR)));
    }
    for (; k < count; k += PER_VECTOR) {
        const vector_i32 sum = sum_of(vector_load(a + k), vector_load(b + k));
        const vector_i32 rest = vector_all(vector_i32, (int32_t)(count - k));
        least = vector_i32_where_less(numbers(), rest, vector_min(least, sum), least);
    }
    return least_of(vector_min(least, second));
}

static void extend(int32_t *to, const int32_t *from, int32_t length, uint32_t count) {
    const vector_i32 more = vector_all(vector_i32, length);
    uint32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR)
        vector_store(to + k, vector_min(vector_load(to + k), sum_of(vector_load(from + k), more)));
    for (; k < count; k++) {
        const int32_t sum = (int32_t)((uint32_t)from[k] + (uint32_t)length);
        to[k] = sum < to[k] ? sum : to[k];
    }
}

static void meet_lanes(const int32_t *lanes, const int32_t *const label[INDEX_QUAD], uint32_t count,
                       int32_t largest, int32_t *least) {
    const vector_i32 most = vector_all(vector_i32, largest), none = vector_all(vector_i32, INF);
    vector_i32 all[INDEX_QUAD][VECTORS];
    UNROLLED
    for (int q = 0; q < INDEX_QUAD; q++) {
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            all[q][v] = vector_all(vector_i32, 2 * INF);
    }
    for (uint32_t k = 0; k < count; k++) {
        vector_i32 from[VECTORS];
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            from[v] = vector_load(lanes + (size_t)k * INDEX_LANES + v * PER_VECTOR);
        UNROLLED
        for (int q = 0; q < INDEX_QUAD; q++) {
            const vector_i32 to = vector_all(vector_i32, label[q][k]);
            UNROLLED
            for (int v = 0; v < VECTORS; v++)
                all[q][v] = vector_min(all[q][v], sum_of(from[v], to));
        }
    }
    UNROLLED
    for (int q = 0; q < INDEX_QUAD; q++) {
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            vector_store(least + q * INDEX_LANES + v * PER_VECTOR,
                         vector_i32_where_less(most, all[q][v], none, all[q][v]));
    }
}

const struct index_kernels ISA_SYMBOL(index_kernels) = {meet, extend, meet_lanes};
