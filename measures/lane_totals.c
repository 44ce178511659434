// SPDX-License-Identifier: MIT
#include "measures/lane_totals.h"

#include <math.h>
#include <string.h>

#ifdef LENGTH_F64

static void set_levels(struct lane_totals *t, const struct digit_levels *levels) {
    t->levels = *levels;
}

/* Returns the levels of the digits of the reciprocals of the labels added last. */
static const struct digit_range *choose_digits(struct lane_totals *t) {
    t->digits = digit_range_of(&t->levels, t->sums.nearest, t->sums.largest);
    return &t->digits;
}

static struct grid_totals totals_of(const struct lane_totals *t, int lane) {
    const struct lane_sums *const sums = &t->sums;
    struct grid_totals totals = {.sum = (spacing_count)sums->upper[lane] * (1 << 26) +
                                        sums->lower[lane],
                                 .farthest = sums->farthest[lane],
                                 .reached = sums->reached[lane]};
    if (!t->spares_reciprocals)
        digit_levels_take(&t->levels, sums->digit[0] + lane, LANE_TOTALS_LANES, &totals);
    return totals;
}

#else

static void set_levels(struct lane_totals *t, const struct digit_levels *levels) {
    (void)t, (void)levels;
}

static const struct digit_range *choose_digits(struct lane_totals *t) {
    (void)t;
    return NULL;
}

static struct row_totals totals_of(const struct lane_totals *t, int lane) {
    return (struct row_totals){.sum = t->sums.sum[lane],
                               .high = t->sums.high[lane],
                               .low = t->sums.low[lane],
                               .reached = t->sums.reached[lane],
                               .farthest = t->sums.farthest[lane]};
}

#endif

void lane_totals_begin(struct lane_totals *t, enum isa isa, int lanes, bool spares_reciprocals,
                       const struct digit_levels *levels) {
    memset(t, 0, sizeof *t);
    t->kernels = lane_totals_kernels(isa);
    t->lanes = lanes;
    t->spares_reciprocals = spares_reciprocals;
    t->from = -1;
    if (!spares_reciprocals)
        set_levels(t, levels);
}

void lane_totals_strip(struct lane_totals *t, int count) {
    memset(&t->sums, 0, sizeof t->sums);
    t->count = count;
}

/* Moves the counts to the bins, which cannot overflow. */
static void empty_counters(struct lane_totals *t) {
    for (int c = 0; c < LANE_COUNTERS; c++) {
        for (int32_t k = 0; k < LANE_TOTALS_BINS; k++)
            t->bin[k] += t->counters.count[c][k];
    }
    memset(t->counters.count, 0, sizeof t->counters.count);
    t->pending = 0;
}

/* Returns the least shift, not below `shift`, with which the distance has a bin. */
static int32_t bins_shift(double farthest, int32_t shift) {
    while (ldexp(farthest, -shift) >= LANE_TOTALS_BINS)
        shift++;
    return shift;
}

/* Makes the bins wider until the farthest distance of the strip has one. */
static void widen(struct lane_totals *t) {
    path_length farthest = 0;
    for (int lane = 0; lane < t->lanes; lane++)
        farthest = t->sums.farthest[lane] > farthest ? t->sums.farthest[lane] : farthest;
    const int32_t by = bins_shift(farthest, t->counters.shift) - t->counters.shift;
    if (by == 0)
        return;
    empty_counters(t);
    /* k >> by <= k, so bin k >> by has been read already */
    for (int32_t k = 0; k < LANE_TOTALS_BINS; k++) {
        const int64_t count = t->bin[k];
        t->bin[k] = 0;
        t->bin[by < 31 ? k >> by : 0] += count;
    }
    t->counters.shift += by;
}

/* Adds a chunk in which every lane has a source. */
static void add_chunk(struct lane_totals *t, const path_length *label, int32_t count) {
    const uint32_t cells = LANE_TOTALS_CHUNK * LANE_TOTALS_LANES;
    t->kernels->add_distances(label, count, t->lanes, &t->sums);
    if (t->spares_reciprocals)
        return;
    widen(t);
    if (t->pending > UINT32_MAX - cells)
        empty_counters(t);
    t->pending += cells;
    t->kernels->add_reciprocals(label, count, t->lanes, choose_digits(t), &t->sums, &t->counters);
}

/* Adds a chunk whose last lanes have no source; in these, LENGTH_INF replaces the labels and counts
 * nowhere. */
static void add_some_lanes(struct lane_totals *t, const path_length *label, int32_t count) {
    _Alignas(64) path_length own[LANE_TOTALS_CHUNK * LANE_TOTALS_LANES];
    memcpy(own, label, (size_t)count * (size_t)t->lanes * sizeof *own);
    for (int32_t k = 0; k < count; k++) {
        for (int lane = t->count; lane < t->lanes; lane++)
            own[k * t->lanes + lane] = LENGTH_INF;
    }
    add_chunk(t, own, count);
}

void lane_totals_add(struct lane_totals *t, const path_length *label, int32_t count) {
    for (int32_t first = 0; first < count; first += LANE_TOTALS_CHUNK) {
        const int32_t left = count - first;
        const int32_t now = left < LANE_TOTALS_CHUNK ? left : LANE_TOTALS_CHUNK;
        const path_length *const from = label + (size_t)first * (size_t)t->lanes;
        if (t->count == t->lanes)
            add_chunk(t, from, now);
        else
            add_some_lanes(t, from, now);
    }
}

/* Returns whether a distance from a source is larger than the largest so far, or equal to it with
 * an earlier source. */
static bool precedes(path_length distance, int32_t from, path_length largest, int32_t its_from) {
    return its_from < 0 || distance > largest || (distance == largest && from < its_from);
}

void lane_totals_end(struct lane_totals *t, const int32_t *source, const int32_t *position,
                     struct length_row_totals *out) {
    for (int k = 0; k < t->count; k++) {
        out[position[k]] = totals_of(t, k);
        if (!precedes(t->sums.farthest[k], source[k], t->largest, t->from))
            continue;
        t->largest = t->sums.farthest[k];
        t->from = source[k];
    }
}

void lane_totals_merge(const struct lane_totals *const *t, int threads, struct answer_totals *to,
                       int64_t *bin) {
    path_length largest = 0;
    to->shift = 0;
    to->from = -1;
    for (int k = 0; k < threads; k++) {
        if (t[k]->from >= 0 && precedes(t[k]->largest, t[k]->from, largest, to->from)) {
            largest = t[k]->largest;
            to->from = t[k]->from;
        }
        to->shift = t[k]->counters.shift > to->shift ? t[k]->counters.shift : to->shift;
    }
    memset(bin, 0, LANE_TOTALS_BINS * sizeof *bin);
    for (int k = 0; k < threads; k++) {
        for (int32_t b = 0; b < LANE_TOTALS_BINS; b++) {
            int64_t count = t[k]->bin[b];
            for (int c = 0; c < LANE_COUNTERS; c++)
                count += t[k]->counters.count[c][b];
            const int32_t by = to->shift - t[k]->counters.shift;
            bin[by < 31 ? b >> by : 0] += count;
        }
    }
    to->largest = largest;
    to->count = bin;
    to->bins = LANE_TOTALS_BINS;
}
