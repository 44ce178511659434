// SPDX-License-Identifier: MIT
/* What a distance index (index.h) does with many cells of labels at a time, compiled for each
 * instruction set (common/base/isa.h). Sums may wrap: a damaged file has any numbers. */
#ifndef INDEX_INDEX_KERNELS_H
#define INDEX_INDEX_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stdint.h>

enum {
    INDEX_PAD = 16,   /* kernels read so many cells beyond a label at most */
    INDEX_LANES = 16, /* sources that a table takes together, */
    INDEX_QUAD = 4,   /* and targets */
};

struct index_kernels {
    /* The least a[k] + b[k], k < count; INF + INF if count is 0. */
    int32_t (*meet)(const int32_t *a, const int32_t *b, uint32_t count);
    /* Lowers to[k] to from[k] + length, k < count. */
    void (*extend)(int32_t *to, const int32_t *from, int32_t length, uint32_t count);
    /* least[q * INDEX_LANES + lane]: the least lanes[k * INDEX_LANES + lane] + label[q][k],
     * k < count; INF if it is above `largest`. Both arrays are 64-byte aligned. */
    void (*meet_lanes)(const int32_t *lanes, const int32_t *const label[INDEX_QUAD], uint32_t count,
                       int32_t largest, int32_t *least);
};

ISA_KERNELS(index_kernels);

#endif
