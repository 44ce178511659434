// SPDX-License-Identifier: MIT
#include "solve/by_spacings.h"

#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_alloc
#include "solve/grid.h"         // grid_fits_int32

#include <math.h>
#include <omp.h>
#include <string.h>

enum status spacings_graph_make(const struct graph *g, struct graph *spacings, struct error *err) {
    RETURN_ON_FAILURE(graph_alloc(spacings, g->n, g->m, NUMBER_INT32, err));
    spacings->edges_read = g->edges_read;
    spacings->naming = naming_share(&g->naming);
    memcpy(spacings->first, g->first, ((size_t)g->n + 1) * sizeof *g->first);
    memcpy(spacings->head, g->head, (size_t)g->m * sizeof *g->head);
    for (int64_t e = 0; e < g->m; e++)
        spacings->weight[e] = (int32_t)fmin(g->real_weight[e] / g->spacing, INF);
    spacings->min_weight = fmin(g->min_weight / g->spacing, INF);
    spacings->max_weight = fmin(g->max_weight / g->spacing, INF);
    return STATUS_OK;
}

/* Number of rows that are handed on together, so that a sink that adds up columns reads the columns
 * once for all of them. */
enum { TOGETHER = 8 };

/* A sink for the rows of the int32 graph. */
struct spacing_sink {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    const struct graph *graph; /* the graph of real weights */
    double *row;               /* for each thread, room for TOGETHER rows */
    int threads;
    int32_t sources; /* number of rows since begin */
    /* the part of the graph that rows belong to; NULL: the whole graph */
    const struct row_part *part;
};

uint64_t spacings_memory(int32_t n, int64_t m, int threads) {
    return memory_add(
        graph_memory(n, m),
        memory_times((uint64_t)threads * TOGETHER * sizeof(double), matrix_leading(n)));
}

static size_t row_cells(const struct spacing_sink *s) {
    return matrix_leading(s->graph->n);
}

static enum status begin(struct row_sink *self, int32_t n, enum number_type type,
                         const struct row_sources *sources, bool with_pred, int threads,
                         struct error *err) {
    struct spacing_sink *const s = (struct spacing_sink *)self;
    void *row;
    (void)type;
    if (threads > s->threads) {
        memory_free(s->row);
        s->row = NULL;
        s->threads = 0;
        RETURN_ON_FAILURE(memory_alloc(&row, (size_t)threads * TOGETHER * row_cells(s),
                                       sizeof(double), "rows of real distances", err));
        s->row = row;
        s->threads = threads;
    }
    if (s->to->begin != NULL)
        RETURN_ON_FAILURE(s->to->begin(s->to, n, NUMBER_FLOAT64, sources, with_pred, threads, err));
    self->wants_columns = s->to->wants_columns;
    s->sources = sources->count;
    s->part = NULL;
    return STATUS_OK;
}

static enum status begin_part(struct row_sink *self, const struct row_part *part,
                              struct error *err) {
    struct spacing_sink *const s = (struct spacing_sink *)self;
    s->part = part;
    return s->to->begin_part(s->to, part, err);
}

/* Finds where to write row r of a block: its place if the sink has one, otherwise `own`. Copies
 * predecessors to the place. */
static void find_places(const struct spacing_sink *s, const struct row_block *block, int32_t r,
                        double *own, void **dist, int32_t **pred) {
    *dist = own;
    *pred = block->pred != NULL ? block->pred[r] : NULL;
    if (s->to->place == NULL || s->part != NULL)
        return;
    s->to->place(s->to, block->position[r], dist, pred);
    if (block->pred != NULL && *pred != block->pred[r])
        memcpy(*pred, block->pred[r], (size_t)block->n * sizeof **pred);
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct spacing_sink *const s = (const struct spacing_sink *)self;
    double *const own = s->row + (size_t)omp_get_thread_num() * TOGETHER * row_cells(s);
    const double spacing = s->graph->spacing;
    int32_t *pred[TOGETHER];
    struct row_block some = {.n = block->n,
                             .type = NUMBER_FLOAT64,
                             .pred = block->pred != NULL ? pred : NULL,
                             .proved = block->proved};
    for (int32_t first = 0; first < block->count; first += TOGETHER) {
        some.count = block->count - first < TOGETHER ? block->count - first : TOGETHER;
        for (int32_t r = 0; r < some.count; r++) {
            const int32_t *const from = block->dist[first + r];
            some.position[r] = block->position[first + r];
            some.source[r] = block->source[first + r];
            find_places(s, block, first + r, own + (size_t)r * row_cells(s), &some.cells[r],
                        &pred[r]);
            for (int32_t v = 0; v < block->n; v++)
                some.dist_f64[r][v] = from[v] < INF ? from[v] * spacing : INFINITY;
        }
        RETURN_ON_FAILURE(s->to->take(s->to, &some, err));
    }
    return STATUS_OK;
}

static void convert(const struct row_totals *from, int32_t count, struct grid_totals *to) {
    for (int32_t k = 0; k < count; k++)
        to[k] = (struct grid_totals){
            .sum = from[k].sum, .farthest = from[k].farthest, .reached = from[k].reached};
}

/* Serves a sink that spares reciprocals. */
static enum status take_totals(struct row_sink *self, const struct answer_totals *totals,
                               struct error *err) {
    const struct spacing_sink *const s = (const struct spacing_sink *)self;
    const int32_t n = s->part != NULL ? s->part->n : s->graph->n;
    const int32_t sources = s->part != NULL ? s->part->count : s->sources;
    struct answer_totals real = {.spacing = s->graph->spacing,
                                 .largest = totals->largest * s->graph->spacing,
                                 .from = totals->from,
                                 .to = totals->to,
                                 .proved = totals->proved};
    void *out = NULL, *in = NULL;
    enum status status;
    TRY(memory_alloc(&out, (size_t)sources, sizeof *real.grid_out, "the totals", err));
    convert(totals->out, sources, out);
    real.grid_out = out;
    if (totals->in != NULL) {
        TRY(memory_alloc(&in, (size_t)n, sizeof *real.grid_in, "the totals", err));
        convert(totals->in, n, in);
        real.grid_in = in;
    }
    status = s->to->take_totals(s->to, &real, err);
cleanup:
    memory_free(out);
    memory_free(in);
    return status;
}

/* Returns whether the int32 graph has the edges of the real one, with weights of as many spacings:
 * then a proof for it holds for the real one. Weights above all distances that can be proved may be
 * INF. */
static bool is_the_same(const struct graph *g, const struct graph *spacings) {
    bool same = g->n == spacings->n && g->m == spacings->m &&
                memcmp(g->first, spacings->first, ((size_t)g->n + 1) * sizeof *g->first) == 0 &&
                memcmp(g->head, spacings->head, (size_t)g->m * sizeof *g->head) == 0;
    for (int64_t e = 0; e < g->m && same; e++) {
        const double weight = spacings->weight[e] * g->spacing;
        same = weight == g->real_weight[e] ||
               (spacings->weight[e] == INF && g->real_weight[e] > weight);
    }
    return same;
}

enum status solve_by_spacings(const struct solver_variant *variant,
                              const struct solve_request *request, struct row_sink *sink,
                              struct timing *timing, struct error *err) {
    const double start = clock_seconds();
    const struct graph *const g = request->graph;
    struct graph spacings = {0};
    struct spacing_sink own = {
        .sink = {.begin = begin, .take = take, .spares_reciprocals = sink->spares_reciprocals},
        .to = sink,
        .graph = g};
    struct solve_request inner = *request;
    enum status status;
    TRY(spacings_graph_make(g, &spacings, err));
    inner.graph = &spacings;
    inner.kept = NULL;
    if (request->limit < NO_LIMIT)
        inner.limit = limit_for(NUMBER_INT32, floor(request->limit / g->spacing));
    if (sink->begin_part != NULL)
        own.sink.begin_part = begin_part;
    if (sink->take_totals != NULL && sink->spares_reciprocals)
        own.sink.take_totals = take_totals;
    if (sink->proves == g && is_the_same(g, &spacings))
        own.sink.proves = &spacings;
    else if (sink->proves != NULL)
        own.sink.take_totals = NULL;
    const double made_s = clock_seconds() - start;
    TRY(solve_rows(variant, &inner, &own.sink, timing, err));
    for (int r = 0; r < request->repetitions; r++) {
        timing[r].solve_s += made_s;
        timing[r].total_s += made_s;
    }
cleanup:
    memory_free(own.row);
    graph_free(&spacings);
    return status;
}
