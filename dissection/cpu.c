// SPDX-License-Identifier: MIT
#include "dissection/cpu.h"

#include "classes/sums.h"             // sums_take
#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // omp_get_thread_num
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "elimination/dissection.h"   // dissection_prepare
#include "elimination/look.h"         // look_free
#include "elimination/order.h"        // order_is_available
#include "elimination/rows_kernels.h" // rows_kernels
#include "elimination/tree_sources.h" // tree_sources_list
#include "measures/lane_totals.h"     // struct lane_totals
#include "search/cpu/johnson.h"       // cpu_johnson_solve
#include "search/cpu/multisource.h"   // cpu_multisource_seconds
#include "solve/delivery.h"           // struct delivery
#include "solve/other_engines.h"
#include "solve/potentials.h"  // potentials_restore_in_place
#include "solve/repetitions.h" // repetitions_by_rows
#include "solve/row_buffer.h"  // struct row_buffer
#include "solve/solve.h"       // solve_rows, solve_task

#include <math.h>
#include <stddef.h>

/* Solves the task by the best of the other engines. */
static enum status solve_otherwise(const struct other_engines *others,
                                   const struct solver_task *task, struct error *err) {
    const struct solver_variant *best;
    RETURN_ON_FAILURE(others->choose(task->graph, task->delivery->sources.count, task->options,
                                     task->predecessors, &best, err));
    const struct solver_options options = {.threads = task->options->threads,
                                           .ranks = task->options->ranks};
    double solve_s;
    struct timing timing;
    struct solver_times times = {.solve_s = &solve_s};
    struct solver_task once = *task;
    once.repetitions = 1;
    once.options = &options;
    if (task->graph->min_weight >= 0)
        return solve_task(best, &once, &times, err);
    const struct solve_request request = {.graph = task->graph,
                                          .sources = task->delivery->sources,
                                          .limit = task->limit,
                                          .options = &options,
                                          .progress = task->progress,
                                          .repetitions = 1};
    return solve_rows(best, &request, task->delivery->sink, &timing, err);
}

/* Finishes *d with the distances in its core, which the best of the other engines finds. The caller
 * frees *among. */
static enum status solve_core(const struct other_engines *others, struct dissection *d,
                              const struct solver_task *task, struct matrix *among,
                              struct error *err) {
    const struct solver_options options = {.threads = task->options->threads};
    const struct solver_variant *best;
    const struct solve_request request = {.graph = &d->core,
                                          .sources = {NULL, d->core.n},
                                          .limit = task->limit,
                                          .options = &options,
                                          .progress = task->progress,
                                          .repetitions = 1};
    struct matrix_sink sink;
    struct timing timing;
    if (d->core.n == 0)
        return dissection_finish(d, NULL, err);
    RETURN_ON_FAILURE(matrix_alloc_typed(among, (enum number_type)LENGTH_NUMBER, d->core.n,
                                         d->core.n, "the core", err));
    RETURN_ON_FAILURE(others->choose(&d->core, d->core.n, &options, false, &best, err));
    matrix_sink_begin(&sink, among, NULL);
    RETURN_ON_FAILURE(solve_rows(best, &request, &sink.sink, &timing, err));
    return dissection_finish(d, among, err);
}

/* State that all threads of a sweep share. */
struct sweeping {
    const struct solver_task *task;
    struct dissection *d;
    const struct rows_kernels *rows;
    struct rows_edges edges; /* edges for finding predecessors; first is NULL: no predecessors are
                                wanted */
    bool stream;
    /* The sources in the order of elimination, and the position of each source's row in the
     * answer. */
    int32_t *source, *position;
    /* Totals instead of rows: out has the totals of each row, by position; totals has for each
     * thread what it has found of the whole answer. out NULL: rows are handed on. */
    struct length_row_totals *out;
    struct lane_totals **totals;
    int64_t done, all; /* number of sources done so far, and number of all sources to be done */
};

/* Lists the edges by the places of their heads. The caller frees *edges. */
static enum status edges_find(const struct graph *g, const int32_t *place, struct rows_edges *edges,
                              struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *first = NULL, *lists = NULL;
    enum status status;
    TRY(memory_alloc(&first, n + 1, sizeof(int64_t), "the edges by their heads", err));
    TRY(memory_alloc(&lists, m, sizeof(path_length) + 2 * sizeof(int32_t),
                     "the edges by their heads", err));
    *edges = (struct rows_edges){.n = g->n, .first = first, .weight = lists};
    edges->place = (int32_t *)(edges->weight + m);
    edges->tail = edges->place + m;
    first = NULL;
    for (size_t p = 0; p <= n; p++)
        edges->first[p] = 0;
    for (int64_t e = 0; e < g->m; e++)
        edges->first[place[g->head[e]]]++;
    for (size_t p = 1; p <= n; p++)
        edges->first[p] += edges->first[p - 1]; /* end of the edges into place p */
    for (int32_t u = g->n - 1; u >= 0; u--) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t at = --edges->first[place[g->head[e]]];
            edges->place[at] = place[u];
            edges->tail[at] = u;
            edges->weight[at] = edge_length(g, e);
        }
    }

cleanup:
    memory_free(first);
    return status;
}

/* Memory of one thread. */
struct dissection_worker {
    struct dissection_workspace workspace;
    struct row_buffer rows;
    void *label, *pred; /* labels and predecessors, n x lanes each; pred is NULL if predecessors are
                           not wanted */
    struct sweep_taker taker;
    struct lane_totals *totals; /* totals of the thread, if totals are wanted instead of rows; NULL:
                                   rows are wanted */
};

static void take_labels(struct sweep_taker *self, const path_length *label, int32_t count) {
    const struct dissection_worker *const w =
        (const struct dissection_worker *)((const char *)self -
                                           offsetof(struct dissection_worker, taker));
    lane_totals_add(w->totals, label, count);
}

static enum status worker_alloc(struct dissection_worker *w, const struct sweeping *s,
                                struct error *err) {
    const size_t n = (size_t)s->d->tree.n, lanes = (size_t)dissection_lanes(s->d);
    *w = (struct dissection_worker){0};
    RETURN_ON_FAILURE(dissection_workspace_alloc(&w->workspace, s->d, err));
    if (s->out != NULL) {
        w->taker.take = take_labels;
        w->totals = s->totals[omp_get_thread_num()];
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(row_buffer_alloc(&w->rows, s->task->delivery, (int32_t)lanes, err));
    RETURN_ON_FAILURE(memory_alloc(&w->label, n * lanes, sizeof(path_length), "the labels", err));
    if (s->task->predecessors)
        RETURN_ON_FAILURE(memory_alloc(&w->pred, n * lanes, sizeof(int32_t), "the labels", err));
    return STATUS_OK;
}

static void worker_free(struct dissection_worker *w) {
    dissection_workspace_free(&w->workspace);
    row_buffer_free(&w->rows);
    memory_free(w->label);
    memory_free(w->pred);
}

/* Undoes the change by potentials that made lengths non-negative. *position: position of the row
 * that fails. */
static enum status restore(const struct sweeping *s, const struct row_block *block,
                           int32_t *position, struct error *err) {
    for (int32_t r = 0; r < block->count && s->d->potential != NULL; r++) {
        *position = block->position[r];
        RETURN_ON_FAILURE(potentials_restore_in_place(s->task->graph, s->d->potential,
                                                      block->source[r], block->dist[r], err));
    }
    return STATUS_OK;
}

/* Hands on the rows of `count` sources from place `first` on, in the order of elimination. */
static void solve_strip(struct dissection_worker *w, const struct sweeping *s, int32_t first,
                        int count) {
    struct row_block *const block = &w->rows.block;
    const int lanes = dissection_lanes(s->d);
    const int32_t n = s->d->tree.n;
    int32_t position = s->position[first];
    struct error err;
    dissection_strip(&w->workspace, s->source + first, count, w->label);
    row_buffer_start(&w->rows, s->position + first, count);
    s->rows->write(w->label, lanes, s->d->place, n, count, s->stream, s->task->graph->spacing,
                   block->cells);
    if (w->pred != NULL) {
        s->rows->find_predecessors(&s->edges, lanes, w->label, w->pred);
        s->rows->write_pred(w->pred, lanes, s->d->place, n, count, s->stream, block->pred);
    }
    const enum status status = restore(s, block, &position, &err);
    if (status == STATUS_OK)
        delivery_take(s->task->delivery, block);
    else
        delivery_fail(s->task->delivery, position, status, &err);
}

/* Stores the totals of `count` sources from place `first` on, in the order of elimination. */
static void sum_strip(struct dissection_worker *w, const struct sweeping *s, int32_t first,
                      int count) {
    lane_totals_strip(w->totals, count);
    dissection_pass(&w->workspace, s->source + first, count, &w->taker);
    lane_totals_end(w->totals, s->source + first, s->position + first, s->out);
}

/* Sorts the sources in the order of elimination. The caller frees *memory. */
static enum status arrange(struct sweeping *s, int threads, void **memory, struct error *err) {
    const struct row_sources *const wanted = &s->task->delivery->sources;
    const struct tree *const tree = &s->d->tree;
    RETURN_ON_FAILURE(
        memory_alloc(memory, 2 * (size_t)wanted->count, sizeof(int32_t), "the sources", err));
    s->source = *memory;
    s->position = s->source + wanted->count;
    RETURN_ON_FAILURE(tree_sources_list(tree, wanted, threads, s->source, s->position, err));
    for (int32_t k = 0; k < wanted->count; k++)
        s->source[k] = tree->vertex[s->source[k]];
    return STATUS_OK;
}

static void sweep_strips(const struct sweeping *s, int threads) {
    const struct solver_task *const task = s->task;
    struct delivery *const delivery = task->delivery;
    const int32_t lanes = dissection_lanes(s->d);
    int32_t sources_done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct dissection_worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, s, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* all threads have allocated before one frees memory */
        int32_t first, count, done;
        while (allocated == STATUS_OK && (count = delivery_next(delivery, lanes, &first)) > 0) {
            if (!delivery_wants_any(delivery, s->position + first, count))
                continue;
            if (s->out != NULL)
                sum_strip(&worker, s, first, count);
            else
                solve_strip(&worker, s, first, count);
#pragma omp atomic capture
            done = sources_done += count;
            if (omp_get_thread_num() == 0)
                progress_report(task->progress, s->done + done, s->done + s->all);
        }
        worker_free(&worker);
    }
}

/* Returns whether the sink is content with totals. Totals must be those of all sources, so several
 * processes give rows. Reciprocals of columns would take a second sweep, which takes longer than
 * rows that are read in both directions. */
static bool totals_do(const struct sweeping *s) {
    const struct delivery *const delivery = s->task->delivery;
    return delivery->ranks == NULL && delivery_takes_length_totals(delivery) &&
           delivery->sink->proves == NULL && !s->d->is_signed && s->edges.first == NULL &&
           (!delivery->sink->wants_columns || LENGTH_NUMBER != 0 ||
            delivery->sink->spares_reciprocals);
}

/* Sweeps for the totals of all rows, *out, and of the whole answer. bins: room for LANE_TOTALS_BINS
 * bins. The caller frees *out, also after a failure. */
static enum status sweep_once(struct sweeping *s, int threads, enum isa isa, void **out,
                              struct answer_totals *totals, int64_t *bins, struct error *err) {
    struct delivery *const delivery = s->task->delivery;
    const size_t sources = (size_t)delivery->sources.count;
    const bool spares = delivery->sink->spares_reciprocals;
    struct digit_levels levels = {.spacing = 1};
    void *list = NULL;
    enum status status = STATUS_OK;
    TRY(memory_alloc(out, sources, sizeof *s->out, "the totals", err));
    TRY(memory_alloc(&list, (size_t)threads, sizeof *s->totals, "the totals", err));
    s->totals = list;
    if (LENGTH_NUMBER != 0 && !spares)
        levels = digit_levels_for(s->task->graph, delivery->sink->reciprocal_bits);
    for (int t = 0; t < threads; t++)
        s->totals[t] = NULL;
    for (int t = 0; t < threads; t++) {
        void *memory;
        TRY(memory_alloc(&memory, 1, sizeof *s->totals[t], "the totals", err));
        s->totals[t] = memory;
        lane_totals_begin(s->totals[t], isa, dissection_lanes(s->d), spares, &levels);
    }
    s->out = *out;
    sweep_strips(s, threads);
    TRY(delivery_end(delivery, err));
    if (!progress_goes_on(s->task->progress))
        TRY(progress_cancelled(err));
    lane_totals_merge((const struct lane_totals *const *)s->totals, threads, totals, bins);

cleanup:
    for (int t = 0; t < threads && s->totals != NULL; t++)
        memory_free(s->totals[t]);
    memory_free(list);
    s->totals = NULL;
    s->out = NULL;
    return status;
}

/* Sweeps for the totals of all columns, which are those of the rows of the reversed graph. */
static enum status sweep_columns(struct sweeping *s, int threads, enum isa isa, void **in,
                                 struct error *err) {
    struct answer_totals unused = {0};
    int64_t bins[LANE_TOTALS_BINS];
    s->done = s->all = s->task->delivery->sources.count;
    RETURN_ON_FAILURE(dissection_reverse(s->d, err));
    RETURN_ON_FAILURE(delivery_claim_anew(s->task->delivery, err));
    RETURN_ON_FAILURE(sweep_once(s, threads, isa, in, &unused, bins, err));
    return dissection_reverse(s->d, err);
}

/* Sweeps and hands on totals instead of rows. *taken: false if totals do not suffice; the answer
 * has to begin anew then. */
static enum status sweep_totals(struct sweeping *s, int threads, enum isa isa, bool *taken,
                                struct error *err) {
    struct delivery *const delivery = s->task->delivery;
    struct answer_totals totals = {0};
    int64_t bins[LANE_TOTALS_BINS];
    void *out = NULL, *in = NULL;
    enum status status = STATUS_OK;
    *taken = true;
    s->all = delivery->sources.count * (delivery->sink->wants_columns ? INT64_C(2) : 1);
    TRY(sweep_once(s, threads, isa, &out, &totals, bins, err));
#ifdef LENGTH_F64
    totals.spacing = s->task->graph->spacing;
    totals.largest *= totals.spacing;
#endif
    TRY(sums_find_target(s->task, s->d, &totals, NULL, err));
    if (delivery->sink->wants_columns) /* all vertices are sources then, in their order */
        TRY(sweep_columns(s, threads, isa, &in, err));
#ifdef LENGTH_F64
    totals.grid_out = out;
    totals.grid_in = in;
#else
    totals.out = out;
    totals.in = in;
#endif
    s->done = 0;
    s->all = delivery->sources.count;
    *taken = delivery_take_totals(delivery, &totals);
    status = delivery_end(delivery, err);

cleanup:
    memory_free(out);
    memory_free(in);
    return status;
}

/* Sweeps over the eliminated graph and answers. only_classes: if classes of rows do not find all
 * that is wanted, does nothing else and sets *reduced to false. */
static enum status sweep(struct dissection *d, const struct solver_task *task, enum isa isa,
                         int threads, bool only_classes, bool *reduced, struct error *err) {
    enum { CACHED = 1 << 24 }; /* bytes; larger matrices would evict useful data from the caches */
    const int32_t n = task->graph->n, sources = task->delivery->sources.count;
    const int32_t strips = (sources - 1) / dissection_lanes(d) + 1;
    struct sweeping sweeping = {
        .task = task,
        .d = d,
        .rows = rows_kernels(isa),
        .stream = delivery_has_places(task->delivery) &&
                  (uint64_t)sources * (uint64_t)n * sizeof(path_length) > CACHED,
        .all = sources,
    };
    void *memory = NULL;
    enum status status = STATUS_OK;
    const int all_threads = threads;
    threads = threads < strips ? threads : strips;
    TRY(delivery_begin(task->delivery, threads, err));
    TRY(arrange(&sweeping, all_threads, &memory, err));
    if (task->predecessors)
        TRY(edges_find(task->graph, d->place, &sweeping.edges, err));
    TRY(sums_take(task, d, sweeping.source, sweeping.position, all_threads, isa, reduced, err));
    if (only_classes && !*reduced)
        goto cleanup;
    if (totals_do(&sweeping) && !*reduced) {
        TRY(sweep_totals(&sweeping, threads, isa, reduced, err));
        if (!*reduced)
            TRY(delivery_begin(task->delivery, threads, err));
    }
    if (*reduced)
        goto cleanup;
    TRY(delivery_claim_anew(task->delivery, err));
    sweep_strips(&sweeping, threads);
    status = delivery_end(task->delivery, err);
cleanup:
    memory_free(memory);
    memory_free(sweeping.edges.first);
    memory_free(sweeping.edges.weight);
    return status;
}

/* Stores in *look the task's look or, if it has none, a new look at the graph. The caller frees
 * *own. */
static enum status take_look(const struct other_engines *others, const struct solver_task *task,
                             const struct solver_size *size, uint64_t room, struct look *own,
                             const struct look **look, struct error *err) {
    *look = task->look;
    if (*look != NULL || !order_is_available())
        return STATUS_OK;
    *look = own;
    return others->look(task->graph, size, room, own, err);
}

/* Returns whether the sink wants only sums, and classes of rows, with all vertices eliminated, are
 * predicted to find them sooner than sweeps with the look's core. */
static bool wants_whole(const struct solver_task *task, const struct look *look) {
    return look != NULL && look->found.core > 0 && look->found.sums_s > 0 &&
           delivery_takes_sums(task->delivery) && task->graph->min_weight >= 0;
}

/* One way to solve a task. */
struct attempt {
    const struct other_engines *others;
    const struct solver_task *task;
    struct dissection_options options;
    bool only_classes; /* nothing is done unless classes of rows find all that is wanted */
    bool done;
};

/* Eliminates the graph and solves the task. */
static enum status try(struct attempt *a, struct dissection_report *report, struct error *err) {
    const struct solver_task *const task = a->task;
    const int threads = a->options.threads;
    struct dissection d = {0};
    struct matrix among = {0};
    enum status status;
    a->done = true;
    TRY(dissection_prepare(&d, task->graph, &a->options, task->progress, err));
    report->core = d.pays ? d.core.n : task->graph->n;
    report->entries = d.tree.entries;
    report->height = d.tree.height;
    report->order_s += d.order_s;
    report->eliminate_s += d.eliminate_s;
    double start = clock_seconds();
    if (!d.pays && a->only_classes) {
        a->done = false;
        goto cleanup;
    }
    if (!d.pays) {
        status = solve_otherwise(a->others, task, err);
        report->core_s = clock_seconds() - start;
        goto cleanup;
    }
    TRY(solve_core(a->others, &d, task, &among, err));
    report->core_s = clock_seconds() - start;
    start = clock_seconds();
    TRY(sweep(&d, task, a->options.isa, threads, a->only_classes, &report->reduced, err));
    a->done = report->reduced || !a->only_classes;
    report->sweep_s += clock_seconds() - start - delivery_sink_seconds(task->delivery);

cleanup:
    matrix_free(&among);
    dissection_free(&d);
    return status;
}

enum status dissection_solve(const struct other_engines *others, const struct solver_task *task,
                             int32_t most, struct dissection_report *report, struct error *err) {
    const int32_t n = task->graph->n;
    const int threads = cpu_dissection_threads(n, task->options->threads);
    uint64_t room;
    const struct solver_size size = {.n = n,
                                     .m = task->graph->m,
                                     .threads = task->options->threads,
                                     .predecessors = task->predecessors,
                                     .sources = task->delivery->sources.count,
                                     .placed = delivery_has_places(task->delivery),
                                     .sums = delivery_takes_sums(task->delivery)};
    struct core_costs costs, whole;
    struct look own = {0};
    enum isa isa;
    enum status status;
    *report = (struct dissection_report){0};
    TRY(solve_room(task, &room, err));
    cpu_dissection_costs(&size, room, &costs);
    TRY(isa_choose(&isa, err));
    struct attempt attempt = {
        .others = others,
        .task = task,
        .options = {.threads = threads, .isa = isa, .costs = &costs, .most = most},
    };
    if (most < 0)
        TRY(take_look(others, task, &size, room, &own, &attempt.options.look, err));
    if (wants_whole(task, attempt.options.look)) {
        struct attempt first = attempt;
        whole = costs;
        whole.core = 0;
        first.options.costs = &whole;
        first.options.other_costs = first.only_classes = true;
        report->classes = true;
        TRY(try(&first, report, err));
        report->in_vain = !first.done;
        if (first.done)
            goto cleanup;
    }
    status = try(&attempt, report, err);

cleanup:
    look_free(&own);
    return status;
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    struct dissection_report report;
    RETURN_ON_FAILURE(dissection_solve(variant->others, task, -1, &report, err));
    if (report.sweep_s > 0)
        times->phases = (struct timing_phases){.order_s = report.order_s,
                                               .eliminate_s = report.eliminate_s + report.core_s,
                                               .sweep_s = report.sweep_s};
    return STATUS_OK;
}

enum status cpu_dissection_solve(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err) {
    if (task->potential != NULL)
        return cpu_johnson_solve(variant, task, times, err);
    return repetitions_by_rows(variant, task, times, solve_once, err);
}
