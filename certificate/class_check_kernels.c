// SPDX-License-Identifier: MIT
/* The kernels of class_check_kernels.h for one instruction set (isa.h). */
#include "certificate/class_check_kernels.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/vector.h"      // vector_length, UNROLLED

#include <string.h>

enum {
    LANES = CLASS_LANES,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(path_length),
    VECTORS = LANES / PER_VECTOR,
    WORD_BITS = 32,
};

#define AT(place) ((ptrdiff_t)(place)*LANES)

typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

#ifdef LENGTH_F64

static inline vector_f64 add(vector_f64 a, double b) {
    return a + b;
}

/* Labels are added up in two parts, the upper one in multiples of 2^26. */
enum { LOW_BITS = 26 };
typedef vector_f64 vector_part;

/* Round to a multiple of 2^26, or of 1, if they are added and taken away again. */
static const double round_upper = 0x1.8p78, round_lower = 0x1.8p52;

static inline void split(vector_f64 label, vector_f64 *low, vector_f64 *high) {
    *high = (label + round_upper) - round_upper;
    *low = label - *high;
}

/* Lanes of ones where labels below 2^53 are whole numbers, so that no sum of two is rounded. */
static inline vector_i64 are_whole(vector_f64 low) {
    return (low + round_lower) - round_lower == low;
}

static inline vector_f64 larger(vector_f64 a, vector_f64 b) {
    return -vector_min(-a, -b);
}

/* A sum of labels some of which are no distances may be no number. */
static inline path_length_sum joined(double low, double high) {
    if (!(high >= 0 && high < 0x1p88))
        return 0;
    return (path_length_sum)(int64_t)(high * 0x1p-26) * (1 << LOW_BITS) + (int64_t)low;
}

#else

/* Sums of labels that are wrong may wrap round. */
static inline vector_i32 add(vector_i32 a, int32_t b) {
    return (vector_i32)((vector_u32)a + (uint32_t)b);
}

/* The halves of block_sizes.addends labels have sums of 32 bits. */
enum { LOW_BITS = 16 };
typedef vector_u32 vector_part;

static inline void split(vector_i32 label, vector_u32 *low, vector_u32 *high) {
    *low = (vector_u32)label & vector_all(vector_u32, (1U << LOW_BITS) - 1);
    *high = (vector_u32)label >> LOW_BITS;
}

static inline vector_i32 are_whole(vector_u32 low) {
    (void)low;
    return vector_all(vector_i32, -1);
}

static inline vector_i32 larger(vector_i32 a, vector_i32 b) {
    return ~vector_min(~a, ~b);
}

static inline path_length_sum joined(uint32_t low, uint32_t high) {
    return low + ((int64_t)high << LOW_BITS);
}

#endif

/* Findings in a vector of lanes so far. */
struct checked_lanes {
    vector_mask wrong, reached, tight;
    vector_length farthest;
    vector_part low, high;
};

/* The least sums of an edge into number x and its tail, of vector k of the lanes. */
static inline vector_length least_sums(const struct class_checked *r, int32_t x, int k,
                                       const path_length *label) {
    vector_length least = vector_all(vector_length, LENGTH_INF);
    for (int64_t e = r->first[x]; e < r->first[x + 1]; e++) {
        const path_length *const from = label + AT(r->local[r->edge[e].tail]) + k * PER_VECTOR;
        least = vector_min(least, add(vector_load(from), r->edge[e].weight));
    }
    if (r->lane != NULL && r->lane[x] / PER_VECTOR == k && r->lane[x] >= 0)
        least[r->lane[x] % PER_VECTOR] = 0; /* of a source nothing else is right */
    return least;
}

static inline void check_number(const struct class_checked *r, int32_t x, int k,
                                const path_length *label, struct checked_lanes *to) {
    const vector_length inf = vector_all(vector_length, LENGTH_INF);
    const vector_length none = vector_all(vector_length, 0);
    const vector_length least = least_sums(r, x, k, label);
    const vector_length largest = vector_all(vector_length, r->largest);
    const vector_length own = vector_load(label + AT(r->local[x]) + k * PER_VECTOR);
    const vector_mask tight = own == least, finite = own != inf;
    const vector_length distance = (vector_length)((vector_mask)own & finite);
    vector_part low, high;
    split(distance, &low, &high);
    to->wrong |= (own < none) | (own > least) | ((own > largest) & finite) | ~are_whole(low);
    if (x < class_bits(r->layout))
        to->tight |= tight & (int32_t)(1U << x % WORD_BITS);
    else
        to->wrong |= ~tight;
    if (x < r->layout->width)
        return;
    to->reached -= finite;
    to->low += low;
    to->high += high;
    to->farthest = larger(to->farthest, distance);
}

static void flush_sums(struct checked_lanes *from, int k, struct class_found *found) {
    for (int lane = 0; lane < PER_VECTOR; lane++)
        found->sum[k * PER_VECTOR + lane] += joined(from->low[lane], from->high[lane]);
    from->low = from->high = (vector_part){0};
}

static void check(const struct class_checked *r, const path_length *label,
                  struct class_found *found, uint32_t *tight) {
    const int32_t numbers = class_numbers(r->layout), bits = class_bits(r->layout);
    struct checked_lanes lanes[VECTORS];
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
                for (int lane = 0; lane < PER_VECTOR; lane++)
                    tight[AT(x / WORD_BITS) + k * PER_VECTOR + lane] =
                        (uint32_t)lanes[k].tight[lane];
                lanes[k].tight = vector_all(vector_mask, 0);
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
        for (int lane = 0; lane < PER_VECTOR; lane++) {
            found->wrong[k * PER_VECTOR + lane] = lanes[k].wrong[lane] != 0;
            found->reached[k * PER_VECTOR + lane] = (int32_t)lanes[k].reached[lane];
        }
        vector_store(found->farthest + k * PER_VECTOR, lanes[k].farthest);
    }
}

static void make_rows(const path_length *label, const int32_t *number, int32_t width,
                      path_length *row) {
    for (int32_t b = 0; b < width; b++) {
        const path_length *const from = label + AT(number[b]);
        for (int32_t lane = 0; lane < LANES; lane++)
            row[(ptrdiff_t)lane * class_pitch(width) + b] = from[lane];
    }
}

static bool is_apart(const path_length *row, const path_length *other, path_length constant,
                     int32_t width) {
    int32_t wrong = 0;
    for (int32_t b = 0; b < width; b++) {
        const int32_t is_finite = row[b] < LENGTH_INF,
                      differ = is_finite != (other[b] < LENGTH_INF);
#ifdef LENGTH_F64
        wrong |= differ | (is_finite & (row[b] - other[b] != constant));
#else
        const uint32_t apart = (uint32_t)row[b] - (uint32_t)other[b];
        wrong |= differ | (is_finite & (apart != (uint32_t)constant));
#endif
    }
    return wrong == 0;
}

const struct class_check_kernels ISA_SYMBOL(class_check_kernels) = {check, make_rows, is_apart};
