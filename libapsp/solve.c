// SPDX-License-Identifier: MIT
/* The functions of apsp.h that solve: engines, options, whole results and rows. */
#include "solve/solve.h"              // solve_rows
#include "common/base/memory.h"       // memory_alloc, memory_check, memory_trim
#include "common/base/threads.h"      // THREADS_MAX
#include "common/graph/weight_unit.h" // weight_steps
#include "engines/auto.h"             // apsp_solver
#include "engines/cpu_variants.h"     // cpu_solver
#include "gpu/gpu_devices.h"          // gpu_devices_check, gpu_devices_find_for
#include "gpu/gpu_solver.h"           // gpu_name, gpu_solve
#include "job/row_job.h"              // struct row_job
#include "libapsp/call.h"             // call_work
#include "libapsp/fan.h"              // struct fan
#include "libapsp/objects.h"
#include "libapsp/structs.h"   // struct_take, struct_give
#include "libapsp/sum_sinks.h" // struct sum_sinks
#include "solve/gridded.h"     // struct gridded

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Engines and options --------------------------------------------------------------------------*/

int apsp_engine_at(size_t index, apsp_engine *engine) {
    struct error err;
    if (struct_check(engine, SIZE_UP_TO(apsp_engine, distances_only), "apsp_engine", &err) !=
        STATUS_OK)
        return 0;
    for (int s = 0; s <= ENGINE_SOLVERS; s++) {
        const struct solver *solver = s == 0 ? &apsp_solver : engines[s - 1];
        if (index >= solver->variant_count) {
            index -= solver->variant_count;
            continue;
        }
        const struct solver_variant *variant = &solver->variants[index];
        const apsp_engine found = {
            .name = solver->program,
            .variant = variant->name,
            .summary = variant->summary,
            .source = variant->source,
            .is_default = strcmp(variant->name, solver->default_variant) == 0,
            .uses_gpu = solver->uses_gpu && s > 0,
            .distances_only = variant->distances_only,
        };
        struct_give(engine, &found, sizeof found);
        return 1;
    }
    return 0;
}

apsp_status apsp_gpu_name(int device, char *name, size_t size, apsp_error *error) {
    struct error err;
    enum status status;
    TRY(check_range("device", device, 0, SOLVER_MAX_DEVICE, &err));
    TRY(gpu_name(device, name, size, &err));
cleanup:
    return end_call(status, &err, error);
}

/* Lists the variants of a solver. Each name has the prefix `before` and, unless that is empty, a
 * colon. */
static void list_variants(const struct solver *solver, const char *before, char *list,
                          size_t size) {
    int used = 0;
    for (size_t v = 0; v < solver->variant_count && (size_t)used < size; v++)
        used += snprintf(list + used, size - (size_t)used, "%s%s%s%s", v == 0 ? "" : ", ", before,
                         before[0] != '\0' ? ":" : "", solver->variants[v].name);
}

/* Fails with a list of all engines, or of the variants of the engine that was named. */
static enum status no_such_engine(const char *found, struct error *err) {
    char list[768] = "";
    struct engine engine = {0};
    int used = snprintf(list, sizeof list, "%s", apsp_solver.program);
    for (int s = 0; s <= ENGINE_SOLVERS; s++) {
        const struct solver *solver = s < ENGINE_SOLVERS ? engines[s] : &apsp_solver;
        if (engine_find_in(solver, found, &engine) || engine.solver != NULL) {
            list_variants(solver, solver->program, list, sizeof list);
            return fail(err, STATUS_BAD_INPUT, "engine: expected one of %s, found '%.100s'", list,
                        found);
        }
        if (s < ENGINE_SOLVERS)
            used += snprintf(list + used, sizeof list - (size_t)used, ", %s", solver->program);
    }
    return fail(err, STATUS_BAD_INPUT,
                "engine: expected one of %s, alone or with a variant as in %s:%s, found '%.100s'",
                list, cpu_solver.program, cpu_solver.default_variant, found);
}

static enum status no_such_variant(const struct solver *solver, const char *found,
                                   struct error *err) {
    char list[768] = "";
    list_variants(solver, "", list, sizeof list);
    return fail(err, STATUS_BAD_INPUT, "variant: expected one of engine %s (%s), found '%.100s'",
                solver->program, list, found);
}

apsp_status apsp_memory_check(int32_t n, uint64_t bytes, apsp_error *error) {
    const struct memory_part part = {"for the caller", bytes, 0};
    struct error err;
    return end_call(memory_check("in memory", n, &part, 1, &err), &err, error);
}

static enum status find_engine(const apsp_options *how, struct engine *engine, struct error *err) {
    const char *name = how->engine != NULL ? how->engine : apsp_solver.program;
    if (how->engine == NULL && how->variant != NULL)
        return fail(err, STATUS_BAD_INPUT, "variant: expected the name of its engine too");
    if (!engine_find_in(&apsp_solver, name, engine) && !engine_find(name, engine))
        return no_such_engine(name, err);
    if (how->variant != NULL)
        engine->variant = solver_find(engine->solver, how->variant);
    if (engine->variant == NULL)
        return no_such_variant(engine->solver, how->variant, err);
    return STATUS_OK;
}

/* Replaces the variant for another semiring than min-plus: there is one variant for all of
 * these. */
static enum status choose_semiring(const apsp_options *how, const struct graph *g,
                                   struct engine *engine, struct error *err) {
    const bool named = how->variant != NULL || (how->engine != NULL && strchr(how->engine, ':'));
    if (g->semiring == SEMIRING_MIN_PLUS)
        return STATUS_OK;
    if (named || engine->solver->semirings == NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "engine: expected apsp, cpu or cuda_sparse without a variant for a graph of "
                    "%s, found %.100s",
                    semiring_name(g->semiring), how->engine);
    engine->variant = engine->solver->semirings;
    return STATUS_OK;
}

/* Sets the GPUs that solve, and checks their numbers. */
static enum status take_devices(const apsp_options *how, const struct engine *engine,
                                struct solver_options *options, struct error *err) {
    const int count = how->device_count;
    struct error reason;
    RETURN_ON_FAILURE(check_range("device", how->device, 0, SOLVER_MAX_DEVICE, err));
    RETURN_ON_FAILURE(
        check_range("device_count", count, SOLVER_ALL_DEVICES, SOLVER_MAX_TOGETHER, err));
    options->device = how->device;
    options->device_count = count;
    if (count > 0 && how->devices == NULL)
        return fail(err, STATUS_BAD_INPUT, "devices: expected a list of %d numbers, found NULL",
                    count);
    for (int k = 0; k < count; k++) {
        RETURN_ON_FAILURE(check_range("devices", how->devices[k], 0, SOLVER_MAX_DEVICE, err));
        for (int before = 0; before < k; before++) {
            if (how->devices[before] == how->devices[k])
                return fail(err, STATUS_BAD_INPUT,
                            "devices: expected different numbers, found %d twice", how->devices[k]);
        }
        options->devices[k] = how->devices[k];
    }
    if (count > 0)
        options->device = options->devices[0];
    if (gpu_devices_check(options, engine->solver, engine->variant, &reason) != STATUS_OK)
        return fail(err, STATUS_BAD_INPUT, "devices: %.*s", (int)sizeof err->text - 16,
                    reason.text);
    return STATUS_OK;
}

static enum status check_options(const apsp_options *how, const struct engine *engine,
                                 bool with_pred, struct error *err) {
    const struct solver_variant *variant = engine->variant;
    RETURN_ON_FAILURE(check_range("threads", how->threads, 0, THREADS_MAX, err));
    RETURN_ON_FAILURE(take_devices(how, engine, &(struct solver_options){0}, err));
    if (variant->max_tile == 0 && how->tile != 0)
        return fail(err, STATUS_BAD_INPUT, "tile: variant %s has no tile size to choose, found %d",
                    variant->name, how->tile);
    RETURN_ON_FAILURE(check_range("tile", how->tile, 0, variant->max_tile, err));
    if (variant->distances_only && with_pred)
        return fail(err, STATUS_BAD_INPUT,
                    "variant %s computes no predecessors: ask for distances only", variant->name);
    return STATUS_OK;
}

/* Solving --------------------------------------------------------------------------------------*/

/* One solve: rows go from the engine to the fan, proved if the request says so. */
struct rows_solve {
    const apsp_options *how;
    const apsp_request *request;
    struct making making;
    struct fan fan;
    struct vertex_list sources; /* copy of the sources in the request */
    struct gridded gridded;
    struct apsp_graph graph; /* the caller's graph, its weights on the grid of `gridded` */
    struct progress *progress;
    /* a solve in order: number of rows of a round, and matrices for them */
    int32_t round;
    struct matrix dist, pred;
    struct solve_kept kept; /* preparation that later rounds use again */
    struct row_job job;
    struct own_sink *resuming; /* the sink that goes on with rows of an earlier call; or NULL */
    struct resume resume;      /* rows of the earlier call */
    struct engine_table all;   /* the engines that may have solved those rows */
    struct sum_sinks sums;     /* sums along paths; without columns if none are wanted */
    int32_t first;             /* position of the first row of the round */
};

static void note_choice(void *to, const char *variant, const char *why) {
    struct making *making = to;
    (void)why;
    snprintf(making->chosen, sizeof making->chosen, "%s", variant);
}

static uint64_t row_bytes(const struct rows_solve *s) {
    const struct graph *const g = &s->fan.answer.graph->graph;
    return matrix_memory_of_answer(g->type, 1, g->n, s->fan.answer.with_pred);
}

/* Number of rows in a round: all if no order is needed, or if the engine solves the whole
 * matrix. */
static int32_t rows_of_a_round(const struct rows_solve *s) {
    const int32_t count = s->fan.answer.sources.count;
    if (!s->fan.in_order || !s->making.engine.variant->by_rows)
        return count;
    const uint64_t most = UINT64_C(256) << 20, room = memory_room() / 4;
    const uint64_t rows = (room < most ? room : most) / row_bytes(s);
    if (rows >= (uint64_t)count)
        return count;
    const int32_t least = count < ROW_BLOCK_MAX ? count : ROW_BLOCK_MAX;
    return rows < (uint64_t)least ? least : (int32_t)rows;
}

/* Returns the request of a solve that resumes. Its graph lasts as long as the solve. */
static struct resume_request resume_request_of(const struct rows_solve *s) {
    const struct solver_variant *const variant = s->making.engine.variant;
    return (struct resume_request){
        .solver =
            s->making.engine.solver == &apsp_solver ? &s->all.solver : s->making.engine.solver,
        .variant = variant,
        .tile = s->how->tile != 0 ? s->how->tile : variant->default_tile,
        .graph = &s->fan.answer.graph->graph,
        .sources = &s->sources,
        .targets = &s->resuming->targets,
        .limit = s->fan.answer.limit,
        .with_pred = s->fan.answer.with_pred && own_sink_takes_predecessors(s->resuming),
        .proves = s->request->check != 0,
        .hands_kept_on = s->resuming->targets.vertex == NULL &&
                         (s->request->check != 0 || s->fan.count > 1 || s->sums.columns.count > 0),
        .threads = s->how->threads,
    };
}

/* Returns how many bytes of memory resuming takes. */
static uint64_t resume_bytes(const struct rows_solve *s) {
    const struct graph *const g = &s->fan.answer.graph->graph;
    if (s->resuming == NULL)
        return 0;
    const struct resume_request request = resume_request_of(s);
    return resume_memory(&request, g->type, g->n, s->fan.answer.sources.count);
}

static enum status check_memory(const struct rows_solve *s, struct error *err) {
    const struct fan *const fan = &s->fan;
    const struct graph *const g = &fan->answer.graph->graph;
    const bool pred = fan->answer.with_pred;
    const struct solver_variant *const variant = s->making.engine.variant;
    const bool has_places = fan->in_order || fan_matrices(fan) > 0;
    const struct solve_size size = {
        .graph = solve_kept_graph(&s->kept, g),
        .sources = s->round,
        .threads = s->how->threads,
        .predecessors = pred,
        .matrices = has_places && (variant->by_rows || fan->answer.sources.source == NULL),
        .steps = weight_steps(g),
    };
    const struct memory_part parts[] = {
        {pred ? "for 2 matrices" : "for 1 matrix", fan_matrices(fan), 0},
        {"for the graph", graph_memory_of(g->type, g->n, g->m), 1},
        {"to solve", solve_memory(variant, &size), 0},
        {"to prove the rows",
         s->request->check
             ? certificate_memory(g->type, g->n, g->m, size.sources, pred, s->how->threads)
             : 0,
         0},
        {"for rows in order", fan->in_order ? memory_times((uint64_t)s->round, row_bytes(s)) : 0,
         0},
        {"for files and measures", fan_memory(fan), 0},
        {"to resume", resume_bytes(s), 0},
        {"for sums along paths", sum_sinks_memory(s->request, g, s->how->threads), 0},
    };
    return memory_check(fan->answer.graph->name, g->n, parts, sizeof parts / sizeof *parts, err);
}

/* Solves for some of the sources, or all, and hands the rows to a sink. */
static enum status solve_into(struct rows_solve *s, const struct row_sources *sources,
                              struct row_sink *sink, struct error *err) {
    struct solver_options options = {
        .threads = s->how->threads,
        .tile = s->how->tile,
        .keeps_device = true,
        .on_choice = note_choice,
        .callback_context = &s->making,
    };
    struct timing timing;
    RETURN_ON_FAILURE(take_devices(s->how, &s->making.engine, &options, err));
    gpu_devices_find_for(&options, s->making.engine.variant);
    s->job.variant = s->making.engine.variant;
    s->job.request = (struct solve_request){
        .graph = &s->fan.answer.graph->graph,
        .sources = *sources,
        .limit = s->fan.answer.limit,
        .predecessors = s->fan.answer.with_pred,
        .options = &options,
        .progress = s->progress,
        .repetitions = 1,
        .kept = &s->kept,
        .on_variant = s->resuming != NULL ? resume_note_variant : NULL,
        .variant_context = &s->resume,
    };
    s->job.proves = s->request->check != 0;
    if (s->resuming != NULL) {
        s->job.resume = &s->resume;
        s->job.files = &s->resuming->files;
    }
    if (s->sums.columns.count > 0) {
        sum_sinks_open(&s->sums, s->request, s->job.request.graph, s->first,
                       s->fan.answer.sources.count, sink);
        sink = &s->sums.along.sink;
    }
    RETURN_ON_FAILURE(row_job_begin(&s->job, sink, s->progress, err));
    if (s->resuming != NULL && s->resuming->rows_kept != NULL)
        *s->resuming->rows_kept = s->resume.partial.kept;
    RETURN_ON_FAILURE(row_job_solve(&s->job, &timing, err));
    s->making.timing.solve_s += timing.solve_s;
    s->making.timing.total_s += timing.total_s;
    s->making.timing.transfer_s += timing.transfer_s;
    return STATUS_OK;
}

/* Solves the rows of a round into the matrices, and hands them to the fan. */
static enum status solve_round(struct rows_solve *s, int32_t first, int32_t count,
                               struct error *err) {
    const struct row_sources *const all = &s->fan.answer.sources;
    struct matrix *const pred = s->fan.answer.with_pred ? &s->pred : NULL;
    struct row_sources some = {all->source, count};
    struct matrix_sink sink;
    void *list = NULL;
    enum status status = STATUS_OK;
    if (all->source != NULL) {
        some.source += first;
    } else if (count < all->count) {
        TRY(memory_alloc(&list, (size_t)count, sizeof(int32_t), "the sources", err));
        for (int32_t r = 0; r < count; r++)
            ((int32_t *)list)[r] = first + r;
        some.source = list;
    }
    s->first = first;
    matrix_sink_begin(&sink, &s->dist, pred);
    TRY(solve_into(s, &some, &sink.sink, err));
    status = fan_take_matrices(&s->fan, first, count, &s->dist, pred, err);
cleanup:
    memory_free(list);
    return status;
}

static enum status solve_in_order(struct rows_solve *s, struct error *err) {
    const struct answer *const answer = &s->fan.answer;
    const int32_t n = answer->graph->graph.n, sources = answer->sources.count;
    const enum number_type type = answer->graph->graph.type;
    RETURN_ON_FAILURE(matrix_alloc_typed(&s->dist, type, s->round, n, "distances", err));
    if (answer->with_pred)
        RETURN_ON_FAILURE(matrix_alloc_rows(&s->pred, s->round, n, "predecessors", err));
    for (int32_t first = 0; first < sources; first += s->round) {
        const int32_t left = sources - first;
        if (first > 0)
            memory_trim();
        RETURN_ON_FAILURE(solve_round(s, first, left < s->round ? left : s->round, err));
    }
    return STATUS_OK;
}

/* Opens the folder of rows that an earlier call has kept, if a sink asks for it. Rows of int64 are
 * no use to a solve in int32: the caller is told that distances are too long for it. */
static enum status open_resume(struct rows_solve *s, struct error *err) {
    if (s->resuming == NULL)
        return STATUS_OK;
    engine_table_fill(&s->all, &apsp_solver);
    struct resume_request request = resume_request_of(s);
    RETURN_ON_FAILURE(own_sink_type(s->resuming, &s->fan.answer, &request.type, err));
    if (request.graph->type == NUMBER_INT32 &&
        resume_keeps_long(s->resuming->path, request.graph)) {
        (void)fail(
            err, STATUS_BAD_INPUT,
            "%.400s.partial: expected rows of int32, found int64, which longer distances took "
            "(remove the folder to begin anew)",
            s->resuming->path);
        err->is_out_of_range = true;
        return STATUS_BAD_INPUT;
    }
    RETURN_ON_FAILURE(resume_open(&s->resume, s->resuming->path, &request, err));
    s->resuming->partial = &s->resume.partial;
    return STATUS_OK;
}

/* After a lack of resources, says how many finished rows are kept for the next call. After a
 * distance out of range, discards them: all rows of a result have the same type. */
static void end_resume(struct rows_solve *s, enum status status, struct error *err) {
    if (s->resuming == NULL)
        return;
    if (status == STATUS_BAD_INPUT && err->is_out_of_range)
        resume_discard(&s->resume);
    else if (status == STATUS_NO_RESOURCE)
        partial_say(&s->resume.partial, "resume", status, err);
}

/* Replaces the graph by one on a grid, if its weights are on one or are to be rounded. */
static enum status apply_grid(struct rows_solve *s, struct error *err) {
    const struct grid_purpose purpose = {.is_strict = !fan_takes_measures_only(&s->fan) ||
                                                      s->fan.answer.limit < NO_LIMIT,
                                         .rows = s->fan.answer.sources.count};
    RETURN_ON_FAILURE(gridded_open(&s->gridded, &s->making.graph->graph, s->request->grid, &purpose,
                                   s->progress, err));
    s->graph = *s->making.graph;
    s->graph.graph = s->gridded.graph;
    s->making.graph = s->fan.answer.graph = &s->graph;
    s->making.grid = s->gridded.rounding;
    return STATUS_OK;
}

static enum status solve_and_end(void *self, struct progress *progress, struct error *err) {
    struct rows_solve *const s = self;
    enum status status;
    s->progress = s->fan.progress = progress;
    TRY(apply_grid(s, err));
    TRY(solve_kept_find(&s->kept, s->making.engine.variant, &s->fan.answer.graph->graph,
                        &s->fan.answer.sources, progress, err));
    s->round = rows_of_a_round(s);
    TRY(check_memory(s, err));
    TRY(open_resume(s, err));
    TRY(fan_begin(&s->fan, err));
    status = s->fan.in_order ? solve_in_order(s, err)
                             : solve_into(s, &s->fan.answer.sources, &s->fan.sink, err);
cleanup:
    status = fan_end(&s->fan, status, &s->making, err);
    end_resume(s, status, err);
    return status;
}

/* The limit that the request's number means. Unless limit_is_exact, 0 means no limit, and
 * DBL_TRUE_MIN means the limit 0. */
static double limit_of(enum number_type type, const apsp_request *request) {
    const double limit = request->limit;
    if (request->limit_is_exact)
        return limit_for(type, limit);
    return limit > 0 ? limit_for(type, limit > DBL_TRUE_MIN ? limit : 0) : NO_LIMIT;
}

/* Prepares a solve for the caller's sinks, to be freed with solving_free, also after a failure. */
static enum status prepare(struct rows_solve *s, const apsp_sink *const *sinks, size_t sink_count,
                           struct error *err) {
    const apsp_graph *const graph = s->making.graph;
    const apsp_request *const request = s->request;
    const int32_t n = graph->graph.n;
    RETURN_ON_FAILURE(find_engine(s->how, &s->making.engine, err));
    RETURN_ON_FAILURE(choose_semiring(s->how, &graph->graph, &s->making.engine, err));
    RETURN_ON_FAILURE(fan_open(&s->fan, sinks, sink_count, err));
    const bool wanted = fan_wants_predecessors(&s->fan);
    if (wanted && s->how->distances_only)
        return fail(
            err, STATUS_BAD_INPUT,
            "a sink needs predecessors: expected options that do not ask for distances only");
    const bool pred = wanted || (!s->how->distances_only && fan_takes_predecessors(&s->fan));
    RETURN_ON_FAILURE(check_options(s->how, &s->making.engine, pred, err));
    RETURN_ON_FAILURE(check_range("source_count", request->source_count, request->sources != NULL,
                                  request->sources != NULL ? n : 0, err));
    if (isnan(request->grid))
        return fail(err, STATUS_BAD_INPUT, "grid: expected a number, found nan");
    RETURN_ON_FAILURE(check_range("block", request->block, 0, INT32_MAX, err));
    if (!(request->limit >= 0))
        return fail(err, STATUS_BAD_INPUT, "limit: expected 0 or more, found %g", request->limit);
    const double limit = limit_of(graph->graph.type, request);
    RETURN_ON_FAILURE(limit_check(&graph->graph, limit, err));
    if (request->sources != NULL)
        RETURN_ON_FAILURE(vertex_list_copy("sources", request->sources, request->source_count, n,
                                           &s->sources, err));
    RETURN_ON_FAILURE(sum_sinks_take(&s->sums, request, &graph->graph, err));
    s->fan.answer =
        (struct answer){graph, vertex_list_rows(&s->sources, &graph->graph), limit, pred};
    s->fan.block = request->block > 0 ? request->block : ROW_BLOCK_MAX;
    RETURN_ON_FAILURE(fan_resuming(&s->fan, &s->resuming, err));
    if (s->resuming != NULL && s->resuming->targets.vertex != NULL &&
        (sink_count > 1 || s->sums.columns.count > 0))
        return fail(err, STATUS_BAD_INPUT,
                    "resume: expected no other sinks or sums along paths beside files of some "
                    "columns, whose rows cannot be read again");
    s->fan.proved = s->making.proved = request->check != 0;
    s->fan.threads = s->making.threads = s->how->threads;
    return STATUS_OK;
}

static void solving_free(struct rows_solve *s) {
    fan_close(&s->fan);
    sum_sinks_close(&s->sums);
    row_job_close(&s->job);
    resume_close(&s->resume);
    solve_kept_free(&s->kept);
    matrix_free(&s->dist);
    matrix_free(&s->pred);
    vertex_list_free(&s->sources);
    gridded_close(&s->gridded);
}

apsp_status apsp_solve_rows(const apsp_graph *graph, const apsp_request *request,
                            const apsp_options *options, const apsp_sink *const *sinks,
                            size_t sink_count, apsp_error *error) {
    struct error err;
    apsp_options how = APSP_OPTIONS_INIT;
    apsp_request what = APSP_REQUEST_INIT;
    struct rows_solve solving = {.how = &how, .request = &what, .making.graph = graph};
    enum status status;
    TRY(struct_take(&what, sizeof what, SIZE_UP_TO(apsp_request, limit), request, "apsp_request",
                    &err));
    TRY(take_options(&how, options, &err));
    TRY(prepare(&solving, sinks, sink_count, &err));
    status =
        call_work(&(struct listener){how.progress, how.progress_to}, solve_and_end, &solving, &err);
cleanup:
    if (what.out_of_range != NULL)
        *what.out_of_range = status == STATUS_BAD_INPUT && err.is_out_of_range;
    solving_free(&solving);
    return end_call(status, &err, error);
}

apsp_status apsp_solve(const apsp_graph *graph, const apsp_options *options, apsp_result **result,
                       apsp_error *error) {
    struct own_sink sink;
    const apsp_sink *const sinks[] = {&sink.shown};
    *result = NULL;
    own_sink_for_result(&sink, result);
    return apsp_solve_rows(graph, NULL, options, sinks, 1, error);
}
