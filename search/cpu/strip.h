// SPDX-License-Identifier: MIT
/* Label correcting from a strip of sources. The labels of a vertex, which are upper bounds of its
 * distances from all sources of the strip, are side by side, one lane for each source. One vector
 * instruction relaxes an edge for as many sources as a register has lanes. Compiled for each
 * instruction set (common/base/isa.h). (Yanagisawa 2010.)
 *
 * Cells are uint16 (narrow) or int32 (wide). No distance may reach `no_path`, and the sum of
 * `no_path` and a weight below it must not overflow. */
#ifndef SEARCH_CPU_STRIP_H
#define SEARCH_CPU_STRIP_H

#include "common/base/isa.h"          // ISA_KERNELS, enum isa
#include "common/base/progress.h"     // struct progress
#include "search/cpu/ordered_graph.h" // struct ordered_graph

#include <stdbool.h>

/* Bytes of a vertex's labels, which are two cache lines, and the largest number of lanes. */
enum { STRIP_BYTES = 128, MAX_LANES = STRIP_BYTES / (int)sizeof(uint16_t) };

/* Value for "no predecessor" in a cell of 16 bits; narrow labels are for at most this many
 * vertices. */
#define NARROW_NONE UINT16_MAX

struct strip {
    const struct ordered_graph *ordered;
    const struct progress *progress; /* if it says to stop, all results are garbage */
    const int32_t *source;           /* numbers of the source vertices, `count` entries */
    int32_t count;                   /* number of sources, 1 .. lanes */
    int32_t no_path;

    /* Labels and predecessors, a row of lanes for each vertex number. */
    void *label, *pred;
    int32_t *largest; /* upper bound of the vertex's labels, n entries; no_path while unknown */
    uint8_t *pending; /* 1 if a tail's labels may have changed since the vertex was relaxed, n
                         entries */
    int32_t *order;   /* vertex numbers in the order in which they are relaxed, n entries */

    int64_t work;   /* units of work so far: an edge is one unit, a vertex UNITS_PER_VERTEX */
    int32_t sweeps; /* number of sweeps since strip_kernel.start */
    bool every;     /* the next sweep relaxes every vertex, whatever `pending` says */
    bool corrected; /* the labels are distances */
};

enum { UNITS_PER_VERTEX = 4 };

struct strip_kernel {
    int lanes;

    /* Sets the labels of the sources themselves to 0, and all others to no_path. */
    void (*start)(struct strip *s);

    /* Sweeps until the labels are distances, or until since the start there have been `sweeps`
     * sweeps or more than `work` units of work. It may be called again, also after the order has
     * changed. */
    void (*correct)(struct strip *s, int32_t sweeps, int64_t work);

    /* Returns whether one of the corrected labels is no_path although there is a path. */
    bool (*overflowed)(const struct strip *s);

    /* Fills pred from corrected labels: stores the last tight edge's tail in the order of `in`. */
    void (*find_predecessors)(const struct strip *s);

    /* Writes each lane of pred, if rows_of_pred, or of label to a row of a matrix. Overwrites the
     * row's padding to 16 cells. */
    void (*write)(const struct strip *s, bool rows_of_pred, int32_t *const *row);

    /* Reads the labels of one lane from a row of distances. */
    void (*read)(struct strip *s, int lane, const int32_t *row);
};

struct strip_kernels {
    const struct strip_kernel *narrow, *wide;
};

ISA_KERNELS(strip_kernels);

#endif
