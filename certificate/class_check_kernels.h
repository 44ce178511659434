// SPDX-License-Identifier: MIT
/* The parts of a proof of classes of rows (class_proof.c) that process many cells at a time,
 * compiled once for each instruction set. */
#ifndef CERTIFICATE_CLASS_CHECK_KERNELS_H
#define CERTIFICATE_CLASS_CHECK_KERNELS_H

#include "certificate/class_proof.h" // CLASS_LANES
#include "common/base/isa.h"         // ISA_KERNELS

/* A region as the kernels see it. Arrays are indexed by number in the region; numbers that belong
 * to no vertex are skipped. */
struct class_checked {
    const struct class_layout *layout;
    /* Vertex of each number, -1: none; index of the label of each number. */
    const int32_t *vertex, *local;
    const int64_t *first; /* edges into number x are edge[first[x]] .. edge[first[x + 1] - 1] */
    const struct class_edge *edge;
    path_length largest; /* a larger finite label is wrong */
    const int32_t *lane; /* lane whose source has the number; -1: none. NULL: no lane has one */
};

/* Findings of a check, for each lane. */
struct class_found {
    _Alignas(64) int32_t wrong[CLASS_LANES];        /* not 0: a label is wrong */
    _Alignas(64) path_length_sum sum[CLASS_LANES];  /* sum of the finite labels of own vertices */
    _Alignas(64) int32_t reached[CLASS_LANES];      /* number of finite labels in sum */
    _Alignas(64) path_length farthest[CLASS_LANES]; /* largest finite label in sum */
};

struct class_check_kernels {
    /* Checks that labels are distances and not above the sum of any edge, and that own vertices
     * other than portals have a tight edge. Sets all of *found, and tight[word * CLASS_LANES +
     * lane], words with a bit for each of the first class_bits() numbers: it has a tight edge. */
    void (*check)(const struct class_checked *r, const path_length *label,
                  struct class_found *found, uint32_t *tight);
    /* Stores for each lane a row of class_pitch(width) cells, with the labels at the indices
     * number[0 .. width - 1]; the rows follow each other in the order of lanes. */
    void (*make_rows)(const path_length *label, const int32_t *number, int32_t width,
                      path_length *row);
    /* Returns whether each cell of row is that of other plus the constant, or both cells are
     * LENGTH_INF. */
    bool (*is_apart)(const path_length *row, const path_length *other, path_length constant,
                     int32_t width);
};

ISA_KERNELS(class_check_kernels);

#endif
