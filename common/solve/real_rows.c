// SPDX-License-Identifier: MIT
#include "common/solve/real_rows.h"

#include "common/base/memory.h" // memory_alloc
#include "common/graph/limit.h" // limit_check, NO_LIMIT

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Edges by their heads ------------------------------------------------------------------------*/

/* An edge into a vertex. */
struct in_edge {
    double weight;
    int32_t tail, coarse;
};

static int by_weight(const void *a, const void *b) {
    const struct in_edge *const x = a, *const y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->tail < y->tail ? -1 : x->tail > y->tail;
}

static enum status alloc_edges(struct real_edges *edges, const struct graph *g, bool with_coarse,
                               struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *vertex, *first, *tail, *out_head, *coarse;
    RETURN_ON_FAILURE(memory_alloc(&vertex, 2 * n, sizeof(int32_t), "the edges", err));
    edges->vertex = vertex;
    edges->number = edges->vertex + n;
    RETURN_ON_FAILURE(memory_alloc(&first, 2 * (n + 1), sizeof(int64_t), "the edges", err));
    edges->first = first;
    edges->out_first = edges->first + n + 1;
    RETURN_ON_FAILURE(memory_alloc(&tail, m, sizeof(int32_t), "the edges", err));
    edges->tail = tail;
    RETURN_ON_FAILURE(memory_alloc(&out_head, m, sizeof(int32_t), "the edges", err));
    edges->out_head = out_head;
    if (with_coarse) {
        RETURN_ON_FAILURE(memory_alloc(&coarse, m, sizeof(int32_t), "the edges", err));
        edges->coarse = coarse;
    }
    return memory_alloc(&edges->weight, m, number_size(g->type), "the edges", err);
}

static void number_vertices(struct real_edges *edges, const int32_t *vertex) {
    for (int32_t k = 0; k < edges->g->n; k++) {
        edges->vertex[k] = vertex != NULL ? vertex[k] : k;
        edges->number[edges->vertex[k]] = k;
    }
}

/* The heads of each number's edges, and how many edges lead into each: first[k + 1]. */
static void fill_heads(struct real_edges *edges) {
    const struct graph *const g = edges->g;
    int64_t count = 0;
    memset(edges->first, 0, ((size_t)g->n + 1) * sizeof *edges->first);
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t u = edges->vertex[k];
        edges->out_first[k] = count;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t head = edges->number[g->head[e]];
            edges->out_head[count++] = head;
            edges->first[head + 1]++;
        }
    }
    edges->out_first[g->n] = count;
    for (int32_t k = 0; k < g->n; k++)
        edges->first[k + 1] += edges->first[k];
}

static void store_edge(struct real_edges *edges, int64_t at, const struct in_edge *edge) {
    edges->tail[at] = edge->tail;
    if (edges->g->type == NUMBER_FLOAT32)
        ((float *)edges->weight)[at] = (float)edge->weight;
    else
        ((double *)edges->weight)[at] = edge->weight;
    if (edges->coarse != NULL)
        edges->coarse[at] = edge->coarse;
}

/* Scratch: in, m edges; next, n places. */
static void fill_tails(struct real_edges *edges, const struct graph *coarse, struct in_edge *in,
                       int64_t *next) {
    const struct graph *const g = edges->g;
    memcpy(next, edges->first, (size_t)g->n * sizeof *next);
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t u = edges->vertex[k];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            in[next[edges->number[g->head[e]]]++] =
                (struct in_edge){g->real_weight[e], k, coarse != NULL ? coarse->weight[e] : 0};
    }
    for (int32_t k = 0; k < g->n; k++) {
        const int64_t first = edges->first[k];
        qsort(in + first, (size_t)(edges->first[k + 1] - first), sizeof *in, by_weight);
    }
    for (int64_t e = 0; e < g->m; e++)
        store_edge(edges, e, &in[e]);
}

static enum status build_edges(struct real_edges *edges, const struct graph *g,
                               const struct graph *coarse, const int32_t *vertex,
                               struct error *err) {
    void *in = NULL, *next = NULL;
    enum status status;
    *edges = (struct real_edges){.g = g, .is_signed = g->min_weight < 0};
    TRY(alloc_edges(edges, g, coarse != NULL, err));
    number_vertices(edges, vertex);
    fill_heads(edges);
    TRY(memory_alloc(&in, (size_t)g->m, sizeof(struct in_edge), "the edges", err));
    TRY(memory_alloc(&next, (size_t)g->n, sizeof(int64_t), "the edges", err));
    fill_tails(edges, coarse, in, next);
cleanup:
    memory_free(next);
    memory_free(in);
    return status;
}

/* Whether no sum of n - 1 weights can overflow, however it is rounded. */
static bool cannot_overflow(const struct graph *g) {
    const double largest = g->type == NUMBER_FLOAT32 ? (double)FLT_MAX : DBL_MAX;
    const double heaviest = fmax(fabs(g->min_weight), fabs(g->max_weight));
    return heaviest < largest / 2 / g->n;
}

enum status real_problem_open(struct real_problem *p, const struct graph *g,
                              const struct graph *coarse, const int32_t *vertex, int32_t limit,
                              bool with_pred, const struct progress *progress, struct error *err) {
    enum isa isa;
    *p = (struct real_problem){.progress = progress,
                               .limit = limit,
                               .with_pred = with_pred,
                               .in_range = cannot_overflow(g)};
    RETURN_ON_FAILURE(limit_check(g, limit, err));
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    p->kernel = g->type == NUMBER_FLOAT32 ? real_kernels(isa)->f32 : real_kernels(isa)->f64;
    return build_edges(&p->edges, g, coarse, vertex, err);
}

void real_problem_close(struct real_problem *p) {
    memory_free(p->edges.vertex);
    memory_free(p->edges.first);
    memory_free(p->edges.tail);
    memory_free(p->edges.out_head);
    memory_free(p->edges.coarse);
    memory_free(p->edges.weight);
    *p = (struct real_problem){0};
}

/* Workers --------------------------------------------------------------------------------------*/

enum { LIST_BYTES = sizeof(int64_t) + sizeof(int32_t) + 1 }; /* for each vertex */

enum status real_worker_alloc(struct real_worker *w, const struct real_problem *problem,
                              struct error *err) {
    const struct graph *const g = problem->edges.g;
    const size_t n = (size_t)g->n, ld = matrix_leading(g->n), size = number_size(g->type);
    const int lanes = problem->kernel->lanes;
    const size_t dist_bytes = (size_t)lanes * ld * size;
    const size_t pred_bytes = problem->with_pred ? (size_t)lanes * ld * sizeof(int32_t) : 0;
    *w = (struct real_worker){
        .problem = problem,
        .strip = {.edges = &problem->edges, .progress = problem->progress},
        .block = {.n = g->n, .type = g->type},
    };
    RETURN_ON_FAILURE(memory_alloc(&w->cells, problem->with_pred ? 2 * n : n, REAL_STRIP_BYTES,
                                   "the labels", err));
    RETURN_ON_FAILURE(memory_alloc(&w->rows, dist_bytes + pred_bytes, 1, "rows", err));
    RETURN_ON_FAILURE(memory_alloc(&w->lists, n, LIST_BYTES, "the labels", err));
    RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, g->n, g->type == NUMBER_FLOAT64, err));
    w->queue.progress = problem->progress;
    w->strip.label = w->cells;
    w->strip.pred = problem->with_pred ? (char *)w->cells + n * REAL_STRIP_BYTES : NULL;
    w->tree = w->lists;
    w->queued = (int32_t *)(w->tree + n);
    w->strip.pending = (uint8_t *)(w->queued + n);
    w->block.pred = problem->with_pred ? w->pred_row : NULL;
    for (int lane = 0; lane < lanes; lane++) {
        w->block.cells[lane] = (char *)w->rows + (size_t)lane * ld * size;
        w->pred_row[lane] = problem->with_pred
                                ? (int32_t *)((char *)w->rows + dist_bytes) + (size_t)lane * ld
                                : NULL;
    }
    return STATUS_OK;
}

void real_worker_free(struct real_worker *w) {
    memory_free(w->cells);
    memory_free(w->rows);
    memory_free(w->lists);
    dijkstra_free(&w->queue);
    *w = (struct real_worker){0};
}

uint64_t real_rows_memory(int32_t n, int64_t m, enum number_type type, bool with_pred,
                          int threads) {
    const uint64_t vertex = 2 * sizeof(int32_t) + 2 * sizeof(int64_t);
    const uint64_t edge = 3 * sizeof(int32_t) + number_size(type) + sizeof(struct in_edge);
    const uint64_t lanes = REAL_STRIP_BYTES / number_size(type);
    const uint64_t rows =
        lanes * matrix_leading(n) * (number_size(type) + (with_pred ? sizeof(int32_t) : 0));
    const uint64_t worker = (uint64_t)n * ((with_pred ? 2U : 1U) * REAL_STRIP_BYTES + LIST_BYTES) +
                            rows + dijkstra_memory(n, type == NUMBER_FLOAT64);
    return memory_add(memory_add((uint64_t)n * vertex, memory_times((uint64_t)m, edge)),
                      memory_times((uint64_t)threads, worker));
}

/* Labels ---------------------------------------------------------------------------------------*/

/* Every lane by Dijkstra's algorithm. */
static void search(struct real_worker *w) {
    const struct graph *const g = w->problem->edges.g;
    struct real_strip *const s = &w->strip;
    for (int lane = 0; lane < s->count && progress_goes_on(s->progress); lane++) {
        if (g->type == NUMBER_FLOAT32)
            dijkstra_run_f32(&w->queue, g, s->source[lane], w->block.dist_f32[lane]);
        else
            dijkstra_run_f64(&w->queue, g, s->source[lane], w->block.dist_f64[lane]);
    }
    for (int lane = 0; lane < w->problem->kernel->lanes; lane++)
        w->problem->kernel->read(s, lane, w->block.cells[lane % s->count]);
}

/* Finds a tree of shortest paths of the coarse graph: tree[k] is the lightest edge into number k
 * that is tight and comes from a smaller coarse distance, or -1 if there is none. */
static void find_tree(struct real_worker *w, const int32_t *near) {
    const struct real_edges *const edges = &w->problem->edges;
    for (int32_t k = 0; k < edges->g->n; k++) {
        const int32_t dist = near[edges->vertex[k]];
        int64_t e = edges->first[k];
        w->tree[k] = -1;
        for (; e < edges->first[k + 1] && w->tree[k] < 0 && dist < INF; e++) {
            const int32_t before = near[edges->vertex[edges->tail[e]]];
            if (before < dist && before + edges->coarse[e] == dist)
                w->tree[k] = e;
        }
    }
}

static double rounded(enum number_type type, double sum) {
    return type == NUMBER_FLOAT32 ? (double)(float)sum : sum;
}

static void store_cell(enum number_type type, void *row, int32_t v, double number) {
    if (type == NUMBER_FLOAT32)
        ((float *)row)[v] = (float)number;
    else
        ((double *)row)[v] = number;
}

static double cell_of(enum number_type type, const void *row, int64_t v) {
    return type == NUMBER_FLOAT32 ? (double)((const float *)row)[v] : ((const double *)row)[v];
}

/* Adds up the paths of the tree from their source on, into a row; where the tree does not lead to
 * the source, the row is infinite. Negative cells mark those that are not yet known. */
static void add_up(struct real_worker *w, int32_t source, void *row) {
    const struct real_edges *const edges = &w->problem->edges;
    const enum number_type type = edges->g->type;
    const int32_t n = edges->g->n;
    for (int32_t v = 0; v < n; v++)
        store_cell(type, row, v, -1);
    store_cell(type, row, source, 0);
    for (int32_t k = 0; k < n; k++) {
        int32_t depth = 0, at = k;
        while (cell_of(type, row, edges->vertex[at]) < 0 && w->tree[at] >= 0) {
            w->queued[depth++] = at;
            at = edges->tail[w->tree[at]];
        }
        if (cell_of(type, row, edges->vertex[at]) < 0)
            store_cell(type, row, edges->vertex[at], INFINITY);
        while (depth > 0) {
            const int32_t next = w->queued[--depth];
            const double before = cell_of(type, row, edges->vertex[at]);
            store_cell(type, row, edges->vertex[next],
                       rounded(type, before + cell_of(type, edges->weight, w->tree[next])));
            at = next;
        }
    }
}

/* Begins with the lengths of the coarse graph's shortest paths. */
static void approach(struct real_worker *w, int32_t *const *near) {
    struct real_strip *const s = &w->strip;
    for (int lane = 0; lane < s->count && progress_goes_on(s->progress); lane++) {
        find_tree(w, near[lane]);
        add_up(w, s->source[lane], w->block.cells[lane]);
    }
    for (int lane = 0; lane < w->problem->kernel->lanes; lane++)
        w->problem->kernel->read(s, lane, w->block.cells[lane % s->count]);
}

/* Sweeps from scratch or from the labels that are there. With weights below 0, rounded sums round a
 * cycle may fall for ever, so that n sweeps must do; otherwise Dijkstra's algorithm bounds the
 * work. */
static enum status settle(struct real_worker *w, struct error *err) {
    enum { SEARCHES = 8 }; /* the work of Dijkstra's algorithm, in sweeps of all lanes */
    const struct real_problem *const p = w->problem;
    const struct graph *const g = p->edges.g;
    struct real_strip *const s = &w->strip;
    const int64_t all = g->m + 4 * (int64_t)g->n;
    if (!p->edges.is_signed) {
        p->kernel->correct(s, SEARCHES * p->kernel->lanes * all, INT64_MAX);
        if (!s->settled && progress_goes_on(s->progress))
            search(w);
        return STATUS_OK;
    }
    p->kernel->correct(s, INT64_MAX, (int64_t)g->n + 1);
    if (s->settled || !progress_goes_on(s->progress))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "weights below 0: sums from vertex %d still fall after %d rounds, so that rounding "
                "decides; --scale K takes the weights times K as integers",
                graph_number(g, s->source[0]), g->n);
}

/* Rows -----------------------------------------------------------------------------------------*/

/* Whether an edge reaches a vertex at infinity: its sum has overflowed. */
static enum status check_overflow(const struct real_worker *w, int32_t r, struct error *err) {
    const struct graph *const g = w->problem->edges.g;
    const void *const row = w->block.cells[r];
    for (int32_t u = 0; u < g->n; u++) {
        if (isinf(cell_of(g->type, row, u)))
            continue;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            if (isinf(cell_of(g->type, row, g->head[e])))
                return fail(err, STATUS_BAD_INPUT,
                            "the distance from %d to %d does not fit in a %s%s",
                            graph_number(g, w->block.source[r]), graph_number(g, g->head[e]),
                            number_name(g->type), graph_numbering(g));
        }
    }
    return STATUS_OK;
}

/* Gives predecessors to vertices of row r that have none, by a search over tight edges from those
 * that have one. Without weights below 0, only edges between equal distances are left to search.
 * With them, tight edges may lead anywhere, and the search begins at the source. */
static enum status mend(struct real_worker *w, int32_t r, struct error *err) {
    const struct graph *const g = w->problem->edges.g;
    const enum number_type type = g->type;
    const int32_t source = w->block.source[r];
    const void *const row = w->block.cells[r];
    int32_t *const pred = w->pred_row[r], ended = 0, left = 0;
    for (int32_t v = 0; v < g->n; v++) {
        if (w->problem->edges.is_signed || v == source)
            pred[v] = -1;
        if (v == source || pred[v] >= 0)
            w->queued[ended++] = v;
        else if (!isinf(cell_of(type, row, v)))
            left++;
    }
    for (int32_t begun = 0; begun < ended && left > 0; begun++) {
        const int32_t u = w->queued[begun];
        const double to_u = cell_of(type, row, u);
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (pred[v] >= 0 || v == source ||
                rounded(type, to_u + g->real_weight[e]) != cell_of(type, row, v))
                continue;
            pred[v] = u;
            w->queued[ended++] = v;
            left--;
        }
    }
    if (left == 0)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "weights below 0: tight edges from vertex %d miss %d vertices that it reaches, so "
                "that rounding decides; --scale K takes the weights times K as integers",
                graph_number(g, source), left);
}

static void cut_off(const struct real_worker *w, int32_t r) {
    const struct graph *const g = w->problem->edges.g;
    for (int32_t v = 0; v < g->n; v++) {
        if (cell_of(g->type, w->block.cells[r], v) <= w->problem->limit)
            continue;
        store_cell(g->type, w->block.cells[r], v, INFINITY);
        if (w->block.pred != NULL)
            w->pred_row[r][v] = -1;
    }
}

static enum status finish_row(struct real_worker *w, int32_t r, struct error *err) {
    const struct real_problem *const p = w->problem;
    p->kernel->write(&w->strip, r, w->block.cells[r]);
    if (!p->in_range)
        RETURN_ON_FAILURE(check_overflow(w, r, err));
    if (p->with_pred) {
        p->kernel->write_pred(&w->strip, r, w->pred_row[r]);
        RETURN_ON_FAILURE(mend(w, r, err));
    }
    if (p->limit < NO_LIMIT)
        cut_off(w, r);
    return STATUS_OK;
}

enum status real_rows_find(struct real_worker *w, enum real_way way, const int32_t *source,
                           const int32_t *position, int32_t count, int32_t *const *near,
                           struct error *err) {
    const struct real_problem *const p = w->problem;
    struct real_strip *const s = &w->strip;
    s->source = source;
    s->count = count;
    w->block.count = count;
    memcpy(w->block.source, source, (size_t)count * sizeof *source);
    memcpy(w->block.position, position, (size_t)count * sizeof *position);
    if (way == REAL_DIJKSTRA) {
        search(w);
    } else {
        if (way == REAL_REFINE)
            approach(w, near);
        else
            p->kernel->start(s);
        RETURN_ON_FAILURE(settle(w, err));
    }
    if (p->with_pred)
        p->kernel->find_predecessors(s);
    for (int32_t r = 0; r < count && progress_goes_on(p->progress); r++)
        RETURN_ON_FAILURE(finish_row(w, r, err));
    return STATUS_OK;
}
