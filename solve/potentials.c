// SPDX-License-Identifier: MIT
#include "solve/potentials.h"

#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_text
#include "solve/bellman_ford.h"      // bellman_ford_find
#include "solve/range.h"             // range_refused
#include "solve/scaling.h"           // scaling_find

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of steps that label correcting may take, for each edge, vertex and bit of the weights,
 * before scaling is tried; scaling takes about as much time. Graphs that were measured
 * (docs/algorithm.md) need 1 to 11 steps for each edge and vertex in all; graphs constructed for
 * the worst case need n. */
enum { MAX_WORK_PER_BIT = 8 };

const char *cycle_text(const struct graph *g, const struct cycle *cycle, char *text, size_t size) {
    /* Number of vertices that a message shows at each end of the cycle. */
    enum { SHOWN_NUMBERS = 20, SHOWN_NAMES = 6 };
    const int32_t shown = g->naming.names == NULL ? SHOWN_NUMBERS : SHOWN_NAMES;
    char weight[NUMBER_TEXT_MAX];
    if (g->type == NUMBER_INT32)
        snprintf(weight, sizeof weight, "%lld", (long long)cycle->weight);
    else
        number_text(NUMBER_FLOAT64, cycle->real_weight, weight);
    size_t used = (size_t)snprintf(text, size, "weight %s and %d edge%s: ", weight, cycle->length,
                                   cycle->length == 1 ? "" : "s");
    for (int32_t k = 0; k < cycle->length && used < size; k++) {
        const bool skips = k == shown && cycle->length > 2 * shown;
        if (skips)
            k = cycle->length - shown;
        used += (size_t)snprintf(text + used, size - used, "%s%s -> ", skips ? "... -> " : "",
                                 graph_name(g, cycle->vertices[k]).text);
    }
    if (used < size)
        snprintf(text + used, size - used, "%s%s", graph_name(g, cycle->vertices[0]).text,
                 graph_numbering(g));
    return text;
}

enum status cycle_refuse(const struct graph *g, const struct cycle *cycle, struct error *err) {
    char text[sizeof err->text];
    return fail(err, STATUS_NEGATIVE_CYCLE, "no shortest paths: negative cycle of %s",
                cycle_text(g, cycle, text, sizeof text));
}

/* Reports a cycle; takes ownership of `vertices`. */
static enum status report_cycle(const struct graph *g, int32_t *vertices, int32_t length,
                                struct cycle *cycle, struct error *err) {
    *cycle = (struct cycle){.vertices = vertices, .length = length};
    for (int32_t k = 0; k < length; k++) {
        const int32_t next = vertices[k + 1 < length ? k + 1 : 0];
        cycle->weight += g->weight[graph_find_edge(g, vertices[k], next)];
    }
    return cycle_refuse(g, cycle, err);
}

/* Follows parents from a vertex on the cycle, then reverses the order, so that the vertices follow
 * the edges. */
static enum status report_parents(const struct graph *g, const int32_t *parent,
                                  int32_t cycle_vertex, struct cycle *cycle, struct error *err) {
    int32_t length = 0, v = cycle_vertex;
    do {
        length++;
        v = parent[v];
    } while (v != cycle_vertex);
    void *memory;
    enum status status =
        memory_alloc(&memory, (size_t)length, sizeof *cycle->vertices, "the cycle", err);
    if (status != STATUS_OK)
        return status;
    int32_t *vertices = memory;
    for (int32_t k = length - 1; k >= 0; k--) {
        vertices[k] = v;
        v = parent[v];
    }
    return report_cycle(g, vertices, length, cycle, err);
}

/* Reports a negative cycle of a closed walk. The walk is made of cycles, at least one of which is
 * negative because the walk is; the first negative one met is taken. Takes ownership of
 * walk->vertex. place: n numbers of scratch. */
static enum status report_walk(const struct graph *g, struct closed_walk *walk, int32_t *place,
                               struct cycle *cycle, struct error *err) {
    /* way[0 .. count - 1]: the path so far, in which no vertex occurs twice */
    int32_t *way = walk->vertex, *found = way;
    int64_t count = 0, weight = 0; /* weight: that of the cycle met last */
    int32_t length = 0;
    for (int32_t v = 0; v < g->n; v++)
        place[v] = -1;
    const int32_t first = way[0];
    for (int64_t k = 0; k <= walk->length && length == 0; k++) {
        const int32_t v = k < walk->length ? walk->vertex[k] : first;
        if (place[v] < 0) {
            place[v] = (int32_t)count;
            way[count++] = v;
            continue;
        }
        weight = 0;
        for (int64_t at = place[v]; at < count; at++)
            weight += g->weight[graph_find_edge(g, way[at], at + 1 < count ? way[at + 1] : v)];
        if (weight < 0) {
            found = way + place[v];
            length = (int32_t)(count - place[v]);
        }
        while (length == 0 && count > place[v] + 1)
            place[way[--count]] = -1;
    }
    memmove(way, found, (size_t)length * sizeof *way);
    walk->vertex = NULL;
    return report_cycle(g, way, length, cycle, err);
}

enum status potentials_find(const struct graph *g, int64_t *potential, struct cycle *cycle,
                            struct progress *progress, struct error *err) {
    const int bits = scaling_bits(g);
    struct edge_watch watch = {.progress = progress, .total = 1 + bits};
    struct closed_walk walk = {NULL, 0};
    void *scratch;
    *cycle = (struct cycle){0};
    enum status status = memory_alloc(&scratch, (size_t)g->n, sizeof(int32_t), "Bellman-Ford", err);
    if (status != STATUS_OK)
        return status;
    struct bellman_ford find = {.g = g,
                                .distance = potential,
                                .parent = scratch,
                                .most = MAX_WORK_PER_BIT * bits * (g->m + g->n),
                                .watch = &watch};
    status = bellman_ford_find(&find, err);
    watch.done = 1;
    if (status == STATUS_NEGATIVE_CYCLE) {
        status = report_parents(g, find.parent, find.cycle_vertex, cycle, err);
    } else if (status == STATUS_OK && find.gave_up) {
        status = scaling_find(g, true, potential, &walk, &watch, err);
        if (status == STATUS_NEGATIVE_CYCLE)
            status = report_walk(g, &walk, scratch, cycle, err);
    }
    if (status == STATUS_CANCELLED)
        status = progress_cancelled(err);
    memory_free(walk.vertex);
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
            if ((double)weight < reduced->min_weight)
                reduced->min_weight = (int32_t)weight;
            if ((double)weight > reduced->max_weight)
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

static enum status refuse(const struct graph *g, int32_t i, int32_t j, int64_t distance,
                          struct error *err) {
    return range_refused(
        fail(err, STATUS_BAD_INPUT,
             "the distance from %s to %s is %lld, outside (-%d, %d)%s" RANGE_ADVICE,
             graph_name(g, i).text, graph_name(g, j).text, (long long)distance, INF, INF,
             graph_numbering(g)),
        err);
}

static bool fits(int64_t distance) {
    return distance > -INF && distance < INF;
}

enum status potentials_restore_in_place(const struct graph *g, const int64_t *potential, int32_t i,
                                        int32_t *row, struct error *err) {
    bool all_fit = true;
    /* Has no branch, so that it compiles to vector instructions. */
    for (int32_t j = 0; j < g->n; j++) {
        const bool finite = row[j] < INF;
        all_fit &= !finite || fits(row[j] + potential[j] - potential[i]);
    }
    for (int32_t j = 0; j < g->n && !all_fit; j++) {
        const int64_t distance = row[j] + potential[j] - potential[i];
        if (row[j] < INF && !fits(distance))
            return refuse(g, i, j, distance, err);
    }
    for (int32_t j = 0; j < g->n; j++)
        row[j] = row[j] < INF ? (int32_t)(row[j] + potential[j] - potential[i]) : INF;
    return STATUS_OK;
}

enum status potentials_restore_row(const struct graph *g, const int64_t *potential, int32_t i,
                                   const int64_t *distance, int32_t *row, struct error *err) {
    for (int32_t j = 0; j < g->n; j++) {
        row[j] = INF;
        if (distance[j] == INT64_MAX)
            continue;
        const int64_t restored = distance[j] + potential[j] - potential[i];
        if (!fits(restored))
            return refuse(g, i, j, restored, err);
        row[j] = (int32_t)restored;
    }
    return STATUS_OK;
}
