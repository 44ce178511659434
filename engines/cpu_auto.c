// SPDX-License-Identifier: MIT
#include "engines/cpu_auto.h"

#include "common/base/clock.h"     // clock_seconds
#include "common/base/memory.h"    // memory_room
#include "common/base/threads.h"   // threads_or_default
#include "common/graph/limit.h"    // NO_LIMIT
#include "dissection/cpu.h"        // cpu_dissection_costs
#include "engines/cpu_variants.h"  // cpu_solver
#include "engines/find_features.h" // features_limit
#include "search/cpu/real.h"       // cpu_real_memory
#include "solve/delivery.h"        // struct delivery
#include "solve/grid.h"            // grid_use
#include "solve/refine.h"          // refine_memory
#include "solve/solve.h"           // solver_find, solver_memory, solve_task

#include <math.h>
#include <stdio.h>
#include <string.h>

double auto_cost(const struct solver_variant *candidate, const struct model_question *q) {
    struct features known = *q->features;
    known.narrow = true;
    known.wide = false;
    struct model_question own = *q;
    own.features = &known;
    own.predecessors = true;
    return model_seconds(candidate, &own);
}

/* The cheapest of all candidates, without the one named `except`, that need at most `room` bytes
 * beside the graph and the matrices for a task of that size. For integers there is always one,
 * because `sequential` needs no memory; for real weights `multisource` is taken if memory is too
 * little for all. */
static const struct solver_variant *choose_within(const struct model_question *q,
                                                  const struct solver_size *size, uint64_t room,
                                                  const char *except) {
    const struct solver_variant *best = NULL;
    for (size_t v = 0; v < cpu_solver.variant_count; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (!variant->model.candidate || strcmp(variant->name, except) == 0 ||
            !solver_is_for_weights(variant, q->features) || solver_memory(variant, size) > room)
            continue;
        if (best == NULL || auto_cost(variant, q) < auto_cost(best, q))
            best = variant;
    }
    return best != NULL ? best : solver_find(&cpu_solver, "multisource");
}

static const struct solver_variant *choose_except(const struct model_question *q,
                                                  const char *except) {
    const struct solver_size size = {.n = q->features->n,
                                     .m = q->features->m,
                                     .type = q->features->type,
                                     .grid = q->features->grid,
                                     .threads = 1,
                                     .sources = (int32_t)model_rows(q),
                                     .placed = true,
                                     .steps = q->features->steps};
    return choose_within(q, &size, UINT64_MAX, except);
}

const struct solver_variant *auto_choose(const struct model_question *q) {
    return choose_except(q, "");
}

enum status auto_question(const struct features *features, int32_t rows, int threads,
                          bool predecessors, struct model_question *q, struct error *err) {
    enum isa isa;
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    if (predecessors) {
        *q = model_reference(features, true, NULL);
        q->threads = AUTO_THREADS;
        q->rows = rows;
        return STATUS_OK;
    }
    *q = (struct model_question){.features = features,
                                 .predecessors = true,
                                 .rows = rows,
                                 .threads = threads_or_default(threads),
                                 .vector_steps = model_vector_steps(isa)};
    return STATUS_OK;
}

bool auto_searches(int32_t n, int32_t sources, bool limited) {
    /* Measured on roads, random and dense graphs, int32 and float64: other variants order vertices
     * and edges first, which takes as long as 4 to 20 searches. */
    enum { FEW = 16, FEW_NEAR = 64 };
    return sources < n && sources <= (limited ? FEW_NEAR : FEW);
}

enum status auto_look(const struct graph *g, const struct solver_size *size, uint64_t room,
                      bool quick, struct features *features, struct look *look, struct error *err) {
    const struct solver_variant *const variant = solver_find(&cpu_solver, "dissection");
    struct solver_size solved = *size;
    struct features own = *features;
    struct core_costs costs;
    struct model_question q;
    struct look own_look = {.found.known = true};
    const bool is_kept = look != NULL;
    enum status status;
    look = is_kept ? look : &own_look;
    *look = own_look;
    if (size->type != NUMBER_INT32 &&
        !solver_is_refined(variant, size->type, size->grid, size->predecessors)) {
        own.type = NUMBER_INT32;
        own.max_weight = INF;
    } else if (size->type != NUMBER_INT32) {
        /* `dissection` solves rounded weights here, and its rows are refined. The look is at the
         * graph of rounded weights, as it is when the variant is named. */
        const uint64_t refine = refine_memory(size);
        room = room > refine ? room - refine : 0;
        solved.predecessors = solved.placed = false;
        solved.type = own.type = NUMBER_INT32;
        own.max_weight = INF;
    }
    TRY(auto_question(&own, size->sources, size->threads, solved.predecessors, &q, err));
    q.totals = size->totals;
    cpu_dissection_costs(&solved, room, &costs);
    const struct look_limits limits = {
        .other_s = auto_cost(choose_except(&q, variant->name), &q),
        .slowness = cpu_dissection_slowness(variant, &q),
        .threads = threads_or_default(size->threads),
        .only_features = !is_kept && !size->sums,
        .quick = quick,
    };
    if (look_memory(g->n, g->m) <= room)
        TRY(look_at(g, &costs, &limits, look, err));
    if (size->sums && look->pays) {
        if (size->sources == g->n)
            look->found.both_ways = graph_is_directed(g, limits.threads);
        look->found.sums_s = cpu_dissection_sums_seconds(look, g, size->sources, limits.threads);
    }
    features->elimination = look->found;
    /* A path to the last level has as many edges at least. So much may rule out engines whose time
     * depends on the rest, and spare the searches that would find it. */
    if (!features->deep)
        features->hops = fmax(features->hops, look->found.levels - 1);
    status = STATUS_OK;

cleanup:
    look_free(&own_look);
    return status;
}

/* Graphs that `dissection` leaves to other variants ---------------------------------------------
 */

static enum status choose_other(const struct graph *g, int32_t rows,
                                const struct solver_options *options, bool predecessors,
                                const struct solver_variant **best, struct error *err) {
    struct features features;
    struct model_question q;
    RETURN_ON_FAILURE(
        features_look_at_structure(g, threads_or_default(options->threads), &features, err));
    RETURN_ON_FAILURE(auto_question(&features, rows, options->threads, predecessors, &q, err));
    *best = choose_except(&q, "dissection");
    if (options->ranks != NULL && !((*best)->divides && (*best)->by_rows))
        *best = solver_find(&cpu_solver, "multisource");
    return STATUS_OK;
}

static enum status look_beside_others(const struct graph *g, const struct solver_size *size,
                                      uint64_t room, struct look *look, struct error *err) {
    struct features features;
    RETURN_ON_FAILURE(
        features_look_at_structure(g, threads_or_default(size->threads), &features, err));
    return auto_look(g, size, room, false, &features, look, err);
}

static double seconds_of_others(const struct model_question *q) {
    return model_seconds(choose_except(q, "dissection"), q);
}

const struct other_engines cpu_others = {
    .choose = choose_other, .look = look_beside_others, .seconds = seconds_of_others};

/* ------------------------------------------------------------------------------------------------
 */

uint64_t cpu_auto_memory(const struct solver_size *size) {
    if (size->type != NUMBER_INT32)
        return cpu_real_memory(size);
    return (uint64_t)size->n * FEATURES_MEMORY;
}

double cpu_auto_seconds(const struct solver_variant *variant, const struct model_question *q) {
    (void)variant;
    const struct solver_variant *chosen =
        q->features->wide ? solver_find(&cpu_solver, "johnson") : auto_choose(q);
    return model_seconds(chosen, q);
}

/* Writes one line on the facts behind the choice. The variant was chosen by q, which may be about
 * another machine (auto_question); `here` is the question about this one. */
static void explain(const struct model_question *q, const struct model_question *here, char *why,
                    size_t size) {
    const struct features *const features = q->features;
    int length = snprintf(why, size,
                          "%.3g edges and %.3g %% of all vertices reached from each; predicted for "
                          "%d thread%s:",
                          features->degree, 100 * features->reach, here->threads,
                          here->threads == 1 ? "" : "s");
    const char *comma = "";
    for (size_t v = 0; v < cpu_solver.variant_count && (size_t)length < size; v++) {
        const struct solver_variant *variant = &cpu_solver.variants[v];
        if (!variant->model.candidate || !solver_is_for_weights(variant, features))
            continue;
        length += snprintf(why + length, size - (size_t)length, "%s %s %.2g s", comma,
                           variant->name, auto_cost(variant, here));
        comma = ",";
    }
    if (q->threads != here->threads && (size_t)length < size)
        snprintf(why + length, size - (size_t)length,
                 "; chosen as for %d threads, so that predecessors depend on the graph alone",
                 q->threads);
}

/* Looks at the task's graph, whose weights are not negative, and has the best candidate solve the
 * task. */
static enum status choose_and_solve(const struct solver_task *task, struct solver_times *times,
                                    struct error *err) {
    struct solver_size size = {.n = task->graph->n,
                               .m = task->graph->m,
                               .type = task->graph->type,
                               .grid = grid_use(task->graph),
                               .threads = task->options->threads,
                               .predecessors = task->predecessors,
                               .sources = task->delivery->sources.count,
                               .placed = delivery_has_places(task->delivery),
                               .totals = delivery_takes_totals(task->delivery),
                               .sums = delivery_takes_sums(task->delivery)};
    const double start = clock_seconds();
    struct solver_task own = *task;
    struct features features;
    struct look look = {0};
    struct model_question q, here;
    char why[512];
    enum status status;
    const uint64_t all = memory_room(), reserved = task->options->reserved;
    const uint64_t room = all > reserved ? all - reserved : 0;
    TRY(features_look_at_structure(task->graph, threads_or_default(size.threads), &features, err));
    size.steps = features.steps;
    TRY(features_limit(task->graph, task->limit, size.sources, &features, err));
    TRY(auto_look(task->graph, &size, room, false, &features, &look, err));
    TRY(auto_question(&features, size.sources, size.threads, size.predecessors, &q, err));
    TRY(auto_question(&features, size.sources, size.threads, false, &here, err));
    q.totals = here.totals = delivery_takes_totals_within(task->delivery);
    q.sums = here.sums = delivery_takes_sums(task->delivery);
    const struct solver_variant *const chosen = choose_within(&q, &size, room, "");
    own.look = &look;
    const double choosing_s = clock_seconds() - start;
    TRY(solve_task(chosen, &own, times, err));
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += choosing_s;
    if (task->options->on_choice != NULL) {
        explain(&q, &here, why, sizeof why);
        task->options->on_choice(task->options->callback_context, chosen->name, why);
    }

cleanup:
    look_free(&look);
    return status;
}

/* Has the variant of that name solve the task, and reports it with the reason. */
static enum status solve_by(const struct solver_task *task, const char *name, const char *why,
                            struct solver_times *times, struct error *err) {
    RETURN_ON_FAILURE(solve_task(solver_find(&cpu_solver, name), task, times, err));
    if (task->options->on_choice != NULL)
        task->options->on_choice(task->options->callback_context, name, why);
    return STATUS_OK;
}

enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err) {
    (void)variant;
    const bool few =
        auto_searches(task->graph->n, task->delivery->sources.count, task->limit < NO_LIMIT);
    if (task->graph->type != NUMBER_INT32 && task->graph->min_weight < 0)
        return solve_by(task, "multisource", "some weights are real numbers below 0", times, err);
    if (task->potential != NULL)
        return solve_by(task, "johnson", "reduced weights do not fit in 32 bits", times, err);
    return few ? solve_by(task, AUTO_SEARCHES, AUTO_SEARCHES_WHY, times, err)
               : choose_and_solve(task, times, err);
}
