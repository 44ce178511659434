// SPDX-License-Identifier: MIT
/* A sink that keeps the distances of some pairs of vertices. */
#ifndef COMMON_ROWS_PAIR_SINK_H
#define COMMON_ROWS_PAIR_SINK_H

#include "common/graph/row_block.h" // struct row_sink

struct pair_sink {
    struct row_sink sink; /* the first member */
    const int64_t *first; /* sources + 1: where the pairs of each source begin, by position */
    const int32_t *to;    /* first[sources]: the other vertices */
    double *distance;     /* first[sources]: gets the distances, infinite if there is no path */
};

/* Makes a sink for rows of sources. The arrays are the caller's, and outlive the sink. */
void pair_sink_open(struct pair_sink *sink, const int64_t *first, const int32_t *to,
                    double *distance);

#endif
