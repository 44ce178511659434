// SPDX-License-Identifier: MIT
/* The innermost loops of numeric elimination, for each instruction set. */
#ifndef ELIMINATION_ELIMINATE_KERNELS_H
#define ELIMINATION_ELIMINATE_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // length

#include <stdbool.h>
#include <stdint.h>

#define elimination_kernels BY_LENGTH(elimination_kernels)

/* Lowers *to to `length`, by the middle `by`; of middles for the same length, the lowest counts. */
static inline void lower_length(path_length *to, length_number *middle, path_length length,
                                length_number by) {
    const bool is_less = length < *to;
    if (!is_less && !(length == *to && by < *middle))
        return;
    *to = length;
    *middle = by;
}

/* Consecutive positions, each of which is the parent of the one before and has all its other higher
 * neighbours. Row r belongs to position first + r; its entries end before end[r]. The last entries
 * of all rows lead to the same positions. */
struct elimination_rows {
    const int64_t *end;
    int32_t first, rows;
};

/* All loops are for the lengths of one direction, by entry of the structure. */
struct elimination_kernels {
    /* Lowers to[k] to from[k] + along, k < count. */
    void (*lower)(path_length *to, const path_length *from, path_length along, int32_t count);
    /* Does as lower(), and sets middle[k] where to[k] was lowered, or where it was as low and
     * middle[k] is higher: to by[k], or if by is NULL, to by_all. */
    void (*lower_by)(path_length *to, length_number *middle, const path_length *from,
                     path_length along, const length_number *by, length_number by_all,
                     int32_t count);
    /* Stores in least[k - first] the length of the shortest path through the rows from the position
     * to which the entry x before the end of each row leads, whose length there is back[.], to that
     * to which the entry x - 1 - k before the end leads, first <= k < first + count <= x - 1. by:
     * takes in by[k - first] the lowest position of a row by which there is a path of that length;
     * NULL: it is not wanted. */
    void (*join)(const struct elimination_rows *rows, const path_length *length,
                 const path_length *back, int32_t x, int32_t first, int32_t count,
                 path_length *least, length_number *by);
};

ISA_KERNELS(elimination_kernels);

#endif
