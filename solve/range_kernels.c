// SPDX-License-Identifier: MIT
/* The kernels of range_kernels.h for one instruction set (isa.h). */
#include "solve/range_kernels.h"

#include "common/graph/graph.h" // INF

static int32_t largest_finite(const int32_t *cells, size_t count, int32_t largest) {
    for (size_t c = 0; c < count; c++) {
        const int32_t finite = cells[c] < INF ? cells[c] : 0;
        largest = finite > largest ? finite : largest;
    }
    return largest;
}

static void cut_off(int32_t *restrict dist, int32_t *restrict pred, size_t count, int32_t limit) {
    if (pred != NULL) {
        for (size_t c = 0; c < count; c++)
            pred[c] = dist[c] > limit ? -1 : pred[c];
    }
    for (size_t c = 0; c < count; c++)
        dist[c] = dist[c] > limit ? INF : dist[c];
}

const struct range_kernels ISA_SYMBOL(range_kernels) = {
    .largest_finite = largest_finite,
    .cut_off = cut_off,
};
