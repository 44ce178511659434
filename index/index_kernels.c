// SPDX-License-Identifier: MIT
/* The kernels of index_kernels.h for one instruction set (isa.h). */
#include "index/index_kernels.h"

#include "common/base/vector.h" // vector_length, UNROLLED

enum {
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(path_length),
    VECTORS = INDEX_LANES / PER_VECTOR,
};
_Static_assert((int)PER_VECTOR <= (int)INDEX_PAD, "reads beyond a label stay in its section");

#define TWICE_INF (LENGTH_INF + LENGTH_INF)

#ifdef LENGTH_F64

typedef int64_t lane_number;

static inline vector_length sum_of(vector_length a, vector_length b) {
    return a + b;
}

/* Returns the lanes of yes where a < b, those of no elsewhere. */
static inline vector_length where_less(vector_mask a, vector_mask b, vector_length yes,
                                       vector_length no) {
    const vector_mask less = a < b;
    return (vector_length)(((vector_mask)yes & less) | ((vector_mask)no & ~less));
}

/* Returns the sums, with LENGTH_INF in place of those above `largest`; sums of float64 need no
 * change. */
static inline vector_length distances_of(vector_length sums, path_length largest) {
    (void)largest;
    return sums;
}

#else

typedef int32_t lane_number;
typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

static inline vector_length sum_of(vector_length a, vector_length b) {
    return (vector_length)((vector_u32)a + (vector_u32)b);
}

#define where_less vector_i32_where_less

static inline vector_length distances_of(vector_length sums, path_length largest) {
    return where_less(vector_all(vector_length, largest), sums,
                      vector_all(vector_length, LENGTH_INF), sums);
}

#endif

static inline path_length least_of(vector_length lanes) {
    path_length cell[PER_VECTOR], least;
    memcpy(cell, &lanes, sizeof cell);
    least = cell[0];
    UNROLLED
    for (int k = 1; k < PER_VECTOR; k++)
        least = min_length(cell[k], least);
    return least;
}

/* Returns a vector whose lane k holds k. */
static inline vector_mask numbers(void) {
    static const lane_number number[INDEX_PAD] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                  8, 9, 10, 11, 12, 13, 14, 15};
    vector_mask lanes;
    memcpy(&lanes, number, sizeof lanes);
    return lanes;
}

#ifdef LENGTH_F64

/* Returns cells k .. k + PER_VECTOR - 1 of a label. */
static inline vector_length cells_of(const struct index_label *label, uint32_t k) {
    return vector_load(label->cell + k);
}

#else

typedef uint16_t vector_half __attribute__((vector_size(VECTOR_BYTES / 2)));

static inline vector_length cells_of(const struct index_label *label, uint32_t k) {
    const int32_t all_added = label->added;
    vector_half half;
    memcpy(&half, label->difference + k, sizeof half);
    const vector_i32 difference = __builtin_convertvector(half, vector_i32);
    const vector_i32 row = vector_load(label->row + k), added = vector_all(vector_i32, all_added);
    const vector_i32 cells = sum_of(sum_of(row, difference), added);
    return vector_where_equal(difference, vector_all(vector_i32, INDEX_NO_PATH),
                              vector_all(vector_i32, LENGTH_INF), cells);
}

#endif

static path_length meet(const struct index_label *a, const struct index_label *b, uint32_t count) {
    vector_length least = vector_all(vector_length, TWICE_INF), second = least;
    uint32_t k = 0;
    for (; k + 2 * PER_VECTOR <= count; k += 2 * PER_VECTOR) {
        least = vector_min(least, sum_of(cells_of(a, k), cells_of(b, k)));
        second =
            vector_min(second, sum_of(cells_of(a, k + PER_VECTOR), cells_of(b, k + PER_VECTOR)));
    }
    for (; k < count; k += PER_VECTOR) {
        const vector_length sum = sum_of(cells_of(a, k), cells_of(b, k));
        const vector_mask rest = vector_all(vector_mask, (lane_number)(count - k));
        least = where_less(numbers(), rest, vector_min(least, sum), least);
    }
    return least_of(vector_min(least, second));
}

static void expand(const struct index_label *label, uint32_t count, path_length *to) {
    for (uint32_t k = 0; k < count; k += PER_VECTOR)
        vector_store(to + k, cells_of(label, k));
}

#ifndef LENGTH_F64

/* Returns cells k .. k + PER_VECTOR - 1 of a row of `count` cells, followed by zeros. */
static inline vector_i32 row_cells(const int32_t *row, uint32_t k, uint32_t count) {
    const vector_i32 zero = {0};
    if (k >= count)
        return zero;
    const vector_i32 cells = vector_load(row + k);
    if (k + PER_VECTOR <= count)
        return cells;
    const vector_mask rest = vector_all(vector_mask, (lane_number)(count - k));
    return where_less(numbers(), rest, cells, zero);
}

/* Returns cells k .. k + PER_VECTOR - 1 of a label of `count` cells, with 0 in place of those from
 * `count` on. */
static inline vector_i32 first_cells(vector_i32 cells, uint32_t k, uint32_t count) {
    if (k + PER_VECTOR <= count)
        return cells;
    const vector_mask rest = vector_all(vector_mask, (lane_number)(count - k));
    return where_less(numbers(), rest, cells, (vector_i32){0});
}

/* Least and greatest differences and the largest cell that lanes have met. */
struct span_lanes {
    vector_i32 least, greatest, largest;
};

static inline void span_vector(struct span_lanes *lanes, vector_i32 cell, vector_i32 difference,
                               bool has_no_path) {
    if (has_no_path)
        difference =
            vector_where_equal(cell, vector_all(vector_i32, INF), (vector_i32){0}, difference);
    lanes->least = vector_min(lanes->least, difference);
    lanes->greatest = vector_i32_max(lanes->greatest, difference);
    lanes->largest = vector_i32_max(lanes->largest, cell);
}

/* Returns how a label differs from a row. has_no_path: some cells may be INF, which count as 0. */
static inline struct index_span span_of(const int32_t *label, uint32_t count, const int32_t *row,
                                        uint32_t row_count, bool has_no_path) {
    struct span_lanes lanes = {{0}, {0}, {0}};
    const uint32_t shared = row_count < count ? row_count : count;
    uint32_t k = 0;
    for (; k + PER_VECTOR <= shared; k += PER_VECTOR) {
        const vector_i32 cell = vector_load(label + k);
        span_vector(&lanes, cell, cell - vector_load(row + k), has_no_path);
    }
    for (; k < count; k += PER_VECTOR) {
        const vector_i32 cell = first_cells(vector_load(label + k), k, count);
        span_vector(&lanes, cell, first_cells(cell - row_cells(row, k, row_count), k, count),
                    has_no_path);
    }
    struct index_span found = {.has_no_path = has_no_path};
    int32_t lane[3][PER_VECTOR];
    memcpy(lane[0], &lanes.least, sizeof lanes.least);
    memcpy(lane[1], &lanes.greatest, sizeof lanes.greatest);
    memcpy(lane[2], &lanes.largest, sizeof lanes.largest);
    for (int v = 0; v < PER_VECTOR; v++) {
        found.least = min_length(found.least, lane[0][v]);
        found.greatest = found.greatest < lane[1][v] ? lane[1][v] : found.greatest;
        found.has_no_path = found.has_no_path || lane[2][v] == INF;
    }
    return found;
}

static struct index_span span(const int32_t *label, uint32_t count, const int32_t *row,
                              uint32_t row_count) {
    const struct index_span found = span_of(label, count, row, row_count, false);
    return found.has_no_path ? span_of(label, count, row, row_count, true) : found;
}

/* Stores differences, and INDEX_NO_PATH where the cell is INF. */
static inline void narrow_vector(uint16_t *to, vector_i32 cell, vector_i32 difference) {
    const vector_half half = __builtin_convertvector(
        vector_where_equal(cell, vector_all(vector_i32, INF), vector_all(vector_i32, INDEX_NO_PATH),
                           difference),
        vector_half);
    memcpy(to, &half, sizeof half);
}

static void narrow(const int32_t *label, uint32_t count, const int32_t *row, uint32_t row_count,
                   int32_t added, uint16_t *to) {
    const vector_i32 all = vector_all(vector_i32, added);
    const uint32_t shared = row_count < count ? row_count : count;
    uint32_t k = 0;
    for (; k + PER_VECTOR <= shared; k += PER_VECTOR) {
        const vector_i32 cell = vector_load(label + k);
        narrow_vector(to + k, cell, cell - vector_load(row + k) - all);
    }
    for (; k < count; k += PER_VECTOR) {
        const vector_i32 cell = vector_load(label + k);
        narrow_vector(to + k, cell, cell - row_cells(row, k, row_count) - all);
    }
}

#endif

enum {
    MOST = 8, /* most accumulators that registers hold */
    ROW = (int)INDEX_BLOCK / PER_VECTOR < MOST
              ? (int)INDEX_BLOCK / PER_VECTOR
              : MOST, /* number of vectors of a label that are made at a time */
};
_Static_assert((int)ROW *PER_VECTOR <= (int)INDEX_BLOCK, "labels have room for them");

/* Returns the lesser of two vectors in the first `rest` lanes, and a in the other lanes. */
static inline vector_length least_first(vector_length a, vector_length b, uint32_t rest) {
    return where_less(numbers(), vector_all(vector_mask, (lane_number)rest), vector_min(a, b), a);
}

static void label(path_length *to, uint32_t count, const struct index_source *source, int sources) {
    for (uint32_t first = 0; first < count; first += ROW * PER_VECTOR) {
        vector_length least[ROW];
        UNROLLED
        for (int v = 0; v < ROW; v++)
            least[v] = vector_all(vector_length, LENGTH_INF);
        for (int s = 0; s < sources && source[s].count > first; s++) {
            const path_length *const from = source[s].from + first;
            const vector_length more = vector_all(vector_length, source[s].length);
            const uint32_t rest = source[s].count - first;
            if (rest >= ROW * PER_VECTOR) {
                UNROLLED
                for (int v = 0; v < ROW; v++)
                    least[v] =
                        vector_min(least[v], sum_of(vector_load(from + v * PER_VECTOR), more));
                continue;
            }
            UNROLLED
            for (int v = 0; v < ROW; v++) {
                if (rest > (uint32_t)(v * PER_VECTOR))
                    least[v] =
                        least_first(least[v], sum_of(vector_load(from + v * PER_VECTOR), more),
                                    rest - (uint32_t)(v * PER_VECTOR));
            }
        }
        UNROLLED
        for (int v = 0; v < ROW; v++)
            vector_store(to + first + v * PER_VECTOR, least[v]);
    }
}

static void meet_lanes(const path_length *lanes, const path_length *const label[INDEX_QUAD],
                       uint32_t count, path_length largest, path_length *least) {
    vector_length all[INDEX_QUAD][VECTORS];
    UNROLLED
    for (int q = 0; q < INDEX_QUAD; q++) {
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            all[q][v] = vector_all(vector_length, TWICE_INF);
    }
    for (uint32_t k = 0; k < count; k++) {
        vector_length from[VECTORS];
        UNROLLED
        for (int v = 0; v < VECTORS; v++)
            from[v] = vector_load(lanes + (size_t)k * INDEX_LANES + v * PER_VECTOR);
        UNROLLED
        for (int q = 0; q < INDEX_QUAD; q++) {
            const vector_length to = vector_all(vector_length, label[q][k]);
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
                         distances_of(all[q][v], largest));
    }
}

const struct index_kernels ISA_SYMBOL(index_kernels) = {
    .meet = meet,
    .expand = expand,
    .label = label,
    .meet_lanes = meet_lanes,
#ifndef LENGTH_F64
    .span = span,
    .narrow = narrow,
#endif
};
