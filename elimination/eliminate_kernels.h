// SPDX-License-Identifier: MIT
/* The innermost loops of numeric elimination, for each instruction set. */
#ifndef ELIMINATION_ELIMINATE_KERNELS_H
#define ELIMINATION_ELIMINATE_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // length

#include <stdint.h>

#define elimination_kernels BY_LENGTH(elimination_kernels)

/* Positions one after the other of which each is the parent of the one before and has all of its
 * other higher neighbours. Row r is that of the entries that end before end[r], of which the last
 * ones lead to the same positions in all rows. */
struct elimination_rows {
    const int64_t *end;
    int32_t rows;
    const path_length *up, *down; /* by entries */
};

struct elimination_kernels {
    /* Lowers up[k] to up_from[k] + from and down[k] to down_from[k] + to, k < count. */
    void (*lower)(path_length *up, path_length *down, const path_length *up_from,
                  const path_length *down_from, path_length from, path_length to, int32_t count);
    /* Stores in up[k - first] and down[k - first] the lengths of the shortest paths of either
     * direction through the rows, between what the entry x before the end of each leads to and what
     * the entries at x - 1 - k before the end lead to, first <= k < first + count <= x - 1. */
    void (*join)(const struct elimination_rows *rows, int32_t x, int32_t first, int32_t count,
                 path_length *up, path_length *down);
};

ISA_KERNELS(elimination_kernels);

#endif
