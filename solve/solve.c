// SPDX-License-Identifier: MIT
#include "solve/solve.h"

#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // threads_or_default
#include "common/graph/matrix_sink.h" // struct matrix_sink
#include "ranks/ranks.h"              // ranks_least
#include "solve/by_components.h"      // solve_by_components
#include "solve/by_spacings.h"        // solve_by_spacings
#include "solve/by_zones.h"           // solve_by_zones
#include "solve/delivery.h"           // struct delivery
#include "solve/grid.h"               // grid_use
#include "solve/light_edges.h"        // light_edges_find
#include "solve/potentials.h"         // negative edges
#include "solve/range.h"              // range_is_safe
#include "solve/reached_edges.h"      // reached_edges_find
#include "solve/real_cycles.h"        // real_cycles_find
#include "solve/refine.h"             // struct refine_sink
#include "solve/wide_distances.h"     // struct integer_sink

#include <limits.h>
#include <math.h>
#include <string.h>

const struct solver_variant *solver_find(const struct solver *solver, const char *name) {
    for (size_t v = 0; v < solver->variant_count; v++) {
        if (strcmp(solver->variants[v].name, name) == 0)
            return &solver->variants[v];
    }
    return NULL;
}

const struct solver_variant *solver_find_same(const struct solver *solver,
                                              const struct solver_variant *variant) {
    for (size_t v = 0; v < solver->variant_count; v++) {
        const struct solver_variant *const other = &solver->variants[v];
        if (other->solve == variant->solve && other->launch == variant->launch &&
            other->summary == variant->summary)
            return other;
    }
    return NULL;
}

uint64_t solver_memory(const struct solver_variant *variant, const struct solver_size *size) {
    if (solver_is_refined(variant, size->type, size->grid, size->predecessors)) {
        struct solver_size rounded = *size;
        rounded.type = NUMBER_INT32;
        rounded.predecessors = rounded.placed = false;
        return memory_add(solver_memory(variant, &rounded), refine_memory(size));
    }
    const uint64_t own = variant->memory != NULL ? variant->memory(size) : 0;
    const bool in_place = size->placed && size->sources == size->n;
    return variant->by_rows || in_place || size->processes > 1
               ? own
               : memory_add(own, matrix_memory(size->n, size->predecessors ? 2 : 1));
}

/* Returns whether weights reduced by potentials may need more than 32 bits. The bound of paths is
 * that of the weights themselves, because potentials are not known. */
static bool may_be_wide(const struct graph *g) {
    return g->type == NUMBER_INT32 && g->min_weight < 0 &&
           fmax(-g->min_weight, g->max_weight) * g->n >= INF;
}

uint64_t solve_memory(const struct solver_variant *variant, const struct solve_size *size) {
    const struct graph *g = size->graph;
    const struct solver_size inner = {.n = g->n,
                                      .m = g->m,
                                      .type = g->type,
                                      .grid = grid_use(g),
                                      .threads = size->threads,
                                      .predecessors = size->predecessors,
                                      .wide = variant->takes_potentials && may_be_wide(g),
                                      .sources = size->sources,
                                      .placed = size->matrices,
                                      .processes = size->processes,
                                      .steps = size->steps};
    uint64_t most;
    if (grid_fits_int32(g)) {
        const struct graph spacings = {.n = g->n, .m = g->m};
        struct solve_size own = *size;
        own.graph = &spacings;
        own.matrices = false;
        return memory_add(solve_memory(variant, &own),
                          spacings_memory(g->n, g->m, threads_or_default(size->threads)));
    }
    most = solver_memory(variant, &inner);
    if (variant->launch != NULL) /* a GPU gets edges sorted by their heads */
        most = memory_add(
            most, graph_memory_of(variant->solves_real ? g->type : NUMBER_INT32, g->n, g->m));
    most = memory_add(most, delivery_memory(g, size->threads));
    if (g->min_weight < 0) /* for potentials and the reweighted graph */
        most = memory_add(most, (uint64_t)g->n * sizeof(int64_t) + graph_memory(g->n, g->m));
    return most;
}

uint64_t run_memory_with(const struct run_memory *run, uint64_t solve) {
    const uint64_t largest = solve > run->turns ? solve : run->turns;
    return memory_add(run->held, run->streams ? memory_add(solve, run->turns) : largest);
}

/* Allocates matrices for the answer of a matrix engine if the sink has none. */
static enum status matrices_alloc(struct solver_task *task, struct matrix *dist,
                                  struct matrix *pred, struct error *err) {
    RETURN_ON_FAILURE(matrix_alloc(dist, task->graph->n, "distances", err));
    task->dist = dist;
    if (task->predecessors) {
        RETURN_ON_FAILURE(matrix_alloc(pred, task->graph->n, "predecessors", err));
        task->pred = pred;
    }
    return STATUS_OK;
}

/* Solves a graph of rounded weights with the variant, and refines its rows. */
static enum status solve_and_refine(const struct solver_variant *variant,
                                    const struct solver_task *task, struct solver_times *times,
                                    struct error *err) {
    const struct delivery *const whole = task->delivery;
    const double start = clock_seconds();
    struct graph coarse = {0};
    struct refine_sink refine = {0};
    struct delivery delivery = {.graph = &coarse,
                                .sources = whole->sources,
                                .limit = NO_LIMIT,
                                .sink = &refine.sink,
                                .ranks = whole->ranks,
                                .progress = whole->progress,
                                .on_variant = whole->on_variant,
                                .variant_context = whole->variant_context};
    struct solver_task rounded = *task;
    enum status status;
    TRY(refine_coarsen(task->graph, refine_most(variant), &coarse, task->progress, err));
    TRY(refine_sink_open(&refine, task->graph, &coarse, task->limit, task->predecessors,
                         whole->sink, task->progress, err));
    TRY(delivery_open(&delivery, task->options->threads, err));
    rounded.graph = &coarse;
    rounded.delivery = &delivery;
    rounded.limit = NO_LIMIT;
    rounded.predecessors = false;
    const double prepared_s = clock_seconds() - start;
    TRY(solve_task(variant, &rounded, times, err));
    times->phases.refine_s = refine_sink_seconds(&refine);
    times->phases.rounded_s = prepared_s + times->solve_s[task->repetitions - 1];
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += prepared_s + times->phases.refine_s;
cleanup:
    task->delivery->refused = delivery.refused;
    delivery_close(&delivery);
    refine_sink_close(&refine);
    graph_free(&coarse);
    return status;
}

enum status solve_task(const struct solver_variant *variant, const struct solver_task *task,
                       struct solver_times *times, struct error *err) {
    struct delivery *const delivery = task->delivery;
    const struct row_sink *const sink = delivery->sink;
    struct matrix dist = {0}, pred = {0};
    struct solver_task whole = *task;
    enum status status = STATUS_OK;
    const enum number_type type = task->graph->type;
    const bool is_refined =
        solver_is_refined(variant, type, grid_use(task->graph), task->predecessors);
    if (is_refined) {
        RETURN_ON_FAILURE(refine_check(variant, type, err));
        if (!solver_refines_itself(variant, task->options))
            return solve_and_refine(variant, task, times, err);
    }
    if (delivery->on_variant != NULL)
        delivery->on_variant(delivery->variant_context, variant);
    if (type != NUMBER_INT32 && !variant->solves_real && !is_refined)
        return variant->solve_on_grid(variant, task, times, err);
    if (variant->by_rows || task->options->ranks != NULL)
        return variant->solve(variant, task, times, err);
    if (sink->dist_matrix != NULL && delivery->sources.source == NULL) {
        whole.dist = sink->dist_matrix;
        whole.pred = task->predecessors ? sink->pred_matrix : NULL;
    } else {
        TRY(matrices_alloc(&whole, &dist, &pred, err));
    }
    TRY(variant->solve(variant, &whole, times, err));
    const double start = clock_seconds();
    TRY(delivery_take_matrices(delivery, whole.dist, whole.pred, task->options->threads, err));
    const double seconds = clock_seconds() - start - delivery_sink_seconds(delivery);
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += seconds;
cleanup:
    matrix_free(&dist);
    matrix_free(&pred);
    return status;
}

enum status solve_room(const struct solver_task *task, uint64_t *room, struct error *err) {
    const uint64_t all = memory_room(), reserved = task->options->reserved;
    *room = all > reserved ? all - reserved : 0;
    if (task->options->ranks == NULL)
        return STATUS_OK;
    int mebibytes = *room >> 20 < INT_MAX ? (int)(*room >> 20) : INT_MAX;
    RETURN_ON_FAILURE(ranks_least(task->options->ranks, &mebibytes, err));
    *room = (uint64_t)mebibytes << 20;
    return STATUS_OK;
}

/* Solves a graph without negative weights, or one with potentials that the variant takes. */
static enum status solve_prepared(const struct solver_variant *variant, struct solver_task *task,
                                  struct delivery *delivery, struct solver_times *times,
                                  double *extra_s, struct error *err) {
    const double start = clock_seconds();
    enum status status = STATUS_OK;
    delivery->graph = task->graph;
    TRY(delivery_open(delivery, task->options->threads, err));
    *extra_s += clock_seconds() - start;
    task->delivery = delivery;
    TRY(solve_task(variant, task, times, err));
cleanup:
    /* The message of the engine is about distances of the reweighted graph, so say so. Messages
     * from after the engine are about the original graph. */
    if (status == STATUS_BAD_INPUT && delivery->potential != NULL && !delivery->refused) {
        const struct error inner = *err;
        fail(err, status, "with weights made non-negative, %.900s", inner.text);
        err->is_out_of_range = inner.is_out_of_range;
    }
    delivery_close(delivery);
    return status;
}

enum status solve_kept_find(struct solve_kept *kept, const struct solver_variant *variant,
                            const struct graph *g, const struct row_sources *sources,
                            const struct progress *progress, struct error *err) {
    const bool on_gpu =
        variant->launch != NULL && (variant->solves_real || variant->launch_refined != NULL);
    const int64_t many = on_gpu ? LIGHT_EDGES_OF_MANY_ON_GPU : LIGHT_EDGES_OF_MANY;
    if (kept->is_found || g->semiring != SEMIRING_MIN_PLUS)
        return STATUS_OK;
    const double start = clock_seconds();
    if (g->min_weight < 0)
        RETURN_ON_FAILURE(reached_edges_find(g, sources, &kept->light, progress, err));
    else
        RETURN_ON_FAILURE(light_edges_find(g, many, &kept->light, progress, err));
    kept->find_s = clock_seconds() - start;
    kept->is_found = true;
    return STATUS_OK;
}

const struct graph *solve_kept_graph(const struct solve_kept *kept, const struct graph *g) {
    return kept->light.n > 0 ? &kept->light : g;
}

void solve_kept_free(struct solve_kept *kept) {
    memory_free(kept->potential);
    graph_free(&kept->light);
    *kept = (struct solve_kept){0};
}

/* Finds potentials, unless `kept` has them, and reports a negative cycle. */
static enum status find_potentials(const struct solver_task *task, struct solve_kept *kept,
                                   struct error *err) {
    const struct solver_options *const options = task->options;
    struct cycle cycle = {0};
    void *potential = NULL;
    enum status status = STATUS_OK;
    if (kept->potential != NULL)
        return STATUS_OK;
    TRY(memory_alloc(&potential, (size_t)task->graph->n, sizeof(int64_t), "the potentials", err));
    status = potentials_find(task->graph, potential, &cycle, task->progress, err);
    if (status == STATUS_NEGATIVE_CYCLE && options->on_cycle != NULL)
        options->on_cycle(options->callback_context, &cycle);
    TRY(status);
    if (!progress_goes_on(task->progress)) /* the potentials may be garbage */
        TRY(progress_cancelled(err));
    kept->potential = potential;
    potential = NULL;
cleanup:
    memory_free(cycle.vertices);
    memory_free(potential);
    return status;
}

/* Finds potentials and solves the reweighted graph. If the new weights may not fit in 32 bits and
 * the variant takes potentials, it solves the graph itself. */
static enum status solve_reweighted(const struct solver_variant *variant, struct solver_task task,
                                    struct delivery *delivery, struct solve_kept *kept,
                                    struct solver_times *times, double *extra_s,
                                    struct error *err) {
    struct graph reduced = {0};
    const double start = clock_seconds();
    enum status status = STATUS_OK;
    TRY(find_potentials(&task, kept, err));
    TRY(potentials_reweight(task.graph, kept->potential, &reduced, err));
    if (variant->takes_potentials && !range_is_safe(&reduced, task.options->threads)) {
        task.potential = kept->potential;
        delivery->ready_made = true;
    } else {
        task.graph = &reduced;
        delivery->potential = kept->potential;
    }
    *extra_s += clock_seconds() - start;
    status = solve_prepared(variant, &task, delivery, times, extra_s, err);
cleanup:
    graph_free(&reduced);
    return status;
}

/* Returns whether the variant solves a graph with weights below 0 as it is. */
static bool takes_as_it_is(const struct solver_variant *variant, const struct solver_task *task) {
    return !task->predecessors && variant->takes_negative != NULL &&
           variant->takes_negative(task->graph);
}

/* Solves the graph as it is with the variant. If there is a negative cycle, the search for
 * potentials names it. */
static enum status solve_signed(const struct solver_variant *variant, struct solver_task *task,
                                struct delivery *delivery, struct solve_kept *kept,
                                struct solver_times *times, double *extra_s, struct error *err) {
    const struct delivery before = *delivery;
    delivery->ready_made = true;
    const enum status status = solve_prepared(variant, task, delivery, times, extra_s, err);
    if (status != STATUS_NEGATIVE_CYCLE)
        return status;
    *delivery = before;
    return solve_reweighted(variant, *task, delivery, kept, times, extra_s, err);
}

static enum status prepare_and_solve(const struct solver_variant *variant,
                                     const struct solve_request *request, struct solve_kept *kept,
                                     struct row_sink *sink, struct timing *timing,
                                     struct error *err) {
    struct solver_task task = {.graph = solve_kept_graph(kept, request->graph),
                               .predecessors = request->predecessors,
                               .limit = request->limit,
                               .repetitions = request->repetitions,
                               .options = request->options,
                               .progress = request->progress};
    struct delivery delivery = {.sources = request->sources,
                                .limit = request->limit,
                                .with_pred = request->predecessors,
                                .sink = sink,
                                .ranks = request->options->ranks,
                                .progress = request->progress,
                                .on_variant = request->on_variant,
                                .variant_context = request->variant_context,
                                .ready_made = variant->solves_semirings};
    struct solver_times times = {0};
    double extra_s = kept->find_s; /* seconds added to the solve_s of every repetition */
    void *solve_s;
    enum status status =
        memory_alloc(&solve_s, (size_t)request->repetitions, sizeof(double), "the timings", err);
    if (status != STATUS_OK)
        return status;
    times.solve_s = solve_s;
    kept->find_s = 0;
    status =
        task.graph->min_weight >= 0 || task.graph->type != NUMBER_INT32 || variant->solves_semirings
            ? solve_prepared(variant, &task, &delivery, &times, &extra_s, err)
        : takes_as_it_is(variant, &task)
            ? solve_signed(variant, &task, &delivery, kept, &times, &extra_s, err)
            : solve_reweighted(variant, task, &delivery, kept, &times, &extra_s, err);
    /* After a stop, statuses and results mean nothing. */
    if (!progress_goes_on(request->progress))
        status = progress_cancelled(err);
    for (int r = 0; r < request->repetitions && status == STATUS_OK; r++) {
        timing[r].solve_s = times.solve_s[r] + extra_s;
        timing[r].total_s = timing[r].solve_s + times.around_s;
        timing[r].transfer_s = times.transfer_s;
        timing[r].phases = times.phases;
    }
    memory_free(solve_s);
    return status;
}

static enum status refuse_signed(const struct solver_variant *variant, const struct graph *g,
                                 struct error *err) {
    return fail(err, STATUS_BAD_INPUT,
                "%s: expected %s weights of 0 or more, found %.17g; the variant multisource of cpu "
                "takes weights below 0",
                variant->name, graph_type_name(g), g->min_weight);
}

/* Fails if real weights are below 0 and the variant does not take such weights. A variant that adds
 * up real weights itself names a negative cycle first. */
static enum status check_signed(const struct solver_variant *variant, const struct graph *g,
                                const struct solve_request *request, struct error *err) {
    const struct solver_options *const options = request->options;
    struct cycle cycle = {0};
    if (!variant->solves_real)
        return refuse_signed(variant, g, err);
    const enum status status = real_cycles_find(g, &cycle, request->progress, err);
    if (status == STATUS_NEGATIVE_CYCLE && options->on_cycle != NULL)
        options->on_cycle(options->callback_context, &cycle);
    memory_free(cycle.vertices);
    return status == STATUS_OK && !variant->solves_signed ? refuse_signed(variant, g, err) : status;
}

/* Fails if the graph's semiring is not for the variant, which solves either min-plus alone or all
 * others. */
static enum status check_semiring(const struct solver_variant *variant,
                                  const struct solve_request *request, struct error *err) {
    const struct graph *const g = request->graph;
    if (variant->solves_semirings && request->limit < NO_LIMIT)
        return fail(err, STATUS_BAD_INPUT, "%s: expected no limit on lengths, found one",
                    variant->name);
    if (variant->solves_semirings == (g->semiring != SEMIRING_MIN_PLUS))
        return semiring_check_graph(g, err);
    return fail(err, STATUS_BAD_INPUT, "%s: expected a graph of %s, found one of %s", variant->name,
                variant->solves_semirings ? "another semiring" : semiring_name(SEMIRING_MIN_PLUS),
                semiring_name(g->semiring));
}

/* Returns whether components may be solved one by one. They may not if several processes divide the
 * rows of the whole graph, if rows are resumed, which must come from one variant, or if the sink
 * takes rows in the memory of a GPU. */
static bool may_split(const struct solver_variant *variant, const struct solve_request *request,
                      const struct row_sink *sink) {
    return variant->searches != NULL && request->graph->min_weight >= 0 &&
           request->options->ranks == NULL && request->on_variant == NULL &&
           (sink->take_device == NULL || sink->begin_part != NULL);
}

/* Solves the components one by one if that pays. *done, false before the call, tells whether it
 * did. */
static enum status solve_parts(const struct solver_variant *variant,
                               const struct solve_request *request, struct row_sink *sink,
                               struct timing *timing, bool *done, struct error *err) {
    struct component_parts parts = {0};
    const double start = clock_seconds();
    enum status status;
    TRY(component_parts_find(request->graph, request->sources.count, &parts, err));
    const double found_s = clock_seconds() - start;
    if (parts.count > 1)
        TRY(solve_by_components(variant, request, &parts, sink, timing, done, err));
    for (int r = 0; r < request->repetitions && *done; r++) {
        timing[r].solve_s += found_s;
        timing[r].total_s += found_s;
    }
cleanup:
    component_parts_free(&parts);
    return status;
}

enum status solve_rows(const struct solver_variant *variant, const struct solve_request *request,
                       struct row_sink *sink, struct timing *timing, struct error *err) {
    const struct graph *const g = request->graph;
    struct solve_kept own = {0}, *const kept = request->kept != NULL ? request->kept : &own;
    bool done = false;
    enum status status;
    struct integer_sink integers;
    TRY(check_semiring(variant, request, err));
    if (variant->solves_semirings) {
        status = prepare_and_solve(variant, request, kept, sink, timing, err);
        goto cleanup;
    }
    TRY(limit_check(g, request->limit, err));
    if (wide_distances_may_round(g, request->limit)) {
        integer_sink_begin(&integers, g, sink);
        sink = &integers.tee.sink;
    }
    if (g->zones > 0)
        return solve_by_zones(variant, request, sink, timing, err);
    if (grid_fits_int32(g))
        return solve_by_spacings(variant, request, sink, timing, err);
    if (may_split(variant, request, sink))
        TRY(solve_parts(variant, request, sink, timing, &done, err));
    if (done)
        goto cleanup;
    TRY(solve_kept_find(kept, variant, g, &request->sources, request->progress, err));
    const struct graph *const found = solve_kept_graph(kept, g);
    if (found->type != NUMBER_INT32 && found->min_weight < 0)
        TRY(check_signed(variant, found, request, err));
    status = prepare_and_solve(variant, request, kept, sink, timing, err);
cleanup:
    solve_kept_free(&own);
    return status;
}

enum status solve(const struct solver_variant *variant, const struct graph *g,
                  const struct solver_options *options, struct matrix *dist, struct matrix *pred,
                  struct progress *progress, int repetitions, struct timing *timing,
                  struct error *err) {
    const struct solve_request request = {.graph = g,
                                          .sources = {NULL, g->n},
                                          .limit = NO_LIMIT,
                                          .predecessors = pred != NULL,
                                          .options = options,
                                          .progress = progress,
                                          .repetitions = repetitions};
    struct matrix_sink sink;
    matrix_sink_begin(&sink, dist, pred);
    return solve_rows(variant, &request, &sink.sink, timing, err);
}
