// SPDX-License-Identifier: MIT
#include "cpu/multisource.h"

#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "cpu/johnson.h"         // cpu_johnson_solve
#include "cpu/parts/dijkstra.h"  // dijkstra_run, dijkstra_order
#include "cpu/parts/strip.h"     // struct strip
#include "cpu/parts/touch.h"     // touch_results

#include <string.h>

const struct multisource_limits multisource_limits = {.sweeps = 16, .share = 0.8};

/* Work of Dijkstra's algorithm from one source, at its least, in the units of strip.h: an
 * arc and a vertex that goes through the queue. */
static const double units_per_arc = 0.5, units_per_queued = 9;

/* Sources are neighbours where rows are short: long paths are not to be feared elsewhere. */
enum { LONGEST_ROWS_TO_GROUP = 32 };

/* How often something was tried, and how often in vain. */
struct attempts {
    int32_t tried, failed;
};

/* What all threads share. What they find out here changes how long the rest takes, not what
 * comes out. */
struct plan {
    const struct solver_task *task;
    const struct multisource_limits *limits;
    const struct strip_kernels *kernels;
    int threads;
    struct arcs arcs;
    int32_t *source; /* the n vertex numbers, strip by strip */
    int32_t narrow_no_path;
    bool narrow_is_safe; /* no distance reaches narrow_no_path */
    struct attempts narrow, graph_order, correcting;
    struct multisource_counts counts;
    int32_t sources_done;
};

/* What one thread works with, allocated and first touched by that thread. */
struct worker {
    struct plan *plan;
    struct strip strip;
    struct dijkstra queue;
    int32_t *dist;       /* n: scratch */
    bool *ordered;       /* n: scratch */
    void *cells, *lists; /* all arrays, in two allocations */
};

static bool is_promising(const struct attempts *attempts) {
    int32_t tried, failed;
#pragma omp atomic read
    tried = attempts->tried;
#pragma omp atomic read
    failed = attempts->failed;
    return failed < 2 || 2 * failed <= tried;
}

static void count(int32_t *counter, int32_t more) {
#pragma omp atomic
    *counter += more;
}

static void note(struct attempts *attempts, bool failed) {
    count(&attempts->tried, 1);
    count(&attempts->failed, failed);
}

static enum status plan_make(struct plan *plan, struct error *err) {
    const struct graph *g = plan->task->graph;
    enum { MAX_16 = UINT16_MAX, HALF_16 = 1 << 15 };
    enum isa isa;
    void *source;
    enum status status = isa_choose(&isa, err);
    if (status == STATUS_OK)
        status = arcs_build(g, plan->threads, plan->task->progress, &plan->arcs, err);
    if (status == STATUS_OK)
        status = memory_alloc(&source, (size_t)g->n, sizeof *plan->source, "the sources", err);
    if (status != STATUS_OK)
        return status;
    plan->kernels = strip_kernels(isa);
    plan->source = source;
    /* Added to it, no weight below it overflows. */
    plan->narrow_no_path = g->max_weight < HALF_16 ? MAX_16 - g->max_weight : HALF_16;
    plan->narrow_is_safe = (int64_t)g->max_weight * (g->n - 1) < plan->narrow_no_path;
    if (g->m / g->n <= LONGEST_ROWS_TO_GROUP)
        return arcs_group(&plan->arcs, plan->kernels->wide->lanes, plan->source, err);
    for (int32_t v = 0; v < g->n; v++)
        plan->source[v] = v;
    return STATUS_OK;
}

static void plan_free(struct plan *plan) {
    arcs_free(&plan->arcs);
    memory_free(plan->source);
}

static int threads_for(int32_t n, int64_t m, int threads) {
    /* Several sources in a step, several steps for an edge. */
    return threads_worth(threads, (double)n * (double)(n + m) / 4);
}

enum { LIST_BYTES = 3 * sizeof(int32_t) + 2 }; /* of a worker's lists, for each vertex */

uint64_t cpu_multisource_memory(const struct solver_size *size) {
    if (size->wide)
        return cpu_johnson_memory(size);
    enum { TO_GROUP = 2 * sizeof(int32_t) };
    const uint64_t n = (uint64_t)size->n, strips = (n - 1) / MAX_LANES + 1;
    const int threads = threads_for(size->n, size->m, size->threads);
    const uint64_t workers = (uint64_t)threads < strips ? (uint64_t)threads : strips;
    const uint64_t labels = n * (size->predecessors ? 2 : 1) * STRIP_BYTES;
    const uint64_t worker = labels + n * LIST_BYTES + dijkstra_memory(size->n, false);
    const uint64_t build = arcs_memory_to_build(size->n, size->m, threads);
    const uint64_t solve = arcs_memory(size->n, size->m) + n * sizeof(int32_t) +
                           (workers * worker > n * TO_GROUP ? workers * worker : n * TO_GROUP);
    return build > solve ? build : solve;
}

static enum status worker_alloc(struct worker *w, struct plan *plan, struct error *err) {
    const size_t n = (size_t)plan->arcs.n;
    const size_t rows = plan->task->pred != NULL ? 2 * n : n;
    *w = (struct worker){
        .plan = plan,
        .strip.arcs = &plan->arcs,
        .strip.progress = plan->task->progress,
    };
    enum status status = memory_alloc(&w->cells, rows, STRIP_BYTES, "the labels", err);
    if (status == STATUS_OK)
        status = memory_alloc(&w->lists, n, LIST_BYTES, "the labels", err);
    if (status == STATUS_OK)
        status = dijkstra_alloc(&w->queue, plan->arcs.n, false, err);
    w->queue.progress = plan->task->progress;
    if (status != STATUS_OK)
        return status;
    w->strip.label = w->cells;
    w->strip.pred = (char *)w->cells + (rows - n) * STRIP_BYTES;
    w->strip.largest = w->lists;
    w->strip.order = w->strip.largest + n;
    w->dist = w->strip.order + n;
    w->strip.pending = (uint8_t *)(w->dist + n);
    w->ordered = (bool *)(w->strip.pending + n);
    return STATUS_OK;
}

static void worker_free(struct worker *w) {
    memory_free(w->cells);
    memory_free(w->lists);
    dijkstra_free(&w->queue);
}

/* The strip's order becomes that of distance from its first source, then the graph's. */
static void order_by_distance(struct worker *w) {
    const struct arcs *arcs = &w->plan->arcs;
    int32_t *order = w->strip.order;
    int32_t placed = dijkstra_order(&w->queue, w->plan->task->graph,
                                    arcs->vertex[w->strip.source[0]], w->dist, order);
    memset(w->ordered, 0, (size_t)arcs->n);
    for (int32_t at = 0; at < placed; at++) {
        order[at] = arcs->number[order[at]];
        w->ordered[order[at]] = true;
    }
    for (int32_t v = 0; v < arcs->n; v++) {
        if (!w->ordered[v])
            order[placed++] = v;
    }
}

/* Corrects labels of `lanes` sources from place `first` on; false where that was not worth the
 * work. */
static bool correct(struct worker *w, const struct strip_kernel *kernel, int32_t no_path,
                    int32_t first, int32_t lanes) {
    struct plan *plan = w->plan;
    struct strip *s = &w->strip;
    const double max_work =
        plan->limits->share * lanes *
        (units_per_arc * (double)plan->arcs.m + units_per_queued * plan->arcs.n);
    s->source = plan->source + first;
    s->count = lanes;
    s->no_path = no_path;
    if (!is_promising(&plan->correcting))
        return false;
    kernel->start(s);
    if (is_promising(&plan->graph_order)) {
        for (int32_t v = 0; v < plan->arcs.n; v++)
            s->order[v] = v;
        kernel->correct(s, plan->limits->sweeps, INT64_MAX);
        note(&plan->graph_order, !s->corrected);
    }
    if (!s->corrected) {
        order_by_distance(w);
        kernel->correct(s, INT32_MAX, s->work + (int64_t)max_work);
        if (s->corrected)
            count(&plan->counts.reordered, lanes);
    }
    note(&plan->correcting, !s->corrected);
    return s->corrected;
}

/* Distances to the task's matrix and to the labels of the strip, for its predecessors. */
static void run_dijkstra(struct worker *w, const struct strip_kernel *kernel) {
    const struct solver_task *task = w->plan->task;
    struct strip *s = &w->strip;
    s->no_path = INF;
    for (int lane = 0; lane < s->count; lane++) {
        const int32_t i = s->arcs->vertex[s->source[lane]];
        dijkstra_run(&w->queue, task->graph, i, matrix_row(task->dist, i), NULL);
    }
    for (int lane = 0; lane < kernel->lanes && task->pred != NULL; lane++)
        kernel->read(s, lane, matrix_row(task->dist, s->arcs->vertex[s->source[lane % s->count]]));
    count(&w->plan->counts.dijkstra, s->count);
}

/* What stands in a strip's cells goes to the rows of its sources. */
static void write_rows(const struct strip *s, const struct strip_kernel *kernel, bool rows_of_pred,
                       const struct matrix *matrix) {
    int32_t *row[MAX_LANES];
    for (int lane = 0; lane < s->count; lane++)
        row[lane] = matrix_row(matrix, s->arcs->vertex[s->source[lane]]);
    kernel->write(s, rows_of_pred, row);
}

static void write_predecessors(struct worker *w, const struct strip_kernel *kernel) {
    const struct solver_task *task = w->plan->task;
    if (task->pred == NULL)
        return;
    kernel->find_predecessors(&w->strip);
    write_rows(&w->strip, kernel, true, task->pred);
}

/* With labels of 16 bits; false where they do not suffice or are not worth the work. */
static bool solve_narrow(struct worker *w, int32_t first, int32_t lanes) {
    struct plan *plan = w->plan;
    const struct strip_kernel *kernel = plan->kernels->narrow;
    if (plan->limits->wide || plan->arcs.n > NARROW_NONE || !is_promising(&plan->narrow) ||
        !correct(w, kernel, plan->narrow_no_path, first, lanes))
        return false;
    const bool overflowed = !plan->narrow_is_safe && kernel->overflowed(&w->strip);
    note(&plan->narrow, overflowed);
    if (overflowed)
        return false;
    write_rows(&w->strip, kernel, false, plan->task->dist);
    write_predecessors(w, kernel);
    count(&plan->counts.narrow, lanes);
    return true;
}

/* With labels of 32 bits, or by Dijkstra's algorithm. */
static void solve_wide(struct worker *w, int32_t first, int32_t lanes) {
    const struct strip_kernel *kernel = w->plan->kernels->wide;
    if (correct(w, kernel, INF, first, lanes)) {
        write_rows(&w->strip, kernel, false, w->plan->task->dist);
        count(&w->plan->counts.wide, lanes);
    } else {
        run_dijkstra(w, kernel);
    }
    write_predecessors(w, kernel);
}

static void solve_strip(struct worker *w, int32_t first, int32_t lanes) {
    const int32_t step = w->plan->kernels->wide->lanes;
    if (solve_narrow(w, first, lanes))
        return;
    for (int32_t done = 0; done < lanes; done += step)
        solve_wide(w, first + done, lanes - done < step ? lanes - done : step);
}

static enum status solve_strips(struct plan *plan, struct error *err) {
    const int32_t n = plan->arcs.n, strips = (n - 1) / MAX_LANES + 1;
    enum status status = STATUS_OK;
#pragma omp parallel num_threads(plan->threads < strips ? plan->threads : strips)
    {
        struct worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, plan, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t strip = 0; strip < strips; strip++) {
            const int32_t first = strip * MAX_LANES;
            const int32_t lanes = n - first < MAX_LANES ? n - first : MAX_LANES;
            int32_t done;
            if (allocated != STATUS_OK || !progress_goes_on(plan->task->progress))
                continue;
            solve_strip(&worker, first, lanes);
#pragma omp atomic capture
            done = plan->sources_done += lanes;
            if (omp_get_thread_num() == 0)
                progress_report(plan->task->progress, done, n);
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
    return status;
}

enum status multisource_solve(const struct solver_task *task,
                              const struct multisource_limits *limits,
                              struct multisource_counts *counts, struct error *err) {
    struct plan plan = {
        .task = task,
        .limits = limits,
        .threads = threads_for(task->graph->n, task->graph->m, task->options->threads),
    };
    enum status status = plan_make(&plan, err);
    if (status == STATUS_OK)
        status = solve_strips(&plan, err);
    *counts = plan.counts;
    plan_free(&plan);
    return status;
}

enum status cpu_multisource_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    enum status status = STATUS_OK;
    if (task->potential != NULL)
        return cpu_johnson_solve(variant, task, times, err);
    times->around_s = touch_results(task);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions && status == STATUS_OK;
         r++) {
        struct multisource_counts counts;
        const double start = clock_seconds();
        status = multisource_solve(task, &multisource_limits, &counts, err);
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start;
    }
    return status;
}
