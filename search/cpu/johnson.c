// SPDX-License-Identifier: MIT
#include "search/cpu/johnson.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "common/graph/limit.h"  // limit_no_path
#include "solve/delivery.h"      // struct delivery
#include "solve/dijkstra.h"      // dijkstra_run
#include "solve/potentials.h"    // potentials_restore_row
#include "solve/repetitions.h"   // repetitions_by_rows
#include "solve/row_by_row.h"    // row_by_row_solve

/* Number of sources that a thread takes at a time: as many as the certificate proves at a time. */
enum { AT_A_TIME = 16 };

/* The memory of one thread. */
struct johnson_worker {
    struct dijkstra queue;
    int64_t *distance; /* distances under potentials, n entries; NULL: the graph has no
                          potentials */
};

/* Allocates the memory of one thread. way->shared: weights under the task's potentials; NULL: no
 * potentials. */
static enum status worker_alloc(void *worker, const struct row_by_row *way, struct error *err) {
    const struct solver_task *const task = way->task;
    struct johnson_worker *const w = worker;
    const bool reduced = way->shared != NULL;
    const int32_t n = task->graph->n;
    void *distance = NULL;
    *w = (struct johnson_worker){0};
    RETURN_ON_FAILURE(
        dijkstra_alloc(&w->queue, n, reduced || task->graph->type == NUMBER_FLOAT64, err));
    w->queue.progress = task->progress;
    if (reduced)
        RETURN_ON_FAILURE(
            memory_alloc(&distance, (size_t)n, sizeof *w->distance, "the distances", err));
    w->distance = distance;
    return STATUS_OK;
}

static void worker_free(void *worker) {
    struct johnson_worker *const w = worker;
    dijkstra_free(&w->queue);
    memory_free(w->distance);
}

/* Finds row r of a block of real weights. */
static void solve_real_row(const struct johnson_worker *w, const struct solver_task *task,
                           const struct row_block *block, int32_t r) {
    const double beyond = limit_beyond(task->graph->type, task->limit);
    int32_t *const pred = block->pred != NULL ? block->pred[r] : NULL;
    if (task->graph->type == NUMBER_FLOAT32)
        dijkstra_run_f32(&w->queue, task->graph, block->source[r], (float)beyond,
                         block->dist_f32[r], pred);
    else
        dijkstra_run_f64(&w->queue, task->graph, block->source[r], beyond, block->dist_f64[r],
                         pred);
}

static enum status solve_row(void *worker, const struct row_by_row *way,
                             const struct row_block *block, int32_t r, struct error *err) {
    const struct solver_task *const task = way->task;
    const struct johnson_worker *const w = worker;
    const int64_t *const reduced = way->shared;
    int32_t *const dist = block->dist[r], *const pred = block->pred != NULL ? block->pred[r] : NULL;
    if (task->graph->type != NUMBER_INT32) {
        solve_real_row(w, task, block, r);
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

static int threads_for(int32_t n, int64_t m, int32_t sources, int threads) {
    const double search = 10.0 * ((double)n + (double)m);
    threads = threads_worth(threads, sources * search);
    return threads < sources ? threads : sources;
}

uint64_t cpu_johnson_memory(const struct solver_size *size) {
    const uint64_t n = (uint64_t)size->n;
    const int threads = threads_for(size->n, size->m, size->sources, size->threads);
    const uint64_t worker = dijkstra_memory(size->n, size->wide || size->type == NUMBER_FLOAT64) +
                            (size->wide ? n * sizeof(int64_t) : 0) +
                            row_by_row_memory(size, AT_A_TIME, threads);
    return (uint64_t)threads * worker +
           (size->wide ? memory_times((uint64_t)size->m, sizeof(int64_t)) : 0);
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
    const struct row_by_row way = {.task = task,
                                   .shared = reduced,
                                   .at_a_time = AT_A_TIME,
                                   .worker = sizeof(struct johnson_worker),
                                   .allocate = worker_alloc,
                                   .find = solve_row,
                                   .release = worker_free};
    status = row_by_row_solve(&way, threads, err);
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
    const double wide = 1.5; /* factor for 64-bit distances */
    const struct features *f = q->features;
    const double begin_s = 7e-7, ns = 0.35 + f->reach * (50 + 2 * f->degree);
    return (f->wide ? wide : 1) * (begin_s + model_rows_seconds(q, ns)) /
           model_speed_up(variant, q);
}
