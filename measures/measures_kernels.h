// SPDX-License-Identifier: MIT
/* Loops of measures.c over many distances at a time, once for each instruction set. */
#ifndef MEASURES_MEASURES_KERNELS_H
#define MEASURES_MEASURES_KERNELS_H

#include "common/base/block_sizes.h" // BLOCK_COLUMNS_MAX
#include "common/base/isa.h"         // ISA_DECLARE
#include "measures/measures.h"       // MEASURES_BINS

#include <stdint.h>

/* Rows are read in tiles of MEASURES_TILE vertices. A tile, the sums of its columns and the
 * counters stay in the first-level cache while all rows of a block pass. */
enum { MEASURES_TILE = BLOCK_COLUMNS_MAX, MEASURES_GRANULE = 16 };

/* Summands that a tile adds to the totals of its row. */
struct tile_row {
    int64_t sum;
    double high, low;        /* the two parts of the sum of reciprocals (reciprocals.h) */
    int32_t reached;         /* number of finite distances */
    int32_t farthest, least; /* largest and least of 0 and the finite distances */
};

/* Sums over the columns of a tile, of at most MAX_RECIPROCALS rows (reciprocals.h). */
struct tile_columns {
    double high[MEASURES_TILE], low[MEASURES_TILE];
    int64_t sum[MEASURES_TILE];
    int32_t reached[MEASURES_TILE], farthest[MEASURES_TILE];
};

/* Counters of a histogram. Neighbours in a row are often in one bin, so they are counted in
 * different counters, because an addition to a counter waits for the previous one. */
enum { MEASURES_COUNTERS = 4, MEASURES_COUNTER_CELLS = MEASURES_BINS + 16 };
struct tile_counters {
    /* d is counted in the cell (d >> shift) - first, 0 .. MEASURES_BINS - 1, and INF in the cell
     * MEASURES_BINS */
    int32_t shift, first;
    uint32_t count[MEASURES_COUNTERS][MEASURES_COUNTER_CELLS];
};

/* `width` is the number of distances, a multiple of MEASURES_GRANULE. `columns` is NULL if column
 * sums are not wanted. */
struct measures_kernels {
    /* Sets the integers of *row, and adds them to the columns. */
    void (*add_distances)(const int32_t *dist, int32_t width, struct tile_row *row,
                          struct tile_columns *columns);
    /* Sets the sums of reciprocals of *row, adds them to the columns, and counts the distances:
     * counting takes no extra time, because divisions are slow. */
    void (*add_reciprocals)(const int32_t *dist, int32_t width, struct tile_row *row,
                            struct tile_columns *columns, struct tile_counters *counters);
};

ISA_KERNELS(measures_kernels);

#endif
