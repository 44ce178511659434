// SPDX-License-Identifier: MIT
#include "common/graph/zones.h"

#include "common/base/memory.h" // memory_alloc

#include <math.h>
#include <string.h>

/* Copies edges begin .. end - 1 of g to the end of the split graph's edges. */
static void append_edges(const struct graph *g, int64_t begin, int64_t end, struct graph *to,
                         int64_t at) {
    const size_t size = g->type == NUMBER_INT32 ? sizeof *g->weight : sizeof *g->real_weight;
    memcpy(to->head + at, g->head + begin, (size_t)(end - begin) * sizeof *g->head);
    memcpy((char *)graph_weights(to) + (size_t)at * size,
           (const char *)graph_weights(g) + (size_t)begin * size, (size_t)(end - begin) * size);
}

enum status zone_split_make(const struct graph *g, struct zone_split *split, struct error *err) {
    const int32_t n = g->n, zones = g->zones;
    const int64_t of_zones = g->first[zones];
    void *vertex;
    enum status status;
    *split = (struct zone_split){.n = n, .zones = zones};
    if (n > INT32_MAX - zones)
        return fail(err, STATUS_BAD_INPUT,
                    "expected at most %d vertices, each zone twice, found %d and %d zones",
                    INT32_MAX, n, zones);
    TRY(memory_alloc(&vertex, (size_t)n + (size_t)zones, sizeof *split->vertex, "the zones", err));
    split->vertex = vertex;
    for (int32_t v = 0; v < n + zones; v++)
        split->vertex[v] = v < n ? v : v - n;
    struct graph *const to = &split->graph;
    TRY(graph_alloc(to, n + zones, g->m, g->type, err));
    to->edges_read = g->edges_read;
    to->min_weight = g->min_weight;
    to->max_weight = g->max_weight;
    to->naming = naming_of_part(&g->naming, split->vertex);
    memset(to->first, 0, (size_t)zones * sizeof *to->first);
    for (int32_t v = zones; v <= n; v++)
        to->first[v] = g->first[v] - of_zones;
    for (int32_t z = 1; z <= zones; z++)
        to->first[n + z] = to->first[n] + g->first[z];
    append_edges(g, of_zones, g->m, to, 0);
    append_edges(g, 0, of_zones, to, g->m - of_zones);
    return STATUS_OK;
cleanup:
    zone_split_free(split);
    return status;
}

void zone_split_free(struct zone_split *split) {
    graph_free(&split->graph);
    memory_free(split->vertex);
    *split = (struct zone_split){0};
}

/* Stores distance d of a vertex; INF or -INF if it is out of the range of int32. */
static void put(enum number_type type, void *dist, int32_t v, double d) {
    if (type == NUMBER_INT32)
        ((int32_t *)dist)[v] = d >= INF ? INF : d <= -INF ? -INF : (int32_t)d;
    else if (type == NUMBER_FLOAT32)
        ((float *)dist)[v] = (float)d;
    else
        ((double *)dist)[v] = d;
}

void zone_split_join(const struct zone_split *split, int32_t z, enum number_type type,
                     const void *from_dist, const int32_t *from_pred, void *dist, int32_t *pred) {
    const size_t n = (size_t)split->n;
    if (dist != from_dist)
        memcpy(dist, from_dist, n * number_size(type));
    put(type, dist, z, 0);
    for (size_t v = 0; v < n && pred != NULL; v++)
        pred[v] = from_pred[v] == split->n + z ? z : from_pred[v];
    if (pred != NULL)
        pred[z] = -1;
}

/* Returns the length of a path by way of u and an edge of that weight, rounded to the type;
 * infinity if the row has no path to u. */
static double length_through(enum number_type type, const void *dist, int32_t u, double weight) {
    const double d = number_at(type, dist, u);
    if (type == NUMBER_INT32)
        return d < INF ? d + weight : (double)INFINITY;
    return number_rounded(type, d + weight);
}

void zone_split_claim(const struct zone_split *split, const struct graph *in, int32_t v,
                      double limit, const void *from_dist, const int32_t *from_pred, void *dist,
                      int32_t *pred) {
    const enum number_type type = in->type;
    const int32_t n = split->n;
    memcpy(dist, from_dist, (size_t)n * number_size(type));
    for (int32_t u = 0; u < n && pred != NULL; u++)
        pred[u] = v < split->zones && from_pred[u] == v ? n + v : from_pred[u];
    for (int32_t u = n; u < n + split->zones; u++) {
        put(type, dist, u, u == n + v ? 0 : (double)INFINITY);
        if (pred != NULL)
            pred[u] = -1;
    }
    if (v >= split->zones)
        return;
    double shortest = (double)INFINITY;
    int32_t before = -1;
    for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
        const double weight = graph_weight(in, e);
        const double length = length_through(type, dist, in->head[e], weight);
        if (length < shortest && length <= limit) {
            shortest = length;
            before = in->head[e];
        }
    }
    put(type, dist, v, shortest);
    if (pred != NULL)
        pred[v] = before;
}
