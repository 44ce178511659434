// SPDX-License-Identifier: MIT
/* Vector instructions of proportional.c, on the labels of a region for a strip of rows, one lane
 * for each row. */
#ifndef CLASSES_PROPORTIONAL_KERNELS_H
#define CLASSES_PROPORTIONAL_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // length

#include <stdbool.h>
#include <stdint.h>

#define proportional_kernels BY_LENGTH(proportional_kernels)

enum { PROPORTIONAL_LANES = 128 / sizeof(path_length) };

/* A region (regions.h). The entries of own position i are first[position[i]] ..
 * first[position[i] + 1] - 1; they lead from it up to the local number local[e] and back down. */
struct proportional_region {
    int32_t own, width;
    const int32_t *position;
    const int64_t *first;
    const int32_t *local;
    const path_length *up, *down;
};

/* Sums, counts and maxima over the finite labels of each lane. */
struct proportional_sums {
    _Alignas(64) path_length_sum sum[PROPORTIONAL_LANES];
    _Alignas(64) int32_t reached[PROPORTIONAL_LANES];
    _Alignas(64) path_length farthest[PROPORTIONAL_LANES];
};

/* Labels at a boundary as rows, one for each lane, with their least label and hash. Each row begins
 * `pitch` cells after the row of the lane before, and ends with zeros. */
struct proportional_rows {
    _Alignas(64) path_length least[PROPORTIONAL_LANES]; /* least label of each lane; LENGTH_INF:
                                                           none is finite */
    _Alignas(64) uint32_t hash[PROPORTIONAL_LANES];     /* hash of each row */
    path_length *row;                                   /* cells of the rows, 64-byte aligned */
};

/* Returns the pitch of rows of `width` cells. */
static inline int32_t proportional_pitch(int32_t width) {
    return (width + 3) / 4 * 4;
}

/* Functions on labels. label[number * PROPORTIONAL_LANES + lane], 64-byte aligned, is the distance
 * to a local number, at most LENGTH_INF. */
struct proportional_kernels {
    /* Lowers labels by the paths up from own positions. */
    void (*up)(const struct proportional_region *r, path_length *label);
    /* Lowers the labels of own positions by the paths down to them. */
    void (*lower)(const struct proportional_region *r, path_length *label);
    /* Sets the labels of own positions to the least by the paths down to them, whatever they were
     * before. */
    void (*down)(const struct proportional_region *r, path_length *label);
    /* Multiplies over (min, +): of each column c < columns, label c becomes the least of
     * from[k * PROPORTIONAL_LANES + lane] + matrix[number[k] * pitch + c] over k < count, or
     * LENGTH_INF. Cells of the matrix are at most LENGTH_INF. */
    void (*multiply)(const path_length *from, const int32_t *number, int32_t count,
                     const path_length *matrix, int32_t pitch, int32_t columns, path_length *label);
    /* Adds the first `count` labels to the sums. */
    void (*sum)(const path_length *label, int32_t count, struct proportional_sums *sums);
    /* Makes rows of the labels number[0 .. width - 1]. is_relative: sets least and hash, and
     * subtracts the least label from the finite ones, so that two sources whose distances differ by
     * a constant have equal rows. */
    void (*make_rows)(const path_length *label, const int32_t *number, int32_t width,
                      bool is_relative, struct proportional_rows *rows);
    /* Copies `rows` rows, from `row` on, to the labels number[0 .. width - 1], or 0 .. width - 1 if
     * number is NULL. They go to as many lanes, from the lane at which `label` points on. */
    void (*take_rows)(const path_length *row, int32_t rows, int32_t width, const int32_t *number,
                      path_length *label);
};

ISA_KERNELS(proportional_kernels);

#endif
