// SPDX-License-Identifier: MIT
/* From strips, in which a vertex has the labels of several sources side by side, to the rows of a
 * matrix. Compiled for each instruction set (common/base/isa.h). */
#ifndef CPU_PARTS_ROWS_H
#define CPU_PARTS_ROWS_H

#include "common/base/isa.h" // ISA_DECLARE, enum isa

#include <stdbool.h>
#include <stdint.h>

struct rows_kernels {
    /* row[k][v] = label[position[v] * lanes + k] for v < n, k < count. `lanes` is a multiple of 4;
     * rows begin, as labels do, at multiples of 64 bytes, and their padding to 16 cells is
     * overwritten. `stream`: past the caches, for what is not read soon. */
    void (*write)(const int32_t *label, int lanes, const int32_t *position, int32_t n, int count,
                  bool stream, int32_t *const *row);
};

ISA_DECLARE(struct rows_kernels, rows_kernels);

#endif
