// SPDX-License-Identifier: MIT
/* The kernels of class_check_kernels.h for one instruction set (isa.h). */
#include "certificate/class_check_kernels.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/vector.h"      // vector_i32, UNROLLED
#include "common/graph/graph.h"      // INF

#include <string.h>

enum {
    LANES = CLASS_LANES,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t),
    VECTORS = LANES / PER_VECTOR,
    WORD_BITS = 32,
};

#define AT(place) ((ptrdiff_t)(place)*LANES)

typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

/* Sums of labels that are wrong may wrap round. */
static inline vector_i32 add(vector_i32 a, int32_t b) {
    return (vector_i32)((vector_u32)a + (uint32_t)b);
}

/* What a vector of lanes has so far. The halves of block_sizes.addends labels have sums
 * of 32 bits. */
enum { HALF_BITS = 16 };
struct lanes {
    vector_i32 wrong, reached, farthest, tight;
    vector_u32 low, high;
};

/* The least sums of an edge into number x and its tail, of vector k of the lanes. */
static inline vector_i32 least_sums(const struct class_checked *r, int32_t x, int k,
                                    const int32_t *label) {
    vector_i32 least = vector_all(vector_i32, INF);
    for (int64_t e = r->first[x]; e < r->first[x + 1]; e++) {
        const int32_t *const from = label + AT(r->local[r->edge[e].tail]) + k * PER_VECTOR;
        least = vector_min(least, add(vector_load(from), r->edge[e].weight));
    }
    if (r->lane != NULL && r->lane[x] / PER_VECTOR == k && r->lane[x] >= 0)
        least[r->lane[x] % PER_VECTOR] = 0; /* of a source nothing else is right */
    return least;
}

static inline void check_number(const struct class_checked *r, int32_t x, int k,
                                const int32_t *label, struct lanes *to) {
    const vector_i32 inf = vector_all(vector_i32, INF), none = vector_all(vector_i32, 0);
    const vector_u32 half = vector_all(vector_u32, (1U << HALF_BITS) - 1);
    const vector_i32 least = least_sums(r, x, k, label);
    const vector_i32 largest = vector_all(vector_i32, r->largest);
    const vector_i32 own = vector_load(label + AT(r->local[x]) + k * PER_VECTOR);
    const vector_i32 tight = own == least;
    to->wrong |= (own < none) | (own > least) | ((own > largest) & (own != inf));
    if (x < class_bits(r->layout))
        to->tight |= tight & (int32_t)(1U << x % WORD_BITS);
    else
        to->wrong |= ~tight;
    if (x < r->layout->width)
        return;
    const vector_i32 finite = own < inf, distance = own & finite;
    to->reached -= finite;
    to->low += (vector_u32)distance & half;
    to->high += (vector_u32)distance >> HALF_BITS;
    to->farthest = ~vector_min(~to->farthest, ~distance);
}

static void flush_sums(struct lanes *from, int k, struct class_found *found) {
    for (int lane = 0; lane < PER_VECTOR; lane++)
        found->sum[k * PER_VECTOR + lane] +=
            from->low[lane] + ((int64_t)from->high[lane] << HALF_BITS);
    from->low = from->high = (vector_u32){0};
}

static void check(const struct class_checked *r, const int32_t *label, struct class_found *found,
                  uint32_t *tight) {
    const int32_t numbers = class_numbers(r->layout), bits = class_bits(r->layout);
    struct lanes lanes[VECTORS];
    int32_t addends = block_sizes.addends;
    memset(lanes, 0, sizeof lanes);
    memset(found->sum, 0, sizeof found->sum);
    for (int32_t x = 0; x < numbers; x++) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            if (r->vertex[x] >= 0)
                check_number(r, x, k, label, &lanes[k]);
        }
        if (x < bits && (x % WORD_BITS == WORD_BITS - 1 || x == bits - 1)) {
            for (int k = 0; k < VECTORS; k++) {
                vector_store((int32_t *)tight + AT(x / WORD_BITS) + k * PER_VECTOR, lanes[k].tight);
                lanes[k].tight = vector_all(vector_i32, 0);
            }
        }
        if (--addends > 0)
            continue;
        for (int k = 0; k < VECTORS; k++)
            flush_sums(&lanes[k], k, found);
        addends = block_sizes.addends;
    }
    for (int k = 0; k < VECTORS; k++) {
        flush_sums(&lanes[k], k, found);
        vector_store(found->wrong + k * PER_VECTOR, lanes[k].wrong);
        vector_store(found->reached + k * PER_VECTOR, lanes[k].reached);
        vector_store(found->farthest + k * PER_VECTOR, lanes[k].farthest);
    }
}

static void make_rows(const int32_t *label, const int32_t *number, int32_t width, int32_t *row) {
    for (int32_t b = 0; b < width; b++) {
        const int32_t *const from = label + AT(number[b]);
        for (int32_t lane = 0; lane < LANES; lane++)
            row[(ptrdiff_t)lane * class_pitch(width) + b] = from[lane];
    }
}

static bool is_apart(const int32_t *row, const int32_t *other, int32_t constant, int32_t width) {
    int32_t wrong = 0;
    for (int32_t b = 0; b < width; b++) {
        const int32_t is_finite = row[b] < INF, differ = is_finite != (other[b] < INF);
        const uint32_t apart = (uint32_t)row[b] - (uint32_t)other[b];
        wrong |= differ | (is_finite & (apart != (uint32_t)constant));
    }
    return wrong == 0;
}

const struct class_check_kernels ISA_SYMBOL(class_check_kernels) = {check, make_rows, is_apart};
