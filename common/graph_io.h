/* Reading graphs. Every program loads its graph here. */
#ifndef COMMON_GRAPH_IO_H
#define COMMON_GRAPH_IO_H

#include "common/graph.h"       // struct graph
#include "common/text_source.h" // struct text_source, TEXT_HIGHEST_SCALE

#define DEFAULT_GRAPH_FILE "graphFile.txt"

/* What is made of the edges in a file; all zero: the edges as they are. */
struct graph_reading {
    bool undirected; /* every edge is read both ways */
    int32_t scale;   /* 1 .. TEXT_HIGHEST_SCALE: weights may be decimal and are multiplied by it,
                        which must give integers; 0: weights must be integers */
    int matrices;    /* 1 or 2: of the result that will be held beside the graph, which is refused
                        where they do not fit; 0: not known, at least distances */
    /* Unless NULL, called where a file announces its |V| and |E|, before it is known whether that
     * is true. */
    void (*tell_size)(void *to, int32_t vertices, int64_t edges);
    void *tell_to;
};

/* Loads the graph in `path` ("-" is standard input), plain or gzip-compressed,
 * in any known format; the format is told by the content. Memory grows only
 * with edges really read; a |V| whose matrices do not fit into memory (memory.h),
 * and edges that do not, are refused (STATUS_NO_RESOURCE), before they are read where
 * the file announces them. Anything else wrong is
 * STATUS_BAD_INPUT, with file and line. The caller frees with graph_free.
 *
 *   thesis text (chapter 4)    a line `V E`, then E lines `u v w`, vertices from 0
 *   GAP .wel                   lines `u v w` alone, vertices from 0; |V| is the largest + 1
 *   DIMACS shortest path .gr   `p sp V E`, then E lines `a u v w`, vertices from 1; lines
 *                              that begin with c are comments
 *   Matrix Market .mtx         `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, a line
 *                              `V V E`, then E lines `u v w`, vertices from 1; lines that
 *                              begin with % are comments. FIELD is integer, real (integral
 *                              values, or with a scale) or pattern (`u v`, weight 1),
 *                              SYMMETRY general or symmetric (every edge both ways)
 *
 * Fields are separated by blanks; empty lines are skipped. edges_read counts an
 * edge that is read both ways as two, unless it is a self-loop. */
enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err);

/* The same for the edges as they are. */
enum status graph_read(const char *path, struct graph *g, struct error *err);

/* The same for an open source, which the caller closes. */
enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err);

#endif
