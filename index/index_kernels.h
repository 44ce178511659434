// SPDX-License-Identifier: MIT
/* What a distance index (index.h) does with many cells of labels at a time, compiled for each
 * instruction set (common/base/isa.h) and type of cells. Sums of int32 may wrap: a damaged file has
 * any numbers. */
#ifndef INDEX_INDEX_KERNELS_H
#define INDEX_INDEX_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // path_length

#include <stdint.h>

#define index_kernels BY_LENGTH(index_kernels)

enum {
    INDEX_PAD = 16,   /* kernels read so many cells beyond a label at most */
    INDEX_LANES = 16, /* sources that a table takes together, */
    INDEX_QUAD = 4,   /* and targets */
};

struct index_kernels {
    /* The least a[k] + b[k], k < count; twice LENGTH_INF if count is 0. */
    path_length (*meet)(const path_length *a, const path_length *b, uint32_t count);
    /* Lowers to[k] to from[k] + length, k < count. */
    void (*extend)(path_length *to, const path_length *from, path_length length, uint32_t count);
    /* least[q * INDEX_LANES + lane]: the least lanes[k * INDEX_LANES + lane] + label[q][k],
     * k < count; LENGTH_INF if it is above `largest`. Both arrays are 64-byte aligned. */
    void (*meet_lanes)(const path_length *lanes, const path_length *const label[INDEX_QUAD],
                       uint32_t count, path_length largest, path_length *least);
};

ISA_KERNELS(index_kernels);

#endif
