// SPDX-License-Identifier: MIT
/* Loops over many cells of the range check and of the limit, once for each instruction set. */
#ifndef SOLVE_RANGE_KERNELS_H
#define SOLVE_RANGE_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS, enum isa

#include <stddef.h>
#include <stdint.h>

struct range_kernels {
    /* The larger of `largest` and the largest cell that is below INF. */
    int32_t (*largest_finite)(const int32_t *cells, size_t count, int32_t largest);

    /* Distances above the limit become INF, and their predecessors, unless pred is NULL, -1. */
    void (*cut_off)(int32_t *dist, int32_t *pred, size_t count, int32_t limit);
};

ISA_KERNELS(range_kernels);

#endif
