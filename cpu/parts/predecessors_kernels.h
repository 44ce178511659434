// SPDX-License-Identifier: MIT
/* What predecessors.c does to a strip of sources with vectors, once for each instruction set. */
#ifndef CPU_PARTS_PREDECESSORS_KERNELS_H
#define CPU_PARTS_PREDECESSORS_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS

#include <stddef.h>
#include <stdint.h>

/* What the cells of one vertex take in a strip: that many bytes' worth of sources. */
enum { STRIP_BYTES = 128 };

/* Edges by their heads: those into v are first[v] .. first[v + 1] - 1, tails increasing. */
struct edges_into {
    const int64_t *first;
    const int32_t *tail, *weight;
};

/* Strips of STRIP_BYTES / cell_size sources, their rows transposed: vertex v has one cell for each
 * source, of distances and of predecessors, type uint16_t or int32_t. */
struct predecessors_width {
    size_t cell_size;

    /* Distances from `count` rows, ld cells apart, and no predecessors. */
    void (*begin)(const int32_t *rows, size_t ld, int count, int32_t n, void *dist, void *pred);

    /* `tail` becomes the predecessor of the heads for the source in a lane. */
    void (*set)(void *pred, int lane, int32_t tail, const int32_t *head, int32_t count);

    /* The lowest tail of a tight edge becomes the predecessor where there is none but a path. */
    void (*find)(const struct edges_into *edges, int32_t n, const void *dist, void *pred);

    /* Predecessors to `count` rows, -1 where there is none. */
    void (*end)(const void *pred, int count, int32_t n, int32_t *rows, size_t ld);
};

struct predecessors_kernels {
    const struct predecessors_width *narrow, *wide; /* of uint16_t, of int32_t */
};

ISA_KERNELS(predecessors_kernels);

#endif
