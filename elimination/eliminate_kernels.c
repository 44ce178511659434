// SPDX-License-Identifier: MIT
#include "elimination/eliminate_kernels.h"

#include "common/base/vector.h"

enum { PER_VECTOR = VECTOR_BYTES / sizeof(int32_t) };

static inline int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static inline void lower_vector(int32_t *to, const int32_t *from, vector_i32 length) {
    vector_store(to, vector_min(vector_load(to), vector_load(from) + length));
}

static void lower(int32_t *up, int32_t *down, const int32_t *up_from, const int32_t *down_from,
                  int32_t from, int32_t to, int32_t count) {
    const vector_i32 all_from = vector_all(vector_i32, from), all_to = vector_all(vector_i32, to);
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR) {
        lower_vector(up + k, up_from + k, all_from);
        lower_vector(down + k, down_from + k, all_to);
    }
    for (; k < count; k++) {
        up[k] = min_of(up[k], up_from[k] + from);
        down[k] = min_of(down[k], down_from[k] + to);
    }
}

/* The paths of a vector's entries. */
static inline void join_vector(const struct elimination_rows *r, int32_t x, int32_t k, int32_t *up,
                               int32_t *down) {
    vector_i32 least_up = vector_all(vector_i32, INT32_MAX), least_down = least_up;
    for (int32_t row = 0; row < r->rows; row++) {
        const int64_t at = r->end[row] - x;
        const vector_i32 from = vector_all(vector_i32, r->down[at]);
        const vector_i32 to = vector_all(vector_i32, r->up[at]);
        least_up = vector_min(least_up, vector_load(r->up + at + 1 + k) + from);
        least_down = vector_min(least_down, vector_load(r->down + at + 1 + k) + to);
    }
    vector_store(up, least_up);
    vector_store(down, least_down);
}

static void join(const struct elimination_rows *r, int32_t x, int32_t first, int32_t count,
                 int32_t *up, int32_t *down) {
    int32_t k = 0;
    for (; k + PER_VECTOR <= count; k += PER_VECTOR)
        join_vector(r, x, first + k, up + k, down + k);
    if (k < count && count >= PER_VECTOR) { /* some once more */
        k = count - PER_VECTOR;
        join_vector(r, x, first + k, up + k, down + k);
        return;
    }
    for (; k < count; k++) {
        up[k] = down[k] = INT32_MAX;
        for (int32_t row = 0; row < r->rows; row++) {
            const int64_t at = r->end[row] - x, to = at + 1 + first + k;
            up[k] = min_of(up[k], r->up[to] + r->down[at]);
            down[k] = min_of(down[k], r->down[to] + r->up[at]);
        }
    }
}

const struct elimination_kernels ISA_SYMBOL(elimination_kernels) = {lower, join};
