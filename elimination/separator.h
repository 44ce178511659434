// SPDX-License-Identifier: MIT
/* Small separators: few vertices without which a graph falls into two parts of about the same size.
 *
 * The search works on several levels (Hendrickson and Rothberg 1998; Karypis and Kumar 1998):
 * vertices are matched with neighbours and merged until few are left, and this smallest graph is
 * parted. On the way back to the full graph, the separator is improved by moving its vertices to
 * one side or the other (Fiduccia and Mattheyses 1982; Ashcraft and Liu 1997). */
#ifndef ELIMINATION_SEPARATOR_H
#define ELIMINATION_SEPARATOR_H

#include "elimination/pattern.h" // struct pattern

#include <stdint.h>

enum side { LEFT, RIGHT, SEPARATOR };

/* An undirected graph, each of whose vertices and edges stands for one or more of a finer graph. */
struct merged_graph {
    int32_t n;
    int64_t weight;        /* sum of all sizes */
    int64_t *first;        /* n + 1: the neighbours of v are to[first[v]] .. to[first[v + 1] - 1] */
    int32_t *to;           /* first[n]: neighbours, each edge at both of its ends */
    int32_t *merged;       /* first[n] entries: number of edges of the finer graph that each edge
                              stands for */
    int32_t *size;         /* n entries: number of vertices of the finer graph that each vertex
                              stands for */
    int32_t *coarse;       /* n entries: vertex of the next coarser graph that each vertex is merged
                              into */
    uint8_t *side;         /* n entries: enum side of each vertex */
    void *numbers, *edges; /* memory of the arrays by vertex, and of the arrays by edge */
};

/* Makes room for n vertices and `entries` entries of `to`; all arrays hold garbage. The caller
 * frees *g with merged_graph_free, also after a failure. STATUS_NO_RESOURCE if there is not enough
 * memory. */
enum status merged_graph_alloc(struct merged_graph *g, int32_t n, int64_t entries,
                               struct error *err);

/* Makes the graph of a pattern, in which every vertex and edge stands for itself, on up to
 * `threads`
 * >= 1 threads. The caller frees *g with merged_graph_free, also after a failure.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status merged_graph_of(const struct pattern *pattern, int threads, struct merged_graph *g,
                            struct error *err);

/* Makes the graph of the `count` vertices of g on one side, in which vertex v has the number
 * g->coarse[v], and stores their names: sub_name[g->coarse[v]] = name[v]. The caller frees *sub
 * with merged_graph_free, also after a failure. STATUS_NO_RESOURCE if there is not enough memory.
 */
enum status merged_graph_side(const struct merged_graph *g, uint8_t side, int32_t count,
                              const int32_t *name, struct merged_graph *sub, int32_t *sub_name,
                              struct error *err);

/* Frees a merged graph and zeroes the struct; safe on a zeroed struct. */
void merged_graph_free(struct merged_graph *g);

/* Fills g->side so that no edge joins the left and the right side; one side may be empty. Takes the
 * best of `tries` >= 1 separators, which are looked for where the merged graph has few vertices.
 * *random is the state of splitmix64: equal graphs and states give equal separators. Changes
 * g->coarse. O(entries + n log n) for each try. STATUS_NO_RESOURCE if there is not enough
 * memory. */
enum status separator_find(struct merged_graph *g, int tries, uint64_t *random, struct error *err);

#endif
