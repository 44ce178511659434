// SPDX-License-Identifier: MIT
/* A sink that finds sums of columns along shortest paths from the rows that it takes, and hands
 * rows of each column to a sink of its own. */
#ifndef FLOWS_ALONG_SINK_H
#define FLOWS_ALONG_SINK_H

#include "common/graph/row_block.h" // struct row_sink
#include "flows/along.h"            // struct along

struct along_sink {
    struct row_sink sink; /* the first member */
    const struct graph *graph;
    const struct edge_columns *columns;
    bool check;                             /* the sums are proved before anyone gets them */
    struct row_sink *to;                    /* gets the distances */
    struct row_sink *of[EDGE_COLUMNS_MOST]; /* of each column: gets sums as float64 rows */
    /* The vertices whose sums are wanted, to[first[p]] .. to[first[p + 1] - 1] in the row at
     * position p, and the graph reversed; NULL: all vertices. */
    const int64_t *first;
    const int32_t *to_vertex;
    const struct graph *in;
    struct along_thread *thread; /* threads */
    int threads;                 /* since begin */
};

/* Makes a sink for whole rows of g, and of a graph with the same distances. It hands the distances
 * on to `to`, and sums of column c, infinite if there is no path, as rows of float64 to of[c]. The
 * rows must be right; with `check` the sums are proved (along_check.h). It fails as along_row. All
 * that it points to is the caller's, and outlives it. The caller frees with along_sink_close. */
void along_sink_open(struct along_sink *sink, const struct graph *g,
                     const struct edge_columns *columns, bool check, struct row_sink *to,
                     struct row_sink *const *of);

/* Has the sink find sums to some vertices only, of which others are then infinite or missing: those
 * of a row stand as in a pair_sink (common/rows/pair_sink.h). `in` is g reversed. */
void along_sink_narrow(struct along_sink *sink, const struct graph *in, const int64_t *first,
                       const int32_t *to);

/* Bytes of memory that the sink takes with so many threads (0: one per core). */
uint64_t along_sink_memory(int32_t n, int columns, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void along_sink_close(struct along_sink *sink);

#endif
