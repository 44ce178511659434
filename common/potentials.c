#include "common/potentials.h"

#include "common/memory.h" // memory_alloc

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One relaxation of every edge, tails in ascending or descending order (Yen
 * 1970: alternating the two halves the number of sweeps). */
static bool sweep(const struct graph *g, int64_t *potential, int32_t *parent, bool descending) {
    bool changed = false;
    for (int32_t step = 0; step < g->n; step++) {
        int32_t u = descending ? g->n - 1 - step : step;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int32_t v = g->head[e];
            if (potential[u] + g->weight[e] < potential[v]) {
                potential[v] = potential[u] + g->weight[e];
                parent[v] = u;
                changed = true;
            }
        }
    }
    return changed;
}

/* A vertex on a cycle of parents, or -1. Such a cycle is negative (Cormen et
 * al., lemma 24.16). seen[v] is the number of the walk that met v first. */
static int32_t find_parent_cycle(int32_t n, const int32_t *parent, int32_t *seen) {
    for (int32_t v = 0; v < n; v++)
        seen[v] = -1;
    for (int32_t start = 0; start < n; start++) {
        int32_t v = start;
        while (v >= 0 && seen[v] < 0) {
            seen[v] = start;
            v = parent[v];
        }
        if (v >= 0 && seen[v] == start)
            return v;
    }
    return -1;
}

static void describe_cycle(const struct cycle *cycle, struct error *err) {
    enum { SHOWN_AT_EACH_END = 20 };
    char text[sizeof err->text];
    size_t used = 0;
    for (int32_t k = 0; k < cycle->length; k++) {
        if (k == SHOWN_AT_EACH_END && cycle->length > 2 * SHOWN_AT_EACH_END) {
            k = cycle->length - SHOWN_AT_EACH_END;
            used += (size_t)snprintf(text + used, sizeof text - used, "... -> ");
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%d -> ", cycle->vertices[k]);
    }
    fail(err, STATUS_NEGATIVE_CYCLE,
         "no shortest paths: negative cycle of weight %lld and %d edge%s: %s%d",
         (long long)cycle->weight, cycle->length, cycle->length == 1 ? "" : "s", text,
         cycle->vertices[0]);
}

/* Follows parents from a vertex on the cycle, then turns the order round, so
 * that the cycle reads along its edges. */
static enum status report_cycle(const struct graph *g, const int32_t *parent, int32_t on_cycle,
                                struct cycle *cycle, struct error *err) {
    int32_t length = 0;
    int32_t v = on_cycle;
    do {
        length++;
        v = parent[v];
    } while (v != on_cycle);

    void *vertices;
    enum status status =
        memory_alloc(&vertices, (size_t)length, sizeof *cycle->vertices, "the cycle", err);
    if (status != STATUS_OK)
        return status;
    *cycle = (struct cycle){.vertices = vertices, .length = length};
    for (int32_t k = length - 1; k >= 0; k--) {
        cycle->vertices[k] = v;
        cycle->weight += g->weight[graph_find_edge(g, parent[v], v)];
        v = parent[v];
    }
    describe_cycle(cycle, err);
    return STATUS_NEGATIVE_CYCLE;
}

enum status potentials_find(const struct graph *g, int64_t *potential, struct cycle *cycle,
                            struct error *err) {
    void *scratch;
    *cycle = (struct cycle){0};
    enum status status =
        memory_alloc(&scratch, (size_t)g->n * 2, sizeof(int32_t), "Bellman-Ford", err);
    if (status != STATUS_OK)
        return status;
    int32_t *parent = scratch;
    int32_t *seen = parent + g->n;
    memset(potential, 0, (size_t)g->n * sizeof *potential);
    for (int32_t v = 0; v < g->n; v++)
        parent[v] = -1;

    for (bool descending = false; sweep(g, potential, parent, descending);
         descending = !descending) {
        int32_t on_cycle = find_parent_cycle(g->n, parent, seen);
        if (on_cycle >= 0) {
            status = report_cycle(g, parent, on_cycle, cycle, err);
            break;
        }
    }
    memory_free(scratch);
    return status;
}

static inline int64_t reduced_weight(const struct graph *g, const int64_t *potential, int32_t u,
                                     int64_t e) {
    return g->weight[e] + potential[u] - potential[g->head[e]];
}

enum status potentials_reweight(const struct graph *g, const int64_t *potential,
                                struct graph *reduced, struct error *err) {
    enum status status = graph_copy(g, reduced, err);
    if (status != STATUS_OK)
        return status;
    reduced->min_weight = reduced->m > 0 ? INT32_MAX : 0;
    reduced->max_weight = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int64_t weight = reduced_weight(g, potential, u, e);
            if (weight > INT32_MAX)
                weight = INT32_MAX;
            reduced->weight[e] = (int32_t)weight;
            if (weight < reduced->min_weight)
                reduced->min_weight = (int32_t)weight;
            if (weight > reduced->max_weight)
                reduced->max_weight = (int32_t)weight;
        }
    }
    return STATUS_OK;
}

enum status potentials_weights(const struct graph *g, const int64_t *potential, int64_t **weight,
                               struct error *err) {
    void *weights;
    enum status status =
        memory_alloc(&weights, (size_t)g->m, sizeof **weight, "the reduced weights", err);
    *weight = weights;
    if (status != STATUS_OK)
        return status;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            (*weight)[e] = reduced_weight(g, potential, u, e);
    }
    return STATUS_OK;
}

/* The distance from i to j that is `reduced` in the reweighted graph. */
static inline enum status restore(const int64_t *potential, int32_t i, int32_t j, int64_t reduced,
                                  int32_t *cell, struct error *err) {
    const int64_t distance = reduced + potential[j] - potential[i];
    if (distance <= -INF || distance >= INF)
        return fail(err, STATUS_BAD_INPUT, "the distance from %d to %d is %lld, outside (-%d, %d)",
                    i, j, (long long)distance, INF, INF);
    *cell = (int32_t)distance;
    return STATUS_OK;
}

enum status potentials_restore(const int64_t *potential, struct matrix *dist, struct error *err) {
    for (int32_t i = 0; i < dist->n; i++) {
        int32_t *row = matrix_row(dist, i);
        for (int32_t j = 0; j < dist->n; j++) {
            if (row[j] < INF && restore(potential, i, j, row[j], &row[j], err) != STATUS_OK)
                return STATUS_BAD_INPUT;
        }
    }
    return STATUS_OK;
}

enum status potentials_restore_row(const int64_t *potential, int32_t i, const int64_t *distance,
                                   int32_t n, int32_t *row, struct error *err) {
    for (int32_t j = 0; j < n; j++) {
        row[j] = INF;
        if (distance[j] < INT64_MAX &&
            restore(potential, i, j, distance[j], &row[j], err) != STATUS_OK)
            return STATUS_BAD_INPUT;
    }
    return STATUS_OK;
}
