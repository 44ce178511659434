// SPDX-License-Identifier: MIT
/* Loops of a distance index (index.h) over many cells of labels at a time, compiled for each
 * instruction set (common/base/isa.h) and type of cells. Sums of int32 may wrap: a damaged file has
 * any numbers. */
#ifndef INDEX_INDEX_KERNELS_H
#define INDEX_INDEX_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // path_length

#include <stdint.h>

#define index_kernels BY_LENGTH(index_kernels)
#define index_source  BY_LENGTH(index_source)

enum {
    INDEX_PAD = 16,   /* kernels read so many cells beyond a label at most */
    INDEX_LANES = 16, /* sources that a table takes together, */
    INDEX_QUAD = 4,   /* and targets */
    INDEX_BLOCK = 64, /* cells of a label that are made together, at most */
};

/* A label that lies at the end of an edge of that length. */
struct index_source {
    const path_length *from;
    uint32_t count; /* cells */
    path_length length;
};

struct index_kernels {
    /* The least a[k] + b[k], k < count; twice LENGTH_INF if count is 0. */
    path_length (*meet)(const path_length *a, const path_length *b, uint32_t count);
    /* Stores in to[k], k < count, the least from[k] + length of the sources with more than k cells,
     * LENGTH_INF at most. No source has more cells than the one before. `to` has room for
     * INDEX_BLOCK cells more. */
    void (*label)(path_length *to, uint32_t count, const struct index_source *source, int sources);
    /* least[q * INDEX_LANES + lane]: the least lanes[k * INDEX_LANES + lane] + label[q][k],
     * k < count; LENGTH_INF if it is above `largest`. Both arrays are 64-byte aligned. */
    void (*meet_lanes)(const path_length *lanes, const path_length *const label[INDEX_QUAD],
                       uint32_t count, path_length largest, path_length *least);
};

ISA_KERNELS(index_kernels);

#endif
