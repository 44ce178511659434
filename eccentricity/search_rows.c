// SPDX-License-Identifier: MIT
#include "eccentricity/search_rows.h"

#include "common/base/lowest_failure.h"
#include "common/base/memory.h"        // memory_alloc
#include "eccentricity/level_search.h" // struct level_search
#include "solve/dijkstra.h"            // dijkstra_run
#include "solve/distance_bound.h"      // distance_bound_is_below
#include "solve/range.h"               // range_refuse
#include "solve/real_range.h"          // real_range_check
#include "solve/wide_distances.h"      // wide_distances_check

#include <math.h>
#include <omp.h>
#include <string.h>

static const char what[] = "the searches";

struct row_searcher {
    struct dijkstra queue;
    struct level_search levels;
    int32_t *begin; /* index in the queue at which each level begins, n + 1 entries */
    struct certificate_prover *forward, *backward;
};

/* Returns the number of cells of a row, filled up to a multiple of 16. */
static size_t row_cells(const struct graph *g) {
    return ((size_t)g->n + 15) / 16 * 16;
}

static void *row_at(const struct search_rows *s, int32_t row) {
    return (char *)s->cells + (size_t)row * row_cells(s->graph) * number_size(s->graph->type);
}

static void put(enum number_type type, void *numbers, int64_t at, double number) {
    if (type == NUMBER_INT32)
        ((int32_t *)numbers)[at] = (int32_t)number;
    else if (type == NUMBER_FLOAT32)
        ((float *)numbers)[at] = (float)number;
    else
        ((double *)numbers)[at] = number;
}

static double no_path(enum number_type type) {
    return type == NUMBER_INT32 ? INF : (double)INFINITY;
}

/* Finds the lengths of paths of 0, 1, ... edges, rounded after each addition as in searches. */
static enum status add_lengths(struct search_rows *s, struct error *err) {
    const struct graph *const g = s->graph;
    const double weight = g->m > 0 ? graph_weight(g, 0) : 0;
    double length = 0;
    RETURN_ON_FAILURE(memory_alloc(&s->length, (size_t)g->n + 1, number_size(g->type), what, err));
    for (int64_t k = 0; k <= g->n; k++) {
        put(g->type, s->length, k, length);
        length = fmin(number_rounded(g->type, length + weight), no_path(g->type));
    }
    return STATUS_OK;
}

static enum status searcher_alloc(const struct search_rows *s, struct row_searcher *w,
                                  struct error *err) {
    const struct graph *const g = s->graph;
    void *memory;
    if (s->equal_weights) {
        RETURN_ON_FAILURE(level_search_alloc(&w->levels, g->n, err));
        RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)g->n + 1, sizeof *w->begin, what, err));
        w->begin = memory;
    } else {
        RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, g->n, g->type == NUMBER_FLOAT64, err));
        w->queue.progress = s->progress;
    }
    if (s->check)
        RETURN_ON_FAILURE(certificate_prover_alloc(&s->forward, &w->forward, err));
    if (s->check && s->directed)
        RETURN_ON_FAILURE(certificate_prover_alloc(&s->backward, &w->backward, err));
    return STATUS_OK;
}

static void searcher_free(struct row_searcher *w) {
    dijkstra_free(&w->queue);
    level_search_free(&w->levels);
    memory_free(w->begin);
    certificate_prover_free(w->forward);
    certificate_prover_free(w->backward);
}

enum status search_rows_open(struct search_rows *s, const struct graph *g, bool check, int threads,
                             const struct progress *progress, struct error *err) {
    const int32_t at_a_time = SEARCH_ROWS_MOST, kept = check ? CERTIFICATE_ROWS * threads : 0;
    void *memory;
    *s = (struct search_rows){.graph = g,
                              .equal_weights = g->min_weight == g->max_weight,
                              .check = check,
                              .progress = progress,
                              .threads = threads,
                              .room = at_a_time + kept};
    s->may_round = wide_distances_may_round(g, NO_LIMIT);
    s->may_be_cut =
        g->type == NUMBER_INT32 ? !distance_bound_is_below(g, INF) : !real_range_is_safe(g);
    if (s->equal_weights) {
        RETURN_ON_FAILURE(bfs_graph_make(&s->without_weights, g, threads, err));
        RETURN_ON_FAILURE(add_lengths(s, err));
        s->directed = !s->without_weights.undirected;
    } else {
        s->directed = graph_is_directed(g, threads);
    }
    if (s->directed && (check || !s->equal_weights))
        RETURN_ON_FAILURE(graph_reverse(g, &s->reversed, err));
    if (check)
        RETURN_ON_FAILURE(certificate_open(&s->forward, g, NO_LIMIT, false, err));
    if (check && s->directed)
        RETURN_ON_FAILURE(certificate_open(&s->backward, &s->reversed, NO_LIMIT, false, err));
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)s->room, sizeof *s->row, what, err));
    s->row = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&s->cells, (size_t)s->room * row_cells(g), number_size(g->type), what, err));
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, sizeof *s->searcher, what, err));
    s->searcher = memset(memory, 0, (size_t)threads * sizeof *s->searcher);
    for (int t = 0; t < threads; t++)
        RETURN_ON_FAILURE(searcher_alloc(s, &s->searcher[t], err));
    return STATUS_OK;
}

/* Stores the row of a breadth-first search. */
static void search_levels(const struct search_rows *s, struct row_searcher *w,
                          const struct search_row *row) {
    const struct bfs_graph *const b = &s->without_weights;
    const enum number_type type = s->graph->type;
    const int32_t levels =
        level_search_run(&w->levels, b, row->backward, b->number[row->source], w->begin);
    const double none = no_path(type);
    if (w->begin[levels] < b->n) {
        for (int32_t v = 0; v < b->n; v++)
            put(type, row->dist, v, none);
    }
    for (int32_t level = 0; level < levels; level++) {
        const double length = number_at(type, s->length, level);
        for (int32_t k = w->begin[level]; k < w->begin[level + 1]; k++)
            put(type, row->dist, b->vertex[w->levels.queue[k]], length);
    }
}

static void search(const struct search_rows *s, struct row_searcher *w,
                   const struct search_row *row) {
    const struct graph *const g = row->backward ? &s->reversed : s->graph;
    if (s->equal_weights)
        search_levels(s, w, row);
    else if (g->type == NUMBER_INT32)
        dijkstra_run(&w->queue, g, row->source, INF, row->dist, NULL);
    else if (g->type == NUMBER_FLOAT32)
        dijkstra_run_f32(&w->queue, g, row->source, INFINITY, row->dist, NULL);
    else
        dijkstra_run_f64(&w->queue, g, row->source, (double)INFINITY, row->dist, NULL);
}

/* Fails with STATUS_BAD_INPUT if an edge of a forward row leads from a vertex at a finite distance
 * to one without a path: the distance of that vertex does not fit. A backward row may lack such a
 * distance, because it only gives bounds, which are weaker then. */
static enum status refuse_cut(const struct search_rows *s, const struct search_row *row,
                              struct error *err) {
    const struct graph *const g = s->graph;
    const int32_t *const dist = row->dist;
    if (s->may_round)
        return wide_distances_check(g, row->source, row->backward, row->dist, g->n, err);
    if (!s->may_be_cut || row->backward)
        return STATUS_OK;
    if (g->type != NUMBER_INT32) {
        struct row_block block = {.n = g->n, .count = 1, .type = g->type};
        int32_t position;
        block.source[0] = row->source;
        block.cells[0] = row->dist;
        return real_range_check(g, &block, &position, err);
    }
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1] && dist[u] < INF; e++) {
            if (dist[g->head[e]] >= INF)
                return range_refuse(g, row->source, g->head[e], false, err);
        }
    }
    return STATUS_OK;
}

enum status search_rows_run(struct search_rows *s, const int32_t *source, int32_t count,
                            const struct search_row **rows, struct error *err) {
    const int32_t each = s->directed ? 2 : 1, wanted = count * each;
    if (s->used + wanted > s->room)
        RETURN_ON_FAILURE(search_rows_prove(s, err));
    const int32_t first = s->used;
    for (int32_t k = 0; k < wanted; k++)
        s->row[first + k] = (struct search_row){
            .source = source[k / each], .backward = k % each == 1, .dist = row_at(s, first + k)};
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1)
    for (int32_t k = first; k < first + wanted; k++) {
        if (progress_goes_on(s->progress))
            search(s, &s->searcher[omp_get_thread_num()], &s->row[k]);
    }
    if (!progress_goes_on(s->progress))
        return progress_cancelled(err);
    for (int32_t k = first; k < first + wanted; k++)
        RETURN_ON_FAILURE(refuse_cut(s, &s->row[k], err));
    s->used = s->check ? first + wanted : 0;
    *rows = s->row + first;
    return STATUS_OK;
}

/* Proves rows of one direction: those from place `first` to `last`, `step` places apart; at most as
 * many as a proof takes at once. */
static enum status prove_some(const struct search_rows *s, int32_t first, int32_t step,
                              int32_t last, struct error *err) {
    const struct row_searcher *const w = &s->searcher[omp_get_thread_num()];
    struct row_block block = {.n = s->graph->n, .type = s->graph->type};
    struct refutation refutation;
    for (int32_t k = first; k < last; k += step) {
        block.position[block.count] = block.source[block.count] = s->row[k].source;
        block.cells[block.count++] = s->row[k].dist;
    }
    return certificate_prove(s->row[first].backward ? w->backward : w->forward, &block, &refutation,
                             err);
}

enum status search_rows_prove(struct search_rows *s, struct error *err) {
    /* Forward and backward rows alternate. A block of few rows takes as long as one of many, so
     * each thread gets one block, unless that is too large. */
    const int32_t each = s->directed ? 2 : 1, of_each = s->used / each;
    const int32_t share = (of_each * each + s->threads - 1) / s->threads;
    const int32_t size = share < 1 ? 1 : share > CERTIFICATE_ROWS ? CERTIFICATE_ROWS : share;
    const int32_t blocks = (of_each + size - 1) / size;
    struct lowest_failure failed;
    lowest_failure_begin(&failed);
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1) collapse(2)
    for (int32_t b = 0; b < blocks; b++) {
        for (int32_t side = 0; side < each; side++) {
            const int32_t end = (b + 1) * size < of_each ? (b + 1) * size : of_each;
            struct error mine;
            const int32_t first = b * size * each + side;
            if (!lowest_failure_allows(&failed, first) || !progress_goes_on(s->progress))
                continue;
            const enum status own = prove_some(s, first, each, end * each, &mine);
            if (own != STATUS_OK)
                lowest_failure_note(&failed, first, own, &mine);
        }
    }
    enum status status = lowest_failure_end(&failed, err);
    if (status == STATUS_OK && !progress_goes_on(s->progress))
        status = progress_cancelled(err);
    s->proved += status == STATUS_OK ? s->used : 0;
    s->used = 0;
    return status;
}

void search_rows_close(struct search_rows *s) {
    for (int t = 0; s->searcher != NULL && t < s->threads; t++)
        searcher_free(&s->searcher[t]);
    memory_free(s->searcher);
    memory_free(s->row);
    memory_free(s->cells);
    memory_free(s->length);
    bfs_graph_free(&s->without_weights);
    certificate_close(&s->forward);
    certificate_close(&s->backward);
    graph_free(&s->reversed);
    *s = (struct search_rows){0};
}
