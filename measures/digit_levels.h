// SPDX-License-Identifier: MIT
/* Sums of reciprocals of a graph's distances by their digits (measures/real_sum.h) of a few levels
 * that are the same for all sources, so that sources side by side can be added up alike. Only when
 * all of a source's digits are there, it is known which of the levels its sum has. */
#ifndef MEASURES_DIGIT_LEVELS_H
#define MEASURES_DIGIT_LEVELS_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct grid_totals
#include "measures/real_sum.h"      // struct digit_range

#include <stddef.h>
#include <stdint.h>

struct digit_levels {
    double spacing; /* a distance is a label times this */
    int bits;       /* number of bits of a digit */
    double least;   /* label above 0 of an edge, and so of a distance; infinite if there is none */
    int32_t top;    /* level of its reciprocal, which is the largest */
};

/* The levels for a graph on a grid, whose weights are >= 0. O(m). */
struct digit_levels digit_levels_for(const struct graph *g, int bits);

/* The levels that reciprocals of distances have whose labels are 0 or from `nearest` > 0 to
 * `farthest`. */
struct digit_range digit_range_of(const struct digit_levels *levels, double nearest,
                                  double farthest);

/* Stores in to->level and to->part the sum whose digits are digit[k * apart], in units of level
 * top - k for k < DIGIT_LEVELS. */
void digit_levels_take(const struct digit_levels *levels, const int64_t *digit, size_t apart,
                       struct grid_totals *to);

#endif
