// SPDX-License-Identifier: MIT
/* Stores sums of the caller's numbers of edges along shortest paths in an array of the caller. */
#ifndef LIBAPSP_SUM_SINKS_H
#define LIBAPSP_SUM_SINKS_H

#include "flows/along_sink.h" // struct along_sink
#include "libapsp/apsp.h"     // apsp_request

struct sum_sinks {
    struct edge_columns columns; /* copies of the numbers in the request */
    struct along_sink along;     /* takes rows of distances */
    struct sum_sink {
        struct row_sink sink; /* first member: takes rows of sums */
        double *sums;         /* rows of sums in the caller's array, n entries each, by position */
        int32_t n;
    } of[EDGE_COLUMNS_MOST];
};

/* Takes the numbers of a request for a graph. STATUS_BAD_INPUT if they are not as apsp.h says. The
 * caller frees with sum_sinks_close, also after a failure. */
enum status sum_sinks_take(struct sum_sinks *sums, const apsp_request *request,
                           const struct graph *g, struct error *err);

/* Makes sums->along, which takes rows of distances and hands them on to `to`. Position 0 of these
 * rows is position `first` of the request, which has `rows` rows. g is the graph that distances
 * belong to. */
void sum_sinks_open(struct sum_sinks *sums, const apsp_request *request, const struct graph *g,
                    int32_t first, int32_t rows, struct row_sink *to);

/* Bytes of memory that the sinks take beside the caller's array, with that number of threads. */
uint64_t sum_sinks_memory(const apsp_request *request, const struct graph *g, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void sum_sinks_close(struct sum_sinks *sums);

#endif
