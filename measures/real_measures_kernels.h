// SPDX-License-Identifier: MIT
/* Loops of real_measures.c over many real distances at a time, once for each instruction set. */
#ifndef MEASURES_REAL_MEASURES_KERNELS_H
#define MEASURES_REAL_MEASURES_KERNELS_H

#include "common/base/block_sizes.h" // BLOCK_COLUMNS_MAX
#include "common/base/isa.h"         // ISA_KERNELS
#include "measures/measures.h"       // MEASURES_BINS
#include "measures/real_sum.h"       // REAL_SUM_PARTS

#include <stdbool.h>
#include <stdint.h>

/* Rows are read in tiles of REAL_TILE vertices. */
enum { REAL_TILE = BLOCK_COLUMNS_MAX };

/* Powers of two by which numbers are multiplied before they are added up, so that none is beyond
 * 2^960: 1 unless a graph's weights are near the limits of doubles. */
struct real_scales {
    double distance, reciprocal;
};

/* The distances of a tile, infinite after the end of the row, and the scaled numbers that are added
 * up: distances and the doubles nearest to 1 / d, both 0 for no path. */
struct real_tile {
    double value[REAL_TILE];
    double distance[REAL_TILE], reciprocal[REAL_TILE];
    /* largest and least of 0 and the finite distances; not scaled */
    double farthest, least;
    double largest_distance, largest_reciprocal; /* largest absolute values of the scaled numbers */
    int32_t reached;
};

/* The rounders of the parts of a sum (real_sum_rounder). Adding and subtracting one cuts a number
 * off at the digits of its part. */
struct real_rounders {
    double part[REAL_SUM_PARTS];
};

/* The sums over each column of a tile. They hold at most 2^12 rows, and each part counts its own
 * digits. */
struct real_columns {
    double most[REAL_TILE]; /* a larger number does not fit in the column */
    double rounder[REAL_SUM_PARTS][REAL_TILE], sum[REAL_SUM_PARTS][REAL_TILE];
};

/* The counters of a histogram. A distance d is counted in the bin floor(d * factor[0] * factor[1])
 * - first, and "no path" in the bin MEASURES_BINS. */
struct real_counters {
    double factor[2];
    int32_t first;
    int64_t count[2][MEASURES_BINS + 1];
};

struct real_measures_kernels {
    void (*read_f32)(const float *dist, int32_t width, const struct real_scales *scales,
                     struct real_tile *tile);
    void (*read_f64)(const double *dist, int32_t width, const struct real_scales *scales,
                     struct real_tile *tile);
    /* Adds up REAL_TILE numbers: sum[p] in digits of part p. */
    void (*add_up)(const double *number, const struct real_rounders *rounders,
                   double sum[REAL_SUM_PARTS]);
    /* Returns whether all numbers fit in their columns. */
    bool (*fit)(const double *number, const struct real_columns *columns);
    void (*add_to_columns)(const double *number, struct real_columns *columns);
    /* Adds a tile to the reached vertices and the largest distances of columns. */
    void (*reach)(const struct real_tile *tile, int32_t *reached, double *farthest);
    void (*count)(const struct real_tile *tile, struct real_counters *counters);
};

ISA_KERNELS(real_measures_kernels);

#endif
