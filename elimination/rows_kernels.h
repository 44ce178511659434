// SPDX-License-Identifier: MIT
/* Turns strips, in which a vertex has the labels of several sources side by side, into rows of a
 * matrix. Compiled for each instruction set (common/base/isa.h). */
#ifndef ELIMINATION_ROWS_KERNELS_H
#define ELIMINATION_ROWS_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS, enum isa
#include "common/base/length.h" // length

#include <stdbool.h>
#include <stdint.h>

#define rows_kernels BY_LENGTH(rows_kernels)

/* Edges sorted by head: the edges into the vertex whose labels are at place p are first[p] ..
 * first[p + 1] - 1, sorted by tail. Weights are >= 0 and at most LENGTH_INF. */
struct rows_edges {
    int32_t n;
    int64_t *first;      /* n + 1 entries */
    int32_t *place;      /* place of the labels of each edge's tail */
    int32_t *tail;       /* tail of each edge */
    path_length *weight; /* weight of each edge */
};

struct rows_kernels {
    /* Writes row[k][v] = label[position[v] * lanes + k] for v < n and k < count, times `spacing` if
     * lengths are float64. `lanes` is a multiple of 4. Labels and rows begin at multiples of 64
     * bytes; padding of rows to 64 bytes is overwritten. stream: write past the caches, for rows
     * that are not read soon. */
    void (*write)(const path_length *label, int lanes, const int32_t *position, int32_t n,
                  int count, bool stream, double spacing, void *const *row);
    /* Writes rows of predecessors as `write` writes rows of labels. */
    void (*write_pred)(const int32_t *pred, int lanes, const int32_t *position, int32_t n,
                       int count, bool stream, int32_t *const *row);

    /* Finds the predecessors: pred[p * lanes + k] is, for the vertex at place p, the last tail
     * whose edge is tight in lane k, label[q * lanes + k] + weight = label[p * lanes + k]; -1 if
     * there is none or the label is LENGTH_INF. `lanes` is a multiple of the number of cells in a
     * vector. */
    void (*find_predecessors)(const struct rows_edges *edges, int lanes, const path_length *label,
                              int32_t *pred);
};

ISA_KERNELS(rows_kernels);

#endif
