// SPDX-License-Identifier: MIT
#include "common/solve/solve.h"

#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/solve/potentials.h"  // negative edges
#include "common/solve/range.h"       // distances that do not fit
#include "common/solve/zero_cycles.h" // zero-weight cycles

#include <string.h>

const struct solver_variant *solver_find(const struct solver *solver, const char *name) {
    for (size_t v = 0; v < solver->variant_count; v++) {
        if (strcmp(solver->variants[v].name, name) == 0)
            return &solver->variants[v];
    }
    return NULL;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

uint64_t solve_memory(const struct solver_variant *variant, const struct graph *g, int threads,
                      bool predecessors) {
    const struct solver_size size = {
        .n = g->n, .m = g->m, .threads = threads, .predecessors = predecessors};
    const bool negative = g->min_weight < 0;
    uint64_t most = variant->memory != NULL ? variant->memory(&size) : 0;
    if (variant->launch != NULL) /* on a GPU, to which edges by their heads are sent */
        most = graph_memory(g->n, g->m);
    most = larger(most, range_memory(g->n, threads));
    if (g->min_weight <= 0)
        most = larger(most, contraction_memory(g->n));
    if (negative) /* potentials, and the reduced graph */
        most = memory_add(most, (uint64_t)g->n * sizeof(int64_t) + graph_memory(g->n, g->m));
    return most;
}

/* Solves the quotient in the upper left corner of the task's matrices. */
static enum status solve_contracted(const struct solver_variant *variant,
                                    const struct solver_task *task, const struct graph *quotient,
                                    struct solver_times *times, struct error *err) {
    struct solver_task smaller = *task;
    struct matrix dist = *task->dist, pred = {0};
    dist.n = quotient->n;
    smaller.graph = quotient;
    smaller.contracted_from = task->graph->n;
    smaller.dist = &dist;
    if (task->pred != NULL) {
        pred = *task->pred;
        pred.n = quotient->n;
        smaller.pred = &pred;
    }
    return variant->solve(variant, &smaller, times, err);
}

/* Weights >= 0. Contracts zero-weight cycles before and expands them after. */
static enum status solve_non_negative(const struct solver_variant *variant,
                                      const struct solver_task *task, struct solver_times *times,
                                      double *extra_s, struct error *err) {
    struct contraction contraction;
    double start = clock_seconds();
    enum status status = contraction_find(task->graph, &contraction, task->progress, err);
    *extra_s += clock_seconds() - start;
    if (status != STATUS_OK)
        return status;
    const bool contracted = contraction.quotient.n > 0;
    status = contracted ? solve_contracted(variant, task, &contraction.quotient, times, err)
                        : variant->solve(variant, task, times, err);
    start = clock_seconds();
    if (status == STATUS_OK && contracted)
        contraction_expand(&contraction, task->dist, task->pred, task->progress);
    if (status == STATUS_OK && !range_is_safe(task->graph))
        status = range_check(task->graph, task->dist, task->options->threads, task->progress, err);
    *extra_s += clock_seconds() - start;
    contraction_free(&contraction);
    return status;
}

/* Finds potentials, solves the reweighted graph, and undoes the reweighting. */
static enum status solve_reweighted(const struct solver_variant *variant, struct solver_task task,
                                    struct solver_times *times, double *extra_s,
                                    struct error *err) {
    struct graph reduced = {0};
    struct cycle cycle = {0};
    void *potential;
    double start = clock_seconds();
    enum status status =
        memory_alloc(&potential, (size_t)task.graph->n, sizeof(int64_t), "the potentials", err);
    if (status == STATUS_OK)
        status = potentials_find(task.graph, potential, &cycle, task.progress, err);
    if (status == STATUS_NEGATIVE_CYCLE && task.options->on_cycle != NULL)
        task.options->on_cycle(task.options->callback_context, &cycle);
    if (status == STATUS_OK)
        status = potentials_reweight(task.graph, potential, &reduced, err);
    const struct graph *const g = task.graph;
    const bool wide = status == STATUS_OK && variant->takes_potentials && !range_is_safe(&reduced);
    *extra_s += clock_seconds() - start;
    if (status != STATUS_OK)
        goto cleanup;
    if (wide) {
        task.potential = potential;
        status = variant->solve(variant, &task, times, err);
        goto cleanup;
    }

    task.graph = &reduced;
    status = solve_non_negative(variant, &task, times, extra_s, err);
    if (status == STATUS_BAD_INPUT) {
        struct error inner = *err;
        fail(err, status, "with weights made non-negative, %.900s", inner.text);
    }
    if (status != STATUS_OK)
        goto cleanup;

    start = clock_seconds();
    status = potentials_restore(g, potential, task.dist, err);
    *extra_s += clock_seconds() - start;

cleanup:
    graph_free(&reduced);
    memory_free(cycle.vertices);
    memory_free(potential);
    return status;
}

enum status solve(const struct solver_variant *variant, const struct graph *g,
                  const struct solver_options *options, struct matrix *dist, struct matrix *pred,
                  struct progress *progress, int repetitions, struct timing *timing,
                  struct error *err) {
    const struct solver_task task = {.graph = g,
                                     .dist = dist,
                                     .pred = pred,
                                     .repetitions = repetitions,
                                     .options = options,
                                     .progress = progress};
    struct solver_times times = {0};
    double extra_s = 0; /* part of every solve_s, the same for each repetition */
    void *solve_s;
    enum status status =
        memory_alloc(&solve_s, (size_t)repetitions, sizeof(double), "the timings", err);
    if (status != STATUS_OK)
        return status;
    times.solve_s = solve_s;
    status = g->min_weight < 0 ? solve_reweighted(variant, task, &times, &extra_s, err)
                               : solve_non_negative(variant, &task, &times, &extra_s, err);
    /* What was stopped may have found anything. */
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
    for (int r = 0; r < repetitions && status == STATUS_OK; r++) {
        timing[r].solve_s = times.solve_s[r] + extra_s;
        timing[r].total_s = timing[r].solve_s + times.around_s;
        timing[r].transfer_s = times.transfer_s;
    }
    memory_free(solve_s);
    return status;
}
