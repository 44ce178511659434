// SPDX-License-Identifier: MIT
#include "cpu/blocked.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/memory.h"      // memory_alloc, memory_prefer_huge_pages
#include "common/base/threads.h"     // threads_worth
#include "cpu/parts/closure.h"       // closure_find
#include "cpu/parts/closure_bands.h" // closure_bands_find
#include "cpu/parts/predecessors.h"  // predecessors_derive
#include "ranks/ranks.h"             // ranks_agree
#include "solve/delivery.h"          // delivery_take
#include "solve/distance_bound.h"    // distance_bound_seems_below
#include "solve/first_touch.h"       // first_touch_row
#include "solve/range.h"             // range_find_cut

/* State that all repetitions of a solve share. */
struct blocked_solve {
    const struct solver_task *task;
    enum isa isa;
    int threads;
    const struct ranks *ranks;
    /* Row p of the matrices belongs to the source at position p. Sources are all vertices, or those
     * whose rows this process has. */
    struct row_sources sources;
    struct matrix *dist, *pred; /* pred is NULL for distances only */
    uint16_t *narrow; /* 16-bit distances, narrow_ld cells a row; NULL: all cells have 32 bits */
    size_t narrow_ld;
    void *workspace;            /* workspace of closure_find */
    struct closure_bands bands; /* memory of closure_bands_find, for several processes */
    struct matrix own[2];       /* distances and predecessors of own rows, for several processes */
};

static bool is_shared(const struct blocked_solve *job) {
    return job->ranks->count > 1;
}

/* Each thread is the first to touch the rows that it works on first (work_stealing.h). */

static void fill_wide(const struct blocked_solve *job) {
    const struct graph *const g = job->task->graph;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int32_t p = 0; p < job->sources.count; p++) {
        if (!progress_goes_on(job->task->progress))
            continue;
        graph_to_rows(g, row_source(&job->sources, p), matrix_row(job->dist, p), NULL);
        if (job->pred != NULL)
            first_touch_row(matrix_row(job->pred, p), g->n, sizeof(int32_t));
    }
}

static void fill_narrow(const struct blocked_solve *job) {
    const struct graph *g = job->task->graph;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int32_t p = 0; p < job->sources.count; p++) {
        if (!progress_goes_on(job->task->progress))
            continue;
        uint16_t *row = job->narrow + (size_t)p * job->narrow_ld;
        const int32_t i = row_source(&job->sources, p);
        for (int32_t j = 0; j < g->n; j++)
            row[j] = INF16;
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            if (g->weight[e] < INF16)
                row[g->head[e]] = (uint16_t)g->weight[e];
        }
        row[i] = 0;
        first_touch_row(matrix_row(job->dist, p), g->n, sizeof(int32_t));
        if (job->pred != NULL)
            first_touch_row(matrix_row(job->pred, p), g->n, sizeof(int32_t));
    }
}

/* Copies 16-bit distances to 32-bit ones; returns the largest finite distance. */
static int32_t widen(const struct blocked_solve *job, const struct min_plus *kernel) {
    int32_t largest = 0;
#pragma omp parallel for num_threads(job->threads) schedule(static) reduction(max : largest)
    for (int32_t p = 0; p < job->sources.count; p++) {
        if (progress_goes_on(job->task->progress))
            largest = kernel->widen(job->narrow + (size_t)p * job->narrow_ld,
                                    (size_t)job->task->graph->n, matrix_row(job->dist, p), largest);
    }
    return largest;
}

static enum status close_cells(const struct blocked_solve *job, const struct min_plus *kernel,
                               void *cells, size_t ld, struct error *err) {
    struct progress *const progress = job->task->progress;
    if (is_shared(job))
        return ranks_agree(
            job->ranks,
            closure_bands_find(&job->bands, kernel, cells, ld, job->ranks, progress, err), err);
    closure_find(kernel, cells, ld, job->task->graph->n, job->threads, job->workspace, progress);
    return progress_goes_on(progress) ? STATUS_OK : progress_cancelled(err);
}

/* Derives predecessors, if they are wanted. No finite distance exceeds `longest`. */
static enum status derive_predecessors(const struct blocked_solve *job, int32_t longest,
                                       struct error *err) {
    const struct predecessors_task task = {.graph = job->task->graph,
                                           .sources = job->sources,
                                           .dist = job->dist,
                                           .ranks = job->ranks,
                                           .longest = longest,
                                           .isa = job->isa,
                                           .threads = job->threads,
                                           .progress = job->task->progress};
    return job->pred == NULL ? STATUS_OK : predecessors_derive(&task, job->pred, err);
}

static enum status solve_wide(const struct blocked_solve *job, struct error *err) {
    RETURN_ON_FAILURE(
        close_cells(job, min_plus_kernels(job->isa)->wide, job->dist->cell, job->dist->ld, err));
    return derive_predecessors(job, INF - 1, err);
}

/* Returns whether distances up to the task's limit fit in 16 bits. */
static bool narrow_suffices(const struct blocked_solve *job) {
    return job->task->limit < INF16;
}

/* Widens the distances. Sets *exact to 1 if no process has a distance that was cut off, otherwise
 * to 0. */
static enum status widen_and_check(const struct blocked_solve *job, int *exact, struct error *err) {
    const struct solver_task *const task = job->task;
    int32_t from = -1, to;
    const int32_t largest = widen(job, min_plus_kernels(job->isa)->narrow);
    enum status status = STATUS_OK;
    if (!narrow_suffices(job))
        status = range_find_cut(task->graph, &job->sources, job->dist, largest, INF16, job->threads,
                                task->progress, &from, &to, err);
    if (status == STATUS_OK && !progress_goes_on(task->progress))
        status = progress_cancelled(err);
    RETURN_ON_FAILURE(ranks_agree(job->ranks, status, err));
    *exact = from < 0;
    return ranks_least(job->ranks, exact, err);
}

/* Solves with 16-bit cells. Sets *exact to 1 if no distance up to the limit was cut off; otherwise
 * to 0, and the matrices hold garbage. */
static enum status solve_narrow(const struct blocked_solve *job, int *exact, struct error *err) {
    RETURN_ON_FAILURE(
        close_cells(job, min_plus_kernels(job->isa)->narrow, job->narrow, job->narrow_ld, err));
    RETURN_ON_FAILURE(widen_and_check(job, exact, err));
    return *exact ? derive_predecessors(job, INF16 - 1, err) : STATUS_OK;
}

enum width { NARROW, WIDE, EITHER };

/* Solves once. *filling_s gets the seconds that it took to write the input into the matrices, which
 * do not count as time of the solve. */
static enum status solve_once(const struct blocked_solve *job, const struct solver_variant *variant,
                              enum width width, double *filling_s, struct error *err) {
    int exact = false;
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
    return threads < blocks ? threads : blocks; /* further threads would have nothing to do */
}

/* Rows that are an odd number of cache lines apart do not compete for the same cache sets. */
static size_t narrow_leading(size_t n) {
    enum { CELLS_PER_LINE = 64 / sizeof(uint16_t) };
    return ((n + CELLS_PER_LINE - 1) / CELLS_PER_LINE | 1) * CELLS_PER_LINE;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns the bytes that a solve needs beside closing the matrix: the larger of `checks`, for
 * checking 16-bit distances, and the bytes for predecessors, which are derived later. */
static uint64_t memory_behind(const struct solver_size *size, int threads, uint64_t checks) {
    const uint64_t pred = size->predecessors ? predecessors_memory(size->n, size->m, threads) : 0;
    return larger(checks, pred);
}

/* Returns the bytes that one of several processes takes, without its 16-bit distances, and stores
 * how many rows it has. */
static uint64_t share_memory(const struct solver_size *size, int threads, uint64_t *rows) {
    const struct bands bands = bands_choose(size->n, size->processes, 0); /* process 0 has most */
    *rows = (uint64_t)bands_rows(&bands);
    return closure_bands_memory(&bands, threads) + *rows * sizeof(int32_t) +
           matrix_memory_of_answer(NUMBER_INT32, bands_rows(&bands), size->n, size->predecessors);
}

/* Returns the bytes that closing the matrix takes, with 16-bit distances if `narrow`. */
static uint64_t closing_memory(const struct solver_size *size, int threads, bool narrow) {
    uint64_t rows = (uint64_t)size->n;
    const uint64_t bytes =
        size->processes > 1 ? share_memory(size, threads, &rows) : closure_memory(size->n, threads);
    const uint64_t row = narrow_leading((size_t)size->n) * sizeof(uint16_t);
    return bytes + (narrow ? rows * row : 0);
}

uint64_t cpu_blocked_memory(const struct solver_size *size) {
    const int threads = threads_for(size->n, size->threads);
    const uint64_t bound = (uint64_t)size->n * DISTANCE_BOUND_MEMORY;
    return closing_memory(size, threads, true) +
           memory_behind(size, threads, larger(bound, range_memory(size->n, threads)));
}

uint64_t cpu_blocked32_memory(const struct solver_size *size) {
    const int threads = threads_for(size->n, size->threads);
    return closing_memory(size, threads, false) + memory_behind(size, threads, 0);
}

/* Allocates the memory of one of several processes, for its rows. */
static enum status allocate_share(struct blocked_solve *job, struct error *err) {
    const int32_t n = job->task->graph->n;
    const struct bands bands = bands_choose(n, job->ranks->count, job->ranks->rank);
    const int32_t rows = bands_rows(&bands);
    void *vertices;
    RETURN_ON_FAILURE(memory_alloc(&vertices, (size_t)rows, sizeof(int32_t), "own rows", err));
    int32_t *const vertex = vertices;
    for (int32_t k = 0; k < rows; k++)
        vertex[k] = bands_row(&bands, k);
    job->sources = (struct row_sources){vertex, rows};
    RETURN_ON_FAILURE(matrix_alloc_rows(&job->own[0], rows, n, "distances", err));
    job->dist = &job->own[0];
    if (job->task->predecessors) {
        RETURN_ON_FAILURE(matrix_alloc_rows(&job->own[1], rows, n, "predecessors", err));
        job->pred = &job->own[1];
    }
    return closure_bands_open(&job->bands, &bands, job->threads, err);
}

static enum status allocate(struct blocked_solve *job, enum width width, struct error *err) {
    const int32_t n = job->task->graph->n;
    void *narrow = NULL;
    RETURN_ON_FAILURE(isa_choose(&job->isa, err));
    RETURN_ON_FAILURE(is_shared(job) ? allocate_share(job, err)
                                     : closure_workspace(&job->workspace, n, job->threads, err));
    const size_t rows = (size_t)job->sources.count;
    if (width != WIDE) {
        job->narrow_ld = narrow_leading((size_t)n);
        RETURN_ON_FAILURE(memory_alloc(&narrow, rows * job->narrow_ld, sizeof(uint16_t),
                                       "16-bit distances", err));
        memory_prefer_huge_pages(narrow, rows * job->narrow_ld * sizeof(uint16_t));
    } else {
        memory_prefer_huge_pages(job->dist->cell, rows * job->dist->ld * sizeof(int32_t));
    }
    job->narrow = narrow;
    return STATUS_OK;
}

static void free_job(struct blocked_solve *job) {
    memory_free(job->workspace);
    memory_free(job->narrow);
    if (!is_shared(job))
        return;
    closure_bands_close(&job->bands);
    matrix_free(&job->own[0]);
    matrix_free(&job->own[1]);
    memory_free((void *)job->sources.source);
}

/* Delivers the rows at `count` positions, all of which this process has. */
static enum status hand_on(const struct blocked_solve *job, const int32_t *position, int32_t count,
                           struct error *err) {
    struct delivery *const delivery = job->task->delivery;
    const int32_t blocks = (count + ROW_BLOCK_MAX - 1) / ROW_BLOCK_MAX;
    const int most = blocks < job->threads ? blocks : job->threads;
    const int threads = most > 0 ? most : 1; /* a process may have no row of the answer */
    RETURN_ON_FAILURE(delivery_begin(delivery, threads, err));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t b = 0; b < blocks; b++) {
        int32_t *pred_rows[ROW_BLOCK_MAX];
        struct row_block block = {
            .n = job->dist->n, .type = NUMBER_INT32, .pred = job->pred != NULL ? pred_rows : NULL};
        for (int32_t k = b * ROW_BLOCK_MAX; k < count && block.count < ROW_BLOCK_MAX; k++) {
            const int32_t r = block.count++;
            const int32_t source = row_source(&delivery->sources, position[k]);
            const int32_t row = bands_place(&job->bands.bands, source);
            block.position[r] = position[k];
            block.source[r] = source;
            block.dist[r] = matrix_row(job->dist, row);
            pred_rows[r] = job->pred != NULL ? matrix_row(job->pred, row) : NULL;
        }
        delivery_take(delivery, &block);
    }
    return delivery_end(delivery, err);
}

static enum status hand_on_share(const struct blocked_solve *job, struct error *err) {
    const struct row_sources *const wanted = &job->task->delivery->sources;
    void *memory;
    int32_t count = 0;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)wanted->count, sizeof(int32_t), "the rows", err));
    int32_t *const position = memory;
    for (int32_t p = 0; p < wanted->count; p++) {
        if (bands_place(&job->bands.bands, row_source(wanted, p)) >= 0)
            position[count++] = p;
    }
    const enum status status = hand_on(job, position, count, err);
    memory_free(memory);
    return status;
}

static enum status solve(const struct solver_variant *variant, const struct solver_task *task,
                         enum width width, struct solver_times *times, struct error *err) {
    struct blocked_solve job = {.task = task,
                                .threads = threads_for(task->graph->n, task->options->threads),
                                .ranks = ranks_or_alone(task->options->ranks),
                                .sources = {NULL, task->graph->n},
                                .dist = task->dist,
                                .pred = task->pred};
    enum status status = STATUS_OK;
    TRY(ranks_agree(job.ranks, allocate(&job, width, err), err));
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        const double start = clock_seconds();
        TRY(solve_once(&job, variant, width, &times->around_s, err));
        if (is_shared(&job))
            TRY(hand_on_share(&job, err));
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - start - times->around_s -
                                (is_shared(&job) ? delivery_sink_seconds(task->delivery) : 0);
    }
cleanup:
    free_job(&job);
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

/* Predicts the seconds with 16-bit cells: 76 relaxations in a nanosecond. */
static double narrow_seconds(const struct model_question *q) {
    const double n = q->features->n;
    return model_pairs_seconds(q->features, 7000 / (n * n) + 7 + n / 76);
}

static double seconds(const struct solver_variant *variant, const struct model_question *q,
                      bool is_narrow) {
    const double wide = 1.75; /* 32-bit cells take that many times as long */
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
