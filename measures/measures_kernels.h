// SPDX-License-Identifier: MIT
/* Loops of measures.c over many distances at a time, once for each instruction set. */
#ifndef MEASURES_MEASURES_KERNELS_H
#define MEASURES_MEASURES_KERNELS_H

#include "common/base/block_sizes.h" // BLOCK_COLUMNS_MAX
#include "common/base/isa.h"         // ISA_DECLARE
#include "measures/measures.h"       // MEASURES_BINS

#include <stdint.h>

/* Rows are read in tiles of so many vertices, which with the sums of their columns and the counters
 * stay in the first-level cache while all rows of a block pass. */
enum { MEASURES_TILE = BLOCK_COLUMNS_MAX, MEASURES_GRANULE = 16 };

/* Totals that a tile adds to those of its row. */
struct tile_row {
    int64_t sum;
    double high, low;        /* the parts of the sum of reciprocals */
    int32_t reached;         /* how many distances are finite */
    int32_t farthest, least; /* of those, and 0 */
};

/* Sums over the columns of a tile; of at most MAX_RECIPROCALS rows (reciprocals.h). */
struct tile_columns {
    double high[MEASURES_TILE], low[MEASURES_TILE];
    int64_t sum[MEASURES_TILE];
    int32_t reached[MEASURES_TILE], farthest[MEASURES_TILE];
};

/* Counters of a histogram. Neighbours in a row, which often are in one bin, are counted in
 * different ones, because an addition to a counter waits for the one before. */
enum { MEASURES_COUNTERS = 4, MEASURES_COUNTER_CELLS = MEASURES_BINS + 16 };
struct tile_counters {
    int32_t shift, first; /* d is counted in the cell (d >> shift) - first, 0 .. MEASURES_BINS - 1,
                             and INF in the cell MEASURES_BINS */
    uint32_t count[MEASURES_COUNTERS][MEASURES_COUNTER_CELLS];
};

/* `width` distances are a multiple of MEASURES_GRANULE, and `columns` is NULL if they are not
 * wanted. */
struct measures_kernels {
    /* Sets the integers of the row, and adds them to the columns. */
    void (*add_distances)(const int32_t *dist, int32_t width, struct tile_row *row,
                          struct tile_columns *columns);
    /* The same for the reciprocals, and counts the distances: a division takes long, and counting
     * is done meanwhile. */
    void (*add_reciprocals)(const int32_t *dist, int32_t width, struct tile_row *row,
                            struct tile_columns *columns, struct tile_counters *counters);
};

ISA_KERNELS(measures_kernels);

#endif
