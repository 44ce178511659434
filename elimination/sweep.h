// SPDX-License-Identifier: MIT
/* Sweeps: distances from a strip of sources, one vector lane for each, in three steps over an
 * eliminated graph (symbolic.h). Compiled for each instruction set (common/base/isa.h).
 *
 * Up: finds the labels of the sources' ancestors, and of core vertices at the boundary of the
 * sources' pieces. Across: finds the labels of the whole core, by the distances in it. Down: from
 * the top, the label of every position becomes the least sum of a higher neighbour's label and the
 * length down from it, which is the distance. Parents come before children. So the labels that a
 * position needs lie on a stack that is indexed by the depth in the tree. It has as many labels as
 * the tree is high, which fits the caches whatever n is. */
#ifndef ELIMINATION_SWEEP_H
#define ELIMINATION_SWEEP_H

#include "common/base/isa.h"       // ISA_KERNELS
#include "common/base/length.h"    // length
#include "common/graph/matrix.h"   // struct matrix
#include "elimination/eliminate.h" // struct lengths
#include "elimination/schedule.h"  // struct schedule

#include <stdbool.h>

#define sweep_kernels BY_LENGTH(sweep_kernels)

/* Largest number of lanes of a kernel; allocations may rely on it. The labels of a position take
 * 256 bytes then. */
enum { SWEEP_MAX_LANES = 256 / sizeof(path_length) };

/* A function that is called with the labels of the next `count` positions as soon as a sweep has
 * found them, until it has had all positions, in the order in which a sweep stores labels. The
 * labels are valid during the call. */
struct sweep_taker {
    void (*take)(struct sweep_taker *self, const path_length *label, int32_t count);
};

/* Number of positions whose labels are collected before a taker is called; they fit the first-level
 * cache. */

/* A step of the schedule at a marked position. The position's labels start from those in
 * marked_label. */
struct sweep_stop {
    int32_t step, marked;
};

/* One thread's sweep. Labels of a position are `lanes` cells side by side, 64-byte aligned. */
struct sweep {
    const struct tree *tree;
    const struct structure *structure;
    const struct lengths *lengths;
    const struct schedule *schedule;
    const struct matrix *core; /* distances in the core; NULL: no core */
    path_length *stack;        /* labels of a position for each slot, and spare room at the end */
    int32_t *marked;           /* marked positions, ascending: the sources, their ancestors, and the
                                  boundaries of their pieces */
    int32_t marked_count;      /* number of marked positions */
    int32_t *place;            /* by position, n entries: index of the position in `marked`;
                                  undefined for others */
    path_length *marked_label; /* labels with which the marked positions start, `lanes` for each */
    struct sweep_stop *stop;   /* steps of the marked positions in the fringe, ascending */
    int32_t stops;
    /* Labels that the sweep stores: the core's, then the fringe's step by step; NULL: the taker
     * gets them. */
    path_length *label;
    struct sweep_taker *taker; /* takes the labels if `label` is NULL */
    path_length *chunk;        /* with a taker: memory for the labels of block_sizes.sweep_positions
                                  positions, from which it takes them */
};

struct sweep_kernels {
    int lanes;
    /* Lowers the labels of marked positions by the paths up to them. */
    void (*up)(const struct sweep *s);
    /* Fills the core's part of the stack from the labels of marked core vertices, and stores or
     * hands on these labels. */
    void (*across)(const struct sweep *s);
    /* Goes through the schedule; finds the labels of the fringe, and stores them or hands them
     * on. */
    void (*down)(const struct sweep *s);
};

ISA_KERNELS(sweep_kernels);

#endif
