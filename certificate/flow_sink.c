// SPDX-License-Identifier: MIT
#include "certificate/flow_sink.h"

#include "common/base/memory.h" // memory_alloc

#include <math.h>
#include <omp.h>
#include <string.h>

struct flow_thread {
    /* The row, the numbers of shortest paths as paths * 2^exponent, what ends at a vertex or passes
     * it, and the sums of all rows: n each, but for edge, which has m. */
    double *dist, *paths, *share, *vertex, *edge;
    int32_t *exponent;
    int32_t
        *before;    /* n: tight edges into the vertex from vertices that are not in the order yet */
    int32_t *order; /* n: the vertices that are reached, each behind those before it */
    void *numbers, *integers; /* the memory of these */
    struct flow_totals totals;
};

static void thread_free(struct flow_thread *t) {
    memory_free(t->numbers);
    memory_free(t->integers);
    *t = (struct flow_thread){0};
}

static enum status thread_alloc(struct flow_thread *t, const struct graph *g, struct error *err) {
    const size_t n = (size_t)g->n, count = 4 * n + (size_t)g->m;
    *t = (struct flow_thread){0};
    RETURN_ON_FAILURE(memory_alloc(&t->numbers, count, sizeof(double), "flows", err));
    RETURN_ON_FAILURE(memory_alloc(&t->integers, n, 3 * sizeof(int32_t), "flows", err));
    memset(t->numbers, 0, count * sizeof(double));
    t->dist = t->numbers;
    t->paths = t->dist + n;
    t->share = t->paths + n;
    t->vertex = t->share + n;
    t->edge = t->vertex + n;
    t->exponent = t->integers;
    t->before = t->exponent + n;
    t->order = t->before + n;
    return STATUS_OK;
}

static void threads_free(struct flow_sink *s) {
    for (int k = 0; k < s->threads; k++)
        thread_free(&s->thread[k]);
    memory_free(s->thread);
    s->thread = NULL;
    s->threads = 0;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct flow_sink *const s = (struct flow_sink *)self;
    void *memory;
    (void)n, (void)type, (void)sources, (void)with_pred;
    threads_free(s);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, sizeof *s->thread, "flows", err));
    s->thread = memory;
    for (; s->threads < threads; s->threads++)
        RETURN_ON_FAILURE(thread_alloc(&s->thread[s->threads], s->graph, err));
    return STATUS_OK;
}

static void take_row(struct flow_thread *t, const struct row_block *block, int32_t row) {
    for (int32_t v = 0; v < block->n; v++)
        t->dist[v] = block->type != NUMBER_INT32  ? block->dist_f64[row][v]
                     : block->dist[row][v] == INF ? (double)INFINITY
                                                  : block->dist[row][v];
}

/* Returns whether edge e from u is on a shortest path from the source. */
static bool is_tight(const struct flow_thread *t, const struct graph *g, int32_t u, int64_t e,
                     int32_t source) {
    return g->head[e] != source && t->dist[u] + graph_weight(g, e) == t->dist[g->head[e]] &&
           isfinite(t->dist[u]);
}

/* Adds the paths to u to those to v. Numbers that are far below the others vanish. */
static void add_paths(struct flow_thread *t, int32_t u, int32_t v) {
    int more;
    if (t->paths[v] == 0 || t->exponent[u] > t->exponent[v]) {
        t->paths[v] = ldexp(t->paths[v], t->exponent[v] - t->exponent[u]);
        t->exponent[v] = t->exponent[u];
    }
    t->paths[v] += ldexp(t->paths[u], t->exponent[u] - t->exponent[v]);
    if (t->paths[v] >= 0x1p500) {
        t->paths[v] = frexp(t->paths[v], &more);
        t->exponent[v] += more;
    }
}

/* Finds the numbers of paths; returns how many vertices the source reaches. */
static int32_t count_paths(struct flow_thread *t, const struct graph *g, int32_t source) {
    int32_t count = 0;
    memset(t->before, 0, (size_t)g->n * sizeof *t->before);
    memset(t->paths, 0, (size_t)g->n * sizeof *t->paths);
    memset(t->exponent, 0, (size_t)g->n * sizeof *t->exponent);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            t->before[g->head[e]] += is_tight(t, g, u, e, source);
    }
    t->paths[source] = 1;
    t->exponent[source] = 0;
    t->order[count++] = source;
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = t->order[k];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (!is_tight(t, g, u, e, source))
                continue;
            add_paths(t, u, v);
            if (--t->before[v] == 0)
                t->order[count++] = v;
        }
    }
    return count;
}

/* Returns how often the pair of a source and a target counts, and adds the pair to the totals. */
static double pairs_at(const struct flow_sink *s, struct flow_thread *t, int32_t source,
                       int32_t target) {
    const double distance = t->dist[target];
    const double count =
        s->pairs.count != NULL ? s->pairs.count(s->pairs.self, source, target, distance) : 1;
    t->totals.pairs += count;
    t->totals.length += count * distance;
    return count;
}

/* Hands what ends at vertices back to the source. */
static void hand_back(const struct flow_sink *s, struct flow_thread *t, int32_t source,
                      int32_t count) {
    const struct graph *const g = s->graph;
    const int32_t self = s->split != NULL ? s->split->vertex[source] : source;
    for (int32_t k = count - 1; k >= 0; k--) {
        const int32_t u = t->order[k];
        double passes = 0;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (!is_tight(t, g, u, e, source))
                continue;
            const double flow =
                t->share[v] * ldexp(t->paths[u] / t->paths[v], t->exponent[u] - t->exponent[v]);
            t->edge[e] += flow;
            passes += flow;
        }
        t->share[u] = (u != self ? pairs_at(s, t, self, u) : 0) + passes;
        if (u != source)
            t->vertex[u] += passes;
    }
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct flow_sink *const s = (struct flow_sink *)self;
    struct flow_thread *const t = &s->thread[omp_get_thread_num()];
    (void)err;
    for (int32_t row = 0; row < block->count; row++) {
        take_row(t, block, row);
        hand_back(s, t, block->source[row], count_paths(t, s->graph, block->source[row]));
    }
    return STATUS_OK;
}

void flow_sink_open(struct flow_sink *sink, const struct graph *g, const struct zone_split *split,
                    const struct flow_pairs *pairs) {
    *sink = (struct flow_sink){
        .sink = {.begin = begin, .take = take}, .graph = g, .split = split, .pairs = *pairs};
}

void flow_sink_finish(const struct flow_sink *sink, double *vertex, double *edge,
                      struct flow_totals *totals) {
    const struct graph *const g = sink->graph;
    *totals = (struct flow_totals){0};
    memset(vertex, 0, (size_t)g->n * sizeof *vertex);
    memset(edge, 0, (size_t)g->m * sizeof *edge);
    for (int k = 0; k < sink->threads; k++) {
        for (int32_t v = 0; v < g->n; v++)
            vertex[v] += sink->thread[k].vertex[v];
        for (int64_t e = 0; e < g->m; e++)
            edge[e] += sink->thread[k].edge[e];
        totals->pairs += sink->thread[k].totals.pairs;
        totals->length += sink->thread[k].totals.length;
    }
}

void flow_sink_close(struct flow_sink *sink) {
    threads_free(sink);
    *sink = (struct flow_sink){0};
}
