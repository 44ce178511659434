// SPDX-License-Identifier: MIT
/* Sums of reciprocals of a graph's distances by their digits (measures/real_sum.h) at a few levels.
 * All sources use the same levels, so that kernels treat sources side by side alike. Which of the
 * levels a source's sum has is known only when all its digits have been added. */
#ifndef MEASURES_DIGIT_LEVELS_H
#define MEASURES_DIGIT_LEVELS_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct grid_totals
#include "measures/real_sum.h"      // struct digit_range

#include <stddef.h>
#include <stdint.h>

struct digit_levels {
    double spacing; /* a distance is a label times the spacing */
    int bits;       /* number of bits of a digit */
    double least;   /* least label of an edge above 0, which no distance above 0 falls below;
                       infinite: none */
    int32_t top;    /* level of the reciprocal of that least distance, the highest level */
};

/* Returns the levels for a graph on a grid, whose weights are >= 0. O(m). */
struct digit_levels digit_levels_for(const struct graph *g, int bits);

/* Returns the levels of the reciprocals of distances whose labels are 0 or from `nearest` > 0 to
 * `farthest`. */
struct digit_range digit_range_of(const struct digit_levels *levels, double nearest,
                                  double farthest);

/* Stores in to->level and to->part the sum with digits digit[k * apart], in units of level top - k,
 * for k < DIGIT_LEVELS. */
void digit_levels_take(const struct digit_levels *levels, const int64_t *digit, size_t apart,
                       struct grid_totals *to);

#endif
