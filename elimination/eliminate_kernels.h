// SPDX-License-Identifier: MIT
/* The innermost loops of numeric elimination, for each instruction set. */
#ifndef ELIMINATION_ELIMINATE_KERNELS_H
#define ELIMINATION_ELIMINATE_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // length

#include <stdint.h>

#define elimination_kernels BY_LENGTH(elimination_kernels)

/* Consecutive positions, each of which is the parent of the one before and has all its other higher
 * neighbours. Row r belongs to one of these positions; its entries end before end[r]. The last
 * entries of all rows lead to the same positions. */
struct elimination_rows {
    const int64_t *end;
    int32_t rows;
    const path_length *up, *down; /* lengths at each entry of the structure, to the higher position
                                     and back */
};

struct elimination_kernels {
    /* Lowers up[k] to up_from[k] + from and down[k] to down_from[k] + to, k < count. */
    void (*lower)(path_length *up, path_length *down, const path_length *up_from,
                  const path_length *down_from, path_length from, path_length to, int32_t count);
    /* Stores in up[k - first] and down[k - first] the lengths of the shortest paths of either
     * direction through the rows, between the position to which the entry x before the end of each
     * row leads and those to which the entries x - 1 - k before the end lead, first <= k < first +
     * count <= x - 1. */
    void (*join)(const struct elimination_rows *rows, int32_t x, int32_t first, int32_t count,
                 path_length *up, path_length *down);
};

ISA_KERNELS(elimination_kernels);

#endif
