// SPDX-License-Identifier: MIT
#include "semiring/variant.h"

#include "common/base/memory.h"  // memory_add
#include "common/base/threads.h" // threads_worth
#include "semiring/line.h"       // line_row
#include "semiring/search.h"     // search_row
#include "solve/delivery.h"      // struct delivery
#include "solve/repetitions.h"   // repetitions_by_rows
#include "solve/row_buffer.h"    // struct row_buffer

/* Sources that a thread takes at a time, if there are enough for all: as many as are proved at a
 * time. */
enum { SOURCES = 32 };

/* What all threads share: a line or, of graphs without one, keys. */
struct shared {
    bool has_line;
    struct line line;
    struct search_graph graph;
};

/* The memory of one thread. */
struct worker {
    struct search search;
    struct row_buffer rows;
};

static enum status shared_open(struct shared *shared, const struct graph *g,
                               const struct progress *progress, struct error *err) {
    bool directed = true;
    *shared = (struct shared){0};
    if (g->semiring != SEMIRING_MAX_PRODUCT)
        RETURN_ON_FAILURE(graph_is_directed(g, &directed, err));
    shared->has_line = !directed;
    if (!directed)
        return line_make(&shared->line, g, progress, err);
    RETURN_ON_FAILURE(search_graph_open(&shared->graph, g, err));
    return search_graph_thin(&shared->graph, progress, err);
}

static void shared_close(struct shared *shared) {
    line_free(&shared->line);
    search_graph_close(&shared->graph);
}

static enum status worker_alloc(struct worker *w, const struct solver_task *task,
                                const struct shared *shared, int32_t sources, struct error *err) {
    *w = (struct worker){0};
    if (!shared->has_line)
        RETURN_ON_FAILURE(search_alloc(&w->search, &shared->graph, task->progress, err));
    return row_buffer_alloc(&w->rows, task->delivery, sources, err);
}

static void worker_free(struct worker *w) {
    search_free(&w->search);
    row_buffer_free(&w->rows);
}

/* `count` rows from `first` on go to the delivery. */
static void solve_block(struct worker *w, const struct shared *shared, struct delivery *delivery,
                        int32_t first, int32_t count) {
    struct row_block *const block = &w->rows.block;
    int32_t position[SOURCES];
    for (int32_t r = 0; r < count; r++)
        position[r] = first + r;
    row_buffer_start(&w->rows, position, count);
    for (int32_t r = 0; r < count && delivery_wants(delivery, first + r); r++) {
        int32_t *const pred = block->pred != NULL ? block->pred[r] : NULL;
        if (shared->has_line)
            line_row(&shared->line, block->source[r], block->cells[r], pred);
        else
            search_row(&w->search, block->source[r], block->cells[r], pred);
    }
    delivery_take(delivery, block);
}

static int threads_for(int32_t n, int64_t m, int32_t sources, bool has_line, int threads) {
    const double row = has_line ? (double)n : 10.0 * ((double)n + (double)m);
    threads = threads_worth(threads, sources * row);
    return threads < sources ? threads : sources;
}

static int32_t sources_at_a_time(int32_t sources, int threads) {
    const int32_t each = sources / threads;
    return each < 1 ? 1 : each < SOURCES ? each : SOURCES;
}

static enum status solve_rows_of(const struct solver_task *task, const struct shared *shared,
                                 int threads, struct error *err) {
    struct delivery *const delivery = task->delivery;
    const int32_t sources = delivery->sources.count;
    const int32_t each = sources_at_a_time(sources, threads);
    int32_t done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct worker worker;
        struct error mine;
        const enum status allocated = worker_alloc(&worker, task, shared, each, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* nobody frees memory before all have got theirs */
        int32_t first, count, now_done;
        while (allocated == STATUS_OK && (count = delivery_next(delivery, each, &first)) > 0) {
            if (!delivery_wants(delivery, first))
                continue;
            solve_block(&worker, shared, delivery, first, count);
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
    const struct graph *const g = task->graph;
    const struct solver_options *const options = task->options;
    struct delivery *const delivery = task->delivery;
    struct shared shared;
    enum status status;
    (void)variant, (void)times;
    TRY(shared_open(&shared, g, task->progress, err));
    if (options->on_choice != NULL)
        options->on_choice(options->callback_context, shared.has_line ? "spanning tree" : "search",
                           NULL);
    const int threads =
        threads_for(g->n, g->m, delivery->sources.count, shared.has_line, options->threads);
    TRY(delivery_begin(delivery, threads, err));
    TRY(solve_rows_of(task, &shared, threads, err));
cleanup:
    shared_close(&shared);
    return status;
}

static enum status semiring_solve(const struct solver_variant *variant,
                                  const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    return repetitions_by_rows(variant, task, times, solve_once, err);
}

static uint64_t semiring_memory(const struct solver_size *size) {
    const int threads = threads_for(size->n, size->m, size->sources, false, size->threads);
    const int32_t rows = sources_at_a_time(size->sources, threads);
    const uint64_t worker =
        search_memory(size->type, size->n) +
        (size->placed ? 0 : row_buffer_memory(size->type, size->n, rows, size->predecessors));
    const uint64_t line = line_memory(size->type, size->n, size->m);
    return memory_add(line, memory_times((uint64_t)threads, worker));
}

const struct solver_variant semiring_variant = {
    .name = "semiring",
    .summary =
        "spanning tree of a symmetric graph, otherwise a search from each source, on the CPU",
    .source = "Prim 1957, Pollack 1960",
    .solve = semiring_solve,
    .by_rows = true,
    .memory = semiring_memory,
    .solves_real = true,
    .solves_signed = true,
    .solves_semirings = true,
    .parallel = true,
};
