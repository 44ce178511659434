// SPDX-License-Identifier: MIT
#include "solve/real_rows.h"

#include "common/base/memory.h" // memory_alloc
#include "common/graph/limit.h" // NO_LIMIT, limit_beyond

#include <math.h>
#include <string.h>

/* Edges by their heads ------------------------------------------------------------------------*/

/* One of a vertex's edges: its other end, its weight as bits that sort as weights do, and its
 * weight in the coarse graph. */
struct keyed_edge {
    uint64_t key;
    int32_t end, coarse;
};

static int64_t min_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static uint64_t key_of(double weight) {
    uint64_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static double weight_of(uint64_t key) {
    const uint64_t bits = key >> 63 != 0 ? key & ~(UINT64_C(1) << 63) : ~key;
    double weight;
    memcpy(&weight, &bits, sizeof weight);
    return weight;
}

/* Sorts a few edges by key; stable. */
static void insertion_sort(struct keyed_edge *edges, int64_t count) {
    for (int64_t e = 1; e < count; e++) {
        const struct keyed_edge edge = edges[e];
        int64_t at = e;
        for (; at > 0 && edges[at - 1].key > edge.key; at--)
            edges[at] = edges[at - 1];
        edges[at] = edge;
    }
}

/* Merges two sorted halves; stable. */
static void merge(const struct keyed_edge *from, int64_t middle, int64_t count,
                  struct keyed_edge *to) {
    int64_t a = 0, b = middle;
    for (int64_t e = 0; e < count; e++)
        to[e] = b == count || (a < middle && from[a].key <= from[b].key) ? from[a++] : from[b++];
}

/* Sorts by key; stable. Returns the array that holds the result: `edges` or `spare`, which are
 * equally large. */
static struct keyed_edge *sort_by_key(struct keyed_edge *edges, struct keyed_edge *spare,
                                      int64_t count) {
    enum { RUN = 16 };
    struct keyed_edge *from = edges, *to = spare;
    for (int64_t run = 0; run < count; run += RUN)
        insertion_sort(edges + run, min_of(RUN, count - run));
    for (int64_t run = RUN; run < count; run *= 2) {
        for (int64_t e = 0; e < count; e += 2 * run)
            merge(from + e, min_of(run, count - e), min_of(2 * run, count - e), to + e);
        struct keyed_edge *const sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

/* Returns whether each edge has a reverse of the same weight. Reads rows in ascending order of
 * tails, so that the edges into a vertex arrive in the order of its own row. next: n places of
 * scratch. */
static bool is_symmetric(const struct graph *g, int64_t *next, const struct progress *progress) {
    memcpy(next, g->first, (size_t)g->n * sizeof *next);
    for (int32_t u = 0; u < g->n && progress_goes_on(progress); u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            const int64_t back = next[v]++;
            if (back == g->first[v + 1] || g->head[back] != u ||
                g->real_weight[back] != g->real_weight[e])
                return false;
        }
    }
    return true;
}

static enum status alloc_edges(struct real_edges *edges, bool with_coarse,
                               const struct progress *progress, struct error *err) {
    const struct graph *const g = edges->g;
    const size_t n = (size_t)g->n, m = (size_t)g->m, size = number_size(g->type);
    void *vertex, *first, *tail, *out_head, *coarse;
    RETURN_ON_FAILURE(memory_alloc(&vertex, 2 * n, sizeof(int32_t), "the edges", err));
    edges->vertex = vertex;
    edges->number = edges->vertex + n;
    RETURN_ON_FAILURE(memory_alloc(&first, 2 * (n + 1), sizeof(int64_t), "the edges", err));
    edges->first = first;
    edges->out_first = edges->first + n + 1;
    edges->is_symmetric = is_symmetric(g, edges->first, progress);
    RETURN_ON_FAILURE(memory_alloc(&tail, m, sizeof(int32_t), "the edges", err));
    edges->tail = tail;
    RETURN_ON_FAILURE(memory_alloc(&edges->weight, m, size, "the edges", err));
    if (with_coarse) {
        RETURN_ON_FAILURE(memory_alloc(&coarse, m, sizeof(int32_t), "the edges", err));
        edges->coarse = coarse;
    }
    if (edges->is_symmetric) {
        edges->out_head = edges->tail;
        edges->out_weight = edges->weight;
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(memory_alloc(&out_head, m, sizeof(int32_t), "the edges", err));
    edges->out_head = out_head;
    return memory_alloc(&edges->out_weight, m, size, "the edges", err);
}

static void number_vertices(struct real_edges *edges, const int32_t *vertex) {
    for (int32_t k = 0; k < edges->g->n; k++) {
        edges->vertex[k] = vertex != NULL ? vertex[k] : k;
        edges->number[edges->vertex[k]] = k;
    }
}

/* Counts the edges into and out of each number: those of number k are first[k] .. first[k + 1] - 1.
 * Returns the largest number of edges into or out of a vertex. */
static int64_t count_edges(struct real_edges *edges) {
    const struct graph *const g = edges->g;
    int64_t most = 0;
    memset(edges->first, 0, ((size_t)g->n + 1) * sizeof *edges->first);
    edges->out_first[0] = 0;
    for (int32_t k = 0; k < g->n; k++) {
        const int32_t u = edges->vertex[k];
        const int64_t degree = g->first[u + 1] - g->first[u];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            edges->first[edges->number[g->head[e]] + 1]++;
        edges->out_first[k + 1] = edges->out_first[k] + degree;
        most = max_of(most, degree);
    }
    for (int32_t k = 0; k < g->n; k++) {
        most = max_of(most, edges->first[k + 1]);
        edges->first[k + 1] += edges->first[k];
    }
    return most;
}

static void store_weight(enum number_type type, void *weight, int64_t at, uint64_t key) {
    if (type == NUMBER_FLOAT32)
        ((float *)weight)[at] = (float)weight_of(key);
    else
        ((double *)weight)[at] = weight_of(key);
}

static double load_weight(enum number_type type, const void *weight, int64_t at) {
    return type == NUMBER_FLOAT32 ? (double)((const float *)weight)[at]
                                  : ((const double *)weight)[at];
}

/* Stores the edges out of each number, by weight. some, spare: scratch for the edges of one vertex.
 */
static void store_out_edges(struct real_edges *edges, struct keyed_edge *some,
                            struct keyed_edge *spare, const struct progress *progress) {
    const struct graph *const g = edges->g;
    for (int32_t k = 0; k < g->n && progress_goes_on(progress); k++) {
        const int64_t from = g->first[edges->vertex[k]], at = edges->out_first[k];
        const int64_t count = edges->out_first[k + 1] - at;
        for (int64_t e = 0; e < count; e++)
            some[e] = (struct keyed_edge){key_of(g->real_weight[from + e]),
                                          edges->number[g->head[from + e]], 0};
        const struct keyed_edge *const sorted = sort_by_key(some, spare, count);
        for (int64_t e = 0; e < count; e++) {
            edges->out_head[at + e] = sorted[e].end;
            store_weight(g->type, edges->out_weight, at + e, sorted[e].key);
        }
    }
}

/* Stores the edges into each number, by weight. next: n places of scratch. */
static void store_in_edges(struct real_edges *edges, const struct graph *coarse, int64_t *next,
                           struct keyed_edge *some, struct keyed_edge *spare,
                           const struct progress *progress) {
    const struct graph *const g = edges->g;
    memcpy(next, edges->first, (size_t)g->n * sizeof *next);
    for (int32_t k = 0; k < g->n && progress_goes_on(progress); k++) {
        const int32_t u = edges->vertex[k];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t at = next[edges->number[g->head[e]]]++;
            edges->tail[at] = k;
            store_weight(g->type, edges->weight, at, key_of(g->real_weight[e]));
            if (coarse != NULL)
                edges->coarse[at] = coarse->weight[e];
        }
    }
    for (int32_t k = 0; k < g->n && progress_goes_on(progress); k++) {
        const int64_t at = edges->first[k], count = edges->first[k + 1] - at;
        for (int64_t e = 0; e < count; e++)
            some[e] = (struct keyed_edge){key_of(load_weight(g->type, edges->weight, at + e)),
                                          edges->tail[at + e],
                                          coarse != NULL ? edges->coarse[at + e] : 0};
        const struct keyed_edge *const sorted = sort_by_key(some, spare, count);
        for (int64_t e = 0; e < count; e++) {
            edges->tail[at + e] = sorted[e].end;
            store_weight(g->type, edges->weight, at + e, sorted[e].key);
            if (coarse != NULL)
                edges->coarse[at + e] = sorted[e].coarse;
        }
    }
}

static enum status build_edges(struct real_edges *edges, const struct graph *g,
                               const struct graph *coarse, const int32_t *vertex,
                               const struct progress *progress, struct error *err) {
    void *some = NULL, *next = NULL;
    int64_t most;
    enum status status;
    *edges = (struct real_edges){.g = g, .is_signed = g->min_weight < 0};
    TRY(alloc_edges(edges, coarse != NULL, progress, err));
    number_vertices(edges, vertex);
    most = count_edges(edges);
    TRY(memory_alloc(&some, 2 * (size_t)most, sizeof(struct keyed_edge), "the edges", err));
    TRY(memory_alloc(&next, (size_t)g->n, sizeof(int64_t), "the edges", err));
    if (!edges->is_symmetric)
        store_out_edges(edges, some, (struct keyed_edge *)some + most, progress);
    store_in_edges(edges, coarse, next, some, (struct keyed_edge *)some + most, progress);
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    memory_free(next);
    memory_free(some);
    return status;
}

enum status real_problem_open(struct real_problem *p, const struct graph *g,
                              const struct graph *coarse, const int32_t *vertex, double limit,
                              bool with_pred, const struct progress *progress, struct error *err) {
    enum isa isa;
    *p = (struct real_problem){.limit = limit,
                               .beyond = limit_beyond(g->type, limit),
                               .progress = progress,
                               .with_pred = with_pred};
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    p->kernel = g->type == NUMBER_FLOAT32 ? real_kernels(isa)->f32 : real_kernels(isa)->f64;
    return build_edges(&p->edges, g, coarse, vertex, progress, err);
}

void real_problem_close(struct real_problem *p) {
    memory_free(p->edges.vertex);
    memory_free(p->edges.first);
    memory_free(p->edges.tail);
    memory_free(p->edges.coarse);
    if (!p->edges.is_symmetric) {
        memory_free(p->edges.out_head);
        memory_free(p->edges.out_weight);
    }
    memory_free(p->edges.weight);
    *p = (struct real_problem){0};
}

/* Workers --------------------------------------------------------------------------------------*/

enum { LIST_BYTES = 4 * sizeof(int32_t) + 1 }; /* bytes for each vertex */

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
    w->queued = w->lists;
    w->strip.order = w->queued + n;
    w->strip.place = w->strip.order + n;
    w->key = (uint32_t *)(w->strip.place + n);
    w->strip.pending = (uint8_t *)(w->key + n);
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
    /* A vertex has n edges into it at most, and n out of it. */
    const uint64_t vertex =
        2 * sizeof(int32_t) + 3 * sizeof(int64_t) + 2 * sizeof(struct keyed_edge);
    const uint64_t edge = 3 * sizeof(int32_t) + 2 * number_size(type);
    const uint64_t lanes = REAL_STRIP_BYTES / number_size(type);
    const uint64_t rows =
        lanes * matrix_leading(n) * (number_size(type) + (with_pred ? sizeof(int32_t) : 0));
    const uint64_t worker = (uint64_t)n * ((with_pred ? 2U : 1U) * REAL_STRIP_BYTES + LIST_BYTES) +
                            rows + dijkstra_memory(n, type == NUMBER_FLOAT64);
    return memory_add(memory_add((uint64_t)n * vertex, memory_times((uint64_t)m, edge)),
                      memory_times((uint64_t)threads, worker));
}

/* The order in which to relax ------------------------------------------------------------------*/

/* Sorts the numbers by their keys, in two rounds of counting by the most significant bits in which
 * keys differ. `none` is the largest key. */
static void sort_by_keys(struct real_worker *w, uint32_t none) {
    enum { BITS = 11, DIGITS = 1 << BITS };
    const int32_t n = w->problem->edges.g->n;
    uint32_t *const key = w->key, most = 0, least = none;
    int32_t next[2][DIGITS] = {{0}}, low = 0, high = 0;
    for (int32_t k = 0; k < n; k++) { /* keys of 0 belong to sources and are ignored */
        most = key[k] > most && key[k] < none ? key[k] : most;
        least = key[k] < least && key[k] > 0 ? key[k] : least;
    }
    const uint32_t range = most > least ? most - least + 1 : 1;
    const int bits = 32 - __builtin_clz(range), shift = bits > 2 * BITS ? bits - 2 * BITS : 0;
    for (int32_t k = 0; k < n; k++) {
        key[k] = (key[k] < least ? 0 : key[k] > most ? range : key[k] - least + 1) >> shift;
        next[0][key[k] % DIGITS]++;
        next[1][key[k] / DIGITS % DIGITS]++;
    }
    for (int d = 0; d < DIGITS; d++) {
        const int32_t lows = next[0][d], highs = next[1][d];
        next[0][d] = low;
        next[1][d] = high;
        low += lows;
        high += highs;
    }
    for (int32_t k = 0; k < n; k++)
        w->queued[next[0][key[k] % DIGITS]++] = k;
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = w->queued[i], at = next[1][key[k] / DIGITS % DIGITS]++;
        w->strip.order[at] = k;
        w->strip.place[k] = at;
    }
}

/* Sorts the numbers by the least of the coarse distances. */
static void order_by_near(struct real_worker *w, int32_t *const *near, int32_t count) {
    const struct real_edges *const edges = &w->problem->edges;
    int32_t *const least = w->queued;
    w->problem->kernel->least_of_rows(near, count, edges->g->n, least);
    for (int32_t k = 0; k < edges->g->n; k++)
        w->key[k] = (uint32_t)least[edges->vertex[k]];
    sort_by_keys(w, INF);
}

/* Labels ---------------------------------------------------------------------------------------*/

/* Solves every lane by Dijkstra's algorithm, which stops at the limit. */
static void search(struct real_worker *w) {
    const struct graph *const g = w->problem->edges.g;
    const double beyond = w->problem->beyond;
    struct real_strip *const s = &w->strip;
    for (int lane = 0; lane < s->count && progress_goes_on(s->progress); lane++) {
        if (g->type == NUMBER_FLOAT32)
            dijkstra_run_f32(&w->queue, g, s->source[lane], (float)beyond, w->block.dist_f32[lane],
                             NULL);
        else
            dijkstra_run_f64(&w->queue, g, s->source[lane], beyond, w->block.dist_f64[lane], NULL);
    }
    w->problem->kernel->read(s, w->block.cells, false);
}

/* Fills the labels with the real lengths of the coarse graph's shortest paths. */
static void approach(struct real_worker *w, int32_t *const *near) {
    const struct real_kernel *const kernel = w->problem->kernel;
    struct real_strip *const s = &w->strip;
    for (int32_t first = 0; first < s->count; first += REAL_TREES) {
        const int32_t count = s->count - first < REAL_TREES ? s->count - first : REAL_TREES;
        kernel->find_trees(s, near + first, count);
        for (int32_t lane = first; lane < first + count && progress_goes_on(s->progress); lane++) {
            order_by_near(w, near + lane, 1);
            kernel->approach(s, lane, w->block.cells[lane]);
        }
    }
    kernel->read(s, w->block.cells, true);
}

/* Replaces labels beyond the limit, so that they lower no other label and relaxing ends there. */
static void stop_at_limit(struct real_worker *w) {
    const struct real_problem *const p = w->problem;
    if (p->limit < NO_LIMIT)
        p->kernel->replace(&w->strip, p->limit, p->beyond);
}

/* Sorts the numbers by the distances of the previous strip or, in the first strip, from one source.
 */
static void order_by_labels(struct real_worker *w) {
    enum { INFINITE_F32 = 0x7f800000, INFINITE_F64 = 0x7ff00000 }; /* upper 32 bits of infinity */
    struct real_strip *const s = &w->strip;
    const bool narrow = w->problem->edges.g->type == NUMBER_FLOAT32;
    if (!w->has_solved) {
        const int32_t count = s->count;
        s->count = 1;
        search(w);
        s->count = count;
    }
    w->problem->kernel->rank(s, w->key);
    sort_by_keys(w, narrow ? INFINITE_F32 : INFINITE_F64);
}

/* Starts from scratch and tries to settle the labels in one order for all lanes, unless that order
 * suited too few earlier strips. */
static void settle_in_order(struct real_worker *w, int32_t *const *near) {
    /* SHORT_ROWS: the most edges of a vertex, on average, for which it is tried; AT_MOST: how often
     * an edge may be relaxed, on average */
    enum { SHORT_ROWS = 32, AT_MOST = 4 };
    const struct real_problem *const p = w->problem;
    const struct graph *const g = p->edges.g;
    struct real_strip *const s = &w->strip;
    const bool promising = w->unordered <= 2 || 2 * w->unordered <= w->ordered;
    s->settled = false;
    if (g->m / g->n > SHORT_ROWS || p->edges.is_signed || !promising)
        return;
    if (near != NULL)
        order_by_near(w, near, s->count);
    else
        order_by_labels(w);
    p->kernel->start(s);
    stop_at_limit(w);
    p->kernel->correct_in_order(s, AT_MOST * (g->m + 4 * (int64_t)g->n));
    w->ordered++;
    w->unordered += !s->settled;
}

/* Sweeps, from scratch or from the labels that are there, until labels are settled. With weights
 * below 0, rounded sums along a cycle may fall for ever, so the sweeps stop after n. Otherwise the
 * work is bounded: Dijkstra's algorithm takes over after that. */
static enum status settle(struct real_worker *w, struct error *err) {
    enum { SEARCHES = 8 }; /* work of Dijkstra's algorithm, as a number of sweeps of all lanes */
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
                "weights below 0: sums from vertex %s still fall after %d rounds, so that rounding "
                "decides; --scale K takes the weights times K as integers",
                graph_name(g, s->source[0]).text, g->n);
}

/* Rows -----------------------------------------------------------------------------------------*/

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
        if (v == source)
            pred[v] = -1;
        if (v == source || pred[v] >= 0)
            w->queued[ended++] = v;
        else if (!isinf(number_at(type, row, v)))
            left++;
    }
    for (int32_t begun = 0; begun < ended && left > 0; begun++) {
        const int32_t u = w->queued[begun];
        const double to_u = number_at(type, row, u);
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            const double to_v = number_at(type, row, v);
            if (pred[v] >= 0 || v == source || isinf(to_v) ||
                number_rounded(type, to_u + g->real_weight[e]) != to_v)
                continue;
            pred[v] = u;
            w->queued[ended++] = v;
            left--;
        }
    }
    if (left == 0)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "weights below 0: tight edges from vertex %s miss %d vertices that it reaches, so "
                "that rounding decides; --scale K takes the weights times K as integers",
                graph_name(g, source).text, left);
}

/* Fills the rows of w->block from the labels. */
static enum status finish_rows(struct real_worker *w, struct error *err) {
    const struct real_problem *const p = w->problem;
    struct real_strip *const s = &w->strip;
    const bool finds = p->with_pred && !p->edges.is_signed;
    if (finds)
        p->kernel->find_predecessors(s, w->without);
    p->kernel->write(s, w->block.cells);
    if (finds)
        p->kernel->write_pred(s, w->pred_row);
    for (int32_t r = 0; r < s->count && p->with_pred && progress_goes_on(p->progress); r++) {
        if (!finds)
            memset(w->pred_row[r], 0xff, (size_t)w->block.n * sizeof(int32_t)); /* -1 */
        else if (w->without[r] == 1)
            continue; /* the source */
        RETURN_ON_FAILURE(mend(w, r, err));
    }
    return STATUS_OK;
}

enum status real_rows_find(struct real_worker *w, const int32_t *source, const int32_t *position,
                           int32_t count, int32_t *const *near, struct error *err) {
    const struct real_problem *const p = w->problem;
    struct real_strip *const s = &w->strip;
    s->source = source;
    s->count = count;
    s->is_near = near != NULL;
    w->block.count = count;
    memcpy(w->block.source, source, (size_t)count * sizeof *source);
    memcpy(w->block.position, position, (size_t)count * sizeof *position);
    settle_in_order(w, near);
    if (!s->settled) {
        if (near != NULL)
            approach(w, near);
        else
            p->kernel->start(s);
        stop_at_limit(w);
        RETURN_ON_FAILURE(settle(w, err));
    }
    if (p->limit < NO_LIMIT)
        p->kernel->replace(s, p->limit, INFINITY);
    w->has_solved = true;
    return finish_rows(w, err);
}
