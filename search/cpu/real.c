// SPDX-License-Identifier: MIT
#include "search/cpu/real.h"

#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // threads_worth
#include "search/cpu/ordered_graph.h" // struct ordered_graph
#include "search/cpu/source_order.h"  // source_order_arrange
#include "solve/delivery.h"           // struct delivery
#include "solve/real_rows.h"          // real_rows_find
#include "solve/refine.h"             // refine_coarsen
#include "solve/repetitions.h"        // repetitions_by_rows

#include <string.h>

/* State that all threads share. */
struct real_solve {
    const struct solver_task *task;
    struct real_problem problem;
    int32_t *source, *position; /* vertex of each source, and its position in the answer, strip by
                                   strip */
    int threads;
};

/* Returns whether ordered_graph_number_dense, which needs no copy of the graph, is to be used: rows
 * are long, and looking through one row for each vertex costs little compared with all edges. */
static bool is_dense(int32_t n, int64_t m) {
    /* A dense graph has at least 1 / AT_MOST of the edges that its vertices may have. */
    enum { AT_MOST = 8 };
    return !source_order_groups(n, m) && m / n >= n / AT_MOST;
}

/* Numbers the vertices of a graph that is not dense, by rounded weights. */
static enum status number_sparse(const struct graph *g, int threads,
                                 const struct progress *progress, struct ordered_graph *ordered,
                                 struct error *err) {
    enum { MOST = INF / 2 };
    struct graph coarse = {0};
    enum status status;
    TRY(refine_coarsen(g, MOST, &coarse, progress, err));
    TRY((source_order_groups(g->n, g->m) ? ordered_graph_build : ordered_graph_number)(
        &coarse, threads, progress, ordered, err));
cleanup:
    graph_free(&coarse);
    return status;
}

/* Numbers the vertices and arranges the sources. vertex: vertex of each source. */
static enum status order(struct real_solve *p, int32_t *vertex, struct error *err) {
    const struct solver_task *const task = p->task;
    const struct graph *const g = task->graph;
    const struct row_sources *const wanted = &task->delivery->sources;
    const int32_t lanes = REAL_STRIP_BYTES / (int32_t)number_size(g->type);
    struct ordered_graph ordered = {0};
    enum status status;
    TRY(is_dense(g->n, g->m) ? ordered_graph_number_dense(g, task->progress, &ordered, err)
                             : number_sparse(g, p->threads, task->progress, &ordered, err));
    TRY(source_order_arrange(&ordered, wanted, lanes, p->source, p->position, err));
    memcpy(vertex, ordered.vertex, (size_t)g->n * sizeof *vertex);
    for (int32_t k = 0; k < wanted->count; k++)
        p->source[k] = vertex[p->source[k]];
cleanup:
    ordered_graph_free(&ordered);
    return status;
}

/* Lays out the graph: ordered or, with weights below 0, as it is. */
static enum status arrange(struct real_solve *p, struct error *err) {
    const struct solver_task *const task = p->task;
    const struct graph *const g = task->graph;
    const struct row_sources *const wanted = &task->delivery->sources;
    void *vertex = NULL;
    enum status status = STATUS_OK;
    if (g->min_weight < 0) {
        for (int32_t k = 0; k < wanted->count; k++) {
            p->source[k] = row_source(wanted, k);
            p->position[k] = k;
        }
    } else {
        TRY(memory_alloc(&vertex, (size_t)g->n, sizeof(int32_t), "the order of vertices", err));
        TRY(order(p, vertex, err)); /* the memory of this step is free before edges are laid out */
    }
    status = real_problem_open(&p->problem, g, NULL, vertex, task->limit, task->predecessors,
                               task->progress, err);
cleanup:
    memory_free(vertex);
    return status;
}

static enum status solve_strips(struct real_solve *p, struct error *err) {
    struct delivery *const delivery = p->task->delivery;
    const int32_t sources = delivery->sources.count, lanes = p->problem.kernel->lanes;
    int32_t done = 0;
#pragma omp parallel num_threads(p->threads)
    {
        struct real_worker worker;
        struct error mine;
        const enum status allocated = real_worker_alloc(&worker, &p->problem, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* all threads have allocated before one frees memory */
        int32_t first, count, now_done;
        while (allocated == STATUS_OK && (count = delivery_next(delivery, lanes, &first)) > 0) {
            if (!delivery_wants_any(delivery, p->position + first, count))
                continue;
            const enum status found =
                real_rows_find(&worker, p->source + first, p->position + first, count, NULL, &mine);
            if (found == STATUS_OK)
                delivery_take(delivery, &worker.block);
            else
                delivery_fail(delivery, p->position[first], found, &mine);
#pragma omp atomic capture
            now_done = done += count;
            if (omp_get_thread_num() == 0)
                progress_report(p->task->progress, now_done, sources);
        }
        real_worker_free(&worker);
    }
    return delivery_end(delivery, err);
}

static int threads_for(int32_t n, int64_t m, int32_t sources, int threads) {
    const int32_t strips = (sources - 1) / REAL_MAX_LANES + 1;
    threads = threads_worth(threads, (double)sources * ((double)n + (double)m) / 4);
    return threads < strips ? threads : strips;
}

static enum status solve_once(const struct solver_variant *variant, const struct solver_task *task,
                              struct solver_times *times, struct error *err) {
    (void)variant;
    const int32_t sources = task->delivery->sources.count;
    struct real_solve p = {
        .task = task,
        .threads = threads_for(task->graph->n, task->graph->m, sources, task->options->threads),
    };
    void *memory = NULL;
    enum status status;
    (void)times;
    TRY(delivery_begin(task->delivery, p.threads, err));
    TRY(memory_alloc(&memory, 2 * (size_t)sources, sizeof *p.source, "the sources", err));
    p.source = memory;
    p.position = p.source + sources;
    TRY(arrange(&p, err));
    TRY(solve_strips(&p, err));
cleanup:
    real_problem_close(&p.problem);
    memory_free(memory);
    return status;
}

enum status cpu_real_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err) {
    return repetitions_by_rows(variant, task, times, solve_once, err);
}

uint64_t cpu_real_memory(const struct solver_size *size) {
    const int32_t n = size->n;
    const int threads = threads_for(n, size->m, size->sources, size->threads);
    const uint64_t rows = real_rows_memory(n, size->m, size->type, size->predecessors, threads);
    const uint64_t numbers = source_order_groups(n, size->m)
                                 ? ordered_graph_memory_to_build(n, size->m, threads)
                                 : ordered_graph_memory_to_number(n, size->m);
    const uint64_t order = is_dense(n, size->m) ? ordered_graph_memory_to_number_dense(n)
                                                : memory_add(graph_memory(n, size->m), numbers);
    return memory_add(2 * (uint64_t)size->sources * sizeof(int32_t) + (uint64_t)n * sizeof(int32_t),
                      rows > order ? rows : order);
}
