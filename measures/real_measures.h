// SPDX-License-Identifier: MIT
/* Sums of real distances that one thread adds up; for measures.c. */
#ifndef MEASURES_REAL_MEASURES_H
#define MEASURES_REAL_MEASURES_H

#include "common/graph/graph.h"             // struct graph
#include "common/graph/row_block.h"         // struct row_block, struct grid_totals
#include "measures/measures.h"              // struct real_vertex_totals
#include "measures/real_measures_kernels.h" // struct real_scales

#include <stdbool.h>
#include <stdint.h>

/* Returns the parameters of sums of the graph's distances. O(m). */
struct real_summing real_summing_for(const struct graph *g);

/* A histogram to which distances are still added: count[k] is the number of distances d with
 * floor(d * 2^-shift) = first + k. The bins are no wider than needed. */
struct real_counts {
    double least, farthest; /* least and largest of 0 and all distances counted */
    int shift;
    struct real_counters at;
};

/* Makes a histogram of the counts of several threads, without `sources` distances from sources to
 * themselves. The counts stay as they are. */
void real_counts_merge(const struct real_counts *const *counts, int threads, int32_t sources,
                       struct distance_histogram *histogram);

struct real_thread {
    const struct real_measures_kernels *kernels;
    struct real_summing summing;
    const struct length_order *order;
    struct real_scales scales;
    /* sums of reciprocals and counts are not needed */
    bool spares_reciprocals;
    struct real_vertex_totals *in; /* n: totals of the columns; NULL: not wanted */
    /* copy of totals in `in`, while a tile of a part is taken */
    struct real_vertex_totals of_part[REAL_TILE];
    struct real_counts counts;
    struct real_tile tile;
    struct real_columns distances, reciprocals;
    /* worst and largest distances of the columns; `worst` is for lengths of other semirings */
    double worst[REAL_TILE], farthest[REAL_TILE];
    int32_t reached[REAL_TILE];
};

/* Prepares a thread. real_thread_forget has to be called before the thread takes anything. The
 * caller sets `in`, and keeps the order of lengths. */
void real_thread_init(struct real_thread *thread, const struct real_measures_kernels *kernels,
                      const struct real_summing *summing, const struct length_order *order,
                      bool spares_reciprocals);
void real_thread_forget(struct real_thread *thread, int32_t n);

/* Takes a block of a part: of_row[r] gets the totals of row r. */
void real_thread_take(struct real_thread *thread, const struct row_part *part,
                      const struct row_block *block, struct real_vertex_totals *of_row);

/* Adds the counts in the totals of a graph on a grid. */
void real_counts_add(struct real_counts *counts, const struct answer_totals *totals);

/* Adds the totals of a vertex over some distances to those over other distances. */
void real_vertex_add(const struct length_order *order, struct real_vertex_totals *to,
                     const struct real_vertex_totals *other);

/* Returns the totals of distances that are multiples of a spacing: the same bits as if the
 * distances were added one by one. */
struct real_vertex_totals real_vertex_on_grid(const struct grid_totals *totals, double spacing,
                                              const struct real_summing *summing);

/* Returns the totals of no distance but that of a vertex to itself. */
static inline struct real_vertex_totals real_vertex_none(double to_itself) {
    return (struct real_vertex_totals){.sum = {.level = REAL_SUM_EMPTY},
                                       .reciprocals = {.level = REAL_SUM_EMPTY},
                                       .eccentricity = to_itself};
}

#endif
