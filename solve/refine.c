// SPDX-License-Identifier: MIT
#include "solve/refine.h"

#include "common/base/clock.h"    // clock_seconds
#include "common/base/memory.h"   // memory_alloc
#include "common/base/threads.h"  // omp_get_thread_num
#include "common/graph/limit.h"   // NO_LIMIT
#include "solve/distance_bound.h" // distance_bound_find
#include "solve/quanta.h"         // quantum_for, quanta_in
#include "solve/real_range.h"     // real_range_check

#include <math.h>
#include <string.h>

/* MOST_QUANTA: the most quanta of a distance, half of what an engine takes. LEAST_QUANTA: fewer
 * would leave too few different lengths to tell paths apart. */
enum { MOST_QUANTA = INF / 2, LEAST_QUANTA = 1 << 12 };

int32_t refine_most(const struct solver_variant *variant) {
    return variant->exact_up_to > 0 ? variant->exact_up_to / 2 : MOST_QUANTA;
}

enum status refine_check(const struct solver_variant *variant, enum number_type type,
                         struct error *err) {
    if (refine_most(variant) >= LEAST_QUANTA)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT,
                "%s is not exact for this graph: expected integer weights, found %s ones; its "
                "distances go up to %d only",
                variant->name, number_name(type), variant->exact_up_to);
}

/* The coarse graph -----------------------------------------------------------------------------*/

/* Makes a graph with the edges of g and room for integer weights. */
static enum status copy_edges(const struct graph *g, struct graph *coarse, struct error *err) {
    void *first = NULL, *head = NULL, *weight = NULL;
    enum status status;
    TRY(memory_alloc(&first, (size_t)g->n + 1, sizeof *g->first, "the rounded weights", err));
    TRY(memory_alloc(&head, (size_t)g->m, sizeof *g->head, "the rounded weights", err));
    TRY(memory_alloc(&weight, (size_t)g->m, sizeof *g->weight, "the rounded weights", err));
    memcpy(first, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    memcpy(head, g->head, (size_t)g->m * sizeof *g->head);
cleanup:
    *coarse = (struct graph){.n = g->n,
                             .m = g->m,
                             .edges_read = g->edges_read,
                             .naming = naming_share(&g->naming),
                             .first = first,
                             .head = head,
                             .weight = weight};
    if (status != STATUS_OK)
        graph_free(coarse);
    return status;
}

enum status refine_coarsen(const struct graph *g, int32_t most, struct graph *coarse,
                           const struct progress *progress, struct error *err) {
    double bound = 0;
    RETURN_ON_FAILURE(distance_bound_find(g, &bound, progress, err));
    RETURN_ON_FAILURE(copy_edges(g, coarse, err));
    const double quantum = quantum_for(g->max_weight, bound, g->n, most);
    for (int64_t e = 0; e < g->m; e++) {
        coarse->weight[e] = quanta_in(g->real_weight[e], quantum);
        if (e == 0 || coarse->weight[e] < coarse->min_weight)
            coarse->min_weight = coarse->weight[e];
        if (coarse->weight[e] > coarse->max_weight)
            coarse->max_weight = coarse->weight[e];
    }
    return STATUS_OK;
}

/* The sink -------------------------------------------------------------------------------------*/

static void free_workers(struct refine_sink *s) {
    for (int t = 0; t < s->threads; t++)
        real_worker_free(&s->worker[t]);
    memory_free(s->worker);
    memory_free(s->worked_s);
    s->worker = NULL;
    s->worked_s = NULL;
    s->threads = 0;
}

static enum status alloc_workers(struct refine_sink *s, int threads, struct error *err) {
    void *memory;
    free_workers(s);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, sizeof(double), "the threads", err));
    s->worked_s = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *s->worker, "the threads", err));
    s->worker = memory;
    memset(s->worker, 0, (size_t)threads * sizeof *s->worker);
    s->threads = threads;
    for (int t = 0; t < threads; t++)
        RETURN_ON_FAILURE(real_worker_alloc(&s->worker[t], &s->problem, err));
    return STATUS_OK;
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct refine_sink *const s = (struct refine_sink *)self;
    (void)type, (void)with_pred;
    if (threads > s->threads)
        RETURN_ON_FAILURE(alloc_workers(s, threads, err));
    for (int t = 0; t < s->threads; t++)
        s->worked_s[t] = 0;
    return s->to->begin != NULL ? s->to->begin(s->to, n, s->problem.edges.g->type, sources,
                                               s->problem.with_pred, threads, err)
                                : STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct refine_sink *const s = (struct refine_sink *)self;
    const int t = omp_get_thread_num();
    const int32_t lanes = s->problem.kernel->lanes;
    const struct graph *const g = s->problem.edges.g;
    for (int32_t first = 0; first < block->count; first += lanes) {
        const int32_t count = block->count - first < lanes ? block->count - first : lanes;
        const double start = clock_seconds();
        RETURN_ON_FAILURE(real_rows_find(&s->worker[t], block->source + first,
                                         block->position + first, count, block->dist + first, err));
        const struct row_block *const found = &s->worker[t].block;
        int32_t position;
        if (!s->in_range)
            RETURN_ON_FAILURE(real_range_check(g, found, &position, err));
        s->worked_s[t] += clock_seconds() - start;
        if (!progress_goes_on(s->problem.progress))
            return progress_cancelled(err);
        RETURN_ON_FAILURE(s->to->take(s->to, found, err));
    }
    return STATUS_OK;
}

enum status refine_sink_open(struct refine_sink *sink, const struct graph *g,
                             const struct graph *coarse, double limit, bool with_pred,
                             struct row_sink *to, const struct progress *progress,
                             struct error *err) {
    *sink = (struct refine_sink){.sink = {.begin = begin, .take = take},
                                 .to = to,
                                 .in_range = limit < NO_LIMIT || real_range_is_safe(g)};
    return real_problem_open(&sink->problem, g, coarse, NULL, limit, with_pred, progress, err);
}

double refine_sink_seconds(const struct refine_sink *s) {
    double seconds = 0;
    for (int t = 0; t < s->threads; t++)
        seconds += s->worked_s[t];
    return s->threads > 0 ? seconds / s->threads : 0;
}

uint64_t refine_memory(const struct solver_size *size) {
    return memory_add(graph_memory(size->n, size->m),
                      real_rows_memory(size->n, size->m, size->type, size->predecessors,
                                       threads_or_default(size->threads)));
}

void refine_sink_close(struct refine_sink *s) {
    free_workers(s);
    real_problem_close(&s->problem);
    *s = (struct refine_sink){0};
}
