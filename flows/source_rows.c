// SPDX-License-Identifier: MIT
#include "flows/source_rows.h"

#include "common/base/memory.h"     // memory_alloc
#include "common/base/threads.h"    // threads_or_default
#include "common/graph/row_block.h" // struct row_block

#include <string.h>

/* Fewer sources than this are searched from one after another. */
enum { FEW = 8 };

/* Most vertices for label correcting with lanes: the labels of more leave a core's caches, and the
 * memory of each thread would be large. */
enum { VERTICES_MOST = 1 << 18 };

/* Least work of Dijkstra's algorithm from one source, in the units of strip.h: for each edge, and
 * for each vertex that goes through the queue. */
static const double units_per_edge = 0.5, units_per_queued = 9;

/* Share of Dijkstra's work after which label correcting is given up. */
static const double share_most = 0.8;

/* Bytes of a vertex in the lists of a strip. */
enum { LIST_BYTES = 2 * sizeof(int32_t) + 1 };

/* Returns the number of cells of a row, with those that strips write behind it. */
static size_t stride_of(int32_t n) {
    return ((size_t)n + 15) / 16 * 16;
}

/* Returns whether finding many rows at a time can pay. Where vertices have many edges, paths have
 * few, and label correcting takes few sweeps. */
static bool many_can_pay(int32_t n, int64_t m, bool is_breadth_first, int32_t sources) {
    enum { EDGES_LEAST = 4 };
    return sources >= FEW && n <= VERTICES_MOST &&
           (is_breadth_first || m / EDGES_LEAST >= (int64_t)n);
}

static int read_shared(const int *value) {
    int now;
#pragma omp atomic read
    now = *value;
    return now;
}

/* Counts a failure or a success. A failure weighs more, so that few are made where many would
 * be. */
static void note(int *failures, bool failed) {
    const int more = failed ? 2 : read_shared(failures) > 0 ? -1 : 0;
#pragma omp atomic
    *failures += more;
}

static bool is_promising(const int *failures) {
    enum { FAILURES_MOST = 4 };
    return read_shared(failures) < FAILURES_MOST;
}

enum status source_rows_plan_make(struct source_rows_plan *plan, const struct graph *g,
                                  bool is_breadth_first, int32_t sources, int threads,
                                  struct progress *progress, struct error *err) {
    enum { MAX_16 = UINT16_MAX, HALF_16 = 1 << 15 };
    enum isa isa;
    *plan = (struct source_rows_plan){
        .graph = g,
        .progress = progress,
        .is_breadth_first = is_breadth_first,
        .most = many_can_pay(g->n, g->m, is_breadth_first, sources) ? SOURCE_ROWS : 1};
    if (is_breadth_first || plan->most == 1)
        return STATUS_OK;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    plan->kernels = strip_kernels(isa);
    /* A weight below this label does not overflow 16 bits when it is added to it. */
    plan->narrow_no_path = g->max_weight < HALF_16 ? MAX_16 - (int32_t)g->max_weight : HALF_16;
    return ordered_graph_build(g, threads_or_default(threads), progress, &plan->ordered, err);
}

void source_rows_plan_free(struct source_rows_plan *plan) {
    ordered_graph_free(&plan->ordered);
    *plan = (struct source_rows_plan){.graph = NULL};
}

double source_rows_seconds(const struct graph *g, bool is_breadth_first, int32_t sources) {
    const bool many = many_can_pay(g->n, g->m, is_breadth_first, sources);
    const double vertex_ns = is_breadth_first ? 5 : many ? 2 : 80;
    const double edge_ns = is_breadth_first ? (many ? 0.3 : 3) : many ? 1 : 13;
    return (vertex_ns * g->n + edge_ns * (double)g->m) * 1e-9;
}

enum status source_rows_alloc(struct source_rows *r, struct source_rows_plan *plan,
                              struct error *err) {
    const int32_t n = plan->graph->n;
    const bool many = plan->most > 1, strips = many && !plan->is_breadth_first;
    *r = (struct source_rows){.plan = plan};
    RETURN_ON_FAILURE(memory_alloc(&r->distances, (size_t)plan->most * stride_of(n) + (size_t)n,
                                   sizeof(int32_t), "rows of distances", err));
    for (int32_t k = 0; k < plan->most; k++)
        r->row[k] = (int32_t *)r->distances + (size_t)k * stride_of(n);
    r->next = (int32_t *)r->distances + (size_t)plan->most * stride_of(n);
    if (plan->is_breadth_first)
        return many ? bfs_rows_alloc(&r->bits, n, err) : STATUS_OK;
    RETURN_ON_FAILURE(dijkstra_alloc(&r->queue, n, false, err));
    r->queue.progress = plan->progress;
    if (!strips)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&r->labels, (size_t)n, STRIP_BYTES, "the labels", err));
    RETURN_ON_FAILURE(memory_alloc(&r->lists, (size_t)n, LIST_BYTES, "the labels", err));
    r->strip.ordered = &plan->ordered;
    r->strip.progress = plan->progress;
    r->strip.label = r->labels;
    r->strip.largest = r->lists;
    r->strip.order = r->strip.largest + n;
    r->strip.pending = (uint8_t *)(r->strip.order + n);
    for (int32_t v = 0; v < n; v++)
        r->strip.order[v] = v;
    return STATUS_OK;
}

uint64_t source_rows_memory(int32_t n) {
    const bool many = n <= VERTICES_MOST;
    const uint64_t rows = (uint64_t)(many ? SOURCE_ROWS : 1) * stride_of(n) + (uint64_t)n;
    const uint64_t strips = (uint64_t)n * (STRIP_BYTES + LIST_BYTES);
    return rows * sizeof(int32_t) + (many ? strips : 0) + dijkstra_memory(n, false);
}

uint64_t source_rows_plan_memory(int32_t n, int64_t m, int threads) {
    return many_can_pay(n, m, false, SOURCE_ROWS)
               ? ordered_graph_memory_to_build(n, m, threads_or_default(threads))
               : 0;
}

void source_rows_free(struct source_rows *r) {
    dijkstra_free(&r->queue);
    bfs_rows_free(&r->bits);
    memory_free(r->distances);
    memory_free(r->labels);
    memory_free(r->lists);
    *r = (struct source_rows){.plan = NULL};
}

/* Runs a breadth-first search up to distance `most`; returns the largest distance. */
static int32_t search_breadth_first(const struct graph *g, int32_t source, int32_t most,
                                    int32_t *dist, int32_t *queue) {
    int32_t count = 0;
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = INF;
    dist[source] = 0;
    queue[count++] = source;
    for (int32_t k = 0; k < count && dist[queue[k]] < most; k++) {
        const int32_t u = queue[k];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (dist[v] < INF)
                continue;
            dist[v] = dist[u] + 1;
            queue[count++] = v;
        }
    }
    return dist[queue[count - 1]];
}

enum status source_rows_levels(const struct graph *g, int32_t most, int32_t *levels,
                               struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)g->n, 2 * sizeof(int32_t), "a breadth-first search", err));
    int32_t *const dist = memory;
    *levels = search_breadth_first(g, graph_hub(g), most - 1, dist, dist + g->n) + 1;
    memory_free(memory);
    return STATUS_OK;
}

enum status search_order_find(struct search_order *order, const struct graph *g, int32_t source,
                              struct error *err) {
    static const char what[] = "the order of a search";
    const bool is_real = g->type != NUMBER_INT32;
    const size_t n = (size_t)g->n;
    struct dijkstra queue = {.heap = NULL};
    enum status status;
    *order = (struct search_order){.reached = 0};
    TRY(memory_alloc(&order->distances, n, is_real ? sizeof(double) : sizeof(int32_t), what, err));
    TRY(memory_alloc(&order->vertices, n, sizeof(int32_t), what, err));
    TRY(dijkstra_alloc(&queue, g->n, is_real, err));
    order->vertex = order->vertices;
    if (is_real) {
        order->real_dist = order->distances;
        order->reached = dijkstra_order_f64(&queue, g, source, order->real_dist, order->vertex);
    } else {
        order->dist = order->distances;
        order->reached = dijkstra_order(&queue, g, source, INF, order->dist, order->vertex);
    }
cleanup:
    dijkstra_free(&queue);
    return status;
}

void search_order_free(struct search_order *order) {
    memory_free(order->vertices);
    memory_free(order->distances);
    *order = (struct search_order){.reached = 0};
}

/* Returns the number of levels of a search. level: scratch, n entries. */
static int32_t count_levels(const struct graph *g, const struct search_order *order,
                            int32_t *level) {
    const int32_t *const dist = order->dist;
    const double *const real_dist = order->real_dist;
    int32_t deepest = 0;
    memset(level, 0, (size_t)g->n * sizeof *level);
    for (int32_t k = 0; k < order->reached; k++) {
        const int32_t u = order->vertex[k];
        deepest = level[u] > deepest ? level[u] : deepest;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            const bool is_tight = real_dist != NULL
                                      ? real_dist[u] + g->real_weight[e] == real_dist[v]
                                      : (int64_t)dist[u] + g->weight[e] == dist[v];
            if (is_tight && level[v] <= level[u])
                level[v] = level[u] + 1;
        }
    }
    return deepest + 1;
}

enum status source_rows_weighted_levels(const struct graph *g, int32_t *levels, struct error *err) {
    struct search_order order;
    void *memory = NULL;
    enum status status;
    TRY(search_order_find(&order, g, graph_hub(g), err));
    TRY(memory_alloc(&memory, (size_t)g->n, sizeof(int32_t), "the levels of a search", err));
    *levels = count_levels(g, &order, memory);
cleanup:
    search_order_free(&order);
    memory_free(memory);
    return status;
}

static bool have_equal(const int32_t *source, int32_t count) {
    for (int32_t k = 1; k < count; k++) {
        for (int32_t before = 0; before < k; before++) {
            if (source[before] == source[k])
                return true;
        }
    }
    return false;
}

static void find_one(const struct source_rows *r, const int32_t *source, int32_t k) {
    const struct source_rows_plan *const plan = r->plan;
    if (plan->is_breadth_first)
        search_breadth_first(plan->graph, source[k], INF, r->row[k], r->next);
    else
        dijkstra_run(&r->queue, plan->graph, source[k], INF, r->row[k], NULL);
}

/* Finds the rows of different sources by breadth-first search with bits. In graphs with more levels
 * than a set has bits, most sources come to a vertex at different levels. The first row shows the
 * number of levels. */
static void find_by_bits(struct source_rows *r, const int32_t *source, int32_t count) {
    const struct graph *const g = r->plan->graph;
    const bool is_deep = search_breadth_first(g, source[0], INF, r->row[0], r->next) > SOURCE_ROWS;
    struct row_block block = {.n = g->n, .count = count};
    note(&r->plan->failures, is_deep);
    for (int32_t k = 1; k < count && is_deep; k++)
        find_one(r, source, k);
    if (is_deep)
        return;
    memcpy(block.source, source, (size_t)count * sizeof *source);
    memcpy(block.dist, r->row, (size_t)count * sizeof *r->row);
    bfs_rows_find(&r->bits, g, 1, INF, &block);
}

/* Finds the rows of up to kernel->lanes sources from place `first` on. Returns false if it was not
 * worth the work, or if distances do not fit into the labels. */
static bool find_by_strip(struct source_rows *r, const struct strip_kernel *kernel, int32_t no_path,
                          const int32_t *source, int32_t first, int32_t count) {
    struct source_rows_plan *const plan = r->plan;
    struct strip *const s = &r->strip;
    const bool is_narrow = kernel == plan->kernels->narrow;
    int32_t number[SOURCE_ROWS];
    for (int32_t k = 0; k < count; k++)
        number[k] = plan->ordered.number[source[first + k]];
    s->source = number;
    s->count = count;
    s->no_path = no_path;
    kernel->start(s);
    kernel->correct(
        s, INT32_MAX,
        (int64_t)(share_most * count *
                  (units_per_edge * (double)plan->ordered.m + units_per_queued * plan->ordered.n)));
    note(&plan->failures, !s->corrected);
    if (!s->corrected)
        return false;
    const bool overflowed = is_narrow && kernel->overflowed(s);
    if (is_narrow)
        note(&plan->narrow_failures, overflowed);
    if (!overflowed)
        kernel->write(s, false, r->row + first);
    return !overflowed;
}

static void find_by_strips(struct source_rows *r, const int32_t *source, int32_t count) {
    struct source_rows_plan *const plan = r->plan;
    const struct strip_kernel *const wide = plan->kernels->wide;
    if (is_promising(&plan->narrow_failures) &&
        find_by_strip(r, plan->kernels->narrow, plan->narrow_no_path, source, 0, count))
        return;
    for (int32_t first = 0; first < count; first += wide->lanes) {
        const int32_t lanes = count - first < wide->lanes ? count - first : wide->lanes;
        if (is_promising(&plan->failures) && find_by_strip(r, wide, INF, source, first, lanes))
            continue;
        for (int32_t k = first; k < first + lanes; k++)
            find_one(r, source, k);
    }
}

int32_t source_rows_at_a_time(const struct source_rows_plan *plan) {
    return is_promising(&plan->failures) ? plan->most : 1;
}

void source_rows_find(struct source_rows *r, const int32_t *source, int32_t count) {
    struct source_rows_plan *const plan = r->plan;
    const bool many = plan->most > 1 && count >= FEW && is_promising(&plan->failures);
    if (many && !plan->is_breadth_first) {
        find_by_strips(r, source, count);
    } else if (many && !have_equal(source, count)) {
        find_by_bits(r, source, count);
    } else {
        for (int32_t k = 0; k < count; k++)
            find_one(r, source, k);
    }
}
