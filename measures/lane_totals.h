// SPDX-License-Identifier: MIT
/* Computes what measures need of an answer (struct answer_totals) directly from the labels of a
 * sweep, which has a vector lane for each source. So rows that nobody else reads need not be
 * written. Compiled for both types of labels (common/base/length.h); labels of float64 are whole
 * numbers of a graph's spacings. */
#ifndef MEASURES_LANE_TOTALS_H
#define MEASURES_LANE_TOTALS_H

#include "common/base/isa.h"        // ISA_KERNELS, enum isa
#include "common/base/length.h"     // path_length
#include "common/graph/row_block.h" // struct row_totals, struct answer_totals
#include "measures/digit_levels.h"  // struct digit_range

#include <stdbool.h>
#include <stdint.h>

#define lane_totals_kernels BY_LENGTH(lane_totals_kernels)
#define lane_totals_begin   BY_LENGTH(lane_totals_begin)
#define lane_totals_strip   BY_LENGTH(lane_totals_strip)
#define lane_totals_add     BY_LENGTH(lane_totals_add)
#define lane_totals_end     BY_LENGTH(lane_totals_end)
#define lane_totals_merge   BY_LENGTH(lane_totals_merge)

enum {
    LANE_TOTALS_LANES = 64,  /* the most lanes */
    LANE_TOTALS_CHUNK = 64,  /* the most positions that kernels take at a time */
    LANE_TOTALS_BINS = 1024, /* number of bins of the histogram */
};

#ifdef LENGTH_F64

/* The totals of each lane over the finite labels of a strip. */
struct lane_sums {
    _Alignas(64) double farthest[LANE_TOTALS_LANES];
    int64_t upper[LANE_TOTALS_LANES], lower[LANE_TOTALS_LANES]; /* the sum is 2^26 upper + lower */
    /* Sums of the digits of reciprocals, in units of each level; from DIGIT_LEVELS on the entries
     * stay 0. */
    int64_t digit[2 * DIGIT_LEVELS][LANE_TOTALS_LANES];
    int32_t reached[LANE_TOTALS_LANES];
    /* among the labels added last, in all lanes: nearest: the least above 0, infinite if there is
     * none; largest: the largest */
    double nearest, largest;
};

#define length_row_totals grid_totals

#else

/* The totals of each lane over the finite labels of a strip, in the units of struct row_totals. */
struct lane_sums {
    _Alignas(64) int64_t sum[LANE_TOTALS_LANES];
    int64_t high[LANE_TOTALS_LANES], low[LANE_TOTALS_LANES];
    int32_t reached[LANE_TOTALS_LANES], farthest[LANE_TOTALS_LANES];
};

#define length_row_totals row_totals

#endif

/* A histogram: a distance d is counted in bin d >> shift, and INF in the bin behind the last. There
 * are several counters for each bin, which neighbouring lanes use in turn: they often hit the same
 * bin, and an addition to a counter has to wait for the previous one. */
enum { LANE_COUNTERS = 4, LANE_COUNTER_CELLS = LANE_TOTALS_BINS + 16 };
struct lane_counters {
    int32_t shift;
    uint32_t count[LANE_COUNTERS][LANE_COUNTER_CELLS];
};

/* `label` holds the labels of `count` positions, `lanes` for each. They are >= 0, and LENGTH_INF if
 * there is no path. It is 64-byte aligned. */
struct lane_totals_kernels {
    /* Adds labels to all sums except those of reciprocals. */
    void (*add_distances)(const path_length *label, int32_t count, int lanes,
                          struct lane_sums *sums);
    /* Adds reciprocals to their sums, and counts the labels. Every finite label must have a bin.
     * digits: levels of the digits of all these reciprocals, if labels are float64; otherwise NULL.
     */
    void (*add_reciprocals)(const path_length *label, int32_t count, int lanes,
                            const struct digit_range *digits, struct lane_sums *sums,
                            struct lane_counters *counters);
};

ISA_KERNELS(lane_totals_kernels);

/* Totals of the part of an answer that one thread has taken. */
struct lane_totals {
    struct lane_sums sums; /* totals of the current strip */
    const struct lane_totals_kernels *kernels;
    int lanes, count; /* of the current strip: the first `count` of `lanes` lanes have a source */
    bool spares_reciprocals;
#ifdef LENGTH_F64
    struct digit_levels levels;
    struct digit_range digits; /* levels of the reciprocals of the labels added last */
#endif
    /* largest: the largest label of all strips. from: the lowest source that has it; -1 before the
     * first strip ends. */
    path_length largest;
    int32_t from;
    int64_t bin[LANE_TOTALS_BINS]; /* counts of the histogram, without those still in `counters` */
    uint64_t pending;              /* an upper bound of the counts in `counters` */
    struct lane_counters counters;
};

/* Begins an answer. lanes: a multiple of 16. spares_reciprocals: sums of reciprocals and the counts
 * of the histogram stay 0. levels: those of the graph, if labels are float64 and reciprocals are
 * not spared; otherwise NULL. */
void lane_totals_begin(struct lane_totals *t, enum isa isa, int lanes, bool spares_reciprocals,
                       const struct digit_levels *levels);

/* Begins a strip whose first `count` lanes have sources; the others are not counted. */
void lane_totals_strip(struct lane_totals *t, int count);

/* Adds the labels of any number of positions, each of which must come once in a strip. */
void lane_totals_add(struct lane_totals *t, const path_length *label, int32_t count);

/* Ends a strip: stores the totals of each source at out[position[k]]. */
void lane_totals_end(struct lane_totals *t, const int32_t *source, const int32_t *position,
                     struct length_row_totals *out);

/* Combines the threads: sets `largest` (a label), `from` (-1 if there were no strips) and the
 * histogram of *to. Its LANE_TOTALS_BINS counts are stored in `bin`, which must live as long as
 * *to. */
void lane_totals_merge(const struct lane_totals *const *t, int threads, struct answer_totals *to,
                       int64_t *bin);

#endif
