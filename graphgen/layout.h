// SPDX-License-Identifier: MIT
/* How a file lays a graph out, and writing in such a layout. */
#ifndef GRAPHGEN_LAYOUT_H
#define GRAPHGEN_LAYOUT_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/output.h" // struct output
#include "common/graph/graph.h" // struct edge

#include <stdbool.h>
#include <stdint.h>

/* Layout of a graph's file; common/graph/graph_io.h has the formats. */
struct graph_layout {
    const char *name; /* the value of --format */
    const char *head; /* text before the edges; $n, $m: |V|, |E|; $t: integer or real */
    const char *edge; /* line of an edge; $u, $v, $w: tail, head, weight */
    bool sized;       /* the head has |V| */
    int32_t first;    /* number of the first vertex */
};

/* Names of all layouts, for --help and messages. METIS has no layout, because its graphs are
 * undirected. */
#define GRAPH_LAYOUTS "text|gr|mtx|wel|snap|csv|tntp"

/* The layout of that name, or NULL. */
const struct graph_layout *graph_layout_find(const char *name);

/* State of writing a graph, in memory that does not grow with its size. */
struct graph_writer {
    const struct graph_layout *layout;
    struct output *out;
    int decimals;
    struct digits *digits;
    char *buffer, *at;
    int32_t last;   /* the last vertex */
    bool last_seen; /* an edge begins or ends at the last vertex */
};

/* A weight has at most this many decimals. */
enum { LAYOUT_MAX_DECIMALS = 9 };

/* Writes the head of a graph of n vertices and `edges` edges to an open output, which the caller
 * keeps. Weights are written as w / 10^decimals. `uniform`: all vertices are ends of about the same
 * number of edges. STATUS_NO_RESOURCE if the graph does not fit on the disk. Ends, also on failure,
 * with graph_writer_close. */
enum status graph_writer_open(struct graph_writer *writer, const struct graph_layout *layout,
                              int decimals, struct output *out, int32_t n, int64_t edges,
                              bool uniform, struct error *err);

enum status graph_writer_put(struct graph_writer *writer, struct edge edge, struct error *err);

/* Writes the rest of the graph. If the layout does not record |V| and no edge touches the last
 * vertex, a self-loop of weight 0, which changes no path, is added there. */
enum status graph_writer_finish(struct graph_writer *writer, struct error *err);

/* Frees the buffers; safe on a zeroed struct. */
void graph_writer_close(struct graph_writer *writer);

#endif
