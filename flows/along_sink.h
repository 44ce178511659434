// SPDX-License-Identifier: MIT
/* A sink that finds sums of columns along shortest paths from the rows that it takes, and hands
 * rows of each column to a sink of its own. */
#ifndef FLOWS_ALONG_SINK_H
#define FLOWS_ALONG_SINK_H

#include "common/graph/row_block.h" // struct row_sink
#include "flows/along.h"            // struct along

struct along_sink {
    struct row_sink sink; /* the sink that callers use; must be the first member */
    const struct graph *graph;
    const struct edge_columns *columns;
    bool check;                             /* the sums are proved before the sinks get them */
    struct row_sink *to;                    /* sink that gets the distances */
    struct row_sink *of[EDGE_COLUMNS_MOST]; /* by column: sink that gets its sums as rows of
                                               float64 */
    /* Vertices whose sums are wanted: to[first[p]] .. to[first[p + 1] - 1] in the row at position
     * p; `in` is the graph reversed. NULL: all vertices. */
    const int64_t *first;
    const int32_t *to_vertex;
    const struct graph *in;
    struct along_thread *thread; /* by thread: its arrays, `threads` entries */
    int threads;                 /* number of threads; set by begin */
};

/* Makes a sink for whole rows of g, and of a graph with the same distances. It hands the distances
 * on to `to`, and sums of column c, infinite if there is no path, as rows of float64 to of[c]. The
 * rows must be right; with `check` the sums are proved (along_check.h). It fails as along_row.
 * Everything that the sink points to is the caller's, and must outlive it. The caller frees the
 * sink with along_sink_close. */
void along_sink_open(struct along_sink *sink, const struct graph *g,
                     const struct edge_columns *columns, bool check, struct row_sink *to,
                     struct row_sink *const *of);

/* Makes the sink find the sums of some vertices only; other vertices are then infinite or missing.
 * first and to list the vertices of each row as in a pair_sink (common/rows/pair_sink.h). `in` is g
 * reversed. */
void along_sink_narrow(struct along_sink *sink, const struct graph *in, const int64_t *first,
                       const int32_t *to);

/* Returns the bytes of memory that the sink takes with `threads` threads; 0: one thread for each
 * core. */
uint64_t along_sink_memory(int32_t n, int columns, int threads);

/* Frees the sink's memory and zeroes *sink; safe on a zeroed struct. */
void along_sink_close(struct along_sink *sink);

#endif
