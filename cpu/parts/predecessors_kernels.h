// SPDX-License-Identifier: MIT
/* The vector kernels of predecessors.c for a strip of sources. They are compiled once for each
 * instruction set. */
#ifndef CPU_PARTS_PREDECESSORS_KERNELS_H
#define CPU_PARTS_PREDECESSORS_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stddef.h>
#include <stdint.h>

/* The bytes that the cells of one vertex take in a strip. */
enum { STRIP_BYTES = 128 };

/* Edges by their heads: edges into v are first[v] .. first[v + 1] - 1, sorted by tail. */
struct edges_into {
    const int64_t *first;
    const int32_t *tail, *weight;
};

/* Kernels for one type of cells, uint16_t or int32_t. A strip has STRIP_BYTES / cell_size sources,
 * whose rows are transposed: for each source, vertex v has a cell in `dist` and one in `pred`. */
struct predecessors_width {
    size_t cell_size;

    /* Reads distances from `count` rows, ld cells apart, and clears the predecessors. */
    void (*begin)(const int32_t *rows, size_t ld, int count, int32_t n, void *dist, void *pred);

    /* Makes `tail` the predecessor of `count` heads, for the source of that lane. */
    void (*set)(void *pred, int lane, int32_t tail, const int32_t *head, int32_t count);

    /* Finds the lowest tail of a tight edge for each cell with a path and no predecessor yet. */
    void (*find)(const struct edges_into *edges, int32_t n, const void *dist, void *pred);

    /* Writes predecessors to `count` rows, -1 if there is none. */
    void (*end)(const void *pred, int count, int32_t n, int32_t *rows, size_t ld);
};

struct predecessors_kernels {
    const struct predecessors_width *narrow, *wide; /* narrow: for uint16_t; wide: for int32_t */
};

ISA_KERNELS(predecessors_kernels);

#endif
