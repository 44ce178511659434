// SPDX-License-Identifier: MIT
/* All lengths of min-max or max-min in a symmetric graph, kept in O(n) memory.
 *
 * Prim's algorithm joins vertices one by one to a spanning tree, each by the best edge that leads
 * to a new vertex. The line is the sequence of vertices in that order, and the gap before a vertex
 * is the edge that joined it. The length of the best path between two vertices is the worst of the
 * gaps between them:
 * - The best path is no better: when the vertex behind the worst gap was joined, that gap was the
 *   best edge from all vertices before it, among them one of the two, to all others.
 * - The best path is no worse: once Prim's algorithm enters a set of vertices that edges as good as
 *   the worst gap connect, it joins the whole set before it takes any worse edge.
 * So a row takes one pass to the right and one to the left. Paths are those of the tree. (Prim
 * 1957; Hu 1961 for paths in the tree.) */
#ifndef SEMIRING_LINE_H
#define SEMIRING_LINE_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

struct line {
    const struct graph *g; /* owned by the caller */
    int32_t *vertex;       /* n: the vertex at each position, one component after the other */
    int32_t *position;     /* n: position of each vertex in the line */
    int32_t *parent;       /* n: predecessor of each vertex in its tree; -1: it is the root */
    int32_t *first;        /* n: position of the first vertex of each vertex's component */
    /* n: at the first position of a component, the position after its last vertex */
    int32_t *end;
    void *gap; /* n: weight of the edge that joined the vertex at each position, of the
                  graph's type */
};

/* Makes the line of a symmetric graph of min-max or max-min. The caller frees it with line_free,
 * also after a failure. O((n + m) log n). */
enum status line_make(struct line *line, const struct graph *g, const struct progress *progress,
                      struct error *err);
void line_free(struct line *line);

/* Writes the row of a source as search_row does (search.h). O(n). */
void line_row(const struct line *line, int32_t source, void *dist, int32_t *pred);

/* Returns how many bytes line_make takes at most. */
uint64_t line_memory(enum number_type type, int32_t n, int64_t m);

#endif
