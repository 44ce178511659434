// SPDX-License-Identifier: MIT
/* Vector instructions of proportional.c: on the labels of a region from a strip of rows, a lane for
 * each row. */
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

/* Sums, counts and maxima of each lane, over its finite labels. */
struct proportional_sums {
    _Alignas(64) path_length_sum sum[PROPORTIONAL_LANES];
    _Alignas(64) int32_t reached[PROPORTIONAL_LANES];
    _Alignas(64) path_length farthest[PROPORTIONAL_LANES];
};

/* Least label and hash of each lane's labels at a boundary, and the labels in a row, which begins
 * `pitch` cells after that of the lane before and ends with zeros. */
struct proportional_rows {
    _Alignas(64) path_length least[PROPORTIONAL_LANES]; /* label; LENGTH_INF if none is finite */
    _Alignas(64) uint32_t hash[PROPORTIONAL_LANES];     /* of the row */
    path_length *row;                                   /* 64-byte aligned */
};

/* The pitch of rows of so many cells. */
static inline int32_t proportional_pitch(int32_t width) {
    return (width + 3) / 4 * 4;
}

/* label[number * PROPORTIONAL_LANES + lane], 64-byte aligned, is a distance below LENGTH_INF, or
 * it. */
struct proportional_kernels {
    /* Lowers labels by the paths up from own positions. */
    void (*up)(const struct proportional_region *r, path_length *label);
    /* Lowers the labels of own positions by the paths down to them. */
    void (*lower)(const struct proportional_region *r, path_length *label);
    /* Finds the labels of own positions, whatever they were, by the paths down to them. */
    void (*down)(const struct proportional_region *r, path_length *label);
    /* Multiplies over (min, +): of each column c < columns, label c becomes the least of
     * from[k * PROPORTIONAL_LANES + lane] + matrix[number[k] * pitch + c] over k < count, or
     * LENGTH_INF. Cells are that at most. */
    void (*multiply)(const path_length *from, const int32_t *number, int32_t count,
                     const path_length *matrix, int32_t pitch, int32_t columns, path_length *label);
    /* Sums up the first `count` labels. */
    void (*sum)(const path_length *label, int32_t count, struct proportional_sums *sums);
    /* Makes rows of the labels number[0 .. width - 1]. If is_relative, finite ones become less by
     * the least of them, which least and hash are set for: the rows of two sources whose distances
     * differ by a constant are the same. */
    void (*make_rows)(const path_length *label, const int32_t *number, int32_t width,
                      bool is_relative, struct proportional_rows *rows);
    /* Copies `rows` rows from `row` on to the labels number[0 .. width - 1], or 0 .. width - 1 if
     * number is NULL, of as many lanes from the one on that `label` begins with. */
    void (*take_rows)(const path_length *row, int32_t rows, int32_t width, const int32_t *number,
                      path_length *label);
};

ISA_KERNELS(proportional_kernels);

#endif
