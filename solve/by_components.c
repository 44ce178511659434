// SPDX-License-Identifier: MIT
#include "solve/by_components.h"

#include "common/base/clock.h"     // clock_seconds
#include "common/base/memory.h"    // memory_alloc
#include "common/base/threads.h"   // threads_or_default
#include "solve/dijkstra.h"        // dijkstra_run
#include "solve/range.h"           // range_is_safe
#include "solve/real_range.h"      // real_range_is_safe
#include "solve/weak_components.h" // weak_components_find

#include <stdio.h>
#include <string.h>

/* Components of up to TOGETHER vertices share parts of up to TOGETHER vertices; parts of up to
 * SEARCHED vertices are searched. A graph of fewer than LEAST vertices is one part. */
enum { TOGETHER = ROW_BLOCK_MAX, SEARCHED = 2 * TOGETHER, LEAST = 16 * TOGETHER };

/* Parts are used if their matrices have at most this share of the cells of the graph's matrix. */
static const double worth_share = 0.75;

bool component_is_small(int32_t vertices) {
    return vertices <= SEARCHED;
}

/* Finding parts -------------------------------------------------------------------------------- */

/* Gives each component a part, and stores the sizes of parts in first[1 ..]. */
static void assign(const struct weak_components *components, int32_t *part_of,
                   struct component_parts *parts) {
    int32_t open = -1; /* number of a part of small components that has room; -1: there is none */
    for (int32_t c = 0; c < components->count; c++) {
        const int32_t size = components->size[c];
        parts->reached += component_is_small(size) ? (double)size * size : 0;
        if (size > TOGETHER) {
            part_of[c] = parts->count++;
            parts->first[part_of[c] + 1] = size;
            continue;
        }
        if (open < 0 || parts->first[open + 1] + size > TOGETHER)
            open = parts->count++;
        part_of[c] = open;
        parts->first[open + 1] += size;
    }
    for (int32_t p = 0; p < parts->count; p++) {
        const int32_t size = parts->first[p + 1];
        parts->cells += (double)size * size;
        parts->searched += component_is_small(size) ? (double)size * size : 0;
        if (size > parts->most) {
            parts->most = size;
            parts->largest = p;
        }
    }
}

/* Lists the vertices of each part in parts->vertex. */
static void list(const struct graph *g, const struct weak_components *components,
                 const int32_t *part_of, struct component_parts *parts) {
    int32_t *const first = parts->first;
    for (int32_t p = 0; p < parts->count; p++)
        first[p + 1] += first[p];
    for (int32_t v = 0; v < g->n; v++)
        parts->vertex[first[part_of[components->of[v]]]++] = v;
    memmove(first + 1, first, (size_t)parts->count * sizeof *first);
    first[0] = 0;
}

enum status component_parts_find(const struct graph *g, int32_t rows, struct component_parts *parts,
                                 struct error *err) {
    struct weak_components components = {0};
    void *first = NULL, *vertex = NULL, *part_of = NULL;
    enum status status = STATUS_OK;
    *parts = (struct component_parts){.count = 1};
    if (g->n < LEAST || rows <= ROW_BLOCK_MAX)
        return STATUS_OK;
    TRY(weak_components_find(g, &components, err));
    if (components.count == 1)
        goto cleanup;
    const size_t count = (size_t)components.count;
    TRY(memory_alloc(&part_of, count, sizeof(int32_t), "the components", err));
    TRY(memory_alloc(&first, count + 1, sizeof(int32_t), "the components", err));
    struct component_parts found = {.components = components.count, .first = first};
    memset(first, 0, (count + 1) * sizeof(int32_t));
    assign(&components, part_of, &found);
    if (found.cells > worth_share * g->n * g->n)
        goto cleanup;
    TRY(memory_alloc(&vertex, (size_t)g->n, sizeof(int32_t), "the components", err));
    found.vertex = vertex;
    list(g, &components, part_of, &found);
    *parts = found;
    first = vertex = NULL;
cleanup:
    weak_components_free(&components);
    memory_free(part_of);
    memory_free(first);
    memory_free(vertex);
    return status;
}

void component_parts_free(struct component_parts *parts) {
    memory_free(parts->first);
    memory_free(parts->vertex);
    *parts = (struct component_parts){0};
}

/* Solving parts -------------------------------------------------------------------------------- */

/* The sources of each part. Source k of part p is vertex local[first[p] + k] of the part, and has
 * position[first[p] + k] in the answer. */
struct part_sources {
    const int32_t *first, *position;
    const int32_t *local; /* NULL: all vertices of each part are sources, in order */
    void *memory;
};

struct splitting {
    const struct solver_variant *variant;
    const struct solve_request *request;
    const struct component_parts *parts;
    struct part_sources sources;
    struct row_sink *to; /* the sink that takes rows of parts */
    bool searches;       /* small parts are searched, because no distance can leave the range */
    int32_t *number;     /* n numbers of scratch */
    int32_t part;        /* number of the part that is being solved */
    int64_t rows_before; /* number of rows of the parts that are solved already */
    bool is_spoilt;      /* the sink got some rows of a part twice */
    struct timing timing;
    /* Workspace of the search. */
    struct dijkstra queue;
    char *rows;
};

/* Bytes of a row that a search writes: distances of any type, and predecessors. */
enum { SEARCH_ROW = SEARCHED * (sizeof(double) + sizeof(int32_t)) };

static enum status find_sources(const struct splitting *s, struct part_sources *sources,
                                struct error *err) {
    const struct component_parts *const parts = s->parts;
    const struct row_sources *const wanted = &s->request->sources;
    const size_t n = (size_t)s->request->graph->n, count = (size_t)parts->count;
    void *memory, *owner = NULL;
    *sources = (struct part_sources){.first = parts->first, .position = parts->vertex};
    if (wanted->source == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&owner, n, 2 * sizeof(int32_t), "the sources", err));
    const enum status status = memory_alloc(&memory, count + 1 + 2 * (size_t)wanted->count,
                                            sizeof(int32_t), "the sources", err);
    if (status != STATUS_OK) {
        memory_free(owner);
        return status;
    }
    int32_t *const part_of = owner, *const local_of = part_of + n;
    int32_t *const first = memory, *const position = first + count + 1;
    int32_t *const local = position + wanted->count;
    memset(first, 0, (count + 1) * sizeof *first);
    for (int32_t p = 0; p < parts->count; p++) {
        for (int32_t k = parts->first[p]; k < parts->first[p + 1]; k++) {
            part_of[parts->vertex[k]] = p;
            local_of[parts->vertex[k]] = k - parts->first[p];
        }
    }
    for (int32_t k = 0; k < wanted->count; k++)
        first[part_of[wanted->source[k]] + 1]++;
    for (int32_t p = 0; p < parts->count; p++)
        first[p + 1] += first[p];
    for (int32_t k = 0; k < wanted->count; k++) {
        const int32_t at = first[part_of[wanted->source[k]]]++;
        position[at] = k;
        local[at] = local_of[wanted->source[k]];
    }
    memmove(first + 1, first, count * sizeof *first);
    first[0] = 0;
    memory_free(owner);
    *sources = (struct part_sources){first, position, local, memory};
    return STATUS_OK;
}

/* Returns the current part as sinks know it. */
static struct row_part part_of(const struct splitting *s) {
    const struct component_parts *const parts = s->parts;
    const int32_t p = s->part, *const first = s->sources.first;
    return (struct row_part){.n = parts->first[p + 1] - parts->first[p],
                             .vertex = parts->vertex + parts->first[p],
                             .count = first[p + 1] - first[p],
                             .position = s->sources.position + first[p]};
}

/* Returns the sources of the current part, by the part's own numbers. */
static struct row_sources sources_of(const struct splitting *s) {
    const int32_t first = s->sources.first[s->part];
    return (struct row_sources){s->sources.local != NULL ? s->sources.local + first : NULL,
                                s->sources.first[s->part + 1] - first};
}

static void count_seconds(struct splitting *s, double seconds) {
    s->timing.solve_s += seconds;
    s->timing.total_s += seconds;
}

/* Searches from `count` of the part's sources, beginning with source `first`, and hands their rows
 * on. */
static enum status search_from(struct splitting *s, const struct graph *g,
                               const struct row_sources *sources, int32_t first, int32_t count,
                               struct error *err) {
    const double limit = s->request->limit;
    int32_t *pred_rows[ROW_BLOCK_MAX];
    const double start = clock_seconds();
    struct row_block block;
    block.n = g->n;
    block.count = count;
    block.type = g->type;
    block.pred = s->request->predecessors ? pred_rows : NULL;
    block.proved = false;
    for (int32_t r = 0; r < count; r++) {
        char *const row = s->rows + (size_t)r * SEARCH_ROW;
        const int32_t source = row_source(sources, first + r);
        pred_rows[r] = (int32_t *)(row + SEARCHED * sizeof(double));
        int32_t *const pred = block.pred != NULL ? pred_rows[r] : NULL;
        block.position[r] = first + r;
        block.source[r] = source;
        block.cells[r] = row;
        if (g->type == NUMBER_FLOAT32)
            dijkstra_run_f32(&s->queue, g, source, INFINITY, block.dist_f32[r], pred);
        else if (g->type == NUMBER_FLOAT64)
            dijkstra_run_f64(&s->queue, g, source, (double)INFINITY, block.dist_f64[r], pred);
        else
            dijkstra_run(&s->queue, g, source, limit_no_path(limit), block.dist[r], pred);
        for (int32_t v = 0; v < g->n && g->type == NUMBER_INT32 && limit < NO_LIMIT; v++)
            block.dist[r][v] = block.dist[r][v] > limit ? INF : block.dist[r][v];
    }
    if (g->type != NUMBER_INT32 && limit < NO_LIMIT)
        real_range_cut_off(&block, limit);
    count_seconds(s, clock_seconds() - start);
    return s->to->take(s->to, &block, err);
}

static enum status search(struct splitting *s, const struct graph *g, struct error *err) {
    const struct row_sources sources = sources_of(s);
    for (int32_t first = 0; first < sources.count; first += ROW_BLOCK_MAX) {
        const int32_t left = sources.count - first;
        RETURN_ON_FAILURE(
            search_from(s, g, &sources, first, left < ROW_BLOCK_MAX ? left : ROW_BLOCK_MAX, err));
    }
    return STATUS_OK;
}

/* The sink of a large part. */
struct part_sink {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    bool took;  /* `to` has got rows of the part */
    bool again; /* the part began again after `to` had got rows, because another engine replaced one
                   that failed; these rows cannot be taken back */
};

static enum status begin_in_part(struct row_sink *self, int32_t n, enum number_type type,
                                 const struct row_sources *sources, bool with_pred, int threads,
                                 struct error *err) {
    struct part_sink *const sink = (struct part_sink *)self;
    (void)n, (void)type, (void)sources, (void)with_pred, (void)threads, (void)err;
    sink->again = sink->again || sink->took;
    return STATUS_OK;
}

static enum status take_part(struct row_sink *self, const struct row_block *block,
                             struct error *err) {
    struct part_sink *const sink = (struct part_sink *)self;
    if (sink->again)
        return STATUS_OK;
#pragma omp atomic write
    sink->took = true;
    return sink->to->take(sink->to, block, err);
}

static enum status take_part_totals(struct row_sink *self, const struct answer_totals *totals,
                                    struct error *err) {
    struct part_sink *const sink = (struct part_sink *)self;
    if (sink->again)
        return STATUS_OK;
    sink->took = true;
    return sink->to->take_totals(sink->to, totals, err);
}

static bool report_part(void *context, int64_t done, int64_t total) {
    const struct splitting *const s = context;
    const double share = total > 0 ? (double)done / (double)total : 0;
    const struct row_sources sources = sources_of(s);
    return progress_report(s->request->progress, s->rows_before + (int64_t)(share * sources.count),
                           s->request->sources.count);
}

/* Solves a part with the variant. */
static enum status solve_part(struct splitting *s, const struct graph *g, struct error *err) {
    const bool is_largest = s->part == s->parts->largest;
    struct solver_options options = *s->request->options;
    struct progress progress = {.on_report = report_part, .callback_context = s};
    struct part_sink sink = {
        .sink = {.proves = s->to->proves != NULL ? g : NULL,
                 .begin = begin_in_part,
                 .take = take_part,
                 .take_totals = s->to->take_totals != NULL ? take_part_totals : NULL,
                 .spares_reciprocals = s->to->spares_reciprocals,
                 .reciprocal_bits = s->to->reciprocal_bits,
                 .wants_columns = s->to->wants_columns},
        .to = s->to};
    struct solve_request request = *s->request;
    struct timing timing = {0};
    request.graph = g;
    request.sources = sources_of(s);
    request.options = &options;
    request.progress = s->request->progress != NULL ? &progress : NULL;
    request.repetitions = 1;
    request.kept = NULL;
    if (!is_largest) /* report the choice for the largest part only */
        options.on_choice = NULL;
    RETURN_ON_FAILURE(solve_rows(s->variant, &request, &sink.sink, &timing, err));
    s->is_spoilt = sink.again;
    s->timing.solve_s += timing.solve_s;
    s->timing.total_s += timing.total_s;
    s->timing.transfer_s += timing.transfer_s;
    if (is_largest)
        s->timing.phases = timing.phases;
    return STATUS_OK;
}

/* Solves or searches the next part, if it has sources. */
static enum status next_part(struct splitting *s, struct error *err) {
    struct graph g = {0};
    const struct row_part part = part_of(s);
    const double start = clock_seconds();
    int64_t leaves;
    enum status status;
    if (part.count == 0)
        return STATUS_OK;
    TRY(graph_part(s->request->graph, part.vertex, part.n, s->number, &g, &leaves, err));
    count_seconds(s, clock_seconds() - start);
    TRY(s->to->begin_part(s->to, &part, err));
    status =
        s->searches && component_is_small(part.n) ? search(s, &g, err) : solve_part(s, &g, err);
    s->rows_before += part.count;
    if (status == STATUS_OK &&
        !progress_report(s->request->progress, s->rows_before, s->request->sources.count))
        status = progress_cancelled(err);
cleanup:
    graph_free(&g);
    return status;
}

/* Produces the answer once. */
static enum status solve_once(struct splitting *s, struct error *err) {
    const struct solve_request *const request = s->request;
    const struct solver_options *const options = request->options;
    s->timing = (struct timing){0};
    s->rows_before = 0;
    if (s->to->begin != NULL)
        RETURN_ON_FAILURE(s->to->begin(s->to, request->graph->n, request->graph->type,
                                       &request->sources, request->predecessors,
                                       threads_or_default(options->threads), err));
    for (s->part = 0; s->part < s->parts->count && !s->is_spoilt; s->part++)
        RETURN_ON_FAILURE(next_part(s, err));
    RETURN_ON_FAILURE(s->to->begin_part(s->to, NULL, err));
    if (options->on_choice != NULL && s->searches && component_is_small(s->parts->most)) {
        char why[128];
        snprintf(why, sizeof why, "%d components of few vertices: searches from each, as %s does",
                 s->parts->components, s->variant->searches);
        options->on_choice(options->callback_context, s->variant->searches, why);
    }
    return STATUS_OK;
}

/* Tells whether no distance of the graph can leave the range, so that rows need not be checked. */
static bool is_safe(const struct graph *g, double limit, int threads) {
    return limit < NO_LIMIT ||
           (g->type == NUMBER_INT32 ? range_is_safe(g, threads) : real_range_is_safe(g));
}

enum status solve_by_components(const struct solver_variant *variant,
                                const struct solve_request *request,
                                const struct component_parts *parts, struct row_sink *sink,
                                struct timing *timing, bool *done, struct error *err) {
    struct row_spread spread = {0};
    struct splitting s = {.variant = variant,
                          .request = request,
                          .parts = parts,
                          .to = sink,
                          .searches =
                              is_safe(request->graph, request->limit, request->options->threads)};
    void *number = NULL, *rows = NULL;
    enum status status;
    if (sink->begin_part == NULL) {
        row_spread_begin(&spread, sink);
        s.to = &spread.sink;
    }
    TRY(memory_alloc(&number, (size_t)request->graph->n, sizeof(int32_t), "the components", err));
    memset(number, 0, (size_t)request->graph->n * sizeof(int32_t));
    TRY(memory_alloc(&rows, ROW_BLOCK_MAX, SEARCH_ROW, "the rows", err));
    TRY(dijkstra_alloc(&s.queue, SEARCHED, true, err));
    TRY(find_sources(&s, &s.sources, err));
    s.number = number;
    s.rows = rows;
    for (int r = request->repetitions > 1 ? -1 : 0; r < request->repetitions && !s.is_spoilt; r++) {
        TRY(solve_once(&s, err));
        if (r >= 0)
            timing[r] = s.timing;
    }
    *done = !s.is_spoilt;
cleanup:
    row_spread_close(&spread);
    dijkstra_free(&s.queue);
    memory_free(s.sources.memory);
    memory_free(number);
    memory_free(rows);
    return status;
}
