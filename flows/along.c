// SPDX-License-Identifier: MIT
#include "flows/along.h"

#include "common/base/memory.h" // memory_alloc

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes for each vertex in the arrays of integers. */
enum { INTEGER_BYTES = 4 * sizeof(int32_t) + sizeof(uint8_t) };

enum status along_open(struct along *along, const struct graph *g,
                       const struct edge_columns *columns, struct error *err) {
    const size_t n = (size_t)g->n;
    void *memory;
    *along = (struct along){.graph = g, .columns = columns};
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *along->dist, "sums along paths", err));
    along->dist = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, INTEGER_BYTES, "sums along paths", err));
    along->before = memory;
    along->order = along->before + n;
    along->queue = along->order + n;
    along->taken = along->queue + n;
    along->waits = (uint8_t *)(along->taken + n);
    return STATUS_OK;
}

uint64_t along_memory(int32_t n) {
    return (uint64_t)n * (sizeof(double) + INTEGER_BYTES);
}

void along_close(struct along *along) {
    memory_free(along->dist);
    memory_free(along->before);
    *along = (struct along){0};
}

/* Returns whether edge e from u, which is reached, is on a shortest path from the source. Edges out
 * of a zone count only in the row of that zone. */
static bool is_tight(const struct along *a, int32_t u, int64_t e, int32_t source) {
    const struct graph *const g = a->graph;
    const int32_t v = g->head[e];
    return v != source && (u == source || u >= g->zones) &&
           number_rounded(g->type, a->dist[u] + graph_weight(g, e)) == a->dist[v] &&
           isfinite(a->dist[v]);
}

/* Gives the head of edge e from u the sums over u if they are less than its own. Returns whether
 * they are. */
static bool relax(const struct along *a, int32_t u, int64_t e, double *sum) {
    const int64_t n = a->graph->n;
    const double *from = sum + u;
    double *to = sum + a->graph->head[e];
    int c = 0;
    for (; c < a->columns->count; c++, from += n, to += n) {
        const double offered = *from + edge_columns_at(a->columns, c, e);
        if (offered > *to)
            return false;
        if (offered < *to)
            break;
    }
    const bool before = c < a->columns->count;
    for (; c < a->columns->count; c++, from += n, to += n)
        *to = *from + edge_columns_at(a->columns, c, e);
    return before;
}

/* Returns whether edge e from u, whose sums are final, closes a cycle of weight 0 through the
 * source whose sums are less than 0. No path goes on through a zone. */
static bool closes_below(const struct along *a, int32_t u, int64_t e, int32_t source,
                         const double *sum) {
    const struct graph *const g = a->graph;
    if (g->head[e] != source || source < g->zones || u < g->zones ||
        number_rounded(g->type, a->dist[u] + graph_weight(g, e)) != 0)
        return false;
    for (int c = 0; c < a->columns->count; c++) {
        const double offered =
            sum[(size_t)c * (size_t)g->n + (size_t)u] + edge_columns_at(a->columns, c, e);
        if (offered != 0)
            return offered < 0;
    }
    return false;
}

static enum status refuse_cycle(const struct graph *g, int32_t near, struct error *err) {
    return fail(err, STATUS_BAD_INPUT,
                "columns along paths have no least sum: the sum of a cycle of weight 0 near %s is "
                "below 0%s",
                graph_name(g, near).text, graph_numbering(g));
}

/* Finds the final sums of vertices that are not on or behind a cycle. *done: number of these
 * vertices. */
static enum status take_in_order(struct along *a, int32_t source, double *sum, int32_t *done,
                                 struct error *err) {
    const struct graph *const g = a->graph;
    int32_t count = 0;
    memset(a->before, 0, (size_t)g->n * sizeof *a->before);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1] && isfinite(a->dist[u]); e++)
            a->before[g->head[e]] += is_tight(a, u, e, source);
    }
    a->order[count++] = source;
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = a->order[k];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (closes_below(a, u, e, source, sum))
                return refuse_cycle(g, u, err);
            if (!is_tight(a, u, e, source))
                continue;
            (void)relax(a, u, e, sum);
            if (--a->before[v] == 0)
                a->order[count++] = v;
        }
    }
    *done = count;
    return STATUS_OK;
}

static int by_distance(const void *left, const void *right, void *context) {
    const struct along *const a = context;
    const int32_t u = *(const int32_t *)left, v = *(const int32_t *)right;
    if (a->dist[u] != a->dist[v])
        return a->dist[u] < a->dist[v] ? -1 : 1;
    return (u > v) - (u < v);
}

/* Corrects the sums of `count` vertices over the tight edges between them until none changes; they
 * are final then. */
static enum status settle(struct along *a, int32_t source, const int32_t *vertex, int32_t count,
                          double *sum, struct error *err) {
    const struct graph *const g = a->graph;
    int32_t begin = 0, waiting = 0;
    for (int32_t k = 0; k < count; k++) {
        a->taken[vertex[k]] = 0;
        a->waits[vertex[k]] = isfinite(sum[vertex[k]]) != 0;
        if (a->waits[vertex[k]])
            a->queue[waiting++] = vertex[k];
    }
    for (; waiting > 0; waiting--) {
        const int32_t u = a->queue[begin];
        begin = begin + 1 < count ? begin + 1 : 0;
        a->waits[u] = 0;
        if (a->taken[u]++ > count)
            return refuse_cycle(g, u, err);
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (!is_tight(a, u, e, source) || a->taken[v] < 0 || !relax(a, u, e, sum) ||
                a->waits[v])
                continue;
            a->waits[v] = 1;
            a->queue[((int64_t)begin + waiting - 1) % count] = v;
            waiting++;
        }
    }
    for (int32_t k = 0; k < count; k++)
        a->taken[vertex[k]] = -1;
    return STATUS_OK;
}

/* Finds the sums of vertices on or behind a cycle: all that are not among the first `done` of the
 * order. */
static enum status take_rest(struct along *a, int32_t source, int32_t done, double *sum,
                             struct error *err) {
    const struct graph *const g = a->graph;
    int32_t count = done;
    memset(a->taken, 0, (size_t)g->n * sizeof *a->taken);
    for (int32_t k = 0; k < done; k++)
        a->taken[a->order[k]] = -1;
    for (int32_t v = 0; v < g->n; v++) {
        if (isfinite(a->dist[v]) && a->taken[v] == 0)
            a->order[count++] = v;
    }
    for (int32_t k = done; k < count; k++)
        a->taken[a->order[k]] = -1; /* no vertex is in a group yet */
    qsort_r(a->order + done, (size_t)(count - done), sizeof *a->order, by_distance, a);
    for (int32_t first = done, last; first < count; first = last) {
        last = g->min_weight < 0 ? count : first + 1;
        while (last < count && a->dist[a->order[last]] == a->dist[a->order[first]])
            last++;
        RETURN_ON_FAILURE(settle(a, source, a->order + first, last - first, sum, err));
        for (int32_t k = first; k < last; k++) {
            const int32_t u = a->order[k];
            if (!isfinite(sum[u]))
                return fail(err, STATUS_REFUTED,
                            "no path has the distance that was found from %s to %s%s",
                            graph_name(g, source).text, graph_name(g, u).text, graph_numbering(g));
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                if (closes_below(a, u, e, source, sum))
                    return refuse_cycle(g, u, err);
                if (a->dist[g->head[e]] > a->dist[u] && is_tight(a, u, e, source))
                    (void)relax(a, u, e, sum);
            }
        }
    }
    return STATUS_OK;
}

/* Returns whether edge e of the reversed graph, which leads from v to u there, is the reverse of
 * one that is on a shortest path from the source or closes a cycle of weight 0 through it. */
static bool leads_back(const struct along *a, const struct graph *in, int32_t v, int64_t e,
                       int32_t source) {
    const struct graph *const g = a->graph;
    const int32_t u = in->head[e];
    const bool passes_zone = (u < g->zones && u != source) || (v == source && v < g->zones);
    return !passes_zone && number_rounded(g->type, a->dist[u] + graph_weight(in, e)) == a->dist[v];
}

void along_narrow(struct along *along, const struct graph *in, int32_t source, const int32_t *to,
                  int64_t count) {
    const int32_t n = along->graph->n;
    uint8_t *const kept = along->waits;
    int32_t found = 0;
    memset(kept, 0, (size_t)n);
    kept[source] = 1;
    along->order[found++] = source;
    for (int64_t k = 0; k < count; k++) {
        if (!kept[to[k]] && isfinite(along->dist[to[k]]))
            along->order[found++] = to[k];
        kept[to[k]] = 1;
    }
    for (int32_t k = 0; k < found; k++) {
        const int32_t v = along->order[k];
        for (int64_t e = in->first[v]; e < in->first[v + 1]; e++) {
            if (kept[in->head[e]] || !leads_back(along, in, v, e, source))
                continue;
            kept[in->head[e]] = 1;
            along->order[found++] = in->head[e];
        }
    }
    for (int32_t v = 0; v < n; v++) {
        if (!kept[v])
            along->dist[v] = INFINITY;
    }
}

enum status along_row(struct along *along, int32_t source, double *sum, struct error *err) {
    const int32_t n = along->graph->n;
    int32_t reached = 0;
    for (int32_t v = 0; v < n; v++)
        reached += isfinite(along->dist[v]) != 0;
    for (int c = 0; c < along->columns->count; c++) {
        double *const column = sum + (size_t)c * (size_t)n;
        for (int32_t v = 0; v < n; v++)
            column[v] = INFINITY;
        column[source] = 0;
    }
    int32_t done;
    RETURN_ON_FAILURE(take_in_order(along, source, sum, &done, err));
    return done < reached ? take_rest(along, source, done, sum, err) : STATUS_OK;
}
