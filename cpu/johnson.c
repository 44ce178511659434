// SPDX-License-Identifier: MIT
#include "cpu/johnson.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
#include "common/solve/potentials.h" // potentials_restore_row
#include "cpu/parts/dijkstra.h"      // dijkstra_run
#include "cpu/parts/touch.h"         // touch_results

/* What one thread works with, allocated and first touched by that thread. */
struct worker {
    struct dijkstra queue;
    int64_t *distance; /* n, of a graph with potentials; otherwise NULL */
};

static enum status worker_alloc(struct worker *w, int32_t n, bool wide,
                                const struct progress *progress, struct error *err) {
    void *distance = NULL;
    enum status status = dijkstra_alloc(&w->queue, n, wide, err);
    w->queue.progress = progress;
    if (status == STATUS_OK && wide)
        status = memory_alloc(&distance, (size_t)n, sizeof *w->distance, "the distances", err);
    w->distance = distance;
    return status;
}

static void worker_free(struct worker *w) {
    dijkstra_free(&w->queue);
    memory_free(w->distance);
}

/* Row i of the task's matrices. `reduced`: the weights under the task's potentials, or
 * NULL where it has none. */
static enum status solve_source(const struct worker *w, const struct solver_task *task,
                                const int64_t *reduced, int32_t i, struct error *err) {
    int32_t *dist = matrix_row(task->dist, i);
    int32_t *pred = task->pred != NULL ? matrix_row(task->pred, i) : NULL;
    if (reduced == NULL) {
        dijkstra_run(&w->queue, task->graph, i, dist, pred);
        return STATUS_OK;
    }
    dijkstra_run_wide(&w->queue, task->graph, reduced, i, w->distance, pred);
    if (!progress_goes_on(task->progress))
        return progress_cancelled(err);
    return potentials_restore_row(task->graph, task->potential, i, w->distance, dist, err);
}

static int threads_for(int32_t n, int64_t m, int threads) {
    const int32_t shares = (n - 1) / JOHNSON_SOURCES + 1;
    const double search = 10.0 * (double)(n + m);
    threads = threads_worth(threads, n * search);
    return threads < shares ? threads : shares;
}

uint64_t cpu_johnson_memory(const struct solver_size *size) {
    const uint64_t n = (uint64_t)size->n;
    const uint64_t worker =
        dijkstra_memory(size->n, size->wide) + (size->wide ? n * sizeof(int64_t) : 0);
    return (uint64_t)threads_for(size->n, size->m, size->threads) * worker +
           (size->wide ? memory_times((uint64_t)size->m, sizeof(int64_t)) : 0);
}

static enum status solve_once(const struct solver_task *task, const int64_t *reduced,
                              struct error *err) {
    const int32_t n = task->graph->n;
    const int threads = threads_for(n, task->graph->m, task->options->threads);
    enum status status = STATUS_OK;
    int32_t first_failed = n; /* the lowest source decides which error is told */
    int32_t done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct worker worker = {0};
        struct error mine;
        const enum status allocated =
            worker_alloc(&worker, n, reduced != NULL, task->progress, &mine);
#pragma omp for schedule(dynamic, JOHNSON_SOURCES)
        for (int32_t i = 0; i < n; i++) {
            int32_t failed, now_done;
#pragma omp atomic read
            failed = first_failed;
            if (i > failed || !progress_goes_on(task->progress))
                continue;
            const enum status one =
                allocated == STATUS_OK ? solve_source(&worker, task, reduced, i, &mine) : allocated;
#pragma omp atomic capture
            now_done = ++done;
            if (omp_get_thread_num() == 0)
                progress_report(task->progress, now_done, n);
            if (one == STATUS_OK)
                continue;
#pragma omp critical
            if (i < first_failed) {
#pragma omp atomic write
                first_failed = i;
                status = one;
                *err = mine;
            }
        }
        worker_free(&worker);
    }
    return status;
}

enum status cpu_johnson_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    (void)variant;
    enum status status = STATUS_OK;
    times->around_s = touch_results(task);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions && status == STATUS_OK;
         r++) {
        int64_t *reduced = NULL;
        const double start = clock_seconds();
        if (task->potential != NULL)
            status = potentials_weights(task->graph, task->potential, &reduced, err);
        if (status == STATUS_OK)
            status = solve_once(task, reduced, err);
        memory_free(reduced);
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start;
    }
    return status;
}

/* Each reached vertex is one queue operation, and all its edges are relaxed. */
double cpu_johnson_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double wide = 1.5; /* 64-bit distances */
    const struct features *f = q->features;
    const double n = f->n;
    const double ns = 700 / (n * n) + 0.35 + f->reach * (50 + 2 * f->degree);
    return (f->wide ? wide : 1) * model_pairs_seconds(f, ns) / model_speed_up(variant, q);
}
