// SPDX-License-Identifier: MIT
/* The sums of further columns of edges along shortest paths: the kilometres of the fastest route.
 *
 * Of all shortest paths from a source to a vertex the chosen one has the least sum of the first
 * column, then of the second, and so on; the sums of all columns are those of that path. So they
 * depend on the distances alone, and not on the engine that found these, its predecessors or
 * threads. Sums are doubles, rounded after every addition from the source on, as distances of
 * float64 are. With several columns, rounding may decide between paths whose sums of a column
 * differ by no more than that.
 *
 * A row is made of its distances: the edges from u to v with d(u) + w = d(v), the tight ones, are
 * those that shortest paths have. Behind vertices whose tight edges in are all behind them their
 * sums are final (Kahn, https://doi.org/10.1145/368996.369025). Cycles of tight edges have
 * weight 0; what they and vertices behind them get is corrected until nothing changes, among
 * vertices of the same distance at a time. */
#ifndef FLOWS_ALONG_H
#define FLOWS_ALONG_H

#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/graph/graph.h"        // struct graph

struct along {
    const struct graph *graph;
    const struct edge_columns *columns; /* of its edges */
    double *dist;                       /* n: the row, infinite if there is no path */
    int32_t *before; /* n: tight edges into the vertex from vertices that are not final */
    int32_t *order;  /* n: vertices in the order in which they become final */
    int32_t *queue;  /* n: a ring of vertices of one distance whose sums have changed */
    int32_t *taken;  /* n: how often the vertex was taken out of the ring; -1: its sums are final */
    uint8_t *waits;  /* n: whether it is in the ring */
};

/* Makes room for rows. The graph and the columns are the caller's, and outlive it. The caller frees
 * with along_close, also after a failure. */
enum status along_open(struct along *along, const struct graph *g,
                       const struct edge_columns *columns, struct error *err);

/* Finds the sums of the row of `source`, whose distances the caller has stored in along->dist: for
 * column c and vertex v sum[c * n + v], 0 for the source and infinite if there is no path.
 * STATUS_BAD_INPUT if a cycle of weight 0 has a sum below 0, so that no path has the least one;
 * STATUS_REFUTED if no path has these distances. */
enum status along_row(struct along *along, int32_t source, double *sum, struct error *err);

/* Leaves in along->dist the vertices that shortest paths to some vertices lead through, and makes
 * the others infinite, so that along_row finds the sums of these paths alone. `in` is the graph
 * reversed. */
void along_narrow(struct along *along, const struct graph *in, int32_t source, const int32_t *to,
                  int64_t count);

/* Bytes of a struct along, without what outlives it. */
uint64_t along_memory(int32_t n);

/* Safe on a zeroed struct; leaves it zeroed. */
void along_close(struct along *along);

#endif
