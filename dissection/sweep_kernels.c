// SPDX-License-Identifier: MIT
/* The kernels of sweep.h for one instruction set (isa.h). */
#include "dissection/sweep.h"

#include "common/base/transpose.h" // transpose_quad
#include "common/base/vector.h"    // vector_i32, UNROLLED
#include "common/graph/graph.h"    // INF

#include <string.h>

/* Labels, sums and maxima of a position stay in registers. */
enum {
    VECTORS = 4,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(int32_t),
    LANES = VECTORS * PER_VECTOR,
};

_Static_assert((int)LANES <= (int)SWEEP_MAX_LANES, "totals have room for every lane");

#define AT(position) ((ptrdiff_t)(position)*LANES)

static inline vector_i32 max_of(vector_i32 a, vector_i32 b) {
#if defined(__AVX512BW__)
    return (vector_i32)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (vector_i32)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    const vector_i32 less = a < b;
    return (b & less) | (a & ~less);
#endif
}

static void up(const struct sweep *s) {
    for (int32_t m = 0; m < s->marked_count; m++) {
        const int32_t at = s->marked[m];
        vector_i32 from[VECTORS];
        if (at >= s->tree->fringe)
            break;
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            from[k] = vector_load(s->marked_label + AT(m) + k * PER_VECTOR);
        for (int64_t e = s->structure->first[at]; e < s->structure->first[at + 1]; e++) {
            int32_t *const to = s->marked_label + AT(s->place[s->structure->higher[e]]);
            const vector_i32 length = vector_all(vector_i32, s->lengths->up[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                int32_t *const lanes = to + k * PER_VECTOR;
                vector_store(lanes, vector_min(vector_load(lanes), from[k] + length));
            }
        }
    }
}

static void finish(struct sweep_totals *t) {
    for (int lane = 0; lane < LANES; lane++) {
        t->sum[lane] += t->partial[lane];
        t->partial[lane] = 0;
    }
    t->pending = 0;
}

/* How many labels may be added up before finish(). */
static inline int32_t capacity(const struct sweep_totals *t) {
    return t->bound > 0 ? (int32_t)(UINT32_MAX / (uint32_t)t->bound / 2) : INT32_MAX;
}

/* Adds up `count` positions' labels, stored one after the other. */
static void add_up(struct sweep_totals *t, const int32_t *label, int32_t count) {
    const int32_t most = capacity(t);
    for (int32_t c = 0; c < count; c++, label += LANES) {
        if (t->pending >= most)
            finish(t);
        t->pending++;
        for (int lane = 0; lane < LANES; lane++) {
            const int32_t counts = t->all_finite || label[lane] < INF;
            const int32_t finite = counts ? label[lane] : 0;
            t->partial[lane] += (uint32_t)finite;
            t->finite[lane] += counts;
            t->largest[lane] = finite > t->largest[lane] ? finite : t->largest[lane];
        }
    }
}

static void emit(const struct sweep *s, int32_t position, const int32_t *label, int32_t count) {
    if (s->label != NULL)
        memcpy(s->label + AT(position), label, (size_t)AT(count) * sizeof *label);
    else
        add_up(s->totals, label, count);
}

static void skip(const struct sweep *s, int32_t lowest, int32_t count) {
    if (s->label == NULL) {
        if (s->totals->all_finite && count > 0) {
            for (int lane = 0; lane < LANES; lane++)
                s->totals->largest[lane] = INF;
        }
        return;
    }
    for (ptrdiff_t cell = AT(lowest); cell < AT(lowest + count); cell++)
        s->label[cell] = INF;
}

/* Cells of the core that are worked on at a time, of all lanes. */
enum { BLOCK = 64 };

/* row[0 .. BLOCK-1]: the labels of the core from `first` on of one lane. */
static inline void across_lane(const struct sweep *s, int32_t from, int lane, int32_t first,
                               int32_t *restrict row) {
    const int32_t core = s->tree->n - s->tree->fringe;
    const int32_t count = core - first < BLOCK ? core - first : BLOCK;
    for (int x = 0; x < BLOCK; x++)
        row[x] = INF;
    for (int32_t m = from; m < s->marked_count; m++) {
        const int32_t label = s->marked_label[AT(m) + lane];
        const int32_t *const dist = matrix_row(s->core, s->marked[m] - s->tree->fringe) + first;
        if (label == INF)
            continue;
        for (int x = 0; x < count; x++) {
            const int32_t length = label + dist[x];
            row[x] = length < row[x] ? length : row[x];
        }
    }
}

static void across(const struct sweep *s) {
    const int32_t core = s->tree->n - s->tree->fringe;
    int32_t from = s->marked_count;
    while (from > 0 && s->marked[from - 1] >= s->tree->fringe)
        from--;
    for (int32_t first = 0; first < core; first += BLOCK) {
        _Alignas(64) int32_t rows[LANES * BLOCK];
        for (int lane = 0; lane < LANES; lane++)
            across_lane(s, from, lane, first, rows + lane * BLOCK);
        for (int lane = 0; lane < LANES; lane += QUAD) {
            for (int x = 0; x < BLOCK && first + x < core; x += QUAD)
                transpose_quad(rows + lane * BLOCK + x, BLOCK, s->stack + AT(first + x) + lane,
                               LANES);
        }
    }
    emit(s, s->tree->fringe, s->stack, core);
}

enum emission { STORED, ADDED_UP, ADDED_UP_IF_FINITE };

/* The loop that all the time goes into; inlined with constants for the last two arguments. */
static inline __attribute__((always_inline)) void go_down(const struct sweep *s, int32_t high,
                                                          int32_t low, const int32_t *label,
                                                          const enum emission emission,
                                                          const bool narrow) {
    const int64_t *const first = s->structure->first;
    const int32_t *const length_down = s->lengths->down, *const slot = s->tree->slot;
    int32_t *const stack = s->stack;
    struct sweep_totals *const t = s->totals;
    vector_i32 best[VECTORS], sum[VECTORS], largest[VECTORS];
    if (emission != STORED) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            sum[k] = vector_load((const int32_t *)t->partial + k * PER_VECTOR);
            largest[k] = vector_load(t->largest + k * PER_VECTOR);
        }
    }
    int64_t end = first[high + 1];
    for (int32_t at = high; at >= low; at--) {
        const int64_t begin = first[at];
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            best[k] =
                label != NULL ? vector_load(label + k * PER_VECTOR) : vector_all(vector_i32, INF);
        for (int64_t e = begin; e < end; e++) {
            const int32_t *const from =
                stack + AT(narrow ? (int32_t)s->narrow_slot[e] : s->wide_slot[e]);
            const vector_i32 length = vector_all(vector_i32, length_down[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++)
                best[k] = vector_min(best[k], vector_load(from + k * PER_VECTOR) + length);
        }
        end = begin;
        int32_t *const to = stack + AT(slot[at]);
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            vector_store(to + k * PER_VECTOR, best[k]);
            if (emission == STORED)
                vector_store(s->label + AT(at) + k * PER_VECTOR, best[k]);
            if (emission == ADDED_UP_IF_FINITE) {
                const vector_i32 finite = best[k] < vector_all(vector_i32, INF);
                int32_t *const count = t->finite + k * PER_VECTOR;
                best[k] &= finite;
                vector_store(count, vector_load(count) - finite);
            }
            if (emission != STORED) {
                sum[k] += best[k];
                largest[k] = max_of(largest[k], best[k]);
            }
        }
    }
    if (emission != STORED) {
        UNROLLED
        for (int k = 0; k < VECTORS; k++) {
            vector_store((int32_t *)t->partial + k * PER_VECTOR, sum[k]);
            vector_store(t->largest + k * PER_VECTOR, largest[k]);
        }
    }
}

static void down(const struct sweep *s, int32_t high, int32_t low, const int32_t *label) {
    const bool narrow = s->narrow_slot != NULL;
    struct sweep_totals *const t = s->totals;
    if (s->label != NULL) {
        if (narrow)
            go_down(s, high, low, label, STORED, true);
        else
            go_down(s, high, low, label, STORED, false);
        return;
    }
    const int32_t most = capacity(t);
    while (high >= low) {
        const int32_t left = most - t->pending, all = high - low + 1;
        const int32_t count = all < left ? all : left;
        if (t->all_finite && narrow)
            go_down(s, high, high - count + 1, label, ADDED_UP, true);
        else if (t->all_finite)
            go_down(s, high, high - count + 1, label, ADDED_UP, false);
        else if (narrow)
            go_down(s, high, high - count + 1, label, ADDED_UP_IF_FINITE, true);
        else
            go_down(s, high, high - count + 1, label, ADDED_UP_IF_FINITE, false);
        for (int lane = 0; lane < LANES && t->all_finite; lane++)
            t->finite[lane] += count;
        high -= count;
        t->pending += count;
        if (t->pending >= most)
            finish(t);
    }
}

const struct sweep_kernels ISA_SYMBOL(sweep_kernels) = {
    .lanes = LANES,
    .up = up,
    .across = across,
    .down = down,
    .skip = skip,
    .finish = finish,
};
