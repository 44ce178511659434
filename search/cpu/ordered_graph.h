// SPDX-License-Identifier: MIT
/* A graph laid out for label correcting from many sources. Its vertices are numbered in an order in
 * which most light edges lead forward. It holds the edges in both directions, each row sorted by
 * weight. */
#ifndef SEARCH_CPU_ORDERED_GRAPH_H
#define SEARCH_CPU_ORDERED_GRAPH_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

struct ordered_edge {
    int32_t end; /* the number of the vertex at its other end */
    int32_t weight;
};

/* The edges of vertex number v are first[v] .. first[v + 1] - 1. Rows of `in` are sorted by weight,
 * then by the tail's vertex; rows of `out` by weight. */
struct ordered_graph {
    int32_t n;
    int64_t m;
    int32_t *vertex;               /* n: the vertex of the graph behind each number */
    int32_t *number;               /* n: the number of each vertex */
    int64_t *in_first, *out_first; /* n + 1 */
    struct ordered_edge *in, *out; /* m */
    int32_t *in_tail;              /* m: the tail's vertex of each edge of `in` */
};

/* Numbers vertices in the reverse postorder of a depth-first search that tries light edges first:
 * every edge leads forward, except edges to a vertex on the search's path. O(n + m), on up to
 * `threads` >= 1 threads. Returns STATUS_CANCELLED if progress says to stop. The caller frees with
 * ordered_graph_free. */
enum status ordered_graph_build(const struct graph *g, int threads, const struct progress *progress,
                                struct ordered_graph *ordered, struct error *err);

/* Makes an ordered graph without edges, of which only n, m and the two lists of vertices are set.
 * It takes less memory. */
enum status ordered_graph_number(const struct graph *g, int threads,
                                 const struct progress *progress, struct ordered_graph *ordered,
                                 struct error *err);
uint64_t ordered_graph_memory_to_number(int32_t n, int64_t m);

/* The same for a dense graph of real weights, in memory for its vertices: a vertex's edges are
 * looked through once for each vertex that the search enters from it. O(n^2) on one thread. */
enum status ordered_graph_number_dense(const struct graph *g, const struct progress *progress,
                                       struct ordered_graph *ordered, struct error *err);
uint64_t ordered_graph_memory_to_number_dense(int32_t n);

/* The bytes of an ordered graph; the bytes that it and building it take. */
uint64_t ordered_graph_memory(int32_t n, int64_t m);
uint64_t ordered_graph_memory_to_build(int32_t n, int64_t m, int threads);

/* Writes the vertex numbers to `order` (n) in groups of `size`, so that the vertices of a group
 * are, as far as possible, neighbours, a central one first. O(n + m). */
enum status ordered_graph_group(const struct ordered_graph *ordered, int32_t size, int32_t *order,
                                struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void ordered_graph_free(struct ordered_graph *ordered);

#endif
