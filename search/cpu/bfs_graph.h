// SPDX-License-Identifier: MIT
/* A graph for searches by levels from many sources at a time: without weights, or with weights that
 * are small multiples of one number. */
#ifndef SEARCH_CPU_BFS_GRAPH_H
#define SEARCH_CPU_BFS_GRAPH_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

struct graph;
struct row_sources; /* see common/graph/row_block.h */

/* Vertices are numbered anew, those with most out-edges first: they are visited most often, and
 * their sets stay in the caches. */
struct bfs_graph {
    int32_t n;
    int64_t m;
    int32_t *vertex, *number; /* vertex[k]: vertex with number k; number[v]: number of vertex v; n
                                 entries each */
    /* Edges weigh 1 .. steps. The edges of a vertex are sorted by weight: those of number k with
     * weight s begin at first[k * steps + s - 1]. */
    int32_t steps;
    int64_t *first_in, *first_out; /* n * steps + 1 entries each */
    /* Number of the tail of each edge in (tail), and of the head of each edge out (head), m entries
     * each. Edges of a vertex with the same weight are sorted by these numbers. */
    int32_t *tail, *head;
    uint8_t *weight_in; /* weight of each edge in, in units, m entries; NULL: all are 1 */
    bool undirected;    /* each edge has a reverse edge of the same weight; edges in and out are the
                           same memory */
    void *memory;
};

/* Makes *made from g, on up to `threads` threads (0: one for each core); weights are ignored. The
 * caller frees it with bfs_graph_free, also after a failure. */
enum status bfs_graph_make(struct bfs_graph *made, const struct graph *g, int threads,
                           struct error *err);

/* Does as bfs_graph_make for an int32 graph whose weights are `unit` > 0 times 1 .. `steps`, steps
 * <= WEIGHT_STEPS_MOST. If `steps` is 1, weights are ignored. */
enum status bfs_graph_make_by_steps(struct bfs_graph *made, const struct graph *g, int32_t unit,
                                    int32_t steps, int threads, struct error *err);

/* Stores the numbers of the sources, which are all different, in ascending order, and the position
 * of each source in the answer. */
enum status bfs_graph_arrange(const struct bfs_graph *g, const struct row_sources *sources,
                              int32_t *number, int32_t *position, struct error *err);

/* Returns the bytes that these functions take; UINT64_MAX if that overflows. */
uint64_t bfs_graph_memory_by_steps(int32_t n, int64_t m, int32_t steps);

/* Frees *made and zeroes it; safe on a zeroed struct. */
void bfs_graph_free(struct bfs_graph *made);

#endif
