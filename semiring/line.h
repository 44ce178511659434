// SPDX-License-Identifier: MIT
/* All lengths of min-max or max-min in a symmetric graph, kept in O(n).
 *
 * Prim's algorithm joins vertices one by one to a spanning tree, each by the best edge that leads
 * to a new one. In the line of vertices in that order, with each edge as the gap before the vertex
 * that it joins, the length of the best path between two vertices is the worst of the gaps between
 * them:
 * - It is no better, because when the worst of them was joined, it was the best edge from the
 *   vertices before it, one of the two among them, to all others.
 * - It is no worse: once a set of vertices that edges as good as the worst gap connect is entered,
 *   it is finished before any worse edge is taken.
 * A row is then one pass to the right and one to the left. Paths are those of the tree. (Prim 1957;
 * Hu 1961 for paths in the tree.) */
#ifndef SEMIRING_LINE_H
#define SEMIRING_LINE_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

struct line {
    const struct graph *g; /* the caller's */
    int32_t *vertex;       /* n: the vertex at each position, one component after the other */
    int32_t *position;     /* n: position of each vertex in the line */
    int32_t *parent;       /* n: predecessor of each vertex in its tree, -1: it is the root */
    int32_t *first;        /* n: position of the first vertex of each vertex's component */
    int32_t *end;          /* n: at the first position of a component, the one behind its last */
    void *gap;             /* n: weight of the edge that joined the vertex at each position, of the
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
