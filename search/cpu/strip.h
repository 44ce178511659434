// SPDX-License-Identifier: MIT
/* Label correcting from a strip of sources. The labels of a vertex, upper bounds of its distances
 * from all sources of the strip, are side by side, one lane for each source, and one vector
 * instruction relaxes an edge for as many sources as a register has lanes. It is compiled for each
 * instruction set (common/base/isa.h). (Yanagisawa 2010.)
 *
 * Cells are uint16 (narrow) or int32 (wide). No distance may reach `no_path`, and no sum of it and
 * a weight below it overflows. */
#ifndef SEARCH_CPU_STRIP_H
#define SEARCH_CPU_STRIP_H

#include "common/base/isa.h"          // ISA_KERNELS, enum isa
#include "common/base/progress.h"     // struct progress
#include "search/cpu/ordered_graph.h" // struct ordered_graph

#include <stdbool.h>

/* The bytes of a vertex's labels, two cache lines, and the lanes that they have at most. */
enum { STRIP_BYTES = 128, MAX_LANES = STRIP_BYTES / (int)sizeof(uint16_t) };

/* "No predecessor" in a cell of 16 bits; narrow labels are for at most this many vertices. */
#define NARROW_NONE UINT16_MAX

struct strip {
    const struct ordered_graph *ordered;
    const struct progress *progress; /* if it says to stop, all below is garbage */
    const int32_t *source;           /* the numbers of `count` vertices */
    int32_t count;                   /* 1 .. lanes */
    int32_t no_path;

    /* A row of lanes for each vertex number: labels, and predecessors. */
    void *label, *pred;
    int32_t *largest; /* n: no label of the vertex is larger; no_path while unknown */
    uint8_t *pending; /* n: 1 if a tail's labels may have changed since the vertex was relaxed */
    int32_t *order;   /* n: the numbers in the order in which to relax them */

    int64_t work;   /* units: an edge is one, a vertex UNITS_PER_VERTEX */
    int32_t sweeps; /* since strip_kernel.start */
    bool every;     /* the next sweep relaxes every vertex, whatever `pending` says */
    bool corrected; /* labels are distances */
};

enum { UNITS_PER_VERTEX = 4 };

struct strip_kernel {
    int lanes;

    /* Sets the labels of the sources themselves to 0, all others to no_path. */
    void (*start)(struct strip *s);

    /* Sweeps until labels are distances, or until there have been `sweeps` sweeps or more work than
     * `work` since the start. It may be called again, also after the order has changed. */
    void (*correct)(struct strip *s, int32_t sweeps, int64_t work);

    /* Returns whether one of the corrected labels is no_path although there is a path. */
    bool (*overflowed)(const struct strip *s);

    /* Fills pred from corrected labels: the last tight edge in the order of `in`. */
    void (*find_predecessors)(const struct strip *s);

    /* Writes each lane of pred, if `rows_of_pred`, or of label to a row of a matrix, and overwrites
     * the row's padding to 16 cells. */
    void (*write)(const struct strip *s, bool rows_of_pred, int32_t *const *row);

    /* Reads the labels of one lane from a row of distances. */
    void (*read)(struct strip *s, int lane, const int32_t *row);
};

struct strip_kernels {
    const struct strip_kernel *narrow, *wide;
};

ISA_KERNELS(strip_kernels);

#endif
