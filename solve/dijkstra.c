// SPDX-License-Identifier: MIT
#include "solve/dijkstra.h"

#include "common/base/memory.h" // memory_alloc

#include <math.h>
#include <string.h>

enum { ARITY = 4 };

__extension__ typedef unsigned __int128 uint128;

static inline int64_t dijkstra_row(const struct dijkstra_edges *edges, int32_t v) {
    return edges->narrow_first != NULL ? edges->narrow_first[v] : edges->first[v];
}

/* DISTANCE is unsigned, because the sum of a distance below 2^30 and any weight fits. */
#define WIDTH(name)    name##_32
#define DISTANCE       uint32_t
#define WEIGHT         uint32_t
#define ENTRY          uint64_t
#define BITS(distance) (distance)
#include "solve/dijkstra_width.h"
#undef WIDTH
#undef DISTANCE
#undef WEIGHT
#undef ENTRY

#define WIDTH(name) name##_64
#define DISTANCE    uint64_t
#define WEIGHT      uint64_t
#define ENTRY       uint128
#include "solve/dijkstra_width.h"
#undef WIDTH
#undef DISTANCE
#undef WEIGHT
#undef ENTRY
#undef BITS

/* Maps a number >= 0 to its bits, which have the order of the numbers. */
static inline uint32_t bits_f32(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline uint64_t bits_f64(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The sum of two float32 numbers in float64, rounded to float32, is their sum in float32. */
#define WIDTH(name)    name##_f32
#define DISTANCE       float
#define WEIGHT         double
#define ENTRY          uint64_t
#define BITS(distance) bits_f32(distance)
#include "solve/dijkstra_width.h"
#undef WIDTH
#undef DISTANCE
#undef ENTRY
#undef BITS

#define WIDTH(name)    name##_f64
#define DISTANCE       double
#define ENTRY          uint128
#define BITS(distance) bits_f64(distance)
#include "solve/dijkstra_width.h"
#undef WIDTH
#undef DISTANCE
#undef WEIGHT
#undef ENTRY
#undef BITS

uint64_t dijkstra_memory(int32_t n, bool is_64_bit) {
    return (uint64_t)n * ((is_64_bit ? sizeof(uint128) : sizeof(uint64_t)) + sizeof(int32_t));
}

enum status dijkstra_alloc(struct dijkstra *queue, int32_t n, bool is_64_bit, struct error *err) {
    void *position;
    *queue = (struct dijkstra){0};
    const size_t entry = is_64_bit ? sizeof(uint128) : sizeof(uint64_t);
    RETURN_ON_FAILURE(memory_alloc(&queue->heap, (size_t)n, entry, "the queue", err));
    enum status status =
        memory_alloc(&position, (size_t)n, sizeof *queue->position, "the queue", err);
    queue->position = position;
    if (status != STATUS_OK)
        dijkstra_free(queue);
    return status;
}

static void clear(int32_t *dist, int32_t n, int32_t no_path) {
    for (int32_t v = 0; v < n; v++)
        dist[v] = no_path;
}

/* Sets all predecessors to -1; pred may be NULL. */
static void clear_pred(int32_t *pred, int32_t n) {
    if (pred != NULL)
        memset(pred, 0xff, (size_t)n * sizeof *pred);
}

/* Weights and distances are not below 0, so they may be read as unsigned numbers. The inlined call
 * without predecessors becomes a loop of its own. */

void dijkstra_run(const struct dijkstra *queue, const struct graph *g, int32_t source,
                  int32_t no_path, int32_t *dist, int32_t *pred) {
    const uint32_t *const weight = (const uint32_t *)g->weight, none = (uint32_t)no_path;
    uint32_t *const to = (uint32_t *)dist;
    clear(dist, g->n, no_path);
    clear_pred(pred, g->n);
    if (pred == NULL)
        run_32(queue, g, weight, NULL, NULL, NULL, &source, 1, to, NULL, NULL, none, none);
    else
        run_32(queue, g, weight, NULL, NULL, NULL, &source, 1, to, pred, NULL, none, none);
}

int32_t dijkstra_order(const struct dijkstra *queue, const struct graph *g, int32_t source,
                       int32_t no_path, int32_t *dist, int32_t *order) {
    const uint32_t *const weight = (const uint32_t *)g->weight, none = (uint32_t)no_path;
    clear(dist, g->n, no_path);
    return run_32(queue, g, weight, NULL, NULL, NULL, &source, 1, (uint32_t *)dist, NULL, order,
                  none, none);
}

int32_t dijkstra_order_f64(const struct dijkstra *queue, const struct graph *g, int32_t source,
                           double *dist, int32_t *order) {
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = INFINITY;
    return run_f64(queue, g, g->real_weight, NULL, NULL, NULL, &source, 1, dist, NULL, order,
                   INFINITY, INFINITY);
}

void dijkstra_run_64(const struct dijkstra *queue, const struct graph *g, const int64_t *weight,
                     int32_t source, int64_t *dist, int32_t *pred) {
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = DIJKSTRA_NO_PATH;
    clear_pred(pred, g->n);
    run_64(queue, g, (const uint64_t *)weight, NULL, NULL, NULL, &source, 1, (uint64_t *)dist, pred,
           NULL, DIJKSTRA_NO_PATH, DIJKSTRA_NO_PATH);
}

void dijkstra_run_f32(const struct dijkstra *queue, const struct graph *g, int32_t source,
                      float beyond, float *dist, int32_t *pred) {
    const double *const weight = g->real_weight;
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = INFINITY;
    clear_pred(pred, g->n);
    if (pred == NULL)
        run_f32(queue, g, weight, NULL, NULL, NULL, &source, 1, dist, NULL, NULL, INFINITY, beyond);
    else
        run_f32(queue, g, weight, NULL, NULL, NULL, &source, 1, dist, pred, NULL, INFINITY, beyond);
}

void dijkstra_run_f64(const struct dijkstra *queue, const struct graph *g, int32_t source,
                      double beyond, double *dist, int32_t *pred) {
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = (double)INFINITY;
    clear_pred(pred, g->n);
    dijkstra_search(queue, g, NULL, &source, 1, beyond, dist, pred, NULL);
}

int32_t dijkstra_search(const struct dijkstra *queue, const struct graph *g,
                        const struct graph *back, const int32_t *source, int32_t sources,
                        double beyond, double *dist, int32_t *pred, int32_t *order) {
    const double *const weight = g->real_weight, none = (double)INFINITY;
    if (back != NULL)
        return run_f64(queue, g, weight, back, back->real_weight, NULL, source, sources, dist, pred,
                       order, none, beyond);
    if (pred == NULL && order == NULL)
        return run_f64(queue, g, weight, NULL, NULL, NULL, source, sources, dist, NULL, NULL, none,
                       beyond);
    return run_f64(queue, g, weight, NULL, NULL, NULL, source, sources, dist, pred, order, none,
                   beyond);
}

int32_t dijkstra_search_edges(const struct dijkstra *queue, const struct dijkstra_edges *found,
                              const int32_t *source, int32_t sources, double beyond, double *dist,
                              int32_t *pred, int32_t *order) {
    const double none = (double)INFINITY;
    if (pred == NULL && order == NULL)
        return run_f64(queue, NULL, found->weight, NULL, NULL, found, source, sources, dist, NULL,
                       NULL, none, beyond);
    return run_f64(queue, NULL, found->weight, NULL, NULL, found, source, sources, dist, pred,
                   order, none, beyond);
}

void dijkstra_free(struct dijkstra *queue) {
    memory_free(queue->heap);
    memory_free(queue->position);
    *queue = (struct dijkstra){0};
}
