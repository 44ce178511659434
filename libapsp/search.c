// SPDX-License-Identifier: MIT
/* apsp_search_rows: Dijkstra's algorithm straight in the caller's arrays. */
#include "common/base/clock.h" // clock_seconds
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // THREADS_MAX, threads_worth
#include "common/graph/graph.h"  // graph_reverse
#include "common/graph/limit.h"  // limit_beyond
#include "engines/cpu_auto.h"    // auto_searches
#include "libapsp/call.h"        // call_work
#include "libapsp/objects.h"     // check_range
#include "libapsp/structs.h"     // struct_take
#include "solve/dijkstra.h"      // dijkstra_search
#include "solve/edge_kernels.h"  // edge_kernels

#include <float.h>
#include <math.h>
#include <stdbool.h>

struct edge_search {
    const apsp_search *asked;
    const struct edge_kernels *kernels;
    struct dijkstra_edges found; /* the caller's edges */
    struct graph edges; /* the edges with `first` of its own, if they lead both ways, otherwise no
                           vertices; rows need not ascend */
    struct graph back;  /* reverse of the graph `edges` */
    void *heads;   /* int32_t copies of the heads, if the caller's are int64_t; otherwise NULL */
    void *ones;    /* weights of 1, if the caller gives none; otherwise NULL */
    double beyond; /* least distance beyond the limit; infinite: no limit */
    struct progress *progress;
    bool done; /* false: the edges cannot be searched */
};

/* The edges -----------------------------------------------------------------------------------*/

/* Takes the heads of edges, or copies them if they are int64_t. *good: all fit in int32_t. */
static enum status take_heads(struct edge_search *s, bool *good, struct error *err) {
    const int64_t m = s->asked->count, *const wide = s->asked->to;
    uint64_t upper = 0;
    s->found.head = s->asked->to;
    if (s->asked->is_wide) {
        RETURN_ON_FAILURE(memory_alloc(&s->heads, (size_t)m, sizeof(int32_t), "the edges", err));
        int32_t *const narrow = s->heads;
        for (int64_t e = 0; e < m; e++) {
            upper |= (uint64_t)wide[e] >> 32;
            narrow[e] = (int32_t)wide[e];
        }
        s->found.head = narrow;
    }
    *good = upper == 0;
    return STATUS_OK;
}

/* Takes the weights of edges, or makes weights of 1. *good: no weight is below 0, -0 or NaN, and no
 * sum of weights exceeds float64. */
static enum status take_weights(struct edge_search *s, bool *good, struct error *err) {
    const int64_t m = s->asked->count;
    s->found.weight = s->asked->weight;
    if (s->asked->weight != NULL) {
        *good = s->kernels->are_lengths(s->asked->weight, m, DBL_MAX / 2 / s->found.n);
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(memory_alloc(&s->ones, (size_t)m, sizeof(double), "the weights", err));
    double *const ones = s->ones;
    for (int64_t e = 0; e < m; e++)
        ones[e] = 1;
    s->found.weight = ones;
    return STATUS_OK;
}

/* Makes s->edges of the edges, and its reverse s->back. *good: offsets and heads are in range. */
static enum status make_graphs(struct edge_search *s, bool *good, struct error *err) {
    const struct dijkstra_edges *const found = &s->found;
    const int64_t *const wide = s->asked->first;
    const int32_t *const narrow = s->asked->first;
    const int32_t n = found->n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n + 1, sizeof(int64_t), "the rows", err));
    int64_t *const first = memory;
    s->edges = (struct graph){.n = n,
                              .first = first,
                              .head = (int32_t *)found->head,
                              .real_weight = (double *)found->weight,
                              .type = NUMBER_FLOAT64};
    for (int32_t v = 0; v <= n; v++) {
        first[v] = s->asked->is_wide ? wide[v] : narrow[v];
        *good &= v == 0 ? first[0] == 0 : first[v - 1] <= first[v];
    }
    s->edges.m = first[n];
    *good = *good && s->edges.m <= found->count &&
            s->kernels->are_vertices(found->head, s->edges.m, n - 1);
    return *good ? graph_reverse(&s->edges, &s->back, err) : STATUS_OK;
}

/* Sets s->found and, for edges that lead both ways, s->edges and s->back. *good: nothing that was
 * looked at speaks against a search. */
static enum status take_edges(struct edge_search *s, bool *good, struct error *err) {
    const apsp_search *const asked = s->asked;
    s->found = (struct dijkstra_edges){.n = asked->vertices,
                                       .count = asked->count,
                                       .first = asked->is_wide ? asked->first : NULL,
                                       .narrow_first = asked->is_wide ? NULL : asked->first};
    RETURN_ON_FAILURE(take_heads(s, good, err));
    if (*good)
        RETURN_ON_FAILURE(take_weights(s, good, err));
    return *good && asked->undirected ? make_graphs(s, good, err) : STATUS_OK;
}

static void searching_free(struct edge_search *s) {
    graph_free(&s->back);
    memory_free(s->edges.first);
    memory_free(s->heads);
    memory_free(s->ones);
}

/* Searches ------------------------------------------------------------------------------------*/

/* The source of a row; *own has room for it. */
static const int32_t *sources_of(const struct edge_search *s, int32_t row, int32_t *own) {
    if (s->asked->sources != NULL)
        return s->asked->sources + row;
    *own = row;
    return own;
}

static void clear_row(const struct edge_search *s, double *dist, int32_t *pred) {
    const apsp_search *const asked = s->asked;
    s->kernels->clear(dist, asked->vertices);
    for (int32_t v = 0; v < asked->vertices && pred != NULL; v++)
        pred[v] = asked->no_predecessor;
}

static int32_t search_from(const struct edge_search *s, const struct dijkstra *queue,
                           const int32_t *source, int32_t sources, double *dist, int32_t *pred,
                           int32_t *order) {
    return s->edges.n > 0 ? dijkstra_search(queue, &s->edges, &s->back, source, sources, s->beyond,
                                            dist, pred, order)
                          : dijkstra_search_edges(queue, &s->found, source, sources, s->beyond,
                                                  dist, pred, order);
}

/* Writes a row and returns how many vertices its source reaches; -1 if an edge is out of range. */
static int32_t search_row(const struct edge_search *s, const struct dijkstra *queue, int32_t row) {
    const apsp_search *const asked = s->asked;
    const size_t at = (size_t)row * (size_t)asked->vertices;
    double *const dist = asked->distances + at;
    int32_t *const pred = asked->predecessors != NULL ? asked->predecessors + at : NULL, own;
    clear_row(s, dist, pred);
    return search_from(s, queue, sources_of(s, row, &own), 1, dist, pred, NULL);
}

/* Writes the row of distances from the nearest source, and which source that is. */
static enum status search_together(struct edge_search *s, const struct dijkstra *queue,
                                   struct error *err) {
    const apsp_search *const asked = s->asked;
    const int32_t n = asked->vertices;
    int32_t *const pred = asked->predecessors, *const nearest = asked->nearest;
    const bool names = pred != NULL && nearest != NULL;
    void *order = NULL;
    if (names)
        RETURN_ON_FAILURE(memory_alloc(&order, (size_t)n, sizeof(int32_t), "the vertices", err));
    clear_row(s, asked->distances, pred);
    const int32_t reached =
        search_from(s, queue, asked->sources, asked->source_count, asked->distances, pred, order);
    s->done = reached >= 0;
    for (int32_t v = 0; v < n && names; v++)
        nearest[v] = asked->no_predecessor;
    for (int32_t k = 0; k < reached && names; k++) {
        const int32_t v = ((const int32_t *)order)[k];
        nearest[v] = pred[v] == asked->no_predecessor ? v : nearest[pred[v]];
    }
    memory_free(order);
    return STATUS_OK;
}

static int32_t rows_of(const apsp_search *asked) {
    return asked->sources != NULL ? asked->source_count : asked->vertices;
}

/* Number of threads that pay for the rows that are left, if a row reaches as many vertices as those
 * that are done. A thread costs its start, and the milliseconds for which it waits for more work at
 * the end. */
static int threads_for(const struct edge_search *s, int32_t done, double reached) {
    enum { LOOKS = 4 }; /* threads must save that many times their start */
    const int32_t left = rows_of(s->asked) - done;
    const double each = reached / done * (1 + (double)s->found.count / s->found.n);
    const int threads = threads_worth(s->asked->threads, left * each / LOOKS);
    return threads < left ? threads : left;
}

/* Searches for the rows from `first` on with several threads. */
static enum status search_side_by_side(struct edge_search *s, int32_t first, int threads,
                                       struct error *err) {
    const int32_t rows = rows_of(s->asked);
    struct lowest_failure failed;
    bool good = true;
    lowest_failure_begin(&failed);
#pragma omp parallel num_threads(threads)
    {
        struct dijkstra queue;
        struct error mine;
        const enum status allocated = dijkstra_alloc(&queue, s->found.n, true, &mine);
        queue.progress = s->progress;
        if (allocated != STATUS_OK)
            lowest_failure_note(&failed, 0, allocated, &mine);
#pragma omp for schedule(dynamic) reduction(&& : good)
        for (int32_t row = first; row < rows; row++)
            good = good && (allocated != STATUS_OK || search_row(s, &queue, row) >= 0);
        dijkstra_free(&queue);
    }
    s->done = good;
    return lowest_failure_end(&failed, err);
}

/* Searches for row after row, until the work that is left is worth several threads. */
static enum status search_rows(struct edge_search *s, const struct dijkstra *queue,
                               struct error *err) {
    const int32_t rows = rows_of(s->asked);
    double reached = 0;
    for (int32_t row = 0; row < rows && s->done; row++) {
        const int32_t now = search_row(s, queue, row);
        s->done = now >= 0;
        reached += now;
        const int threads = s->done && row + 1 < rows ? threads_for(s, row + 1, reached) : 1;
        if (threads > 1)
            return search_side_by_side(s, row + 1, threads, err);
    }
    return STATUS_OK;
}

static enum status take_and_search(void *self, struct progress *progress, struct error *err) {
    struct edge_search *const s = self;
    struct dijkstra queue = {0};
    enum status status;
    s->progress = progress;
    TRY(take_edges(s, &s->done, err));
    if (!s->done)
        goto cleanup;
    TRY(dijkstra_alloc(&queue, s->found.n, true, err));
    queue.progress = progress;
    status = s->asked->together ? search_together(s, &queue, err) : search_rows(s, &queue, err);
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
cleanup:
    dijkstra_free(&queue);
    return status;
}

static bool has_limit(const apsp_search *asked) {
    return asked->limit >= 0 && !isinf(asked->limit);
}

/* Checks the arguments. *worth: searches are expected to be faster than a solve. */
static enum status check(const apsp_search *asked, bool *worth, struct error *err) {
    const int32_t n = asked->vertices;
    RETURN_ON_FAILURE(check_range("number of vertices", n, 1, INT32_MAX, err));
    RETURN_ON_FAILURE(check_range("threads", asked->threads, 0, THREADS_MAX, err));
    if (asked->first == NULL || asked->to == NULL || asked->distances == NULL)
        return fail(err, STATUS_BAD_INPUT, "apsp_search: expected edges and distances, found NULL");
    if (isnan(asked->limit))
        return fail(err, STATUS_BAD_INPUT, "limit: expected a number, found NaN");
    if (asked->sources == NULL && asked->together)
        return fail(err, STATUS_BAD_INPUT, "sources: expected those to search from, found NULL");
    if (asked->sources != NULL) {
        RETURN_ON_FAILURE(check_range("source_count", asked->source_count, 1, INT32_MAX, err));
        for (int32_t k = 0; k < asked->source_count; k++)
            RETURN_ON_FAILURE(check_range("sources", asked->sources[k], 0, n - 1, err));
    }
    /* Up to this number of vertices, any other way takes longer than all searches. */
    enum { FEW_VERTICES = 32 };
    *worth = n <= FEW_VERTICES ||
             auto_searches(n, asked->together ? 1 : rows_of(asked), has_limit(asked));
    return STATUS_OK;
}

apsp_status apsp_search_rows(const apsp_search *search, int *searched, apsp_error *error) {
    struct error err;
    apsp_search asked = APSP_SEARCH_INIT;
    struct edge_search searching = {.asked = &asked};
    bool worth = false;
    enum isa isa;
    enum status status;
    *searched = 0;
    TRY(struct_take(&asked, sizeof asked, SIZE_UP_TO(apsp_search, progress_to), search,
                    "apsp_search", &err));
    TRY(check(&asked, &worth, &err));
    TRY(isa_choose(&isa, &err));
    searching.kernels = edge_kernels(isa);
    searching.beyond =
        has_limit(&asked) ? limit_beyond(NUMBER_FLOAT64, asked.limit) : (double)INFINITY;
    if (worth)
        TRY(call_work(&(struct listener){asked.progress, asked.progress_to}, take_and_search,
                      &searching, &err));
    *searched = searching.done;
cleanup:
    searching_free(&searching);
    return end_call(status, &err, error);
}
