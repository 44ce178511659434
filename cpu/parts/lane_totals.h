// SPDX-License-Identifier: MIT
/* What measures need of an answer (struct answer_totals), from labels that lie side by side, a lane
 * for each source, as soon as a sweep has found them: without rows, which would be written, read
 * and forgotten. */
#ifndef CPU_PARTS_LANE_TOTALS_H
#define CPU_PARTS_LANE_TOTALS_H

#include "common/base/isa.h"        // ISA_KERNELS, enum isa
#include "common/graph/row_block.h" // struct row_totals, struct answer_totals

#include <stdbool.h>
#include <stdint.h>

enum {
    LANE_TOTALS_LANES = 64,  /* at most */
    LANE_TOTALS_CHUNK = 64,  /* positions that kernels take at a time, at most */
    LANE_TOTALS_BINS = 1024, /* of the histogram */
};

/* Of each lane, over the finite labels of a strip, as struct row_totals has them. */
struct lane_sums {
    _Alignas(64) int64_t sum[LANE_TOTALS_LANES];
    int64_t high[LANE_TOTALS_LANES], low[LANE_TOTALS_LANES];
    int32_t reached[LANE_TOTALS_LANES], farthest[LANE_TOTALS_LANES];
};

/* Counters of distances: d in d >> shift, and INF behind all others. Neighbours, which often are in
 * one bin, are counted in different ones: an addition to a counter waits for the one before. */
enum { LANE_COUNTERS = 4, LANE_COUNTER_CELLS = LANE_TOTALS_BINS + 16 };
struct lane_counters {
    int32_t shift;
    uint32_t count[LANE_COUNTERS][LANE_COUNTER_CELLS];
};

/* Labels of `count` positions, `lanes` of each, none below 0, INF if there is no path; 64-byte
 * aligned. */
struct lane_totals_kernels {
    /* Adds them up, but for their reciprocals. */
    void (*add_distances)(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums);
    /* Adds up their reciprocals and counts them. No distance is beyond the counters. */
    void (*add_reciprocals)(const int32_t *label, int32_t count, int lanes, struct lane_sums *sums,
                            struct lane_counters *counters);
};

ISA_KERNELS(lane_totals_kernels);

/* What one thread has of an answer. */
struct lane_totals {
    struct lane_sums sums; /* of the strip */
    const struct lane_totals_kernels *kernels;
    int lanes, count; /* lanes, and sources in them, of the strip */
    /* Of all strips: the largest distance, and the lowest source that has it, -1 before there is
     * one; how many distances there are in bins of a width, but for those in the counters. */
    int32_t largest, from;
    uint64_t pending; /* what is in the counters, at most */
    int64_t bin[LANE_TOTALS_BINS];
    struct lane_counters counters;
};

/* Begins an answer. lanes: a multiple of 16. */
void lane_totals_begin(struct lane_totals *t, enum isa isa, int lanes);

/* Begins a strip whose first `count` lanes have sources; the others are not counted. */
void lane_totals_strip(struct lane_totals *t, int count);

/* Adds the labels of any number of positions, each of which comes once in a strip. */
void lane_totals_add(struct lane_totals *t, const int32_t *label, int32_t count);

/* Ends a strip: stores the totals of each source at out[position[k]]. */
void lane_totals_end(struct lane_totals *t, const int32_t *source, const int32_t *position,
                     struct row_totals *out);

/* What several threads have together: largest and from (-1 if there were no strips), and, in bin,
 * which has room for LANE_TOTALS_BINS, the counts, of *to. */
void lane_totals_merge(const struct lane_totals *const *t, int threads, struct answer_totals *to,
                       int64_t *bin);

#endif
