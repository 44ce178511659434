// SPDX-License-Identifier: MIT
/* A sink that keeps an answer in matrices. */
#ifndef COMMON_GRAPH_MATRIX_SINK_H
#define COMMON_GRAPH_MATRIX_SINK_H

#include "common/graph/matrix.h"    // struct matrix
#include "common/graph/row_block.h" // struct row_sink

struct matrix_sink {
    struct row_sink sink; /* the first member */
    struct matrix *dist, *pred;
};

/* Makes a sink that stores the row at position p in row p of dist and, unless it is NULL, of pred.
 * The matrices belong to the caller and have a row for each source. Nothing has to be freed. */
void matrix_sink_begin(struct matrix_sink *sink, struct matrix *dist, struct matrix *pred);

#endif
