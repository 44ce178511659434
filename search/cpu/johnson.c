// SPDX-License-Identifier: MIT
#include "search/cpu/johnson.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "common/graph/limit.h"  // limit_no_path
#include "solve/delivery.h"      // struct delivery
#include "solve/dijkstra.h"      // dijkstra_run
#include "solve/potentials.h"    // potentials_restore_row
#include "solve/repetitions.h"   // repetitions_by_rows
#include "solve/row_buffer.h"    // struct row_buffer

/* The memory of one thread, which that thread allocates and is the first to touch. */
struct worker {
    struct dijkstra queue;
    struct row_buffer rows;
    int64_t *distance; /* n, of a graph with potentials; otherwise NULL */
};

static enum status worker_alloc(struct worker *w, const struct solver_task *task, bool reduced,
                                int32_t sources, struct error *err) {
    const int32_t n = task->graph->n;
    void *distance = NULL;
    *w = (struct worker){0};
    RETURN_ON_FAILURE(
        dijkstra_alloc(&w->queue, n, reduced || task->graph->type == NUMBER_FLOAT64, err));
    w->queue.progress = task->progress;
    RETURN_ON_FAILURE(row_buffer_alloc(&w->rows, task->delivery, sources, err));
    if (reduced)
        RETURN_ON_FAILURE(
            memory_alloc(&distance, (size_t)n, sizeof *w->distance, "the distances", err));
    w->distance = distance;
    return STATUS_OK;
}

static void worker_free(struct worker *w) {
    dijkstra_free(&w->queue);
    row_buffer_free(&w->rows);
    memory_free(w->distance);
}

/* Row r of the worker's block of real weights. */
static void solve_real_row(const struct worker *w, const struct solver_task *task, int32_t r) {
    const struct row_block *const block = &w->rows.block;
    const double beyond = limit_beyond(task->graph->type, task->limit);
    int32_t *const pred = block->pred != NULL ? block->pred[r] : NULL;
    if (task->graph->type == NUMBER_FLOAT32)
        dijkstra_run_f32(&w->queue, task->graph, block->source[r], (float)beyond,
                         block->dist_f32[r], pred);
    else
        dijkstra_run_f64(&w->queue, task->graph, block->source[r], beyond, block->dist_f64[r],
                         pred);
}

/* Row r of the worker's block. reduced: the weights under the task's potentials, or NULL if it has
 * none. */
static enum status solve_row(struct worker *w, const struct solver_task *task,
                             const int64_t *reduced, int32_t r, struct error *err) {
    struct row_block *const block = &w->rows.block;
    int32_t *const dist = block->dist[r], *const pred = block->pred != NULL ? block->pred[r] : NULL;
    if (task->graph->type != NUMBER_INT32) {
        solve_real_row(w, task, r);
        return STATUS_OK;
    }
    if (reduced == NULL) {
        dijkstra_run(&w->queue, task->graph, block->source[r], limit_no_path(task->limit), dist,
                     pred);
        return STATUS_OK;
    }
    dijkstra_run_64(&w->queue, task->graph, reduced, block->source[r], w->distance, pred);
    if (!progress_goes_on(task->progress))
        return progress_cancelled(err);
    return potentials_restore_row(task->graph, task->potential, block->source[r], w->distance, dist,
                                  err);
}

/* `count` rows from `first` on go to the delivery. */
static void solve_block(struct worker *w, const struct solver_task *task, const int64_t *reduced,
                        int32_t first, int32_t count) {
    struct delivery *const delivery = task->delivery;
    int32_t position[JOHNSON_SOURCES];
    struct error err;
    for (int32_t r = 0; r < count; r++)
        position[r] = first + r;
    row_buffer_start(&w->rows, position, count);
    for (int32_t r = 0; r < count && delivery_wants(delivery, first + r); r++) {
        const enum status status = solve_row(w, task, reduced, r, &err);
        if (status != STATUS_OK) {
            delivery_fail(delivery, first + r, status, &err);
            return;
        }
    }
    delivery_take(delivery, &w->rows.block);
}

static int threads_for(int32_t n, int64_t m, int32_t sources, int threads) {
    const double search = 10.0 * ((double)n + (double)m);
    threads = threads_worth(threads, sources * search);
    return threads < sources ? threads : sources;
}

static int32_t sources_at_a_time(int32_t sources, int threads) {
    const int32_t each = sources / threads;
    return each < 1 ? 1 : each < JOHNSON_SOURCES ? each : JOHNSON_SOURCES;
}

uint64_t cpu_johnson_memory(const struct solver_size *size) {
    const uint64_t n = (uint64_t)size->n;
    const int threads = threads_for(size->n, size->m, size->sources, size->threads);
    const int32_t rows = sources_at_a_time(size->sources, threads);
    const uint64_t worker =
        dijkstra_memory(size->n, size->wide || size->type == NUMBER_FLOAT64) +
        (size->wide ? n * sizeof(int64_t) : 0) +
        (size->placed ? 0 : row_buffer_memory(size->type, size->n, rows, size->predecessors));
    return (uint64_t)threads * worker +
           (size->wide ? memory_times((uint64_t)size->m, sizeof(int64_t)) : 0);
}

static enum status solve_rows_of(const struct solver_task *task, const int64_t *reduced,
                                 int threads, struct error *err) {
    struct delivery *const delivery = task->delivery;
    const int32_t sources = delivery->sources.count;
    const int32_t each = sources_at_a_time(sources, threads);
    int32_t done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, task, reduced != NULL, each, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* nobody frees memory before all have got theirs */
        int32_t first, count, now_done;
        while (allocated == STATUS_OK && (count = delivery_next(delivery, each, &first)) > 0) {
            if (!delivery_wants(delivery, first))
                continue;
            solve_block(&worker, task, reduced, first, count);
#pragma omp atomic capture
            now_done = done += count;
            if (omp_get_thread_num() == 0)
                progress_report(task->progress, now_done, sources);
        }
        worker_free(&worker);
    }
    return delivery_end(delivery, err);
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    (void)variant;
    (void)times;
    struct delivery *const delivery = task->delivery;
    const int threads = threads_for(task->graph->n, task->graph->m, delivery->sources.count,
                                    task->options->threads);
    int64_t *reduced = NULL;
    enum status status = STATUS_OK;
    TRY(delivery_begin(delivery, threads, err));
    if (task->potential != NULL)
        TRY(potentials_weights(task->graph, task->potential, &reduced, err));
    TRY(solve_rows_of(task, reduced, threads, err));
cleanup:
    memory_free(reduced);
    return status;
}

enum status cpu_johnson_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    (void)variant;
    return repetitions_by_rows(variant, task, times, solve_once, err);
}

/* Each reached vertex is one queue operation, and all its edges are relaxed. */
double cpu_johnson_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double wide = 1.5; /* 64-bit distances */
    const struct features *f = q->features;
    const double begin_s = 7e-7, ns = 0.35 + f->reach * (50 + 2 * f->degree);
    return (f->wide ? wide : 1) * (begin_s + model_rows_seconds(q, ns)) /
           model_speed_up(variant, q);
}
