// SPDX-License-Identifier: MIT
/* A graph for searches by levels from many sources at a time: without weights, or with such as are
 * small multiples of one number. */
#ifndef SEARCH_CPU_BFS_GRAPH_H
#define SEARCH_CPU_BFS_GRAPH_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

struct graph;
struct row_sources; /* common/graph/row_block.h */

/* Vertices are numbered anew, those of most out-edges first: they are met the most often, and what
 * is new at them stays in the caches. */
struct bfs_graph {
    int32_t n;
    int64_t m;
    int32_t *vertex, *number; /* n: the vertex of a number; the number of a vertex */
    /* Edges weigh 1 .. steps. Those of a vertex come by weight: those of number k that weigh s
     * begin at first[k * steps + s - 1]. */
    int32_t steps;
    int64_t *first_in, *first_out; /* n * steps + 1 */
    /* m: the number of the tail of each edge in, and of the head of each edge out. Edges of a
     * vertex that weigh the same come by these numbers, ascending. */
    int32_t *tail, *head;
    uint8_t *weight_in; /* m: the weight of each edge in, in units; NULL if steps is 1 */
    bool undirected;    /* each edge has a reverse one: edges in and out are the same memory */
    void *memory;
};

/* Makes it of g, on up to `threads` threads (0: one per core); weights do not matter. The caller
 * frees it with bfs_graph_free, also after a failure. */
enum status bfs_graph_make(struct bfs_graph *made, const struct graph *g, int threads,
                           struct error *err);

/* The same of an int32 graph whose weights are multiples of `unit` > 0, 1 to `steps` times it, at
 * most WEIGHT_STEPS_MOST. If `steps` is 1, weights do not matter. */
enum status bfs_graph_make_by_steps(struct bfs_graph *made, const struct graph *g, int32_t unit,
                                    int32_t steps, int threads, struct error *err);

/* Stores the numbers of the sources, which differ, in ascending order, and the position of each
 * among them. */
enum status bfs_graph_arrange(const struct bfs_graph *g, const struct row_sources *sources,
                              int32_t *number, int32_t *position, struct error *err);

/* Returns the bytes that they take; UINT64_MAX if that overflows. */
uint64_t bfs_graph_memory(int32_t n, int64_t m);
uint64_t bfs_graph_memory_by_steps(int32_t n, int64_t m, int32_t steps);

/* Safe on a zeroed struct; leaves it zeroed. */
void bfs_graph_free(struct bfs_graph *made);

#endif
