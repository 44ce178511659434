// SPDX-License-Identifier: MIT
/* The sums of further columns of edges along shortest paths: the kilometres of the fastest route.
 *
 * Of all shortest paths from a source to a vertex, the one with the least sum of the first column
 * is chosen, then with the least sum of the second, and so on; the sums of all columns are those of
 * this path. So they depend on the distances alone, and not on the engine that found these, its
 * predecessors or threads. Sums are doubles, rounded after every addition from the source on, as
 * distances of float64 are. With several columns, rounding may decide between paths whose sums of a
 * column differ by no more than that.
 *
 * The sums of a row are found from its distances. The edges from u to v with d(u) + w = d(v), the
 * tight ones, are the edges of shortest paths. The sums of a vertex are final once those of all
 * tails of tight edges into it are (Kahn, https://doi.org/10.1145/368996.369025). Cycles of tight
 * edges have weight 0; the sums of vertices on and behind them are corrected until nothing changes,
 * among the vertices of one distance at a time. */
#ifndef FLOWS_ALONG_H
#define FLOWS_ALONG_H

#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/graph/graph.h"        // struct graph

struct along {
    const struct graph *graph;
    const struct edge_columns *columns; /* columns of the graph's edges */
    double *dist;                       /* distances of the row, n entries; infinite: no path */
    int32_t *before;                    /* number of tight edges into each vertex from vertices that
                                           are not final, n entries */
    int32_t *order;                     /* vertices in the order in which they become final, n
                                           entries */
    int32_t *queue;                     /* ring buffer of vertices of one distance whose sums have
                                           changed, n entries */
    int32_t *taken;                     /* how often each vertex was taken out of the ring, n
                                           entries; -1: its sums are final */
    uint8_t *waits;                     /* by vertex, n entries: it is in the ring */
};

/* Allocates arrays for rows. The graph and the columns are the caller's, and must outlive *along.
 * The caller frees it with along_close, also after a failure. */
enum status along_open(struct along *along, const struct graph *g,
                       const struct edge_columns *columns, struct error *err);

/* Finds the sums of the row of `source`, whose distances the caller has stored in along->dist: for
 * column c and vertex v sum[c * n + v], 0 for the source and infinite if there is no path.
 * STATUS_BAD_INPUT if a cycle of weight 0 has a sum below 0, so that no path has the least one;
 * STATUS_REFUTED if no path has these distances. */
enum status along_row(struct along *along, int32_t source, double *sum, struct error *err);

/* Sets all distances in along->dist to infinite except those of vertices on shortest paths to the
 * `count` vertices in `to`, so that along_row finds only the sums of these paths. `in` is the graph
 * reversed. */
void along_narrow(struct along *along, const struct graph *in, int32_t source, const int32_t *to,
                  int64_t count);

/* Returns the bytes of memory of a struct along, without the graph and the columns. */
uint64_t along_memory(int32_t n);

/* Frees *along and zeroes it; safe on a zeroed struct. */
void along_close(struct along *along);

#endif
