// SPDX-License-Identifier: MIT
#include "semiring/variant.h"

#include "common/base/memory.h"      // memory_add
#include "common/base/threads.h"     // threads_worth
#include "semiring/by_elimination.h" // struct eliminated_edges
#include "semiring/line.h"           // line_row
#include "semiring/reachability.h"   // reachability_rows
#include "semiring/search.h"         // search_row
#include "solve/delivery.h"          // struct delivery
#include "solve/other_engines.h"     // struct other_engines
#include "solve/repetitions.h"       // repetitions_by_rows
#include "solve/row_buffer.h"        // row_buffer_memory
#include "solve/row_by_row.h"        // row_by_row_solve
#include "solve/solve.h"             // solve_room, solve_task

#include <math.h>

/* Number of sources from which on reachability is faster than searches. */
enum { SEVERAL = 8 };

/* State that all threads share. */
struct semiring_shared {
    struct line line;           /* zeroed unless rows come from a spanning tree */
    struct search_graph graph;  /* edges that are searched; zeroed if rows come from a tree */
    struct joining_edges edges; /* the same edges in order; zeroed unless rows come from
                                   reachability */
    struct eliminated_edges eliminated; /* zeroed unless rows come from an elimination */
};

/* Memory of one thread for one of the ways. */
union worker {
    struct search search;
    struct reachability reachability;
    struct eliminated_rows eliminated;
};

static enum status allocate_nothing(void *worker, const struct row_by_row *way, struct error *err) {
    (void)worker, (void)way, (void)err;
    return STATUS_OK;
}

static void free_nothing(void *worker) {
    (void)worker;
}

static enum status find_by_line(void *worker, const struct row_by_row *way,
                                const struct row_block *block, int32_t r, struct error *err) {
    const struct semiring_shared *const shared = way->shared;
    (void)worker, (void)err;
    line_row(&shared->line, block->source[r], block->cells[r],
             block->pred != NULL ? block->pred[r] : NULL);
    return STATUS_OK;
}

static enum status allocate_search(void *worker, const struct row_by_row *way, struct error *err) {
    const struct semiring_shared *const shared = way->shared;
    return search_alloc(worker, &shared->graph, way->task->progress, err);
}

static enum status find_by_search(void *worker, const struct row_by_row *way,
                                  const struct row_block *block, int32_t r, struct error *err) {
    (void)way, (void)err;
    search_row(worker, block->source[r], block->cells[r],
               block->pred != NULL ? block->pred[r] : NULL);
    return STATUS_OK;
}

static void free_search(void *worker) {
    search_free(worker);
}

static enum status allocate_reachability(void *worker, const struct row_by_row *way,
                                         struct error *err) {
    const struct semiring_shared *const shared = way->shared;
    return reachability_alloc(worker, &shared->edges, way->task->progress, err);
}

static void find_by_reachability(void *worker, const struct row_by_row *way,
                                 struct row_block *block) {
    (void)way;
    reachability_rows(worker, block);
}

static void free_reachability(void *worker) {
    reachability_free(worker);
}

static enum status allocate_eliminated(void *worker, const struct row_by_row *way,
                                       struct error *err) {
    const struct semiring_shared *const shared = way->shared;
    return eliminated_rows_alloc(worker, &shared->eliminated, err);
}

static void find_by_elimination(void *worker, const struct row_by_row *way,
                                struct row_block *block) {
    (void)way;
    eliminated_rows_find(worker, block);
}

static void free_eliminated(void *worker) {
    eliminated_rows_free(worker);
}

/* A way to find rows. */
struct way {
    const char *name;       /* name in reports */
    double vertex_steps;    /* mean number of steps that a row takes for each vertex */
    double edge_steps;      /* mean number of steps that a row takes for each edge */
    struct row_by_row rows; /* functions of the way, and number of rows that a thread takes at a
                               time; without a task */
};

static const struct way by_line = {
    .name = "spanning tree",
    .vertex_steps = 1,
    .rows = {.at_a_time = 32,
             .allocate = allocate_nothing,
             .find = find_by_line,
             .release = free_nothing},
};
static const struct way by_search = {
    .name = "search",
    .vertex_steps = 10,
    .edge_steps = 10,
    .rows = {.at_a_time = 32,
             .allocate = allocate_search,
             .find = find_by_search,
             .release = free_search},
};
static const struct way by_reachability = {
    .name = "reachability",
    .vertex_steps = 2,
    .edge_steps = 0.5,
    .rows = {.at_a_time = ROW_BLOCK_MAX,
             .allocate = allocate_reachability,
             .find_block = find_by_reachability,
             .release = free_reachability},
};

static const struct way by_elimination = {
    .name = "elimination",
    .vertex_steps = 10,
    .rows = {.allocate = allocate_eliminated, /* as many rows at a time as the processor takes */
             .find_block = find_by_elimination,
             .release = free_eliminated},
};

double semiring_seconds(enum semiring semiring, int32_t n, int64_t m, int32_t sources,
                        int threads) {
    /* Nanoseconds of a thread that shares its core and the caches with others: for a cell by
     * reachability twice those of a thread alone; for a vertex and for an edge of a search. */
    const double cell_ns = 30, vertex_ns = 90, edge_ns = 2.5;
    const double row_ns = semiring == SEMIRING_MAX_PRODUCT
                              ? vertex_ns * (double)n + edge_ns * (double)m
                              : cell_ns * (double)n;
    return 1e-9 * row_ns * sources / (threads < sources ? threads : sources);
}

static int threads_for(const struct way *way, int32_t n, int64_t m, int32_t sources, int threads) {
    const double row = way->vertex_steps * (double)n + way->edge_steps * (double)m;
    threads = threads_worth(threads, sources * row);
    return threads < sources ? threads : sources;
}

/* Eliminates the vertices of a directed graph of min-max or max-min. *pays: rows are found sooner
 * by that than by reachability, and than in `others_s` seconds. */
static enum status try_elimination(struct semiring_shared *shared, const struct solver_task *task,
                                   double others_s, bool *pays, struct error *err) {
    const double cell_s = 15e-9; /* seconds of a cell by reachability on one thread */
    const struct graph *const g = task->graph;
    const struct delivery *const delivery = task->delivery;
    const int threads =
        threads_for(&by_reachability, g->n, g->m, delivery->sources.count, task->options->threads);
    const double own_s = cell_s * delivery->sources.count * (double)g->n / threads;
    struct elimination_wish wish = {.sources = delivery->sources,
                                    .other_s = fmin(own_s, others_s),
                                    .threads = threads,
                                    .progress = task->progress};
    uint64_t room;
    RETURN_ON_FAILURE(solve_room(task, &room, err));
    const uint64_t rows =
        delivery_has_places(delivery)
            ? 0
            : memory_times((uint64_t)threads,
                           row_buffer_memory(g->type, g->n, ROW_BLOCK_MAX, false));
    wish.room = room > rows ? room - rows : 0;
    const enum status status =
        eliminated_edges_make(&shared->eliminated, &shared->graph, &wish, pays, err);
    *pays = *pays && status == STATUS_OK;
    if (!*pays)
        eliminated_edges_free(&shared->eliminated);
    return status == STATUS_NO_RESOURCE ? STATUS_OK : status; /* reachability needs less */
}

/* Asks the other engines for a variant that solves the task sooner than this one; *best is NULL if
 * there is none, and *seconds is infinite then. */
static enum status ask_others(const struct other_engines *others, const struct solver_task *task,
                              const struct solver_variant **best, double *seconds,
                              struct error *err) {
    const struct graph *const g = task->graph;
    *best = NULL;
    *seconds = HUGE_VAL;
    if (others == NULL)
        return STATUS_OK;
    const double own_s = semiring_seconds(g->semiring, g->n, g->m, task->delivery->sources.count,
                                          threads_or_default(task->options->threads));
    return others->offer(task, own_s, best, seconds, err);
}

/* Chooses a way and prepares the graph for it. *other: a variant that solves the task sooner, and
 * nothing is prepared; NULL: there is none. */
static enum status shared_open(struct semiring_shared *shared, const struct other_engines *others,
                               const struct solver_task *task, const struct way **way,
                               const struct solver_variant **other, struct error *err) {
    const struct graph *const g = task->graph;
    const bool is_product = g->semiring == SEMIRING_MAX_PRODUCT;
    const bool directed = is_product || graph_is_directed(g, task->options->threads);
    bool eliminates = false;
    double others_s;
    *shared = (struct semiring_shared){0};
    *other = NULL;
    *way = !directed                                               ? &by_line
           : is_product || task->delivery->sources.count < SEVERAL ? &by_search
                                                                   : &by_reachability;
    if (!directed)
        return line_make(&shared->line, g, task->progress, err);
    RETURN_ON_FAILURE(ask_others(others, task, other, &others_s, err));
    if (*other != NULL && (is_product || task->predecessors))
        return STATUS_OK;
    RETURN_ON_FAILURE(search_graph_open(&shared->graph, g, err));
    RETURN_ON_FAILURE(search_graph_thin(&shared->graph, task->progress, err));
    if (*way != &by_reachability)
        return STATUS_OK;
    if (!task->predecessors)
        RETURN_ON_FAILURE(try_elimination(shared, task, others_s, &eliminates, err));
    if (eliminates) {
        *way = &by_elimination;
        *other = NULL;
    }
    return eliminates || *other != NULL ? STATUS_OK
                                        : joining_edges_make(&shared->edges, &shared->graph, err);
}

static void shared_close(struct semiring_shared *shared) {
    line_free(&shared->line);
    search_graph_close(&shared->graph);
    joining_edges_free(&shared->edges);
    eliminated_edges_free(&shared->eliminated);
}

/* Solves the task once by another variant. *done: it has, and has not failed for lack of a
 * resource. */
static enum status solve_otherwise(const struct solver_variant *other,
                                   const struct solver_task *task, struct solver_times *times,
                                   bool *done, struct error *err) {
    struct solver_task once = *task;
    double solve_s;
    struct solver_times own = {.solve_s = &solve_s};
    once.repetitions = 1;
    const enum status status = solve_task(other, &once, &own, err);
    times->transfer_s = own.transfer_s;
    *done = status != STATUS_NO_RESOURCE || task->delivery->refused ||
            !progress_goes_on(task->progress);
    if (!*done && task->options->on_failure != NULL)
        task->options->on_failure(task->options->callback_context, other->name, err->text,
                                  semiring_variant.name);
    return *done ? status : STATUS_OK;
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    const struct graph *const g = task->graph;
    const struct solver_options *const options = task->options;
    struct delivery *const delivery = task->delivery;
    struct semiring_shared shared;
    const struct solver_variant *other;
    const struct way *way;
    bool done = false;
    enum status status;
    TRY(shared_open(&shared, variant->others, task, &way, &other, err));
    if (other != NULL) {
        TRY(solve_otherwise(other, task, times, &done, err));
        if (done)
            goto cleanup;
        shared_close(&shared);
        TRY(shared_open(&shared, NULL, task, &way, &other, err));
    }
    if (options->on_choice != NULL)
        options->on_choice(options->callback_context, way->name, NULL);
    const int threads = threads_for(way, g->n, g->m, delivery->sources.count, options->threads);
    TRY(delivery_begin(delivery, threads, err));
    struct row_by_row rows = way->rows;
    rows.task = task;
    rows.shared = &shared;
    if (way == &by_elimination) {
        rows.order = shared.eliminated.order;
        rows.at_a_time = eliminated_rows_at_a_time(&shared.eliminated);
    }
    rows.worker = sizeof(union worker);
    status = row_by_row_solve(&rows, threads, err);
cleanup:
    shared_close(&shared);
    return status;
}

enum status semiring_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err) {
    return repetitions_by_rows(variant, task, times, solve_once, err);
}

/* Returns how many bytes threads take if each has a worker of that size. */
static uint64_t workers_memory(const struct solver_size *size, const struct way *way,
                               uint64_t worker) {
    const int threads = threads_for(way, size->n, size->m, size->sources, size->threads);
    worker = memory_add(worker, row_by_row_memory(size, way->rows.at_a_time, threads));
    return memory_times((uint64_t)threads, worker);
}

uint64_t semiring_memory(const struct solver_size *size) {
    const uint64_t line = line_memory(size->type, size->n, size->m);
    const uint64_t edges =
        size->sources < SEVERAL ? 0 : joining_edges_memory(size->type, size->n, size->m);
    const uint64_t search = workers_memory(size, &by_search, search_memory(size->n));
    const uint64_t sets = size->sources < SEVERAL ? 0
                                                  : workers_memory(size, &by_reachability,
                                                                   reachability_memory(size->n));
    return memory_add(memory_add(line, edges), search > sets ? search : sets);
}

const struct solver_variant semiring_variant = {SEMIRING_VARIANT};
