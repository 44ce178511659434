// SPDX-License-Identifier: MIT
#include "elimination/eliminate_kernels.h"

#include "common/base/vector.h"

enum { PER_VECTOR = VECTOR_BYTES / sizeof(path_length) };

static inline void lower_vector(path_length *to, const path_length *from, vector_length along) {
    vector_store(to, vector_min(vector_load(to), vector_join(vector_load(from), along)));
}

static void lower(path_length *up, path_length *down, const path_length *up_from,
                  const path_length *down_from, path_length from, path_length to, int32_t count) {
    const vector_length all_from = vector_all(vector_length, from),
                        all_to = vector_all(vector_length, to);
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR) {
        lower_vector(up + k, up_from + k, all_from);
        lower_vector(down + k, down_from + k, all_to);
    }
    for (; k < count; k++) {
        up[k] = min_length(up[k], join_lengths(up_from[k], from));
        down[k] = min_length(down[k], join_lengths(down_from[k], to));
    }
}

/* Finds the paths to one vector of entries, k to k + PER_VECTOR - 1. */
static inline void join_vector(const struct elimination_rows *r, int32_t x, int32_t k,
                               path_length *up, path_length *down) {
    vector_length least_up = vector_all(vector_length, LENGTH_INF), least_down = least_up;
    for (int32_t row = 0; row < r->rows; row++) {
        const int64_t at = r->end[row] - x;
        const vector_length from = vector_all(vector_length, r->down[at]);
        const vector_length to = vector_all(vector_length, r->up[at]);
        least_up = vector_min(least_up, vector_join(vector_load(r->up + at + 1 + k), from));
        least_down = vector_min(least_down, vector_join(vector_load(r->down + at + 1 + k), to));
    }
    vector_store(up, least_up);
    vector_store(down, least_down);
}

static void join(const struct elimination_rows *r, int32_t x, int32_t first, int32_t count,
                 path_length *up, path_length *down) {
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR)
        join_vector(r, x, first + k, up + k, down + k);
    if (k < count && count >= PER_VECTOR) { /* the last vector repeats some entries */
        k = count - PER_VECTOR;
        join_vector(r, x, first + k, up + k, down + k);
        return;
    }
    for (; k < count; k++) {
        up[k] = down[k] = LENGTH_INF;
        for (int32_t row = 0; row < r->rows; row++) {
            const int64_t at = r->end[row] - x, to = at + 1 + first + k;
            up[k] = min_length(up[k], join_lengths(r->up[to], r->down[at]));
            down[k] = min_length(down[k], join_lengths(r->down[to], r->up[at]));
        }
    }
}

const struct elimination_kernels ISA_SYMBOL(elimination_kernels) = {lower, join};
