// SPDX-License-Identifier: MIT
/* Dijkstra's algorithm from one source, with a 4-ary heap: of the queues tried
 * (buckets of one and several levels, binary and lazy heaps) never far behind
 * the best, whatever the weights, and by far the best where the queue is short,
 * as it is in graphs of long paths. (Dijkstra 1959; Johnson 1975 for d-ary
 * heaps.) */
#ifndef CPU_PARTS_DIJKSTRA_H
#define CPU_PARTS_DIJKSTRA_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

#include <stdbool.h>

/* One thread's queue, for graphs of n vertices. */
struct dijkstra {
    void *heap;        /* n entries of a vertex and its distance, of 32 or of 64 bits */
    int32_t *position; /* n: where each queued vertex is in the heap */
    const struct progress *progress; /* NULL; where it says to stop, what a run fills is garbage */
};

/* "No path" among 64-bit distances. */
#define DIJKSTRA_NO_PATH INT64_MAX

/* The caller frees with dijkstra_free. is_64_bit: for dijkstra_run_64. */
enum status dijkstra_alloc(struct dijkstra *queue, int32_t n, bool is_64_bit, struct error *err);

/* Bytes of it. */
uint64_t dijkstra_memory(int32_t n, bool is_64_bit);

/* Fills dist[0 .. n-1] with the distances from the source, INF where there is
 * no path or none shorter than INF, and unless pred is NULL pred[0 .. n-1] with
 * predecessors on paths that end at the source, -1 where there are none. The
 * weights of g must be >= 0. O((n + m) log n). */
void dijkstra_run(const struct dijkstra *queue, const struct graph *g, int32_t source,
                  int32_t *dist, int32_t *pred);

/* The same distances, and the vertices that the source reaches, itself first, by
 * distance: order[0 .. count - 1]. Returns their count. */
int32_t dijkstra_order(const struct dijkstra *queue, const struct graph *g, int32_t source,
                       int32_t *dist, int32_t *order);

/* dijkstra_run in 64 bits: edge e of g weighs weight[e] >= 0, all sums fit, and
 * DIJKSTRA_NO_PATH says that there is no path. */
void dijkstra_run_64(const struct dijkstra *queue, const struct graph *g, const int64_t *weight,
                     int32_t source, int64_t *dist, int32_t *pred);

/* Safe on a zeroed struct; leaves it zeroed. */
void dijkstra_free(struct dijkstra *queue);

#endif
