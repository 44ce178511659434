// SPDX-License-Identifier: MIT
#include "cpu/dissection.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
#include "common/solve/potentials.h" // potentials_restore
#include "common/solve/solve.h"      // solver_find
#include "cpu/auto.h"                // auto_look, auto_choose
#include "cpu/johnson.h"             // cpu_johnson_solve
#include "cpu/parts/rows.h"          // rows_kernels
#include "cpu/parts/touch.h"         // touch_results
#include "cpu/registry.h"            // cpu_solver
#include "dissection/dissection.h"   // dissection_prepare
#include "dissection/order.h"        // order_is_available

static const struct rows_kernels *const rows_kernels[ISA_COUNT] = ISA_TABLE(rows_kernels);

/* What is eliminated takes memory for so many neighbours of each vertex at most. */
enum { ENTRIES_FOR_EACH = 256 };

static int threads_for(int32_t n, int threads) {
    enum { CELLS_A_STEP = 2 };
    return threads_worth(threads, (double)n * (double)n / CELLS_A_STEP);
}

static int64_t entries_at_most(int32_t n) {
    const int64_t all = (int64_t)n * (n - 1) / 2, most = (int64_t)n * ENTRIES_FOR_EACH;
    return all < most ? all : most;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t edges_memory(int32_t n, int64_t m) {
    return ((uint64_t)n + 1) * sizeof(int64_t) + memory_times((uint64_t)m, 3 * sizeof(int32_t));
}

uint64_t cpu_dissection_memory(const struct solver_size *size) {
    if (size->wide)
        return cpu_johnson_memory(size);
    const uint64_t n = (uint64_t)size->n, entries = (uint64_t)entries_at_most(size->n);
    const int threads = threads_for(size->n, size->threads);
    const uint64_t order = order_memory(size->n, size->m);
    const uint64_t eliminated = entries * (4 * sizeof(int32_t)) + n * (2 * sizeof(int64_t) + 64);
    const uint64_t strips = size->predecessors ? 2 : 1;
    const uint64_t worker =
        dissection_workspace_memory(size->n) + strips * n * SWEEP_MAX_LANES * sizeof(int32_t);
    const uint64_t edges = size->predecessors ? edges_memory(size->n, size->m) : 0;
    const uint64_t core = memory_add(matrix_memory(size->n / 2, 1), n * n / 2);
    const uint64_t most = larger(order, eliminated + core + edges + (uint64_t)threads * worker);
    return memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n), most);
}

/* Solves the graph of the task by the best of the other variants. */
static enum status solve_otherwise(const struct solver_task *task, struct error *err) {
    const struct solver_options options = {.threads = task->options->threads};
    struct solver_task once = *task;
    struct auto_features features;
    double solve_s;
    struct solver_times times = {.solve_s = &solve_s};
    RETURN_ON_FAILURE(auto_look(task->graph, &features, err));
    once.repetitions = 1;
    once.options = &options;
    const struct solver_variant *variant =
        solver_find(&cpu_solver, auto_name(auto_choose(&features)));
    return variant->solve(variant, &once, &times, err);
}

/* The same with weights below 0. */
static enum status solve_signed(const struct solver_task *task, struct error *err) {
    const struct solver_options options = {.threads = task->options->threads};
    struct timing timing;
    return solve(solver_find(&cpu_solver, "multisource"), task->graph, &options, task->dist, NULL,
                 task->progress, 1, &timing, err);
}

/* Finishes *d by the distances among its core, to be freed. */
static enum status solve_core(struct dissection *d, const struct solver_task *task,
                              struct matrix *among, struct error *err) {
    const struct solver_task core = {
        .graph = &d->core, .dist = among, .options = task->options, .progress = NULL};
    if (d->core.n == 0)
        return dissection_finish(d, NULL, err);
    RETURN_ON_FAILURE(matrix_alloc(among, d->core.n, "the core", err));
    if (d->is_signed)
        RETURN_ON_FAILURE(solve_signed(&core, err));
    else
        RETURN_ON_FAILURE(solve_otherwise(&core, err));
    return dissection_finish(d, among, err);
}

/* What all threads sweep through. */
struct sweeping {
    const struct solver_task *task;
    const struct dissection *d;
    const struct rows_kernels *rows;
    struct rows_edges edges; /* for predecessors; first is NULL if none are asked for */
    bool stream;
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
    void *label, *pred; /* n x lanes each; pred is NULL if not asked for */
};

static enum status worker_alloc(struct worker *w, const struct sweeping *s, struct error *err) {
    const size_t n = (size_t)s->d->tree.n, lanes = (size_t)dissection_lanes(s->d);
    *w = (struct worker){0};
    RETURN_ON_FAILURE(dissection_workspace_alloc(&w->workspace, s->d, err));
    RETURN_ON_FAILURE(memory_alloc(&w->label, n * lanes, sizeof(int32_t), "the labels", err));
    if (s->task->pred != NULL)
        RETURN_ON_FAILURE(memory_alloc(&w->pred, n * lanes, sizeof(int32_t), "the labels", err));
    return STATUS_OK;
}

static void worker_free(struct worker *w) {
    dissection_workspace_free(&w->workspace);
    memory_free(w->label);
    memory_free(w->pred);
}

static void write_rows(const struct sweeping *s, const int32_t *cells, const int32_t *source,
                       int count, const struct matrix *matrix) {
    int32_t *row[SWEEP_MAX_LANES];
    for (int k = 0; k < count; k++)
        row[k] = matrix_row(matrix, source[k]);
    s->rows->write(cells, dissection_lanes(s->d), s->d->place, s->d->tree.n, count, s->stream, row);
}

/* The rows of so many sources, next to each other in the order of elimination. */
static void solve_strip(struct worker *w, const struct sweeping *s, int32_t first, int count) {
    const int32_t *const source = s->d->tree.vertex + first;
    dissection_strip(&w->workspace, source, count, w->label);
    write_rows(s, w->label, source, count, s->task->dist);
    if (w->pred == NULL)
        return;
    s->rows->find_predecessors(&s->edges, dissection_lanes(s->d), w->label, w->pred);
    write_rows(s, w->pred, source, count, s->task->pred);
}

static enum status sweep(const struct dissection *d, const struct solver_task *task, enum isa isa,
                         int threads, struct error *err) {
    enum { CACHED = 1 << 24 }; /* bytes; larger matrices would only evict what is needed */
    const int32_t n = task->graph->n, lanes = dissection_lanes(d), strips = (n - 1) / lanes + 1;
    struct sweeping sweeping = {
        .task = task,
        .d = d,
        .rows = rows_kernels[isa],
        .stream = (uint64_t)n * (uint64_t)n * sizeof(int32_t) > CACHED,
    };
    enum status status = STATUS_OK;
    int32_t sources_done = 0;
    if (task->pred != NULL)
        RETURN_ON_FAILURE(edges_find(task->graph, d->place, &sweeping.edges, err));
#pragma omp parallel num_threads(threads < strips ? threads : strips)
    {
        struct worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, &sweeping, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t strip = 0; strip < strips; strip++) {
            const int32_t first = strip * lanes, left = n - first;
            int32_t done;
            if (allocated != STATUS_OK || !progress_goes_on(task->progress))
                continue;
            solve_strip(&worker, &sweeping, first, left < lanes ? left : lanes);
#pragma omp atomic capture
            done = sources_done += left < lanes ? left : lanes;
            if (omp_get_thread_num() == 0)
                progress_report(task->progress, done, n);
        }
        worker_free(&worker);
        if (allocated != STATUS_OK) {
#pragma omp critical
            {
                status = allocated;
                *err = mine;
            }
        }
    }
    memory_free(sweeping.edges.first);
    memory_free(sweeping.edges.place);
    return status;
}

enum status dissection_solve(const struct solver_task *task, int32_t most,
                             struct dissection_report *report, struct error *err) {
    const int32_t n = task->graph->n;
    const int threads = threads_for(n, task->options->threads);
    struct core_costs costs = core_costs;
    struct dissection d = {0};
    struct matrix among = {0};
    enum isa isa;
    enum status status;
    costs.entries = entries_at_most(n);
    costs.core = n / 2;
    *report = (struct dissection_report){0};
    TRY(isa_choose(&isa, err));
    const struct dissection_options options = {
        .threads = threads, .isa = isa, .costs = &costs, .most = most};
    TRY(dissection_prepare(&d, task->graph, &options, task->progress, err));
    report->core = d.pays ? d.core.n : n;
    report->entries = d.tree.entries;
    report->height = d.tree.height;
    report->order_s = d.order_s;
    report->eliminate_s = d.eliminate_s;
    double start = clock_seconds();
    if (!d.pays) {
        status = task->graph->min_weight < 0 ? solve_signed(task, err) : solve_otherwise(task, err);
        report->core_s = clock_seconds() - start;
        return status;
    }
    TRY(solve_core(&d, task, &among, err));
    report->core_s = clock_seconds() - start;
    start = clock_seconds();
    TRY(sweep(&d, task, isa, threads, err));
    if (d.potential != NULL && progress_goes_on(task->progress))
        TRY(potentials_restore(task->graph, d.potential, task->dist, err));
    report->sweep_s = clock_seconds() - start;

cleanup:
    matrix_free(&among);
    dissection_free(&d);
    return status;
}

enum status cpu_dissection_solve(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err) {
    enum status status = STATUS_OK;
    if (task->potential != NULL)
        return cpu_johnson_solve(variant, task, times, err);
    times->around_s = touch_results(task);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions && status == STATUS_OK;
         r++) {
        struct dissection_report report;
        const double start = clock_seconds();
        status = dissection_solve(task, -1, &report, err);
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start;
    }
    return status;
}
