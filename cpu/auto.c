// SPDX-License-Identifier: MIT
#include "cpu/auto.h"

#include "common/base/clock.h"          // clock_seconds
#include "common/base/memory.h"         // memory_room
#include "common/solve/delivery.h"      // struct delivery
#include "common/solve/features.h"      // features_look_at_structure
#include "common/solve/solve.h"         // solver_find, solver_memory, solve_task
#include "cpu/parts/limited_features.h" // features_limit
#include "cpu/registry.h"               // cpu_solver

#include <stdio.h>
#include <string.h>

double auto_cost(const struct solver_variant *candidate, const struct features *features,
                 int32_t rows) {
    struct features known = *features;
    known.narrow = true;
    known.wide = false;
    struct model_question q = model_reference(&known, true, NULL);
    q.rows = rows;
    return candidate->model.seconds(candidate, &q);
}

/* The cheapest of the candidates but one that need at most `room` bytes beside the graph and the
 * matrices for a task of that size. The first candidate, the textbook's, needs none. */
static const struct solver_variant *choose_within(const struct features *features,
                                                  const struct solver_size *size, uint64_t room,
                                                  const char *except) {
    const struct solver_variant *best = NULL;
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (!variant->model.candidate || strcmp(variant->name, except) == 0 ||
            solver_memory(variant, size) > room)
            continue;
        if (best == NULL ||
            auto_cost(variant, features, size->sources) < auto_cost(best, features, size->sources))
            best = variant;
    }
    return best;
}

const struct solver_variant *auto_choose_except(const struct features *features, int32_t rows,
                                                const char *except) {
    const struct solver_size size = {
        .n = features->n, .m = features->m, .threads = 1, .sources = rows, .placed = true};
    return choose_within(features, &size, UINT64_MAX, except);
}

const struct solver_variant *auto_choose(const struct features *features, int32_t rows) {
    return auto_choose_except(features, rows, "");
}

uint64_t cpu_auto_memory(const struct solver_size *size) {
    return (uint64_t)size->n * FEATURES_MEMORY;
}

double cpu_auto_seconds(const struct solver_variant *variant, const struct model_question *q) {
    (void)variant;
    const struct solver_variant *chosen = q->features->wide
                                              ? solver_find(&cpu_solver, "johnson")
                                              : auto_choose(q->features, (int32_t)model_rows(q));
    return chosen->model.seconds(chosen, q);
}

/* Writes one line on what the choice rests on. */
static void explain(const struct features *features, int32_t rows, char *why, size_t size) {
    int length = snprintf(why, size,
                          "%.3g edges and %.3g %% of all vertices reached from each; predicted for "
                          "one thread:",
                          features->degree, 100 * features->reach);
    const char *comma = "";
    for (size_t v = 0; v < cpu_solver.variant_count && (size_t)length < size; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (!variant->model.candidate)
            continue;
        length += snprintf(why + length, size - (size_t)length, "%s %s %.2g s", comma,
                           variant->name, auto_cost(variant, features, rows));
        comma = ",";
    }
}

enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err) {
    (void)variant;
    struct features features;
    const struct solver_variant *chosen = solver_find(&cpu_solver, "johnson");
    char why[256] = "reduced weights do not fit in 32 bits";
    const double start = clock_seconds();
    if (task->potential == NULL) {
        const struct solver_size size = {.n = task->graph->n,
                                         .m = task->graph->m,
                                         .threads = task->options->threads,
                                         .predecessors = task->predecessors,
                                         .sources = task->delivery->sources.count,
                                         .placed = delivery_has_places(task->delivery)};
        RETURN_ON_FAILURE(features_look_at_structure(task->graph, &features, err));
        RETURN_ON_FAILURE(features_limit(task->graph, task->limit, size.sources, &features, err));
        const uint64_t room = memory_room(), reserved = task->options->reserved;
        chosen = choose_within(&features, &size, room > reserved ? room - reserved : 0, "");
    }
    const double choosing_s = clock_seconds() - start;
    RETURN_ON_FAILURE(solve_task(chosen, task, times, err));
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += choosing_s;
    if (task->options->on_choice != NULL) {
        if (task->potential == NULL)
            explain(&features, task->delivery->sources.count, why, sizeof why);
        task->options->on_choice(task->options->callback_context, chosen->name, why);
    }
    return STATUS_OK;
}
