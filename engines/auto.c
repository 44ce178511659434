// SPDX-License-Identifier: MIT
#include "engines/auto.h"

#include "accessibility/gpu/gpu_decays.h"  // gpu_decays
#include "common/base/clock.h"             // clock_seconds
#include "common/base/threads.h"           // threads_or_default
#include "common/graph/limit.h"            // NO_LIMIT
#include "cuda_blocked/blocked_variants.h" // cuda_blocked_solver
#include "engines/cpu_auto.h"              // auto_look, auto_searches, cpu_auto_memory
#include "engines/cpu_variants.h"          // cpu_solver
#include "engines/find_features.h"         // features_limit
#include "engines/plan.h"
#include "engines/sparse_model.h"    // cuda_semiring_seconds
#include "engines/sparse_variants.h" // cuda_semiring_variant
#include "flows/gpu/gpu_flows.h"     // gpu_flows
#include "gpu/gpu_devices.h"         // gpu_devices_find
#include "gpu/gpu_model.h"           // gpu_reference
#include "gpu/gpu_solver.h"          // gpu_count
#include "ranks/ranks.h"             // ranks_agree, ranks_broadcast
#include "semiring/variant.h"        // semiring_variant
#include "solve/delivery.h"          // struct delivery
#include "solve/grid.h"              // grid_use
#include "solve/solve.h"             // solve_task

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static enum status query(const struct solver_task *task, struct features *features,
                         struct error *err) {
    const int threads = threads_or_default(task->options->threads);
    if (task->potential != NULL)
        return features_look_wide(task->graph, threads, features, err);
    if (!task->options->explains)
        return features_look(task->graph, threads, features, err);
    /* Engines of GPUs that will not be taken are predicted, too. */
    RETURN_ON_FAILURE(features_look_at_any(task->graph, threads, features, err));
    return features_look_deep(task->graph, threads, features, err);
}

/* Begins to create the context of a GPU that is likely to solve, while the graph is looked at. If
 * vertices have few edges, an elimination may be so fast that a GPU would wake for nothing. */
static void wake(const struct solver_task *task, const struct features *features,
                 const struct plan_goal *goal, const struct rates *rates,
                 struct gpu_warmer *warmer) {
    enum { FEW_EDGES = 8 };
    struct engine likely;
    struct error none;
    if (warmer == NULL || solver_is_warming_up(goal->files) || features->wide ||
        features->degree <= FEW_EDGES ||
        plan_likely(features, task->options, goal, rates, &likely, &none) != STATUS_OK)
        return;
    if (likely.solver->uses_gpu)
        gpu_warmer_start(warmer, likely.variant, task->options->device);
}

/* Makes the plan. One of several processes plans for its share of the rows. Unless warmer is NULL,
 * a GPU may wake meanwhile: the caller waits for it. */
static enum status make_plan(const struct solver_task *task, struct look *look,
                             struct gpu_warmer *warmer, struct plan *plan, struct error *err) {
    uint64_t room;
    RETURN_ON_FAILURE(solve_room(task, &room, err)); /* the look at the elimination uses it, too */
    const int32_t count = task->delivery->sources.count;
    const int processes = task->options->ranks != NULL ? task->options->ranks->count : 1;
    const struct solver_files *const files = task->options->files;
    const struct plan_goal goal = {
        .predecessors = task->predecessors,
        .files = files,
        .check = files != NULL && files->proves,
        .measures = files != NULL && files->measures,
        .room = room > 0 ? room : 1,
        .rows = (count - 1) / processes + 1,
        .limited = task->limit < NO_LIMIT,
        .threads = task->options->threads,
        .streams = !delivery_has_places(task->delivery),
        .totals_do = delivery_takes_totals_within(task->delivery) ||
                     delivery_takes_grid_totals(task->delivery),
        .sums_do = delivery_takes_sums(task->delivery),
    };
    const struct solver_size size = {.n = task->graph->n,
                                     .m = task->graph->m,
                                     .type = task->graph->type,
                                     .grid = grid_use(task->graph),
                                     .threads = goal.threads,
                                     .sources = goal.rows,
                                     .placed = !goal.streams,
                                     .totals = delivery_takes_totals(task->delivery),
                                     .sums = goal.sums_do};
    struct features features;
    struct rates rates;
    RETURN_ON_FAILURE(rates_here(&rates, err));
    RETURN_ON_FAILURE(query(task, &features, err));
    RETURN_ON_FAILURE(features_limit(task->graph, task->limit, count, &features, err));
    wake(task, &features, &goal, &rates, warmer);
    if (!features.wide && features.min_weight >= 0)
        RETURN_ON_FAILURE(auto_look(task->graph, &size, goal.room, solver_is_warming_up(files),
                                    &features, look, err));
    return plan_here(task->graph, &features, task->options, &goal, &rates, false, plan, err);
}

/* Finds whether every process has a GPU, of its own or shared. */
static enum status have_gpus(const struct ranks *ranks, bool *have, struct error *err) {
    struct error none;
    int count = 0;
    int found = gpu_count(&count, &none) == STATUS_OK;
    RETURN_ON_FAILURE(ranks_least(ranks, &found, err));
    *have = found != 0;
    return STATUS_OK;
}

/* Finds the engine for several processes: the one that is predicted to be the fastest of those that
 * can be divided. An engine by matrices is divided, too: each process does a share of its work. The
 * default variant of cuda_blocked is taken, because it goes on if a variant is not exact. */
static enum status fastest_divided(const struct plan *plan, int processes, bool gpus,
                                   struct engine *fastest, struct error *err) {
    double least = HUGE_VAL;
    *fastest = (struct engine){NULL, NULL};
    for (int k = 0; k < plan->usable; k++) {
        const struct prediction *const p = &plan->of[k];
        const double solve_s = p->engine.variant->by_rows || p->engine.variant->solves_rows
                                   ? p->solve_s
                                   : p->solve_s / processes;
        const double total_s = p->total_s - p->solve_s + solve_s;
        if (!p->engine.variant->divides || (p->engine.solver->uses_gpu && !gpus) ||
            total_s >= least)
            continue;
        least = total_s;
        *fastest = p->engine;
    }
    if (fastest->solver == NULL)
        return fail(err, STATUS_NO_RESOURCE,
                    "no engine that %d processes can share can solve this graph here (see apsp "
                    "--plan)",
                    processes);
    if (fastest->solver == &cuda_blocked_solver)
        fastest->variant = solver_find(fastest->solver, fastest->solver->default_variant);
    return STATUS_OK;
}

/* Processes that solve together take the engine that the first of them chooses. */
static enum status choose_together(const struct solver_task *task, const struct plan *plan,
                                   struct prediction *chosen, struct error *err) {
    const struct ranks *const ranks = task->options->ranks;
    enum status status = STATUS_OK;
    char name[80] = "";
    bool gpus;
    RETURN_ON_FAILURE(have_gpus(ranks, &gpus, err));
    *chosen = (struct prediction){.gpus = 1};
    if (ranks_first(ranks)) {
        status = fastest_divided(plan, ranks->count, gpus, &chosen->engine, err);
        if (status == STATUS_OK)
            engine_name(&chosen->engine, name, sizeof name);
    }
    RETURN_ON_FAILURE(ranks_agree(ranks, status, err));
    RETURN_ON_FAILURE(ranks_broadcast(ranks, name, sizeof name, err));
    return engine_find(name, &chosen->engine)
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT, "rank 0 has an engine %s, this process has none",
                      name);
}

/* Index of the engine of the plan to try after number `failed`; plan->usable if no other engine may
 * succeed. */
static int next_of(const struct plan *plan, int failed, enum status status,
                   const struct solver_task *task) {
    const bool lacks_resources = status == STATUS_NO_RESOURCE;
    /* If weights are not negative, an engine refuses a graph only because it is not exact for it.
     */
    if (!lacks_resources && (status != STATUS_BAD_INPUT || task->potential != NULL))
        return plan->usable;
    int next = failed + 1;
    /* A GPU that has failed is not asked again. */
    while (next < plan->usable && lacks_resources && plan->of[failed].engine.solver->uses_gpu &&
           plan->of[next].engine.solver->uses_gpu)
        next++;
    return next;
}

static void report_failure(const struct solver_options *options, const struct prediction *failed,
                           const struct error *reason, const struct prediction *next) {
    char name[80], next_name[80];
    if (options->on_failure != NULL)
        options->on_failure(options->callback_context, prediction_name(failed, name, sizeof name),
                            reason->text, prediction_name(next, next_name, sizeof next_name));
}

/* Receives the variant that an engine has chosen among its own. */
struct inner_choice {
    const struct solver_options *options; /* the options that the caller of the solver gave */
    char variant[64];
};

static void note_choice(void *to, const char *variant, const char *why) {
    struct inner_choice *inner = to;
    (void)why;
    snprintf(inner->variant, sizeof inner->variant, "%s", variant);
}

static void forward_memory(void *to, const struct gpu_memory *memory) {
    const struct solver_options *options = ((struct inner_choice *)to)->options;
    if (options->on_memory != NULL)
        options->on_memory(options->callback_context, memory);
}

static void forward_devices(void *to, int count) {
    const struct solver_options *options = ((struct inner_choice *)to)->options;
    if (options->on_devices != NULL)
        options->on_devices(options->callback_context, count);
}

static void forward_route(void *to, const char *route) {
    const struct solver_options *options = ((struct inner_choice *)to)->options;
    if (options->on_route != NULL)
        options->on_route(options->callback_context, route);
}

static enum status solve_by(const struct prediction *p, const struct solver_task *task,
                            const struct look *look, struct inner_choice *inner,
                            struct solver_times *times, struct error *err) {
    struct solver_options options = *task->options;
    struct solver_task own = *task;
    own.look = task->potential == NULL ? look : NULL;
    if (p->gpus > 1)
        gpu_devices_find(&options);
    options.device_count = p->gpus > 1 ? p->gpus : 0;
    options.on_memory = forward_memory;
    options.on_devices = forward_devices;
    options.on_choice = note_choice;
    options.on_route = forward_route;
    options.on_failure = NULL;
    options.on_cycle = NULL;
    options.callback_context = inner;
    own.options = &options;
    *inner = (struct inner_choice){.options = task->options};
    times->around_s = times->transfer_s = 0;
    times->phases = (struct timing_phases){0};
    return solve_task(p->engine.variant, &own, times, err);
}

/* `variant` is the one that the engine has chosen, or "" if it does not choose. Predictions for
 * engines that were not taken may be too short, unless the look at the graph was close. */
static void report_choice(const struct solver_options *options, const struct prediction *taken,
                          const char *variant, const struct plan *plan) {
    char name[128], *why = NULL;
    size_t size;
    if (options->on_choice == NULL)
        return;
    FILE *text = open_memstream(&why, &size);
    if (text != NULL) {
        plan_print(plan, options->explains ? NULL : taken, text);
        if (fclose(text) != 0) {
            free(why);
            why = NULL;
        }
    }
    snprintf(name, sizeof name, "%s:%s", taken->engine.solver->program,
             variant[0] != '\0' ? variant : taken->engine.variant->name);
    options->on_choice(options->callback_context, name, why);
    free(why);
}

/* Returns whether the task is for searches (auto_searches), which need no plan, unless the plan is
 * to be explained. */
static bool is_for_searches(const struct solver_task *task) {
    const struct graph *const g = task->graph;
    return !task->options->explains && (g->type == NUMBER_INT32 || g->min_weight >= 0) &&
           task->options->ranks == NULL &&
           auto_searches(g->n, task->delivery->sources.count, task->limit < NO_LIMIT);
}

static enum status search(const struct solver_task *task, struct solver_times *times,
                          struct error *err) {
    const struct engine engine = {&cpu_solver, solver_find(&cpu_solver, AUTO_SEARCHES)};
    const struct prediction only = {.engine = engine};
    struct inner_choice inner;
    char name[80];
    RETURN_ON_FAILURE(solve_by(&only, task, NULL, &inner, times, err));
    if (task->options->on_choice != NULL)
        task->options->on_choice(task->options->callback_context,
                                 engine_name(&engine, name, sizeof name), AUTO_SEARCHES_WHY);
    return STATUS_OK;
}

/* Processes that solve together have no second engine: one that fails has stopped all. */
static enum status solve_together(const struct solver_task *task, struct solver_times *times,
                                  struct error *err) {
    struct look look = {0};
    struct plan plan = {.usable = 0};
    struct inner_choice inner;
    struct prediction chosen;
    const double started = clock_seconds();
    enum status status;
    TRY(ranks_agree(task->options->ranks, make_plan(task, &look, NULL, &plan, err), err));
    TRY(choose_together(task, &plan, &chosen, err));
    const double planned = clock_seconds();
    TRY(solve_by(&chosen, task, &look, &inner, times, err));
    times->solve_s[0] += planned - started;
    report_choice(task->options, &chosen, inner.variant, &plan);

cleanup:
    look_free(&look);
    return status;
}

static enum status apsp_auto_solve(const struct solver_variant *variant,
                                   const struct solver_task *task, struct solver_times *times,
                                   struct error *err) {
    struct look look = {0};
    struct gpu_warmer warmer = {0};
    struct plan plan;
    struct inner_choice inner;
    (void)variant;
    if (task->options->ranks != NULL)
        return solve_together(task, times, err);
    if (is_for_searches(task))
        return search(task, times, err);
    const double started = clock_seconds();
    enum status status;
    TRY(make_plan(task, &look, &warmer, &plan, err));
    if (plan.of[0].engine.solver->uses_gpu)
        gpu_warmer_wait(&warmer);
    const double planned = clock_seconds();
    double failed_s = 0; /* seconds spent on engines that failed */
    int taken = 0;
    for (;;) {
        const double begun = clock_seconds();
        status = solve_by(&plan.of[taken], task, &look, &inner, times, err);
        const bool failed = status != STATUS_OK && progress_goes_on(task->progress);
        /* If the sink or the checks of rows refuse, no other engine helps. */
        const int next =
            failed && !task->delivery->refused ? next_of(&plan, taken, status, task) : plan.usable;
        if (next >= plan.usable)
            break;
        report_failure(task->options, &plan.of[taken], err, &plan.of[next]);
        failed_s += clock_seconds() - begun;
        taken = next;
    }
    if (status != STATUS_OK)
        goto cleanup;
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += planned - started;
    times->around_s += failed_s;
    report_choice(task->options, &plan.of[taken], inner.variant, &plan);

cleanup:
    gpu_warmer_wait(&warmer);
    look_free(&look);
    return status;
}

static const struct solver_variant apsp_auto = {
    .name = "auto",
    .summary = "the one of these that is predicted to be the fastest, from file to file",
    .source = "this project",
    .solve = apsp_auto_solve,
    .solve_spread = apsp_auto_solve,
    .chooses_devices = true,
    .searches = "cpu:johnson",
    .by_rows = true,
    .memory = cpu_auto_memory,
    .parallel = true,
    .divides = true,
    .takes_potentials = true,
    .solves_real = true,
    .solves_signed = true,
};

/* Returns the predicted seconds of a task of another semiring than min-plus on a GPU, until the
 * rows are on the host. */
static double gpu_semiring_seconds(const struct solver_task *task, const struct features *features,
                                   const struct rates *rates, const struct gpu_traits *gpu) {
    const struct graph *const g = task->graph;
    const double words = (g->type == NUMBER_FLOAT64 ? 2 : 1) + task->predecessors;
    const double cells = (double)g->n * task->delivery->sources.count;
    const struct model_question question = {.features = features,
                                            .predecessors = task->predecessors,
                                            .gpu = gpu,
                                            .rows = task->delivery->sources.count};
    return (solver_is_warming_up(task->options->files) ? 0 : 1e-3 * rates->of[RATE_CONTEXT]) +
           1e-9 * rates->of[RATE_DOWNLOAD] * words * cells +
           rates->of[RATE_CUDA_SPARSE] *
               cuda_semiring_seconds(&question, g->semiring == SEMIRING_MAX_PRODUCT);
}

/* Offers the GPU for a task of another semiring than min-plus (other_engines.h). The driver is only
 * asked if a fast GPU would be sooner, because its first answer takes as long as a context. */
static enum status offer_gpu(const struct solver_task *task, double own_s,
                             const struct solver_variant **best, double *seconds,
                             struct error *err) {
    const struct solver_files *const files = task->options->files;
    struct features features;
    struct gpu_traits gpu;
    struct rates rates;
    struct error none;
    RETURN_ON_FAILURE(rates_here(&rates, err));
    if (cuda_semiring_variant.launch == NULL || own_s < 1e-3 * rates.of[RATE_CONTEXT])
        return STATUS_OK;
    RETURN_ON_FAILURE(features_look_at_structure(
        task->graph, threads_or_default(task->options->threads), &features, err));
    if (gpu_semiring_seconds(task, &features, &rates, &gpu_reference) >= own_s)
        return STATUS_OK;
    if (files != NULL && files->wait != NULL)
        files->wait(files->self);
    if (gpu_query(task->options->device, &gpu, &none) != STATUS_OK)
        return STATUS_OK;
    *seconds = gpu_semiring_seconds(task, &features, &rates, &gpu);
    *best = *seconds < own_s ? &cuda_semiring_variant : NULL;
    return STATUS_OK;
}

const struct solver_variant *semiring_expected(enum semiring semiring, int32_t n, int64_t m,
                                               int32_t rows, int threads) {
    struct rates rates;
    struct error none;
    return cuda_semiring_variant.launch != NULL && semiring == SEMIRING_MAX_PRODUCT &&
                   rates_here(&rates, &none) == STATUS_OK &&
                   semiring_seconds(semiring, n, m, rows, threads) > 1e-3 * rates.of[RATE_CONTEXT]
               ? &cuda_semiring_variant
               : NULL;
}

static const struct other_engines semiring_others = {.offer = offer_gpu};
static const struct solver_variant apsp_semirings = {SEMIRING_VARIANT, .others = &semiring_others};

const struct solver apsp_solver = {
    .program = "apsp",
    .summary = "All-pairs shortest paths by the engine, on CPU or GPU, that is predicted to be "
               "the fastest",
    .default_output = "output_apsp.txt",
    .default_prefix = "output_apsp",
    .variants = &apsp_auto,
    .variant_count = 1,
    .default_variant = "auto",
    .uses_gpu = true,
    .flows = GPU_LAUNCH(&gpu_flows),
    .decays = GPU_LAUNCH(&gpu_decays),
    .semirings = &apsp_semirings,
};
