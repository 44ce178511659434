// SPDX-License-Identifier: MIT
/* A sink that keeps the distances of some pairs of vertices. */
#ifndef COMMON_ROWS_PAIR_SINK_H
#define COMMON_ROWS_PAIR_SINK_H

#include "common/graph/row_block.h" // struct row_sink

struct pair_sink {
    struct row_sink sink; /* the first member */
    /* sources + 1: pairs first[p] .. first[p + 1] - 1 have the source at position p */
    const int64_t *first;
    const int32_t *to; /* first[sources]: the other vertex of each pair */
    /* first[sources]: gets the distance of each pair, infinite if there is no path */
    double *distance;
};

/* Makes a sink for rows of sources. The arrays belong to the caller, and must outlive the sink. */
void pair_sink_open(struct pair_sink *sink, const int64_t *first, const int32_t *to,
                    double *distance);

#endif
