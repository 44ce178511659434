// SPDX-License-Identifier: MIT
/* The kernels of edge_kernels.h for one instruction set (isa.h). What is wrong shows in signs, so
 * that no loop ends early and all are vectors'. */
#include "solve/edge_kernels.h"

#include <math.h>
#include <string.h>

static bool are_vertices(const int32_t *head, int64_t count, int32_t last) {
    uint32_t signs = 0;
    for (int64_t e = 0; e < count; e++)
        signs |= (uint32_t)head[e] | ((uint32_t)last - (uint32_t)head[e]);
    return signs >> 31 == 0;
}

/* Compares bits, because the bits of numbers >= 0 have the order of the numbers; -0 and NaN have
 * greater bits. */
static bool are_lengths(const double *weight, int64_t count, double most) {
    uint64_t last, bits, signs = 0;
    memcpy(&last, &most, sizeof last);
    for (int64_t e = 0; e < count; e++) {
        memcpy(&bits, &weight[e], sizeof bits);
        signs |= bits | (last - bits);
    }
    return signs >> 63 == 0;
}

/* Stores vectors from the first cache line on, so that none straddles two lines. */
static void clear(double *dist, int32_t n) {
    enum { LINE = 64 };
    int32_t v = 0;
    for (; v < n && (uintptr_t)&dist[v] % LINE != 0; v++)
        dist[v] = (double)INFINITY;
    double *const lines = __builtin_assume_aligned(&dist[v], LINE);
    for (int32_t c = 0; c < n - v; c++)
        lines[c] = (double)INFINITY;
}

const struct edge_kernels ISA_SYMBOL(edge_kernels) = {
    .are_vertices = are_vertices,
    .are_lengths = are_lengths,
    .clear = clear,
};
