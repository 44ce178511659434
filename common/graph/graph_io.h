// SPDX-License-Identifier: MIT
/* Reading graphs. Every program loads its graph here. */
#ifndef COMMON_GRAPH_GRAPH_IO_H
#define COMMON_GRAPH_GRAPH_IO_H

#include "common/base/text_source.h" // struct text_source, TEXT_HIGHEST_SCALE
#include "common/graph/graph.h"      // struct graph

#define DEFAULT_GRAPH_FILE "graphFile.txt"

/* The formats, for help and messages; graph_format_find knows them by these names. */
#define GRAPH_FORMATS "text|gr|mtx|wel|snap|csv|metis|tntp"

/* A format of graph files, by its name; NULL if there is none of that name. */
struct graph_format;
const struct graph_format *graph_format_find(const char *name);

/* How messages number the vertices of a graph. Its file is read by the numbers of its format all
 * the same. */
enum vertices_from {
    VERTICES_FROM_FILE, /* as the file does */
    VERTICES_FROM_0,
    VERTICES_FROM_1,
};

/* What is made of a file; all zero: its format is told by its content, the edges are as they
 * are. */
struct graph_reading {
    const struct graph_format *format; /* NULL: told by the content */
    const char *weight_column; /* of a table; NULL: the one that the format calls so, see below */
    bool undirected;           /* every edge is read both ways */
    int32_t scale; /* 1 .. TEXT_HIGHEST_SCALE: weights may be decimal and are multiplied by it,
                      which must give integers; 0: weights must be integers */
    enum vertices_from vertices_from;
    int matrices; /* 1 or 2: of the result that will be held beside the graph, which is refused if
                     they do not fit; 0: not known, at least distances */
    /* Unless NULL, called where a file announces its |V| and |E|, before it is known whether that
     * is true. */
    void (*on_size)(void *to, int32_t vertices, int64_t edges);
    void *callback_context;
    const struct progress *progress; /* NULL; STATUS_CANCELLED where it says to stop */
};

/* Loads the graph in `path` ("-" is standard input), plain or gzip-compressed,
 * in any known format; the format is told by the content. Memory grows only
 * with edges really read; a |V| whose matrices do not fit into memory (memory.h),
 * and edges that do not, are refused (STATUS_NO_RESOURCE), before they are read where
 * the file announces them. Anything else wrong is
 * STATUS_BAD_INPUT, with file and line. The caller frees with graph_free.
 *
 *   text   thesis text (chapter 4): a line `V E`, then E lines `u v w`, vertices from 0
 *   wel    GAP: lines `u v w` alone, vertices from 0; |V| is the largest + 1
 *   gr     DIMACS shortest path: `p sp V E`, then E lines `a u v w`, vertices from 1; a line
 *          that begins with c, but not with a word, is a comment
 *   mtx    Matrix Market: `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, a line `V V E`, then
 *          E lines `u v w`, vertices from 1; lines that begin with % are comments. FIELD is
 *          integer, unsigned-integer, real (integral values, or with a scale) or pattern (`u v`,
 *          weight 1), SYMMETRY general, symmetric (every edge both ways) or skew-symmetric (the
 *          way back has the negated weight)
 *   snap   SNAP: lines that begin with #, then lines `u v` (weight 1) or `u v w`, vertices from 0;
 *          |V| is the largest + 1
 *   csv    a line of names of columns, separated by commas, semicolons or tabs, then a row for
 *          each edge; fields may be quoted. Vertices are numbers from 0; |V| is the largest + 1.
 *          The weight is the column called weight, w, cost, length, distance or dist
 *   metis  a line `V E [FMT [NCON]]`, then for each vertex a line with its neighbours, from 1, and
 *          the weights of the edges; every edge is in the lists of both its ends; lines that
 *          begin with % are comments. Never told by the content
 *   tntp   a network of the Transportation Networks repository: tags up to <END OF METADATA>, then
 *          a row for each link, ended by `;`, vertices from 1; lines that begin with ~ are
 *          comments. The weight is the free flow time
 *
 * Fields are separated by blanks, empty lines are skipped, unless said otherwise. edges_read
 * counts an edge that is read both ways as two, unless it is a self-loop. */
enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err);

/* The same for the edges as they are. */
enum status graph_read(const char *path, struct graph *g, struct error *err);

/* The same for an open source, which the caller closes. */
enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err);

#endif
