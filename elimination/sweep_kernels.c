// SPDX-License-Identifier: MIT
/* The kernels of sweep.h for one instruction set (isa.h). */
#include "common/base/block_sizes.h" // block_sizes
#include "elimination/sweep.h"

#include "common/base/transpose.h" // transpose_quad
#include "common/base/vector.h"    // vector_length, UNROLLED

#include <string.h>

/* Sizes with which the labels of a position stay in registers. */
enum {
    VECTORS = 4,
    PER_VECTOR = VECTOR_BYTES / (int)sizeof(path_length),
    LANES = VECTORS * PER_VECTOR,
};

_Static_assert((int)LANES <= (int)SWEEP_MAX_LANES, "allocations have room for every lane");

#define AT(position) ((ptrdiff_t)(position)*LANES)

static void up(const struct sweep *s) {
    for (int32_t m = 0; m < s->marked_count; m++) {
        const int32_t at = s->marked[m];
        vector_length from[VECTORS];
        if (at >= s->tree->fringe)
            break;
        UNROLLED
        for (int k = 0; k < VECTORS; k++)
            from[k] = vector_load(s->marked_label + AT(m) + k * PER_VECTOR);
        for (int64_t e = s->structure->first[at]; e < s->structure->first[at + 1]; e++) {
            path_length *const to = s->marked_label + AT(s->place[s->structure->higher[e]]);
            const vector_length all = vector_all(vector_length, s->lengths->up[e]);
            UNROLLED
            for (int k = 0; k < VECTORS; k++) {
                path_length *const lanes = to + k * PER_VECTOR;
                vector_store(lanes, vector_min(vector_load(lanes), vector_join(from[k], all)));
            }
        }
    }
}

static void emit(const struct sweep *s, const path_length *label, int32_t count) {
    if (s->label != NULL)
        memcpy(s->label, label, (size_t)AT(count) * sizeof *label);
    else
        s->taker->take(s->taker, label, count);
}

/* Number of core labels of all lanes that are worked on at a time. */
enum { BLOCK = 64 };

/* Finds the labels of core vertices first .. first + BLOCK - 1 for one lane, in row[0 ..
 * BLOCK-1]. */
static inline void across_lane(const struct sweep *s, int32_t from, int lane, int32_t first,
                               path_length *restrict row) {
    const int32_t core = s->tree->n - s->tree->fringe;
    const int32_t count = core - first < BLOCK ? core - first : BLOCK;
    for (int x = 0; x < BLOCK; x++)
        row[x] = LENGTH_INF;
    for (int32_t m = from; m < s->marked_count; m++) {
        const path_length label = s->marked_label[AT(m) + lane];
        const path_length *const dist =
            (const path_length *)matrix_row_cells(s->core, s->marked[m] - s->tree->fringe) + first;
        if (label == LENGTH_INF)
            continue;
        for (int x = 0; x < count; x++) {
            row[x] = min_length(row[x], join_lengths(label, dist[x]));
        }
    }
}

static void across(const struct sweep *s) {
    const int32_t core = s->tree->n - s->tree->fringe;
    int32_t from = s->marked_count;
    while (from > 0 && s->marked[from - 1] >= s->tree->fringe)
        from--;
    for (int32_t first = 0; first < core; first += BLOCK) {
        _Alignas(64) path_length rows[LANES * BLOCK];
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

/* Position of a downward sweep in its schedule. */
struct sweep_place {
    int32_t step;
    int64_t entry;
    path_length *label; /* where the next labels are stored */
};

/* Takes `steps` steps with `entries` entries each. Nearly all of a sweep's time is spent in this
 * loop; it is inlined with constants for narrow and, if there are few, for entries. start: labels
 * that the only step starts from; NULL: none. */
static inline __attribute__((always_inline)) void
take_steps(const struct sweep *s, struct sweep_place *walk, int32_t steps, const int entries,
           const path_length *start, const bool narrow) {
    const struct schedule *const schedule = s->schedule;
    path_length *const stack = s->stack;
    const path_length *along = schedule->down + walk->entry;
    const uint16_t *narrow_above = schedule->narrow_above + (narrow ? walk->entry : 0);
    const int32_t *wide_above = schedule->wide_above + (narrow ? 0 : walk->entry);
    const uint16_t *const narrow_own = schedule->narrow_own + (narrow ? walk->step : 0);
    const int32_t *const wide_own = schedule->wide_own + (narrow ? 0 : walk->step);
    for (int32_t k = 0; k < steps; k++) {
        vector_length best[VECTORS];
        UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            best[v] = vector_all(vector_length, LENGTH_INF);
            if (start != NULL)
                best[v] = vector_load(start + v * PER_VECTOR);
        }
        for (int e = 0; e < entries; e++) {
            const path_length *const from =
                stack + AT(narrow ? (int32_t)narrow_above[e] : wide_above[e]);
            const vector_length down = vector_all(vector_length, along[e]);
            UNROLLED
            for (int v = 0; v < VECTORS; v++)
                best[v] =
                    vector_min(best[v], vector_join(vector_load(from + v * PER_VECTOR), down));
        }
        along += entries;
        narrow_above += narrow ? entries : 0;
        wide_above += narrow ? 0 : entries;
        path_length *const to = stack + AT(narrow ? (int32_t)narrow_own[k] : wide_own[k]);
        UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            vector_store(to + v * PER_VECTOR, best[v]);
            vector_store(walk->label + v * PER_VECTOR, best[v]);
        }
        walk->label += LANES;
    }
    walk->step += steps;
    walk->entry += (int64_t)steps * entries;
}

static inline __attribute__((always_inline)) void take_run(const struct sweep *s,
                                                           struct sweep_place *walk, int32_t steps,
                                                           int entries, const bool narrow) {
#define CASE(count)                                                                                \
    case count:                                                                                    \
        take_steps(s, walk, steps, count, NULL, narrow);                                           \
        break
    if (!narrow) { /* rare case */
        take_steps(s, walk, steps, entries, NULL, narrow);
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
        take_steps(s, walk, steps, entries, NULL, narrow);
    }
#undef CASE
}

static inline __attribute__((always_inline)) void go_down(const struct sweep *s,
                                                          const bool narrow) {
    const struct schedule *const schedule = s->schedule;
    const struct sweep_stop *stop = s->stop, *const last = stop + s->stops;
    const bool chunks = s->label == NULL;
    struct sweep_place walk = {.label =
                                   chunks ? s->chunk : s->label + AT(s->tree->n - s->tree->fringe)};
    int32_t room = chunks ? block_sizes.sweep_positions : INT32_MAX;
    for (int32_t r = 0; r < schedule->runs; r++) {
        const struct schedule_run run = schedule->run[r];
        for (int32_t left = run.steps; left > 0;) {
            const int32_t free = stop < last ? stop->step - walk.step : INT32_MAX;
            int32_t steps = left < free ? left : free;
            steps = steps < room ? steps : room;
            if (steps > 0) {
                take_run(s, &walk, steps, run.entries, narrow);
            } else {
                steps = 1;
                take_steps(s, &walk, steps, run.entries, s->marked_label + AT(stop->marked),
                           narrow);
                stop++;
            }
            left -= steps;
            room -= chunks ? steps : 0;
            if (room == 0) {
                s->taker->take(s->taker, s->chunk, block_sizes.sweep_positions);
                walk.label = s->chunk;
                room = block_sizes.sweep_positions;
            }
        }
    }
    if (chunks && room < block_sizes.sweep_positions)
        s->taker->take(s->taker, s->chunk, block_sizes.sweep_positions - room);
}

static void down(const struct sweep *s) {
    if (s->schedule->narrow_own != NULL)
        go_down(s, true);
    else
        go_down(s, false);
}

const struct sweep_kernels ISA_SYMBOL(sweep_kernels) = {
    .lanes = LANES,
    .up = up,
    .across = across,
    .down = down,
};
