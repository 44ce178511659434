// SPDX-License-Identifier: MIT
#include "cpu/blocked.h"

#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc, memory_prefer_huge_pages
#include "common/base/threads.h"      // threads_worth
#include "common/solve/range.h"       // range_find_cut
#include "cpu/parts/closure.h"        // closure_find
#include "cpu/parts/distance_bound.h" // distance_bound_seems_below
#include "cpu/parts/first_touch.h"    // first_touch_row
#include "cpu/parts/predecessors.h"   // predecessors_derive

/* What all repetitions of a solve share. */
struct job {
    const struct solver_task *task;
    enum isa isa;
    int threads;
    uint16_t *narrow; /* n rows of narrow_ld cells; NULL if only 32 bits are used */
    size_t narrow_ld;
    void *workspace; /* for closure_find */
};

/* Each thread touches the rows first that it works on first (work_stealing.h). */

static void fill_wide(const struct job *job) {
    const struct solver_task *task = job->task;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int32_t i = 0; i < task->graph->n; i++) {
        if (!progress_goes_on(task->progress))
            continue;
        graph_to_rows(task->graph, i, matrix_row(task->dist, i), NULL);
        if (task->pred != NULL)
            first_touch_row(matrix_row(task->pred, i), task->graph->n);
    }
}

static void fill_narrow(const struct job *job) {
    const struct graph *g = job->task->graph;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int32_t i = 0; i < g->n; i++) {
        if (!progress_goes_on(job->task->progress))
            continue;
        uint16_t *row = job->narrow + (size_t)i * job->narrow_ld;
        for (int32_t j = 0; j < g->n; j++)
            row[j] = INF16;
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            if (g->weight[e] < INF16)
                row[g->head[e]] = (uint16_t)g->weight[e];
        }
        row[i] = 0;
        first_touch_row(matrix_row(job->task->dist, i), g->n);
        if (job->task->pred != NULL)
            first_touch_row(matrix_row(job->task->pred, i), g->n);
    }
}

/* Copies the narrow distances to the task's; returns the largest one that is not INF. */
static int32_t widen(const struct job *job, const struct min_plus *kernel) {
    const struct matrix *dist = job->task->dist;
    int32_t largest = 0;
#pragma omp parallel for num_threads(job->threads) schedule(static) reduction(max : largest)
    for (int32_t i = 0; i < dist->n; i++) {
        if (progress_goes_on(job->task->progress))
            largest = kernel->widen(job->narrow + (size_t)i * job->narrow_ld, (size_t)dist->n,
                                    matrix_row(dist, i), largest);
    }
    return largest;
}

static enum status solve_wide(const struct job *job, struct error *err) {
    const struct solver_task *task = job->task;
    closure_find(min_plus_kernels(job->isa)->wide, task->dist->cell, task->dist->ld, task->dist->n,
                 job->threads, job->workspace, task->progress);
    if (!progress_goes_on(task->progress))
        return progress_cancelled(err);
    if (task->pred == NULL)
        return STATUS_OK;
    return predecessors_derive(task->graph, task->dist, INF - 1, task->pred, job->isa, job->threads,
                               task->progress, err);
}

/* Whether distances up to the task's limit fit in 16 bits. */
static bool narrow_suffices(const struct job *job) {
    return job->task->limit < INF16;
}

/* Sets *exact if no distance up to the limit was cut off. If one was, the matrices hold garbage. */
static enum status solve_narrow(const struct job *job, bool *exact, struct error *err) {
    const struct solver_task *task = job->task;
    const struct min_plus *kernel = min_plus_kernels(job->isa)->narrow;
    int32_t from = -1, to;
    closure_find(kernel, job->narrow, job->narrow_ld, task->dist->n, job->threads, job->workspace,
                 task->progress);
    const int32_t largest = widen(job, kernel);
    if (!narrow_suffices(job))
        RETURN_ON_FAILURE(range_find_cut(task->graph, task->dist, largest, INF16, job->threads,
                                         task->progress, &from, &to, err));
    *exact = from < 0;
    if (!progress_goes_on(task->progress))
        return progress_cancelled(err);
    if (!*exact || task->pred == NULL)
        return STATUS_OK;
    return predecessors_derive(task->graph, task->dist, INF16 - 1, task->pred, job->isa,
                               job->threads, task->progress, err);
}

enum width { NARROW, WIDE, EITHER };

/* Solves once. Stores the seconds that it took to write the input to *filling_s: they do not count
 * as time of the solve. */
static enum status solve_once(const struct job *job, const struct solver_variant *variant,
                              enum width width, double *filling_s, struct error *err) {
    bool exact = false;
    if (width == EITHER && !narrow_suffices(job) &&
        !distance_bound_seems_below(job->task->graph, INF16))
        width = WIDE;
    const double start = clock_seconds();
    if (width == WIDE)
        fill_wide(job);
    else
        fill_narrow(job);
    *filling_s = clock_seconds() - start;
    if (width != WIDE)
        RETURN_ON_FAILURE(solve_narrow(job, &exact, err));
    if (exact)
        return STATUS_OK;
    if (width == NARROW)
        return fail(err, STATUS_BAD_INPUT,
                    "variant %s is not exact for this graph: a distance is %d or more",
                    variant->name, INF16);
    if (width == EITHER)
        fill_wide(job);
    return solve_wide(job, err);
}

static int threads_for(int32_t n, int threads) {
    enum { CELLS_A_STEP = 16 };
    const int blocks = (n - 1) / MIN_PLUS_BLOCK + 1;
    threads = threads_worth(threads, (double)n * (double)n * (double)n / CELLS_A_STEP);
    return threads < blocks ? threads : blocks; /* more would only wait */
}

/* Rows that are an odd number of cache lines apart do not compete for the same cache sets. */
static size_t narrow_leading(size_t n) {
    enum { CELLS_PER_LINE = 64 / sizeof(uint16_t) };
    return ((n + CELLS_PER_LINE - 1) / CELLS_PER_LINE | 1) * CELLS_PER_LINE;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* 16-bit distances, packed operands, and the largest of what the steps before and after need. */
uint64_t cpu_blocked_memory(const struct solver_size *size) {
    const uint64_t n = (uint64_t)size->n;
    const int threads = threads_for(size->n, size->threads);
    const uint64_t beside =
        larger(larger(n * DISTANCE_BOUND_MEMORY, range_memory(size->n, threads)),
               size->predecessors ? predecessors_memory(size->n, size->m, threads) : 0);
    return n * narrow_leading(n) * sizeof(uint16_t) + closure_memory(size->n, threads) + beside;
}

uint64_t cpu_blocked32_memory(const struct solver_size *size) {
    const int threads = threads_for(size->n, size->threads);
    return closure_memory(size->n, threads) +
           (size->predecessors ? predecessors_memory(size->n, size->m, threads) : 0);
}

static enum status solve(const struct solver_variant *variant, const struct solver_task *task,
                         enum width width, struct solver_times *times, struct error *err) {
    const size_t n = (size_t)task->graph->n;
    struct job job = {.task = task, .threads = threads_for(task->graph->n, task->options->threads)};
    void *narrow = NULL;
    enum status status = STATUS_OK;
    TRY(isa_choose(&job.isa, err));
    if (width != WIDE) {
        job.narrow_ld = narrow_leading(n);
        TRY(memory_alloc(&narrow, n * job.narrow_ld, sizeof(uint16_t), "16-bit distances", err));
    }
    TRY(closure_workspace(&job.workspace, task->graph->n, job.threads, err));
    job.narrow = narrow;
    if (narrow != NULL)
        memory_prefer_huge_pages(narrow, n * job.narrow_ld * sizeof(uint16_t));
    else
        memory_prefer_huge_pages(task->dist->cell, n * task->dist->ld * sizeof(int32_t));
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        const double start = clock_seconds();
        TRY(solve_once(&job, variant, width, &times->around_s, err));
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start - times->around_s;
    }
cleanup:
    memory_free(job.workspace);
    memory_free(narrow);
    return status;
}

enum status cpu_blocked_solve(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    return solve(variant, task, EITHER, times, err);
}

enum status cpu_blocked16_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err) {
    return solve(variant, task, NARROW, times, err);
}

enum status cpu_blocked32_solve(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err) {
    return solve(variant, task, WIDE, times, err);
}

/* With 16-bit cells, 76 relaxations in a nanosecond. */
static double narrow_seconds(const struct model_question *q) {
    const double n = q->features->n;
    return model_pairs_seconds(q->features, 7000 / (n * n) + 7 + n / 76);
}

static double seconds(const struct solver_variant *variant, const struct model_question *q,
                      bool is_narrow) {
    const double wide = 1.75; /* times as long */
    return (is_narrow ? 1 : wide) * q->vector_steps * narrow_seconds(q) /
           model_speed_up(variant, q);
}

double cpu_blocked_seconds(const struct solver_variant *variant, const struct model_question *q) {
    return seconds(variant, q, q->features->narrow);
}

double cpu_blocked16_seconds(const struct solver_variant *variant, const struct model_question *q) {
    return seconds(variant, q, true);
}

double cpu_blocked32_seconds(const struct solver_variant *variant, const struct model_question *q) {
    return seconds(variant, q, false);
}
