// SPDX-License-Identifier: MIT
/* Keeps a few of the rows that a proof reads, so that verify prints the rows that it proved. In a
 * graph of integers in float64, distances of 2^53 or more are refused, because their sums may be
 * rounded. */
#ifndef VERIFY_KEPT_ROWS_H
#define VERIFY_KEPT_ROWS_H

#include "common/graph/row_reader.h" // struct row_reader

enum { KEPT_ROWS_MAX = 2 };

struct kept_rows {
    struct row_reader reader; /* first member: reads rows from `from` and keeps some */
    struct row_reader *from;
    const struct graph *graph;       /* the graph, if distances may be rounded; NULL: none is */
    int32_t position[KEPT_ROWS_MAX]; /* position in the answer of each row of dist */
    int32_t count;
    struct matrix dist, pred; /* pred has no cells if the answer has no predecessors */
};

/* Prepares to keep the rows at `count` positions of a reader, which reads distances of g up to a
 * limit. The reader and g must outlive *kept. The caller frees with kept_rows_free, also after a
 * failure. */
enum status kept_rows_begin(struct kept_rows *kept, const struct graph *g, double limit,
                            struct row_reader *from, const int32_t *position, int32_t count,
                            struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void kept_rows_free(struct kept_rows *kept);

#endif
