// SPDX-License-Identifier: MIT
/* Sweeps: distances from a strip of sources at a time, one vector lane for each, up and down an
 * eliminated graph (symbolic.h). Compiled for each instruction set (common/base/isa.h).
 *
 * Up: the labels of the sources' ancestors and of the core at the boundary of their pieces. Across:
 * the labels of the whole core, by its distances. Down: from the top every position takes the least
 * of its higher neighbours' labels and the lengths down from them, which is its distance; parents
 * come before children, so the labels that a position needs lie on a stack that the depth in the
 * tree is the index to: as many labels as the tree is high, which the caches hold, whatever n is.
 */
#ifndef ELIMINATION_SWEEP_H
#define ELIMINATION_SWEEP_H

#include "common/base/isa.h"       // ISA_KERNELS
#include "common/base/length.h"    // length
#include "common/graph/matrix.h"   // struct matrix
#include "elimination/eliminate.h" // struct lengths
#include "elimination/schedule.h"  // struct schedule

#include <stdbool.h>

#define sweep_kernels BY_LENGTH(sweep_kernels)

/* Largest number of lanes of a kernel, which allocations may rely on: labels of a position have 256
 * bytes. */
enum { SWEEP_MAX_LANES = 256 / sizeof(path_length) };

/* Is called with the labels of the next `count` positions as soon as a sweep has found them, until
 * it has had all positions, in the order in which a sweep would store them. The labels last as long
 * as the call. */
struct sweep_taker {
    void (*take)(struct sweep_taker *self, const path_length *label, int32_t count);
};

/* So many positions' labels are collected before a taker is called: the first-level cache holds
 * them. */

/* A step of the schedule that starts by the labels of a marked position. */
struct sweep_stop {
    int32_t step, marked;
};

/* One thread's sweep. Labels of a position are `lanes` cells side by side, 64-byte aligned. */
struct sweep {
    const struct tree *tree;
    const struct structure *structure;
    const struct lengths *lengths;
    const struct schedule *schedule;
    const struct matrix *core; /* distances among the core; NULL if there is none */
    path_length *stack;        /* of each slot, and some more, the labels of a position */
    int32_t *marked;           /* the sources, their ancestors, and the boundaries of their */
    int32_t marked_count;      /* pieces, ascending */
    int32_t *place;            /* n: where in `marked` a position is; of others anything */
    path_length *marked_label; /* labels by which the positions in `marked` start */
    struct sweep_stop *stop;   /* the marked positions of the fringe, by their steps */
    int32_t stops;
    /* Where all labels go: the core's, then the fringe's step by step; or NULL, */
    path_length *label;
    struct sweep_taker *taker; /* and this takes them, */
    path_length *chunk; /* from room for the labels of block_sizes.sweep_positions positions */
};

struct sweep_kernels {
    int lanes;
    /* Lowers the labels of marked positions by the paths up to them. */
    void (*up)(const struct sweep *s);
    /* Fills the core's part of the stack from the labels of marked ones there, and emits it. */
    void (*across)(const struct sweep *s);
    /* Goes through the schedule; finds and emits the labels of the fringe. */
    void (*down)(const struct sweep *s);
};

ISA_KERNELS(sweep_kernels);

#endif
