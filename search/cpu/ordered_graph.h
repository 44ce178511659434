// SPDX-License-Identifier: MIT
/* A graph laid out for label correcting from many sources. Its vertices are numbered in an order in
 * which most light edges lead forward. Its edges are stored in both directions, each row sorted by
 * weight. */
#ifndef SEARCH_CPU_ORDERED_GRAPH_H
#define SEARCH_CPU_ORDERED_GRAPH_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

struct ordered_edge {
    int32_t end; /* number of the vertex at the other end */
    int32_t weight;
};

/* The edges of vertex number v are first[v] .. first[v + 1] - 1. Rows of `in` are sorted by weight,
 * then by the tail's vertex; rows of `out` by weight. */
struct ordered_graph {
    int32_t n;
    int64_t m;
    int32_t *vertex;               /* vertex of the graph with each number, n entries */
    int32_t *number;               /* number of each vertex, n entries */
    int64_t *in_first, *out_first; /* n + 1 entries each */
    struct ordered_edge *in, *out; /* m entries each */
    int32_t *in_tail;              /* vertex of the graph at the tail of each edge of `in`, m
                                      entries */
};

/* Numbers vertices in the reverse postorder of a depth-first search that tries light edges first:
 * every edge leads forward, except edges to a vertex on the search's path. O(n + m), on up to
 * `threads` >= 1 threads. Returns STATUS_CANCELLED if progress says to stop. The caller frees
 * *ordered with ordered_graph_free. */
enum status ordered_graph_build(const struct graph *g, int threads, const struct progress *progress,
                                struct ordered_graph *ordered, struct error *err);

/* Makes an ordered graph without edges: only n, m and the two lists of vertices are set. Takes less
 * memory than ordered_graph_build. */
enum status ordered_graph_number(const struct graph *g, int threads,
                                 const struct progress *progress, struct ordered_graph *ordered,
                                 struct error *err);
uint64_t ordered_graph_memory_to_number(int32_t n, int64_t m);

/* Does as ordered_graph_number for a dense graph of real weights, with memory for its vertices
 * only: a vertex's edges are looked through once for each vertex that the search enters from it.
 * O(n^2) on one thread. */
enum status ordered_graph_number_dense(const struct graph *g, const struct progress *progress,
                                       struct ordered_graph *ordered, struct error *err);
uint64_t ordered_graph_memory_to_number_dense(int32_t n);

/* The first function returns the bytes of an ordered graph, the second the bytes of the graph and
 * of building it. */
uint64_t ordered_graph_memory(int32_t n, int64_t m);
uint64_t ordered_graph_memory_to_build(int32_t n, int64_t m, int threads);

/* Stores the vertex numbers in `order` (n entries) in groups of `size`. The vertices of a group are
 * neighbours as far as possible, a central one first. O(n + m). */
enum status ordered_graph_group(const struct ordered_graph *ordered, int32_t size, int32_t *order,
                                struct error *err);

/* Frees *ordered and zeroes it; safe on a zeroed struct. */
void ordered_graph_free(struct ordered_graph *ordered);

#endif
