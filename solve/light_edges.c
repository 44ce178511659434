// SPDX-License-Identifier: MIT
#include "solve/light_edges.h"

#include "common/base/memory.h" // memory_alloc
#include "solve/dijkstra.h"     // dijkstra_run_f64

#include <float.h>
#include <math.h>

/* Returns the largest of n distances; infinite if one of them is. */
static double largest_of(const double *dist, int32_t n) {
    double largest = 0;
    for (int32_t v = 0; v < n; v++)
        largest = fmax(largest, dist[v]);
    return largest;
}

/* Relaxes each edge once, from its head to its tail: to_hub[v] is the length of some path from v,
 * or infinite. */
static void sweep(const struct graph *g, double *to_hub, const struct progress *progress) {
    for (int32_t v = 0; v < g->n && progress_goes_on(progress); v++) {
        double least = to_hub[v];
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            const double length = g->real_weight[e] + to_hub[g->head[e]];
            least = length < least ? length : least;
        }
        to_hub[v] = least;
    }
}

/* Bounds the distances to the hub by sweeps, as long as they pay. Exact distances would need edges
 * by their heads, which take as much memory as the graph. */
static double bound_to_hub(const struct graph *g, int32_t hub, double *to_hub,
                           const struct progress *progress) {
    enum { MOST_SWEEPS = 8 };
    const double pays = 0.9;
    double bound = INFINITY, before;
    int sweeps = 0;
    for (int32_t v = 0; v < g->n; v++)
        to_hub[v] = INFINITY;
    to_hub[hub] = 0;
    do {
        before = bound;
        sweep(g, to_hub, progress);
        bound = largest_of(to_hub, g->n);
    } while (++sweeps < MOST_SWEEPS && (isinf(bound) || bound < pays * before));
    return bound;
}

/* Returns a factor for rounding errors: sums of the weights of a path in two different orders
 * differ by at most this factor. A sum of up to n weights is off by a factor of (1 + epsilon / 2)^n
 * each way, and three such errors can add up. */
static double rounding(const struct graph *g) {
    const double epsilon = g->type == NUMBER_FLOAT32 ? (double)FLT_EPSILON : DBL_EPSILON;
    const double off = 8 * epsilon * g->n;
    return off < 1 ? 1 + off : (double)INFINITY;
}

static bool are_few(const struct graph *g, double most) {
    return graph_count_up_to(g, most) <= g->m / 2;
}

/* Sets *most to a bound of all distances; to infinity if there is none that leaves out enough. From
 * any vertex, there is a path through the hub. A rounded sum of weights of 0 or more is no less
 * than any of the weights, so an edge heavier than the bound is never tight. */
static enum status find_bound(const struct graph *g, double *most, const struct progress *progress,
                              struct error *err) {
    const int32_t hub = graph_hub(g);
    struct dijkstra queue = {0};
    void *memory = NULL;
    enum status status;
    *most = INFINITY;
    TRY(dijkstra_alloc(&queue, g->n, true, err));
    queue.progress = progress;
    TRY(memory_alloc(&memory, (size_t)g->n, sizeof(double), "the distances of a vertex", err));
    dijkstra_run_f64(&queue, g, hub, INFINITY, memory, NULL);
    const double from_hub = largest_of(memory, g->n);
    if (are_few(g, from_hub))
        *most = rounding(g) * (from_hub + bound_to_hub(g, hub, memory, progress));
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    dijkstra_free(&queue);
    memory_free(memory);
    return status;
}

enum status light_edges_find(const struct graph *g, int64_t many, struct graph *light,
                             const struct progress *progress, struct error *err) {
    double most;
    *light = (struct graph){0};
    if (g->type == NUMBER_INT32 || g->min_weight < 0 || g->m / g->n < many)
        return STATUS_OK;
    RETURN_ON_FAILURE(find_bound(g, &most, progress, err));
    return !isinf(most) && are_few(g, most) ? graph_copy_up_to(g, most, light, err) : STATUS_OK;
}
