// SPDX-License-Identifier: MIT
/* Dijkstra's algorithm from one source with a 4-ary heap. Buckets of one and several levels, binary
 * heaps and lazy heaps were tried too: the 4-ary heap is never far behind the best of them,
 * whatever the weights, and is by far the best if the queue is short, as it is in graphs of long
 * paths. (Dijkstra 1959; Johnson 1975 for d-ary heaps.) */
#ifndef SOLVE_DIJKSTRA_H
#define SOLVE_DIJKSTRA_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

#include <stdbool.h>

/* The queue of one thread, for graphs of n vertices. */
struct dijkstra {
    void *heap;        /* n entries, each a vertex and its distance of 32 or 64 bits */
    int32_t *position; /* n: the place of each queued vertex in the heap */
    const struct progress *progress; /* NULL: a run never stops early; if progress says to stop, a
                                        run leaves garbage */
};

/* Stands for no path among 64-bit distances. */
#define DIJKSTRA_NO_PATH INT64_MAX

/* Allocates a queue: if is_64_bit, for distances of 64 bits, otherwise of 32. The caller frees with
 * dijkstra_free. */
enum status dijkstra_alloc(struct dijkstra *queue, int32_t n, bool is_64_bit, struct error *err);

/* Returns how many bytes a queue takes. */
uint64_t dijkstra_memory(int32_t n, bool is_64_bit);

/* Writes the distances from the source to dist[0 .. n-1], and unless pred is NULL the predecessors
 * on shortest paths to pred[0 .. n-1]. A vertex without a path shorter than no_path gets no_path
 * and -1. The weights of g must be >= 0; no_path is in 1 .. INF. O((n + m) log n), where only
 * vertices nearer than no_path and their edges count. */
void dijkstra_run(const struct dijkstra *queue, const struct graph *g, int32_t source,
                  int32_t no_path, int32_t *dist, int32_t *pred);

/* Writes the distances that dijkstra_run writes, and the vertices that the source reaches to
 * order[0 .. count - 1], sorted by distance, the source first. Returns their count. */
int32_t dijkstra_order(const struct dijkstra *queue, const struct graph *g, int32_t source,
                       int32_t no_path, int32_t *dist, int32_t *order);

/* dijkstra_order for a graph of type float64, with a queue for 64 bits; the distance is infinite if
 * there is no path. */
int32_t dijkstra_order_f64(const struct dijkstra *queue, const struct graph *g, int32_t source,
                           double *dist, int32_t *order);

/* dijkstra_run with distances of 64 bits: edge e of g weighs weight[e] >= 0, all sums must fit, and
 * DIJKSTRA_NO_PATH stands for no path. */
void dijkstra_run_64(const struct dijkstra *queue, const struct graph *g, const int64_t *weight,
                     int32_t source, int64_t *dist, int32_t *pred);

/* dijkstra_run for a graph of type float32, with a queue for 32 bits, or float64, with one for 64
 * bits. The distance is infinite if there is no path shorter than `beyond`, which may be infinite.
 * pred may be NULL. */
void dijkstra_run_f32(const struct dijkstra *queue, const struct graph *g, int32_t source,
                      float beyond, float *dist, int32_t *pred);
void dijkstra_run_f64(const struct dijkstra *queue, const struct graph *g, int32_t source,
                      double beyond, double *dist, int32_t *pred);

/* Searches a graph of type float64 from the nearest of the sources. Writes distances shorter than
 * `beyond` to dist[0 .. n-1], which must be infinite before; unless pred is NULL, the predecessor
 * of each vertex reached except the sources to pred; unless order is NULL, the vertices reached to
 * order[0 .. count - 1], none before its predecessor. Returns the number of vertices reached, and
 * touches no cells of others. back: the reverse of g if edges lead both ways; NULL: they do not.
 * Rows of g need not be sorted and may have parallel edges and loops. */
int32_t dijkstra_search(const struct dijkstra *queue, const struct graph *g,
                        const struct graph *back, const int32_t *source, int32_t sources,
                        double beyond, double *dist, int32_t *pred, int32_t *order);

/* Edges in arrays that nobody has checked, except that weights are >= 0 and their sums finite. */
struct dijkstra_edges {
    int32_t n;
    int64_t count; /* number of entries of head and of weight */
    /* n + 1: edges first[v] .. first[v + 1] - 1 lead from v; read if narrow_first is NULL */
    const int64_t *first;
    /* n + 1: what `first` would hold, in 32 bits; NULL: `first` is used */
    const int32_t *narrow_first;
    const int32_t *head;
    const double *weight;
};

/* dijkstra_search in unchecked edges. It reads only the edges of vertices that it reaches. Returns
 * -1, and leaves garbage, if their indices or heads are out of range. */
int32_t dijkstra_search_edges(const struct dijkstra *queue, const struct dijkstra_edges *found,
                              const int32_t *source, int32_t sources, double beyond, double *dist,
                              int32_t *pred, int32_t *order);

/* Safe on a zeroed struct; leaves it zeroed. */
void dijkstra_free(struct dijkstra *queue);

#endif
