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

/* Sums that are garbage, because a label was above the bound, may wrap. */
typedef uint32_t vector_u32 __attribute__((vector_size(VECTOR_BYTES)));

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
        for (int lane = 0; lane < LANES; lane++) {
            const int32_t counts = t->all_finite || label[lane] < INF;
            const int32_t finite = counts ? label[lane] : 0;
            t->partial[lane] += (uint32_t)finite;
            t->finite[lane] += counts;
            t->largest[lane] = finite > t->largest[lane] ? finite : t->largest[lane];
        }
        if (++t->pending >= most)
            finish(t);
    }
}

static void emit(const struct sweep *s, const int32_t *label, int32_t count) {
    if (s->label != NULL)
        memcpy(s->label, label, (size_t)AT(count) * sizeof *label);
    else
        add_up(s->totals, label, count);
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
    emit(s, s->stack, core);
}

enum emission { STORED, ADDED_UP, ADDED_UP_IF_FINITE };

/* Where a sweep down is. */
struct walk {
    int32_t step;
    int64_t entry;
    int32_t *label; /* where the next labels go */
    vector_u32 sum[VECTORS];
    vector_i32 largest[VECTORS];
};

/* So many steps with `entries` entries each. All the time goes into this loop; it is inlined with
 * constants for emission and narrow and, if they are few, entries. start: labels to start by, of
 * the only step. */
static inline __attribute__((always_inline)) void
take_steps(const struct sweep *s, struct walk *walk, int32_t steps, const int entries,
           const int32_t *start, const enum emission emission, const bool narrow) {
    const struct schedule *const schedule = s->schedule;
    int32_t *const stack = s->stack;
    const int32_t *length = schedule->down + walk->entry;
    const uint16_t *narrow_above = schedule->narrow_above + (narrow ? walk->entry : 0);
    const int32_t *wide_above = schedule->wide_above + (narrow ? 0 : walk->entry);
    const uint16_t *const narrow_own = schedule->narrow_own + (narrow ? walk->step : 0);
    const int32_t *const wide_own = schedule->wide_own + (narrow ? 0 : walk->step);
    for (int32_t k = 0; k < steps; k++) {
        vector_i32 best[VECTORS];
        UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            best[v] = vector_all(vector_i32, INF);
            if (start != NULL)
                best[v] = vector_load(start + v * PER_VECTOR);
        }
        for (int e = 0; e < entries; e++) {
            const int32_t *const from =
                stack + AT(narrow ? (int32_t)narrow_above[e] : wide_above[e]);
            const vector_i32 down = vector_all(vector_i32, length[e]);
            UNROLLED
            for (int v = 0; v < VECTORS; v++)
                best[v] = vector_min(best[v], vector_load(from + v * PER_VECTOR) + down);
        }
        length += entries;
        narrow_above += narrow ? entries : 0;
        wide_above += narrow ? 0 : entries;
        int32_t *const to = stack + AT(narrow ? (int32_t)narrow_own[k] : wide_own[k]);
        UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            vector_store(to + v * PER_VECTOR, best[v]);
            if (emission == STORED)
                vector_store(walk->label + v * PER_VECTOR, best[v]);
            if (emission == ADDED_UP_IF_FINITE) {
                const vector_i32 finite = best[v] < vector_all(vector_i32, INF);
                int32_t *const count = s->totals->finite + v * PER_VECTOR;
                best[v] &= finite;
                vector_store(count, vector_load(count) - finite);
            }
            if (emission != STORED) {
                walk->sum[v] += (vector_u32)best[v];
                walk->largest[v] = max_of(walk->largest[v], best[v]);
            }
        }
        if (emission == STORED)
            walk->label += LANES;
    }
    walk->step += steps;
    walk->entry += (int64_t)steps * entries;
}

static inline __attribute__((always_inline)) void take_run(const struct sweep *s, struct walk *walk,
                                                           int32_t steps, int entries,
                                                           const enum emission emission,
                                                           const bool narrow) {
#define CASE(count)                                                                                \
    case count:                                                                                    \
        take_steps(s, walk, steps, count, NULL, emission, narrow);                                 \
        break
    if (!narrow) { /* rare */
        take_steps(s, walk, steps, entries, NULL, emission, narrow);
        return;
    }
    switch (entries) {
        CASE(1);
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(6);
        CASE(8);
        CASE(12);
    default:
        take_steps(s, walk, steps, entries, NULL, emission, narrow);
    }
#undef CASE
}

static inline void load_totals(struct walk *walk, const struct sweep_totals *t) {
    for (int v = 0; v < VECTORS; v++) {
        walk->sum[v] = (vector_u32)vector_load((const int32_t *)t->partial + v * PER_VECTOR);
        walk->largest[v] = vector_load(t->largest + v * PER_VECTOR);
    }
}

static inline void store_totals(const struct walk *walk, struct sweep_totals *t) {
    for (int v = 0; v < VECTORS; v++) {
        vector_store((int32_t *)t->partial + v * PER_VECTOR, (vector_i32)walk->sum[v]);
        vector_store(t->largest + v * PER_VECTOR, walk->largest[v]);
    }
}

static inline __attribute__((always_inline)) void
go_down(const struct sweep *s, const enum emission emission, const bool narrow) {
    const struct schedule *const schedule = s->schedule;
    const struct sweep_stop *stop = s->stop, *const last = stop + s->stops;
    struct sweep_totals *const t = s->totals;
    const int32_t most = emission == STORED ? INT32_MAX : capacity(t);
    struct walk walk = {.label = s->label};
    if (emission == STORED)
        walk.label += AT(s->tree->n - s->tree->fringe);
    else
        load_totals(&walk, t);
    int32_t room = emission == STORED ? INT32_MAX : most - t->pending;
    for (int32_t r = 0; r < schedule->runs; r++) {
        const struct schedule_run run = schedule->run[r];
        for (int32_t left = run.steps; left > 0;) {
            const int32_t free = stop < last ? stop->step - walk.step : INT32_MAX;
            int32_t steps = left < free ? left : free;
            if (emission != STORED) {
                steps = steps < room ? steps : room;
                room -= steps > 0 ? steps : 1;
            }
            if (steps > 0) {
                take_run(s, &walk, steps, run.entries, emission, narrow);
                left -= steps;
            } else {
                take_steps(s, &walk, 1, run.entries, s->marked_label + AT(stop->marked), emission,
                           narrow);
                stop++;
                left--;
            }
            if (emission != STORED && room == 0) {
                store_totals(&walk, t);
                finish(t);
                load_totals(&walk, t);
                room = most;
            }
        }
    }
    if (emission != STORED) {
        store_totals(&walk, t);
        finish(t);
    }
}

static void down(const struct sweep *s) {
    const bool narrow = s->schedule->narrow_own != NULL;
    struct sweep_totals *const t = s->totals;
    if (s->label != NULL) {
        if (narrow)
            go_down(s, STORED, true);
        else
            go_down(s, STORED, false);
    } else if (t->all_finite) {
        for (int lane = 0; lane < LANES; lane++)
            t->finite[lane] += s->tree->fringe;
        if (narrow)
            go_down(s, ADDED_UP, true);
        else
            go_down(s, ADDED_UP, false);
    } else {
        if (narrow)
            go_down(s, ADDED_UP_IF_FINITE, true);
        else
            go_down(s, ADDED_UP_IF_FINITE, false);
    }
}

const struct sweep_kernels ISA_SYMBOL(sweep_kernels) = {
    .lanes = LANES,
    .up = up,
    .across = across,
    .down = down,
};
