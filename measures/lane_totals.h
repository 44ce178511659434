// SPDX-License-Identifier: MIT
/* Computes what measures need of an answer (struct answer_totals) directly from the labels of a
 * sweep, which has a vector lane for each source. So rows, which nobody else would read, need not
 * be written. */
#ifndef MEASURES_LANE_TOTALS_H
#define MEASURES_LANE_TOTALS_H

#include "common/base/isa.h"        // ISA_KERNELS, enum isa
#include "common/graph/row_block.h" // struct row_totals, struct answer_totals

#include <stdbool.h>
#include <stdint.h>

enum {
    LANE_TOTALS_LANES = 64,  /* at most */
    LANE_TOTALS_CHUNK = 64,  /* positions that kernels take at a time, at most */
    LANE_TOTALS_BINS = 1024, /* of the histogram */
};

/* The totals of each lane over the finite labels of a strip, in the units of struct row_totals. */
struct lane_sums {
    _Alignas(64) int64_t sum[LANE_TOTALS_LANES];
    int64_t high[LANE_TOTALS_LANES], low[LANE_TOTALS_LANES];
    int32_t reached[LANE_TOTALS_LANES], farthest[LANE_TOTALS_LANES];
};

/* A histogram: a distance d is counted in bin d >> shift, and INF in the bin behind the last. There
 * are several counters for each bin, which neighbouring lanes use in turn: they often hit the same
 * bin, and an addition to a counter has to wait for the previous one. */
enum { LANE_COUNTERS = 4, LANE_COUNTER_CELLS = LANE_TOTALS_BINS + 16 };
struct lane_counters {
    int32_t shift;
    uint32_t count[LANE_COUNTERS][LANE_COUNTER_CELLS];
};

/* `label` holds the labels of `count` positions, `lanes` for each. They are >= 0, and INF if there
 * is no path. It is 64-byte aligned. */
struct lane_totals_kernels {
    /* Adds to all sums except those of reciprocals. */
    void (*add_distances)(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums);
    /* Adds the reciprocals to their sums, and counts the labels. Every finite one must have a bin.
     */
    void (*add_reciprocals)(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums,
                            struct lane_counters *counters);
};

ISA_KERNELS(lane_totals_kernels);

/* What one thread has taken of an answer. */
struct lane_totals {
    struct lane_sums sums; /* of the strip */
    const struct lane_totals_kernels *kernels;
    int lanes, count; /* of the strip: the first `count` of `lanes` lanes have a source */
    bool spares_reciprocals;
    /* Of all strips: the largest distance, and the lowest source that has it, -1 before the first
     * strip ends. */
    int32_t largest, from;
    int64_t bin[LANE_TOTALS_BINS]; /* of the histogram, without what is in the counters */
    uint64_t pending;              /* an upper bound of what is in the counters */
    struct lane_counters counters;
};

/* Begins an answer. lanes: a multiple of 16. spares_reciprocals: high and low of the totals and the
 * histogram's counts stay 0. */
void lane_totals_begin(struct lane_totals *t, enum isa isa, int lanes, bool spares_reciprocals);

/* Begins a strip whose first `count` lanes have sources; the others are not counted. */
void lane_totals_strip(struct lane_totals *t, int count);

/* Adds the labels of any number of positions, each of which comes once in a strip. */
void lane_totals_add(struct lane_totals *t, const int32_t *label, int32_t count);

/* Ends a strip: stores the totals of each source at out[position[k]]. */
void lane_totals_end(struct lane_totals *t, const int32_t *source, const int32_t *position,
                     struct row_totals *out);

/* Combines the threads: sets `largest`, `from` (-1 if there were no strips) and the histogram of
 * *to, whose counts are stored in bin, LANE_TOTALS_BINS of them, which lasts as long as *to. */
void lane_totals_merge(const struct lane_totals *const *t, int threads, struct answer_totals *to,
                       int64_t *bin);

#endif
