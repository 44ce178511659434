// SPDX-License-Identifier: MIT
#include "measures/lane_totals.h"

#include "common/graph/graph.h" // INF

#include <string.h>

void lane_totals_begin(struct lane_totals *t, enum isa isa, int lanes, bool spares_reciprocals) {
    memset(t, 0, sizeof *t);
    t->kernels = lane_totals_kernels(isa);
    t->lanes = lanes;
    t->spares_reciprocals = spares_reciprocals;
    t->from = -1;
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

/* Makes the bins wider until the farthest distance of the strip has one. */
static void widen(struct lane_totals *t) {
    int32_t farthest = 0, by = 0;
    for (int lane = 0; lane < t->lanes; lane++)
        farthest = t->sums.farthest[lane] > farthest ? t->sums.farthest[lane] : farthest;
    while (farthest >> (t->counters.shift + by) >= LANE_TOTALS_BINS)
        by++;
    if (by == 0)
        return;
    empty_counters(t);
    for (int32_t k = 0; k < LANE_TOTALS_BINS; k++) { /* k >> by <= k: it has been read */
        const int64_t count = t->bin[k];
        t->bin[k] = 0;
        t->bin[k >> by] += count;
    }
    t->counters.shift += by;
}

/* Adds a chunk all of whose lanes have a source. */
static void add_chunk(struct lane_totals *t, const int32_t *label, int32_t count) {
    const uint32_t cells = LANE_TOTALS_CHUNK * LANE_TOTALS_LANES;
    t->kernels->add_distances(label, count, t->lanes, &t->sums);
    if (t->spares_reciprocals)
        return;
    widen(t);
    if (t->pending > UINT32_MAX - cells)
        empty_counters(t);
    t->pending += cells;
    t->kernels->add_reciprocals(label, count, t->lanes, &t->sums, &t->counters);
}

/* Adds a chunk whose last lanes have no source: INF in their place counts nowhere. */
static void add_some_lanes(struct lane_totals *t, const int32_t *label, int32_t count) {
    _Alignas(64) int32_t own[LANE_TOTALS_CHUNK * LANE_TOTALS_LANES];
    memcpy(own, label, (size_t)count * (size_t)t->lanes * sizeof *own);
    for (int32_t k = 0; k < count; k++) {
        for (int lane = t->count; lane < t->lanes; lane++)
            own[k * t->lanes + lane] = INF;
    }
    add_chunk(t, own, count);
}

void lane_totals_add(struct lane_totals *t, const int32_t *label, int32_t count) {
    for (int32_t first = 0; first < count; first += LANE_TOTALS_CHUNK) {
        const int32_t left = count - first;
        const int32_t now = left < LANE_TOTALS_CHUNK ? left : LANE_TOTALS_CHUNK;
        const int32_t *const from = label + (size_t)first * (size_t)t->lanes;
        if (t->count == t->lanes)
            add_chunk(t, from, now);
        else
            add_some_lanes(t, from, now);
    }
}

/* Returns whether a source at a distance takes the place of the one at the largest so far. */
static bool precedes(int32_t distance, int32_t from, int32_t largest, int32_t its_from) {
    return its_from < 0 || distance > largest || (distance == largest && from < its_from);
}

void lane_totals_end(struct lane_totals *t, const int32_t *source, const int32_t *position,
                     struct row_totals *out) {
    for (int k = 0; k < t->count; k++) {
        const int32_t farthest = t->sums.farthest[k];
        out[position[k]] = (struct row_totals){.sum = t->sums.sum[k],
                                               .high = t->sums.high[k],
                                               .low = t->sums.low[k],
                                               .reached = t->sums.reached[k],
                                               .farthest = farthest};
        if (!precedes(farthest, source[k], t->largest, t->from))
            continue;
        t->largest = farthest;
        t->from = source[k];
    }
}

void lane_totals_merge(const struct lane_totals *const *t, int threads, struct answer_totals *to,
                       int64_t *bin) {
    to->largest = to->shift = 0;
    to->from = -1;
    for (int k = 0; k < threads; k++) {
        if (t[k]->from >= 0 &&
            precedes(t[k]->largest, t[k]->from, (int32_t)to->largest, to->from)) {
            to->largest = t[k]->largest;
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
            bin[b >> (to->shift - t[k]->counters.shift)] += count;
        }
    }
    to->count = bin;
    to->bins = LANE_TOTALS_BINS;
}
