// SPDX-License-Identifier: MIT
/* Checks of a caller's arrays before a search, once for each instruction set: they take most of the
 * time of a search with a small limit. */
#ifndef SOLVE_EDGE_KERNELS_H
#define SOLVE_EDGE_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS, enum isa

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct edge_kernels {
    /* Tells whether all heads are in 0 .. last. */
    bool (*are_vertices)(const int32_t *head, int64_t count, int32_t last);

    /* Tells whether all weights are in 0 .. most, and none is -0 or NaN. */
    bool (*are_lengths)(const double *weight, int64_t count, double most);

    /* Sets all distances to infinity. */
    void (*clear)(double *dist, int32_t n);
};

ISA_KERNELS(edge_kernels);

#endif
