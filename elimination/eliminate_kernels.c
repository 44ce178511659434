// SPDX-License-Identifier: MIT
#include "elimination/eliminate_kernels.h"

#include "common/base/vector.h"

enum { PER_VECTOR = VECTOR_BYTES / sizeof(path_length) };

static void lower(path_length *to, const path_length *from, path_length along, int32_t count) {
    const vector_length all = vector_all(vector_length, along);
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR)
        vector_store(to + k,
                     vector_min(vector_load(to + k), vector_join(vector_load(from + k), all)));
    for (; k < count; k++)
        to[k] = min_length(to[k], join_lengths(from[k], along));
}

/* Returns the lanes of yes where chosen is -1, those of no where it is 0. */
static inline vector_mask choose(vector_mask chosen, vector_mask yes, vector_mask no) {
    return (yes & chosen) | (no & ~chosen);
}

static void lower_by(path_length *to, length_number *middle, const path_length *from,
                     path_length along, const length_number *by, length_number by_all,
                     int32_t count) {
    const vector_length all = vector_all(vector_length, along);
    const vector_mask all_by = vector_all(vector_mask, by_all);
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR) {
        const vector_length length = vector_join(vector_load(from + k), all);
        const vector_length before = vector_load(to + k);
        vector_mask number = all_by;
        if (by != NULL)
            number = vector_load(by + k);
        const vector_mask old = vector_load(middle + k);
        const vector_mask better = (vector_mask)(length < before) |
                                   ((vector_mask)(length == before) & (vector_mask)(number < old));
        vector_store(to + k, vector_min(before, length));
        vector_store(middle + k, choose(better, number, old));
    }
    for (; k < count; k++)
        lower_length(&to[k], &middle[k], join_lengths(from[k], along), by == NULL ? by_all : by[k]);
}

/* Finds the paths to one vector of entries, k to k + PER_VECTOR - 1. by: NULL: positions are not
 * wanted. */
static inline void join_vector(const struct elimination_rows *r, const path_length *length,
                               const path_length *back, int32_t x, int32_t k, path_length *least,
                               length_number *by) {
    vector_length shortest = vector_all(vector_length, LENGTH_INF);
    vector_mask number = {0};
    for (int32_t row = 0; row < r->rows; row++) {
        const int64_t at = r->end[row] - x;
        const path_length along = back[at];
        const vector_length found =
            vector_join(vector_load(length + at + 1 + k), vector_all(vector_length, along));
        if (by != NULL) {
            const vector_mask all = vector_all(vector_mask, (length_number)(r->first + row));
            number = choose((vector_mask)(found < shortest), all, number);
        }
        shortest = vector_min(shortest, found);
    }
    vector_store(least, shortest);
    if (by != NULL)
        vector_store(by, number);
}

static inline void join_any(const struct elimination_rows *r, const path_length *length,
                            const path_length *back, int32_t x, int32_t first, int32_t count,
                            path_length *least, length_number *by) {
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR)
        join_vector(r, length, back, x, first + k, least + k, by == NULL ? NULL : by + k);
    if (k < count && count >= PER_VECTOR) { /* the last vector repeats some entries */
        k = count - PER_VECTOR;
        join_vector(r, length, back, x, first + k, least + k, by == NULL ? NULL : by + k);
        return;
    }
    for (; k < count; k++) {
        length_number number = 0;
        least[k] = LENGTH_INF;
        for (int32_t row = 0; row < r->rows; row++) {
            const int64_t at = r->end[row] - x;
            const path_length found = join_lengths(length[at + 1 + first + k], back[at]);
            number = found < least[k] ? r->first + row : number;
            least[k] = min_length(least[k], found);
        }
        if (by != NULL)
            by[k] = number;
    }
}

static void join(const struct elimination_rows *rows, const path_length *length,
                 const path_length *back, int32_t x, int32_t first, int32_t count,
                 path_length *least, length_number *by) {
    if (by == NULL) /* a constant, so that loops do without positions */
        join_any(rows, length, back, x, first, count, least, NULL);
    else
        join_any(rows, length, back, x, first, count, least, by);
}

const struct elimination_kernels ISA_SYMBOL(elimination_kernels) = {lower, lower_by, join};
