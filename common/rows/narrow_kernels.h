// SPDX-License-Identifier: MIT
/* Converts many distances at a time to types of fewer bytes (npy_type.c), once for each instruction
 * set. */
#ifndef COMMON_ROWS_NARROW_KERNELS_H
#define COMMON_ROWS_NARROW_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct narrow_kernels {
    /* Store `count` distances, with INF as the type's largest number. Return whether all other
     * distances are in 0 .. that number - 1. */
    bool (*to_uint8)(const int32_t *dist, size_t count, uint8_t *to);
    bool (*to_uint16)(const int32_t *dist, size_t count, uint16_t *to);
    /* Extends the range least .. largest, which contains 0, to all distances except INF. */
    void (*extend)(const int32_t *dist, size_t count, int32_t *least, int32_t *largest);
};

ISA_KERNELS(narrow_kernels);

#endif
