// SPDX-License-Identifier: MIT
/* The tight edges of a row of distances: the edges that end a shortest path from its source. There
 * are about as many as vertices, however many edges the graph has. Compiled for each instruction
 * set (common/base/isa.h). */
#ifndef FLOWS_TIGHT_KERNELS_H
#define FLOWS_TIGHT_KERNELS_H

#include "common/base/isa.h" // ISA_KERNELS, enum isa

#include <stddef.h>
#include <stdint.h>

enum { TIGHT_PAD = 16 };

/* The edges of a graph, sorted by head, then by tail. The arrays are filled up to a multiple of
 * TIGHT_PAD with edges that are never tight. */
struct tight_edges {
    size_t padded; /* length of the arrays */
    int32_t *tail, *head;
    int32_t *weight; /* weights of a graph of integers; otherwise NULL */
    double *real_weight;
};

/* A tight edge: in the lower 32 bits its place in struct tight_edges, in the upper 32 bits a key of
 * its head by which edges are sorted. */
typedef uint64_t tight_edge;

struct tight_kernels {
    /* Lists the tight edges of a row of distances in their order, with the distances of their heads
     * as keys; INF is no path. tight: room for `padded` edges. Returns the number of tight
     * edges. */
    size_t (*list)(const struct tight_edges *edges, const int32_t *dist, tight_edge *tight);

    /* Returns the number of distances of n that are not INF. Stores the largest of these; 0 if
     * there are none. */
    int32_t (*reached)(const int32_t *dist, int32_t n, int32_t *largest);
};

ISA_KERNELS(tight_kernels);

#endif
