// SPDX-License-Identifier: MIT
/* The kernel of range_kernels.h for one instruction set (isa.h). */
#include "common/solve/range_kernels.h"

#include "common/graph/graph.h" // INF

static int32_t largest_finite(const int32_t *cells, size_t count, int32_t largest) {
    for (size_t c = 0; c < count; c++) {
        const int32_t finite = cells[c] < INF ? cells[c] : 0;
        largest = finite > largest ? finite : largest;
    }
    return largest;
}

const struct range_kernels ISA_SYMBOL(range_kernels) = {
    .largest_finite = largest_finite,
};
