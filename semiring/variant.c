// SPDX-License-Identifier: MIT
#include "semiring/variant.h"

#include "common/base/memory.h"  // memory_add
#include "common/base/threads.h" // threads_worth
#include "semiring/line.h"       // line_row
#include "semiring/search.h"     // search_row
#include "solve/delivery.h"      // struct delivery
#include "solve/repetitions.h"   // repetitions_by_rows
#include "solve/row_by_row.h"    // row_by_row_solve

/* Number of sources that a thread takes at a time; proofs take as many rows at a time. */
enum { AT_A_TIME = 32 };

/* State that all threads share: a line or, if the graph has none, a graph to search. */
struct semiring_shared {
    bool has_line;
    struct line line;
    struct search_graph graph;
};

static enum status shared_open(struct semiring_shared *shared, const struct graph *g,
                               const struct progress *progress, struct error *err) {
    bool directed = true;
    *shared = (struct semiring_shared){0};
    if (g->semiring != SEMIRING_MAX_PRODUCT)
        RETURN_ON_FAILURE(graph_is_directed(g, &directed, err));
    shared->has_line = !directed;
    if (!directed)
        return line_make(&shared->line, g, progress, err);
    RETURN_ON_FAILURE(search_graph_open(&shared->graph, g, err));
    return search_graph_thin(&shared->graph, progress, err);
}

static void shared_close(struct semiring_shared *shared) {
    line_free(&shared->line);
    search_graph_close(&shared->graph);
}

/* Allocates a worker's search; with a line it needs none. */
static enum status worker_alloc(void *worker, const struct row_by_row *way, struct error *err) {
    const struct semiring_shared *const shared = way->shared;
    struct search *const search = worker;
    *search = (struct search){0};
    return shared->has_line ? STATUS_OK
                            : search_alloc(search, &shared->graph, way->task->progress, err);
}

static void worker_free(void *worker) {
    search_free(worker);
}

static enum status solve_row(void *worker, const struct row_by_row *way,
                             const struct row_block *block, int32_t r, struct error *err) {
    const struct semiring_shared *const shared = way->shared;
    int32_t *const pred = block->pred != NULL ? block->pred[r] : NULL;
    (void)err;
    if (shared->has_line)
        line_row(&shared->line, block->source[r], block->cells[r], pred);
    else
        search_row(worker, block->source[r], block->cells[r], pred);
    return STATUS_OK;
}

static int threads_for(int32_t n, int64_t m, int32_t sources, bool has_line, int threads) {
    const double row = has_line ? (double)n : 10.0 * ((double)n + (double)m);
    threads = threads_worth(threads, sources * row);
    return threads < sources ? threads : sources;
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    const struct graph *const g = task->graph;
    const struct solver_options *const options = task->options;
    struct delivery *const delivery = task->delivery;
    struct semiring_shared shared;
    enum status status;
    (void)variant, (void)times;
    TRY(shared_open(&shared, g, task->progress, err));
    if (options->on_choice != NULL)
        options->on_choice(options->callback_context, shared.has_line ? "spanning tree" : "search",
                           NULL);
    const int threads =
        threads_for(g->n, g->m, delivery->sources.count, shared.has_line, options->threads);
    TRY(delivery_begin(delivery, threads, err));
    const struct row_by_row way = {.task = task,
                                   .shared = &shared,
                                   .at_a_time = AT_A_TIME,
                                   .worker = sizeof(struct search),
                                   .allocate = worker_alloc,
                                   .find = solve_row,
                                   .release = worker_free};
    status = row_by_row_solve(&way, threads, err);
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
    const uint64_t worker = search_memory(size->n) + row_by_row_memory(size, AT_A_TIME, threads);
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
