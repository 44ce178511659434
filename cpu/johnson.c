// SPDX-License-Identifier: MIT
#include "cpu/johnson.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
#include "common/solve/potentials.h" // potentials_restore_row
#include "cpu/parts/dijkstra.h"      // dijkstra_run
#include "cpu/parts/first_touch.h"   // first_touch_results

enum { SOURCES_AT_A_TIME = 8 };

/* The memory of one thread, which that thread allocates and is the first to touch. */
struct worker {
    struct dijkstra queue;
    int64_t *distance; /* n; NULL if the graph has no potentials */
};

static enum status worker_alloc(struct worker *w, int32_t n, bool is_64_bit,
                                const struct progress *progress, struct error *err) {
    void *distance = NULL;
    RETURN_ON_FAILURE(dijkstra_alloc(&w->queue, n, is_64_bit, err));
    w->queue.progress = progress;
    if (is_64_bit)
        RETURN_ON_FAILURE(
            memory_alloc(&distance, (size_t)n, sizeof *w->distance, "the distances", err));
    w->distance = distance;
    return STATUS_OK;
}

static void worker_free(struct worker *w) {
    dijkstra_free(&w->queue);
    memory_free(w->distance);
}

/* Fills row i of the task's matrices. `reduced` are the weights under the task's potentials; NULL
 * if it has none. */
static enum status solve_source(const struct worker *w, const struct solver_task *task,
                                const int64_t *reduced, int32_t i, struct error *err) {
    int32_t *dist = matrix_row(task->dist, i);
    int32_t *pred = task->pred != NULL ? matrix_row(task->pred, i) : NULL;
    if (reduced == NULL) {
        dijkstra_run(&w->queue, task->graph, i, dist, pred);
        return STATUS_OK;
    }
    dijkstra_run_64(&w->queue, task->graph, reduced, i, w->distance, pred);
    if (!progress_goes_on(task->progress))
        return progress_cancelled(err);
    return potentials_restore_row(task->graph, task->potential, i, w->distance, dist, err);
}

static int threads_for(int32_t n, int64_t m, int threads) {
    const int32_t batches = (n - 1) / SOURCES_AT_A_TIME + 1;
    const double search = 10.0 * (double)(n + m);
    threads = threads_worth(threads, n * search);
    return threads < batches ? threads : batches;
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
    int32_t first_failed = n; /* the error of the lowest source is the one to report */
    int32_t done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct worker worker = {0};
        struct error mine;
        const enum status allocated =
            worker_alloc(&worker, n, reduced != NULL, task->progress, &mine);
#pragma omp for schedule(dynamic, SOURCES_AT_A_TIME)
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

/* solve_once under the task's potentials, if it has any. */
static enum status solve_reduced(const struct solver_task *task, struct error *err) {
    int64_t *reduced = NULL;
    if (task->potential != NULL)
        RETURN_ON_FAILURE(potentials_weights(task->graph, task->potential, &reduced, err));
    enum status status = solve_once(task, reduced, err);
    memory_free(reduced);
    return status;
}

enum status cpu_johnson_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    (void)variant;
    times->around_s = first_touch_results(task);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        const double start = clock_seconds();
        RETURN_ON_FAILURE(solve_reduced(task, err));
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start;
    }
    return STATUS_OK;
}
