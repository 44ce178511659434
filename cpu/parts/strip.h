// SPDX-License-Identifier: MIT
/* Label correcting from a strip of sources at a time, one lane for each: the
 * labels of a vertex, upper bounds of its distances from all sources of the
 * strip, stand side by side, and one vector instruction relaxes an edge for as
 * many sources as a register has lanes. Compiled for each instruction set
 * (common/base/isa.h). (Yanagisawa 2010.)
 *
 * Cells are uint16 (narrow) or int32 (wide). In either `no_path` is a number
 * that no distance is allowed to reach and that no edge of less weight, added to
 * it, makes overflow. */
#ifndef CPU_PARTS_STRIP_H
#define CPU_PARTS_STRIP_H

#include "common/base/isa.h"      // ISA_DECLARE, enum isa
#include "common/base/progress.h" // struct progress
#include "cpu/parts/arcs.h"       // struct arcs

#include <stdbool.h>

/* Of the labels of one vertex: two lines of the cache. */
enum { STRIP_BYTES = 128, MAX_LANES = STRIP_BYTES / (int)sizeof(uint16_t) };

/* "No predecessor" in a cell of 16 bits, which is why there may be at most this many vertices. */
#define NARROW_NONE UINT16_MAX

struct strip {
    const struct arcs *arcs;
    const struct progress *progress; /* where it says to stop, all that follows is garbage */
    const int32_t *source;           /* the numbers of `count` vertices */
    int32_t count;                   /* 1 .. lanes */
    int32_t no_path;

    /* Of each number a row of lanes: labels; vertices that precede on shortest paths. */
    void *label, *pred;
    int32_t *largest; /* n: no label of the vertex is larger; no_path while not known */
    uint8_t *pending; /* n: labels of tails may have changed since those of the vertex did */
    int32_t *order;   /* n: the numbers in the order in which to relax them */

    int64_t work;   /* units: an arc is one, a vertex UNITS_PER_VERTEX */
    int32_t sweeps; /* since strip_kernel.start */
    bool every;     /* the next sweep relaxes every vertex: `pending` does not tell */
    bool corrected; /* labels are distances */
};

enum { UNITS_PER_VERTEX = 4 };

struct strip_kernel {
    int lanes;

    /* Sets all labels to no_path but those of the sources themselves. */
    void (*start)(struct strip *s);

    /* Sweeps until labels are distances, or there have been `sweeps` since the start, or more
     * work than `work`. May be called again, also after a change of the order. */
    void (*correct)(struct strip *s, int32_t sweeps, int64_t work);

    /* Of corrected labels: whether one of them is no_path although there is a path. */
    bool (*overflowed)(const struct strip *s);

    /* Fills pred from corrected labels: of all tight arcs the last one in the order of `in`. */
    void (*find_predecessors)(const struct strip *s);

    /* Lane by lane to rows of matrices, whose padding to 16 cells is overwritten: from pred
     * where `rows_of_pred`, otherwise from label. */
    void (*write)(const struct strip *s, bool rows_of_pred, int32_t *const *row);

    /* Labels of one lane from a row of distances. */
    void (*read)(struct strip *s, int lane, const int32_t *row);
};

struct strip_kernels {
    const struct strip_kernel *narrow, *wide;
};

ISA_DECLARE(struct strip_kernels, strip_kernels);

/* The kernels of an instruction set. */
const struct strip_kernels *strip_kernels(enum isa isa);

#endif
