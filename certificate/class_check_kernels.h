// SPDX-License-Identifier: MIT
/* The parts of a proof of classes of rows (class_proof.c) that process many cells at a time,
 * compiled once for each instruction set. */
#ifndef CERTIFICATE_CLASS_CHECK_KERNELS_H
#define CERTIFICATE_CLASS_CHECK_KERNELS_H

#include "certificate/class_proof.h" // CLASS_LANES
#include "common/base/isa.h"         // ISA_KERNELS

/* A region as the kernels see it. A number x that is none of a vertex is skipped. */
struct class_checked {
    const struct class_layout *layout;
    const int32_t *vertex, *local;
    const int64_t *first;
    const struct class_edge *edge;
    path_length largest; /* finite distance */
    const int32_t *lane; /* of each number: the lane whose source it is; -1. NULL: of none */
};

/* Findings of each lane. */
struct class_found {
    _Alignas(64) int32_t wrong[CLASS_LANES];       /* not 0: a label is */
    _Alignas(64) path_length_sum sum[CLASS_LANES]; /* of finite labels of own vertices */
    _Alignas(64) int32_t reached[CLASS_LANES];
    _Alignas(64) path_length farthest[CLASS_LANES];
};

struct class_check_kernels {
    /* Checks that labels are distances and not above the sum of any edge, and that own vertices
     * other than portals have a tight one. Sets all of *found, and of each word of bits those that
     * are tight, tight[word * CLASS_LANES + lane]. */
    void (*check)(const struct class_checked *r, const path_length *label,
                  struct class_found *found, uint32_t *tight);
    /* Makes a row of class_pitch(width) cells of the labels number[0 .. width - 1] of each lane,
     * behind that of the lane before. */
    void (*make_rows)(const path_length *label, const int32_t *number, int32_t width,
                      path_length *row);
    /* Returns whether a row is the other one and a constant, of which both have the same cells at
     * LENGTH_INF. */
    bool (*is_apart)(const path_length *row, const path_length *other, path_length constant,
                     int32_t width);
};

ISA_KERNELS(class_check_kernels);

#endif
