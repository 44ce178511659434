// SPDX-License-Identifier: MIT
/* From strips, in which a vertex has the labels of several sources side by side, to the rows of a
 * matrix. Compiled for each instruction set (common/base/isa.h). */
#ifndef DISSECTION_ROWS_KERNELS_H
#define DISSECTION_ROWS_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS, enum isa
#include "common/base/length.h" // length

#include <stdbool.h>
#include <stdint.h>

#define rows_kernels BY_LENGTH(rows_kernels)

/* Edges by their heads: those into the vertex whose labels are at place p, first[p] .. first[p + 1]
 * - 1, by their tails. Weights are >= 0 and at most LENGTH_INF. */
struct rows_edges {
    int32_t n;
    int64_t *first;      /* n + 1 */
    int32_t *place;      /* of each edge: where the labels of its tail are, */
    int32_t *tail;       /* the tail, */
    path_length *weight; /* and the weight */
};

struct rows_kernels {
    /* row[k][v] = label[position[v] * lanes + k] for v < n, k < count, times `spacing` if lengths
     * are float64. `lanes` is a multiple of 4; rows begin, as labels do, at multiples of 64 bytes,
     * and their padding to 64 bytes is overwritten. `stream`: past the caches, for what is not read
     * soon. */
    void (*write)(const path_length *label, int lanes, const int32_t *position, int32_t n,
                  int count, bool stream, double spacing, void *const *row);
    /* The same for predecessors. */
    void (*write_pred)(const int32_t *pred, int lanes, const int32_t *position, int32_t n,
                       int count, bool stream, int32_t *const *row);

    /* pred[p * lanes + k]: of the vertex at place p, the last tail whose edge is tight in lane k,
     * label[q * lanes + k] + weight = label[p * lanes + k]; -1 if there is none or the label is
     * LENGTH_INF. `lanes` is a multiple of the number of cells in a vector. */
    void (*find_predecessors)(const struct rows_edges *edges, int lanes, const path_length *label,
                              int32_t *pred);
};

ISA_KERNELS(rows_kernels);

#endif
