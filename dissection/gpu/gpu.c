// SPDX-License-Identifier: MIT
#include "dissection/gpu/gpu.h"

#include "classes/proportional_model.h" // proportional_may_pay
#include "common/base/clock.h"          // clock_seconds
#include "common/base/memory.h"         // memory_add
#include "common/base/threads.h"        // threads_worth
#include "elimination/dissection.h"     // dissection_prepare
#include "elimination/order.h"          // order_is_available, order_memory
#include "elimination/pieces.h"         // pieces_find
#include "gpu/gpu_model.h"              // gpu_slower_instructions
#include "gpu/gpu_solver.h"             // gpu_turn_begin
#include "solve/delivery.h"             // struct delivery
#include "solve/solve.h"                // solve_task

#include <math.h>

enum { TOP_MOST = 40000 }; /* most vertices of a top, among which all distances are found */

#ifdef APSP_NO_CUDA

enum status cuda_sparse_dissection_solve(const struct solver_variant *variant,
                                         const struct solver_task *task, struct solver_times *times,
                                         struct error *err) {
    return gpu_solve(variant, task, times, err); /* reports that this build has no CUDA */
}

#else

#include "dissection/gpu/class_totals.h" // class_totals_choose
#include "dissection/gpu/crew.h"
#include "dissection/gpu/crew_rows.h" // rows_answer
#include "dissection/gpu/sweeps.h"    // sweeps_prepare
#include "dissection/gpu/totals.h"    // totals_answer
#include "gpu/gpu_room.h"             // gpu_room_find

#include <pthread.h>

enum {
    LEAF = 64,        /* most vertices of a leaf piece */
    MIDDLE = 512,     /* most vertices of a middle piece with its leaf pieces, unless the top is too
                         large then */
    LANES = 16384,    /* most sources of a batch */
    SMALL_TOP = 2048, /* most vertices of a top that is not cut into pieces; finding its distances
                         takes a few milliseconds */
};

/* Costs of a dissection on one H200, whose host eliminates with 16 cores. */
static const struct core_costs gpu_costs = {
    .sweep = 6e-5,
    .vertex = 2e-4,
    .elimination = 0.2,
    .extension = 1e-4,
    .pair = 1,
    .closure = 5e-5,
    .entries = INT64_MAX,
    .core = TOP_MOST,
};

/* One solve. */
struct gpu_dissection_solve {
    struct crew crew;
    const struct cuda_dissection_options *options;
    struct look look; /* the solve's own look, if the task has none that can be used */
    double counted_s; /* seconds of order_s that are counted already, with the task's look */
    double transfer_s;
    struct cuda_dissection_report *report;
};

/* The host's part -------------------------------------------------------------------------------
 */

/* Stores what is known of the graph's elimination: takes the task's look or, if there is none and a
 * look may be of use, looks at the graph. */
static enum status take_look(struct gpu_dissection_solve *s, const struct core_costs *costs,
                             const struct look **look, struct error *err) {
    const struct crew *const c = &s->crew;
    const struct look_limits all = {
        .other_s = HUGE_VAL, .slowness = 1, .threads = c->threads, .only_features = true};
    *look = c->task->look;
    if (!c->by_classes || !order_is_available() || (*look != NULL && look_is_whole(*look)))
        return STATUS_OK;
    *look = &s->look;
    return look_at(c->task->graph, costs, &all, &s->look, err);
}

/* Returns whether the sink wants only sums, and may get them by classes of rows. Classes of a graph
 * with weights 0 cannot be proved, so it would be eliminated whole for nothing. */
static bool may_take_classes(const struct solver_task *task) {
    const struct delivery *const d = task->delivery;
    return delivery_takes_sums(d);
}

/* Finds the pieces. Some share of the vertices is in the top, so large graphs need large middle
 * pieces. */
static enum status cut(struct gpu_dissection_solve *s, struct error *err) {
    enum { LARGER = 4, LARGEST = 1 << 15 };
    const int32_t top_most = s->options->top_most > 0 ? s->options->top_most : TOP_MOST;
    struct crew *const c = &s->crew;
    struct pieces *const pieces = &c->pieces;
    const double start = clock_seconds();
    for (;; c->sizes.middle *= LARGER) {
        RETURN_ON_FAILURE(pieces_find(&c->d.tree, &c->d.structure, &c->d.lengths, &c->sizes,
                                      c->threads, pieces, err));
        if (pieces->top <= top_most || c->sizes.middle > LARGEST / LARGER)
            break;
        pieces_free(pieces);
    }
    c->cut_s += clock_seconds() - start;
    s->report->top = pieces->top;
    s->report->middle = pieces->middle;
    s->report->leaves = pieces->leaves;
    s->report->pieces = pieces->count;
    s->report->dissected = pieces->top <= top_most;
    return STATUS_OK;
}

/* Eliminates the graph and, unless classes of rows are tried first, finds the pieces. */
static enum status dissect(struct gpu_dissection_solve *s, struct error *err) {
    struct crew *const c = &s->crew;
    const struct graph *const g = c->task->graph;
    const int32_t most = s->options->most > 0 ? s->options->most : -1;
    struct core_costs costs = gpu_costs;
    const struct look *look = c->task->look;
    enum isa isa;
    costs.entries = cuda_dissection_entries(g->n, DISSECTION_ENTRIES);
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    c->by_classes = may_take_classes(c->task);
    if (most < 0)
        RETURN_ON_FAILURE(take_look(s, &costs, &look, err));
    if (c->by_classes && look != NULL &&
        proportional_may_pay(look, c->task->delivery->sources.count))
        costs.core = 0; /* proportional rows need a graph without a core */
    const struct dissection_options options = {.threads = c->threads,
                                               .isa = isa,
                                               .costs = &costs,
                                               .look = look,
                                               .other_costs = true,
                                               .most = most};
    RETURN_ON_FAILURE(dissection_prepare(&c->d, g, &options, c->task->progress, err));
    if (!c->d.pays && costs.core < gpu_costs.core) { /* a core may pay all the same */
        costs.core = gpu_costs.core;
        RETURN_ON_FAILURE(dissection_prepare(&c->d, g, &options, c->task->progress, err));
    }
    s->report->order_s = c->d.order_s;
    s->report->eliminate_s = c->d.eliminate_s;
    s->counted_s = look == c->task->look ? c->d.looked_s : 0;
    s->report->dissected = c->d.pays;
    c->by_classes = c->by_classes && c->d.pays && c->d.core.n == 0;
    return c->d.pays && !c->by_classes ? cut(s, err) : STATUS_OK;
}

/* The devices' part -----------------------------------------------------------------------------
 */

/* Prepares sweeps, instead of classes of rows or after them. report->dissected: the graph is worth
 * sweeping. */
static enum status prepare_sweeps(struct gpu_dissection_solve *s, struct error *err) {
    struct crew *const c = &s->crew;
    crew_reverse(c, false);
    if (c->by_classes)
        class_totals_forget(c);
    if (c->pieces.piece == NULL) {
        RETURN_ON_FAILURE(cut(s, err));
        RETURN_ON_FAILURE(crew_agree(c, &s->report->dissected, err));
    }
    return s->report->dissected ? sweeps_prepare(c, err) : STATUS_OK;
}

/* Returns whether totals can be proved, according to the first GPU. */
static bool can_prove(const struct crew *c) {
    return c->gpu->proof.is_ready || (c->by_classes && c->gpu->classes.proof.is_ready);
}

/* Answers by totals, if the sink takes them and, if it wants a proof, the devices can prove them.
 * *done: the answer is complete. */
static enum status answer_by_totals(struct gpu_dissection_solve *s, bool *done, struct error *err) {
    struct crew *const c = &s->crew;
    const struct delivery *const delivery = c->task->delivery;
    bool takes =
        delivery_takes_length_totals(delivery) && (delivery->sink->proves == NULL || can_prove(c));
    RETURN_ON_FAILURE(crew_agree(c, &takes, err));
    if (!takes)
        return STATUS_OK;
    RETURN_ON_FAILURE(totals_answer(c, done, err));
    s->report->reduced = *done;
    s->report->proportional = *done && c->by_classes;
    return STATUS_OK;
}

/* Answers in the fastest way that is possible: by totals, by rows that stay on the device, or by
 * rows. */
static enum status answer(struct gpu_dissection_solve *s, struct error *err) {
    struct crew *const c = &s->crew;
    const bool alone = c->task->delivery->ranks == NULL;
    bool done = false;
    enum status status = answer_by_totals(s, &done, err);
    if (status == STATUS_NO_RESOURCE && c->by_classes && alone) { /* sweeps may need less memory */
        RETURN_ON_FAILURE(prepare_sweeps(s, err));
        if (s->report->dissected)
            RETURN_ON_FAILURE(answer_by_totals(s, &done, err));
    } else {
        RETURN_ON_FAILURE(status);
    }
    if (!done && c->by_classes)
        RETURN_ON_FAILURE(prepare_sweeps(s, err));
    if (!s->report->dissected)
        return STATUS_OK;
    if (!done && sweeps_rows_may_stay(c))
        RETURN_ON_FAILURE(rows_answer_here(c, &done, err));
    if (!done)
        RETURN_ON_FAILURE(rows_answer(c, err));
    return delivery_end(c->task->delivery, err);
}

/* Reports the times of the solve. GPUs work at the same time, so the slowest one counts. */
static void report_times(struct gpu_dissection_solve *s) {
    const struct crew *const c = &s->crew;
    struct cuda_dissection_report *const r = s->report;
    r->cut_s = c->cut_s;
    r->proved = c->proved;
    for (int k = 0; k < c->count; k++) {
        const struct crew_times *const times = &c->gpu[k].times;
        r->close_s = fmax(r->close_s, times->close);
        r->sweep_s = fmax(r->sweep_s, times->sweep);
        r->prove_s = fmax(r->prove_s, times->prove);
    }
    if (c->count > 0)
        s->transfer_s = c->gpu->memory.transfer_s;
}

static enum status solve_on_devices(struct gpu_dissection_solve *s, struct error *err) {
    struct crew *const c = &s->crew;
    struct delivery *const delivery = c->task->delivery;
    struct gpu_room room = {0};
    enum status status;
    if (delivery->ranks != NULL)
        RETURN_ON_FAILURE(gpu_room_find(c->task->options->device, delivery->ranks, &room, err));
    TRY(delivery_begin(delivery, c->threads, err));
    c->proves = delivery_may_prove(delivery);
    TRY(crew_arrange(c, err));
    TRY(crew_gather(c, &room, err));
    TRY(class_totals_choose(c, err));
    if (!c->by_classes)
        TRY(prepare_sweeps(s, err));
    if (s->report->dissected)
        TRY(answer(s, err));
    report_times(s);
    if (s->report->dissected)
        crew_report_memory(c);

cleanup:
    crew_dismiss(c);
    return status;
}

/* All of it -------------------------------------------------------------------------------------
 */

/* Solves the task by the best of the other engines. */
static enum status solve_otherwise(const struct other_engines *others,
                                   const struct solver_task *task,
                                   struct cuda_dissection_report *report,
                                   struct solver_times *times, struct error *err) {
    const struct solver_variant *best;
    struct solver_task once = *task;
    once.repetitions = 1;
    RETURN_ON_FAILURE(others->choose(task->graph, task->delivery->sources.count, task->options,
                                     task->predecessors, &best, err));
    report->otherwise = best->name;
    return solve_task(best, &once, times, err);
}

/* Creates the device's context while the host is busy, unless the program has one already. */
static void *create_context(void *device) {
    struct error ignored;
    if (gpu_select(*(const int *)device, &ignored) == STATUS_OK)
        cudaFree(NULL);
    return NULL;
}

/* Eliminates the graph and cuts it up, while the device's context is created. */
static enum status begin(struct gpu_dissection_solve *s, struct error *err) {
    const struct solver_options *const options = s->crew.task->options;
    const bool warming_up = solver_is_warming_up(options->files);
    int device = options->device;
    pthread_t creating;
    const bool creates =
        !warming_up && pthread_create(&creating, NULL, create_context, &device) == 0;
    enum status status = dissect(s, err);
    if (status == STATUS_OK)
        status = crew_agree(&s->crew, &s->report->dissected, err);
    if (creates)
        pthread_join(creating, NULL);
    return status;
}

static enum status solve_in_turn(struct gpu_dissection_solve *s, struct error *err) {
    struct solver_options first = *s->crew.task->options;
    struct gpu_turn turn;
    first.device_count = 0;
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, &first, err));
    const enum status status = solve_on_devices(s, err);
    gpu_turn_end(&turn);
    return status;
}

static struct crew crew_for(const struct solver_task *task,
                            const struct cuda_dissection_options *options) {
    const double n = task->graph->n;
    return (struct crew){.task = task,
                         .threads = threads_worth(task->options->threads, n * n / 2),
                         .sizes = {.leaf = options->leaf > 0 ? options->leaf : LEAF,
                                   .middle = options->middle > 0 ? options->middle : MIDDLE},
                         .small_top = options->top > 0 ? options->top : SMALL_TOP,
                         .lanes = options->lanes > 0 ? product_lanes(options->lanes) : LANES,
                         .other_regions = options->regions};
}

enum status cuda_dissection_solve(const struct other_engines *others,
                                  const struct solver_task *task,
                                  const struct cuda_dissection_options *options,
                                  struct cuda_dissection_report *report, struct solver_times *times,
                                  struct error *err) {
    const double started = clock_seconds();
    for (int k = 0; k < task->options->device_count; k++) { /* fails early if a device cannot be
                                                               used */
        char name[256];
        RETURN_ON_FAILURE(gpu_name(task->options->devices[k], name, sizeof name, err));
    }
    struct gpu_dissection_solve s = {
        .crew = crew_for(task, options), .options = options, .report = report};
    enum status status;
    *report = (struct cuda_dissection_report){0};
    TRY(begin(&s, err));
    if (report->dissected)
        TRY(solve_in_turn(&s, err));
    if (!report->dissected) {
        status = solve_otherwise(others, task, report, times, err);
        goto cleanup;
    }
    *times->solve_s = report->order_s - s.counted_s + report->eliminate_s + report->cut_s +
                      report->close_s + report->sweep_s;
    times->phases =
        (struct timing_phases){.order_s = report->order_s,
                               .eliminate_s = report->eliminate_s + report->cut_s + report->close_s,
                               .sweep_s = report->sweep_s,
                               .prove_s = report->prove_s};
    times->transfer_s = s.transfer_s;
    times->around_s = clock_seconds() - started - *times->solve_s - report->prove_s -
                      delivery_sink_seconds(task->delivery);

cleanup:
    pieces_free(&s.crew.pieces);
    regions_free(&s.crew.regions);
    dissection_free(&s.crew.d);
    look_free(&s.look);
    return status;
}

enum status cuda_sparse_dissection_solve(const struct solver_variant *variant,
                                         const struct solver_task *task, struct solver_times *times,
                                         struct error *err) {
    const struct cuda_dissection_options options = {0};
    struct cuda_dissection_report report;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        double solve_s = 0;
        struct solver_times once = {.solve_s = &solve_s};
        RETURN_ON_FAILURE(
            cuda_dissection_solve(variant->others, task, &options, &report, &once, err));
        if (r >= 0)
            times->solve_s[r] = solve_s;
        times->around_s = once.around_s;
        times->transfer_s = once.transfer_s;
        times->phases = once.phases;
    }
    return STATUS_OK;
}

#endif
