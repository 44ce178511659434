// SPDX-License-Identifier: MIT
#include "dissection/cpu.h"

#include "classes/proportional.h"     // proportional_may_pay
#include "classes/sums.h"             // sums_take
#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // threads_worth
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "dissection/rows.h"          // rows_kernels
#include "elimination/dissection.h"   // dissection_prepare
#include "elimination/look.h"         // look_free
#include "elimination/order.h"        // order_is_available
#include "measures/lane_totals.h"     // struct lane_totals
#include "search/cpu/johnson.h"       // cpu_johnson_solve
#include "search/cpu/multisource.h"   // cpu_multisource_seconds
#include "solve/delivery.h"           // struct delivery
#include "solve/features.h"           // features_look_at_structure
#include "solve/other_engines.h"
#include "solve/potentials.h"  // potentials_restore_in_place
#include "solve/repetitions.h" // repetitions_by_rows
#include "solve/row_buffer.h"  // struct row_buffer
#include "solve/solve.h"       // solve_rows, solve_task

#include <math.h>
#include <stddef.h>

/* What is eliminated takes memory for so many neighbours of each vertex at most. Roads, meshes and
 * the like need no more than the second number: a solve is planned with that. */
enum { ENTRIES_FOR_EACH = 256, ENTRIES_PLANNED = 32 };

static int threads_for(int32_t n, int threads) {
    enum { CELLS_A_STEP = 2 };
    return threads_worth(threads, (double)n * (double)n / CELLS_A_STEP);
}

static int64_t entries_at_most(int32_t n, int for_each) {
    const int64_t all = (int64_t)n * (n - 1) / 2, most = (int64_t)n * for_each;
    return all < most ? all : most;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t edges_memory(int32_t n, int64_t m) {
    return ((uint64_t)n + 1) * sizeof(int64_t) + memory_times((uint64_t)m, 3 * sizeof(int32_t));
}

/* Bytes of an entry of what is eliminated, and of a pair of vertices of the core: its distances,
 * once more as labels, and its edges. */
enum { ENTRY_BYTES = 4 * sizeof(int32_t), CORE_BYTES = 6 };

/* How many sources a strip has. */
static int lanes_here(void) {
    enum isa isa;
    struct error ignored; /* the solve says what is wrong with APSP_SIMD */
    return isa_choose(&isa, &ignored) == STATUS_OK ? sweep_kernels(isa)->lanes : SWEEP_MAX_LANES;
}

/* Bytes of all that does not depend on what the elimination leaves. Of a workspace, whose size
 * does, a quarter is planned: trees are flat. */
static uint64_t fixed_memory(const struct solver_size *size) {
    enum { FLAT = 4 };
    const uint64_t n = (uint64_t)size->n;
    const int lanes = lanes_here();
    const int threads = threads_for(size->n, size->threads);
    const uint64_t each = n * (2 * sizeof(int64_t) + 64);
    const uint64_t strips = size->predecessors ? 2 : 1;
    const uint64_t worker =
        dissection_workspace_memory(size->n) / FLAT +
        strips * n * (uint64_t)lanes * sizeof(int32_t) +
        (size->placed ? 0 : row_buffer_memory(NUMBER_INT32, size->n, lanes, size->predecessors));
    const uint64_t edges = size->predecessors ? edges_memory(size->n, size->m) : 0;
    return each + edges + memory_times((uint64_t)threads, worker);
}

uint64_t cpu_dissection_memory(const struct solver_size *size) {
    if (size->wide)
        return cpu_johnson_memory(size);
    /* Of a small graph whatever may be left, and what other variants take of it. */
    enum { SMALL = 4096 };
    const bool small = size->n <= SMALL;
    const uint64_t n = (uint64_t)size->n, core = small ? CORE_BYTES * n * n : 0;
    const uint64_t entries =
        (uint64_t)entries_at_most(size->n, small ? ENTRIES_FOR_EACH : ENTRIES_PLANNED);
    const uint64_t own = memory_add(fixed_memory(size), entries * ENTRY_BYTES + core);
    const uint64_t held = memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n), own);
    return larger(larger(look_memory(size->n, size->m), held), cpu_multisource_memory(size));
}

void cpu_dissection_costs(const struct solver_size *size, uint64_t room, struct core_costs *costs) {
    const uint64_t fixed =
        memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n), fixed_memory(size));
    const uint64_t left = room > fixed ? (room - fixed) / 2 : 0; /* for each of the two */
    const int64_t entries = entries_at_most(size->n, ENTRIES_FOR_EACH);
    const double core = sqrt((double)left / CORE_BYTES);
    *costs = core_costs;
    costs->rows = size->sources;
    costs->entries =
        left / ENTRY_BYTES < (uint64_t)entries ? (int64_t)(left / ENTRY_BYTES) : entries;
    costs->core = core < size->n / 2 ? (int32_t)core : size->n / 2;
}

/* Has the best of the others solve the task. */
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

/* Finishes *d with the distances among its core, which the best of the others finds. The caller
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
    RETURN_ON_FAILURE(matrix_alloc(among, d->core.n, "the core", err));
    RETURN_ON_FAILURE(others->choose(&d->core, d->core.n, &options, false, &best, err));
    matrix_sink_begin(&sink, among, NULL);
    RETURN_ON_FAILURE(solve_rows(best, &request, &sink.sink, &timing, err));
    return dissection_finish(d, among, err);
}

/* What all threads sweep through. */
struct sweeping {
    const struct solver_task *task;
    const struct dissection *d;
    const struct rows_kernels *rows;
    struct rows_edges edges; /* for predecessors; first is NULL if none are asked for */
    bool stream;
    /* The sources in the order of elimination, and the positions of their rows. */
    int32_t *source, *position;
    /* Unless NULL, no rows are handed on: their totals are stored in out, by position, and what
     * concerns the whole answer is collected in totals, by thread. */
    struct row_totals *out;
    struct lane_totals **totals;
};

/* The edges by the places of their heads. *edges is to be freed. */
static enum status edges_find(const struct graph *g, const int32_t *place, struct rows_edges *edges,
                              struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    void *first = NULL, *lists = NULL;
    enum status status;
    TRY(memory_alloc(&first, n + 1, sizeof(int64_t), "the edges by their heads", err));
    TRY(memory_alloc(&lists, m, 3 * sizeof(int32_t), "the edges by their heads", err));
    *edges = (struct rows_edges){.n = g->n, .first = first, .place = lists};
    edges->tail = edges->place + m;
    edges->weight = edges->tail + m;
    first = NULL;
    for (size_t p = 0; p <= n; p++)
        edges->first[p] = 0;
    for (int64_t e = 0; e < g->m; e++)
        edges->first[place[g->head[e]]]++;
    for (size_t p = 1; p <= n; p++)
        edges->first[p] += edges->first[p - 1]; /* where its edges end */
    for (int32_t u = g->n - 1; u >= 0; u--) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t at = --edges->first[place[g->head[e]]];
            edges->place[at] = place[u];
            edges->tail[at] = u;
            edges->weight[at] = g->weight[e] < INF ? g->weight[e] : INF;
        }
    }

cleanup:
    memory_free(first);
    return status;
}

/* One thread's. */
struct worker {
    struct dissection_workspace workspace;
    struct row_buffer rows;
    void *label, *pred; /* n x lanes each; pred is NULL if not asked for */
    struct sweep_taker taker;
    struct lane_totals *totals; /* and no more; or NULL */
};

static void take_labels(struct sweep_taker *self, const int32_t *label, int32_t count) {
    const struct worker *const w =
        (const struct worker *)((const char *)self - offsetof(struct worker, taker));
    lane_totals_add(w->totals, label, count);
}

static enum status worker_alloc(struct worker *w, const struct sweeping *s, struct error *err) {
    const size_t n = (size_t)s->d->tree.n, lanes = (size_t)dissection_lanes(s->d);
    *w = (struct worker){.taker = {take_labels}};
    RETURN_ON_FAILURE(dissection_workspace_alloc(&w->workspace, s->d, err));
    if (s->out != NULL) {
        w->totals = s->totals[omp_get_thread_num()];
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(row_buffer_alloc(&w->rows, s->task->delivery, (int32_t)lanes, err));
    RETURN_ON_FAILURE(memory_alloc(&w->label, n * lanes, sizeof(int32_t), "the labels", err));
    if (s->task->predecessors)
        RETURN_ON_FAILURE(memory_alloc(&w->pred, n * lanes, sizeof(int32_t), "the labels", err));
    return STATUS_OK;
}

static void worker_free(struct worker *w) {
    dissection_workspace_free(&w->workspace);
    row_buffer_free(&w->rows);
    memory_free(w->label);
    memory_free(w->pred);
}

/* Undoes the reweighting that made lengths non-negative. *position: of the row that fails. */
static enum status restore(const struct sweeping *s, const struct row_block *block,
                           int32_t *position, struct error *err) {
    for (int32_t r = 0; r < block->count && s->d->potential != NULL; r++) {
        *position = block->position[r];
        RETURN_ON_FAILURE(potentials_restore_in_place(s->task->graph, s->d->potential,
                                                      block->source[r], block->dist[r], err));
    }
    return STATUS_OK;
}

/* Hands on the rows of so many sources, next to each other in the order of elimination. */
static void solve_strip(struct worker *w, const struct sweeping *s, int32_t first, int count) {
    struct row_block *const block = &w->rows.block;
    const int lanes = dissection_lanes(s->d);
    const int32_t n = s->d->tree.n;
    int32_t position = s->position[first];
    struct error err;
    dissection_strip(&w->workspace, s->source + first, count, w->label);
    row_buffer_start(&w->rows, s->position + first, count);
    s->rows->write(w->label, lanes, s->d->place, n, count, s->stream, block->dist);
    if (w->pred != NULL) {
        s->rows->find_predecessors(&s->edges, lanes, w->label, w->pred);
        s->rows->write(w->pred, lanes, s->d->place, n, count, s->stream, block->pred);
    }
    const enum status status = restore(s, block, &position, &err);
    if (status == STATUS_OK)
        delivery_take(s->task->delivery, block);
    else
        delivery_fail(s->task->delivery, position, status, &err);
}

/* Stores the totals of `count` sources, next to each other in the order of elimination. */
static void sum_strip(struct worker *w, const struct sweeping *s, int32_t first, int count) {
    lane_totals_strip(w->totals, count);
    dissection_pass(&w->workspace, s->source + first, count, &w->taker);
    lane_totals_end(w->totals, s->source + first, s->position + first, s->out);
}

/* Arranges the sources in the order of elimination. *memory is to be freed. */
static enum status arrange(struct sweeping *s, void **memory, struct error *err) {
    const struct row_sources *const wanted = &s->task->delivery->sources;
    const int32_t n = s->d->tree.n;
    void *positions = NULL;
    RETURN_ON_FAILURE(
        memory_alloc(memory, 2 * (size_t)wanted->count, sizeof(int32_t), "the sources", err));
    RETURN_ON_FAILURE(
        memory_alloc(&positions, (size_t)n, sizeof(int32_t), "the order of sources", err));
    int32_t *const position_of = positions;
    s->source = *memory;
    s->position = s->source + wanted->count;
    for (int32_t v = 0; v < n; v++)
        position_of[v] = -1;
    for (int32_t p = 0; p < wanted->count; p++)
        position_of[row_source(wanted, p)] = p;
    for (int32_t k = 0, arranged = 0; k < n; k++) {
        const int32_t v = s->d->tree.vertex[k];
        if (position_of[v] < 0)
            continue;
        s->source[arranged] = v;
        s->position[arranged++] = position_of[v];
    }
    memory_free(positions);
    return STATUS_OK;
}

static void sweep_strips(const struct sweeping *s, int threads) {
    const struct solver_task *const task = s->task;
    struct delivery *const delivery = task->delivery;
    const int32_t sources = delivery->sources.count, lanes = dissection_lanes(s->d);
    int32_t sources_done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, s, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* nobody frees memory before all have got theirs */
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
                progress_report(task->progress, done, sources);
        }
        worker_free(&worker);
    }
}

/* Returns whether the sink is content with totals: of all sources, so that several processes give
 * rows. */
static bool totals_do(const struct sweeping *s) {
    return s->task->delivery->ranks == NULL && delivery_takes_totals(s->task->delivery) &&
           s->task->delivery->sink->proves == NULL && !s->d->is_signed && s->edges.first == NULL;
}

/* Sweeps and hands on totals instead of rows. If they do not suffice, *taken becomes false, and the
 * answer has to begin anew. */
static enum status sweep_totals(struct sweeping *s, int threads, enum isa isa, bool *taken,
                                struct error *err) {
    struct delivery *const delivery = s->task->delivery;
    const size_t sources = (size_t)delivery->sources.count;
    struct answer_totals totals = {0};
    int64_t bins[LANE_TOTALS_BINS];
    void *out = NULL, *list = NULL;
    enum status status = STATUS_OK;
    *taken = true;
    TRY(memory_alloc(&out, sources, sizeof *s->out, "the totals", err));
    TRY(memory_alloc(&list, (size_t)threads, sizeof *s->totals, "the totals", err));
    s->totals = list;
    for (int t = 0; t < threads; t++)
        s->totals[t] = NULL;
    for (int t = 0; t < threads; t++) {
        void *memory;
        TRY(memory_alloc(&memory, 1, sizeof *s->totals[t], "the totals", err));
        s->totals[t] = memory;
        lane_totals_begin(s->totals[t], isa, dissection_lanes(s->d),
                          delivery->sink->spares_reciprocals);
    }
    s->out = out;
    sweep_strips(s, threads);
    TRY(delivery_end(delivery, err));
    if (!progress_goes_on(s->task->progress))
        TRY(progress_cancelled(err));
    totals.out = out;
    lane_totals_merge((const struct lane_totals *const *)s->totals, threads, &totals, bins);
    TRY(sums_find_target(s->task, s->d, &totals, NULL, err));
    *taken = delivery_take_totals(delivery, &totals);
    status = delivery_end(delivery, err);
cleanup:
    for (int t = 0; t < threads && s->totals != NULL; t++)
        memory_free(s->totals[t]);
    memory_free(list);
    memory_free(out);
    s->totals = NULL;
    s->out = NULL;
    return status;
}

static enum status sweep(const struct dissection *d, const struct solver_task *task, enum isa isa,
                         int threads, bool *reduced, struct error *err) {
    enum { CACHED = 1 << 24 }; /* bytes; larger matrices would only evict what is needed */
    const int32_t n = task->graph->n, sources = task->delivery->sources.count;
    const int32_t strips = (sources - 1) / dissection_lanes(d) + 1;
    struct sweeping sweeping = {
        .task = task,
        .d = d,
        .rows = rows_kernels(isa),
        .stream = delivery_has_places(task->delivery) &&
                  (uint64_t)sources * (uint64_t)n * sizeof(int32_t) > CACHED,
    };
    void *memory = NULL;
    enum status status = STATUS_OK;
    const int all_threads = threads;
    threads = threads < strips ? threads : strips;
    TRY(delivery_begin(task->delivery, threads, err));
    TRY(arrange(&sweeping, &memory, err));
    if (task->predecessors)
        TRY(edges_find(task->graph, d->place, &sweeping.edges, err));
    const bool totals = totals_do(&sweeping);
    TRY(sums_take(task, d, sweeping.source, sweeping.position, all_threads, isa, reduced, err));
    if (totals && !*reduced && !task->delivery->sink->wants_columns) {
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
    memory_free(sweeping.edges.place);
    return status;
}

/* The look that the task has, or one at its graph in *own, which the caller frees. */
static enum status take_look(const struct other_engines *others, const struct solver_task *task,
                             const struct solver_size *size, uint64_t room, struct look *own,
                             const struct look **look, struct error *err) {
    *look = task->look;
    if (*look != NULL || !order_is_available())
        return STATUS_OK;
    *look = own;
    return others->look(task->graph, size, room, own, err);
}

/* Whether the sink wants sums only, for which rows may be proportional. */
static bool wants_whole(const struct solver_task *task, const struct look *look) {
    return delivery_takes_sums(task->delivery) &&
           proportional_may_pay(look, task->delivery->sources.count);
}

enum status dissection_solve(const struct other_engines *others, const struct solver_task *task,
                             int32_t most, struct dissection_report *report, struct error *err) {
    const int32_t n = task->graph->n;
    const int threads = threads_for(n, task->options->threads);
    uint64_t room;
    const struct solver_size size = {.n = n,
                                     .m = task->graph->m,
                                     .threads = task->options->threads,
                                     .predecessors = task->predecessors,
                                     .sources = task->delivery->sources.count,
                                     .placed = delivery_has_places(task->delivery)};
    struct core_costs costs;
    struct look own = {0};
    struct dissection d = {0};
    struct matrix among = {0};
    enum isa isa;
    enum status status;
    *report = (struct dissection_report){0};
    TRY(solve_room(task, &room, err));
    cpu_dissection_costs(&size, room, &costs);
    TRY(isa_choose(&isa, err));
    struct dissection_options options = {
        .threads = threads, .isa = isa, .costs = &costs, .most = most};
    if (most < 0)
        TRY(take_look(others, task, &size, room, &own, &options.look, err));
    options.other_costs = options.look != NULL && wants_whole(task, options.look);
    if (options.other_costs)
        costs.core = 0;
    TRY(dissection_prepare(&d, task->graph, &options, task->progress, err));
    report->core = d.pays ? d.core.n : n;
    report->entries = d.tree.entries;
    report->height = d.tree.height;
    report->order_s = d.order_s;
    report->eliminate_s = d.eliminate_s;
    double start = clock_seconds();
    if (!d.pays) {
        status = solve_otherwise(others, task, err);
        report->core_s = clock_seconds() - start;
        goto cleanup;
    }
    TRY(solve_core(others, &d, task, &among, err));
    report->core_s = clock_seconds() - start;
    start = clock_seconds();
    TRY(sweep(&d, task, isa, threads, &report->reduced, err));
    report->sweep_s = clock_seconds() - start - delivery_sink_seconds(task->delivery);

cleanup:
    matrix_free(&among);
    dissection_free(&d);
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

double cpu_dissection_slowness(const struct solver_variant *variant,
                               const struct model_question *q) {
    const double steps_of_costs = 2; /* AVX2 */
    return q->vector_steps / steps_of_costs / model_speed_up(variant, q);
}

/* Which part of the time of all sweeps the sums of proportional rows take. Measured on road
 * networks from 13 000 to a million vertices, and on grids. */
static double part_of_sweeps(double n) {
    const double none_at = 3000, power = 0.4;
    return fmin(1, 2 * pow(n / none_at, -power));
}

double cpu_dissection_seconds(const struct solver_variant *variant,
                              const struct model_question *q) {
    const double few_edges = 8, to_look = 1.1, row_ns = 0.35;
    const struct features *f = q->features;
    const struct elimination_features *e = &f->elimination;
    const double n = f->n, m = n * f->degree;
    const bool may_pay = e->known ? e->pays : f->degree <= few_edges;
    if (!order_is_available() || f->wide || !may_pay)
        return to_look * cpu_multisource_seconds(variant, q);
    if (e->known && q->sums && e->fill > 0)
        return e->once_s + cpu_dissection_slowness(variant, q) * e->shared_s * part_of_sweeps(n);
    if (e->known)
        return e->once_s +
               cpu_dissection_slowness(variant, q) * (e->shared_s + model_rows_seconds(q, row_ns));
    /* Nobody has looked: this is about the most. */
    const double once_ns = 1000 * (n + m) / (n * n), sweep_ns = 0.9 + 0.5 * f->degree;
    return model_pairs_seconds(f, once_ns) +
           q->vector_steps * model_rows_seconds(q, sweep_ns) / model_speed_up(variant, q);
}

/* A proof of classes of rows takes 1 to 1.5 times as long as the rows. */
double cpu_dissection_proof_seconds(const struct solver_variant *variant,
                                    const struct model_question *q) {
    return 1.3 * model_seconds(variant, q);
}
