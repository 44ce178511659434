// SPDX-License-Identifier: MIT
/* Implements apsp.h by the parts that the programs use. */
#include "libapsp/apsp.h"

#include "apsp/auto.h"                      // apsp_solver
#include "apsp/engines.h"                   // engines, engine_find
#include "common/base/memory.h"             // memory_alloc, memory_check
#include "common/base/threads.h"            // THREADS_MAX
#include "common/certificate/certificate.h" // certify_or_refute, certificate_path
#include "common/gpu/gpu_solver.h"          // gpu_name, gpu_solve
#include "common/graph/graph_io.h"          // graph_read_as
#include "common/rows/result_io.h"          // struct result
#include "common/solve/potentials.h"        // potentials_find
#include "common/solve/solve.h"             // solve
#include "cpu/registry.h"                   // cpu_solver
#include "libapsp/call.h"                   // call_work
#include "libapsp/structs.h"                // struct_take, struct_give

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)APSP_OK == STATUS_OK && (int)APSP_REFUTED == STATUS_REFUTED &&
                   (int)APSP_BAD_INPUT == STATUS_BAD_INPUT &&
                   (int)APSP_NEGATIVE_CYCLE == STATUS_NEGATIVE_CYCLE &&
                   (int)APSP_NO_RESOURCE == STATUS_NO_RESOURCE &&
                   (int)APSP_CANCELLED == STATUS_CANCELLED,
               "statuses are passed on as they are");
_Static_assert(APSP_INF == INF, "distances are passed on as they are");
_Static_assert(sizeof(apsp_error) == sizeof(struct error), "messages are passed on whole");

struct apsp_graph {
    struct graph graph;
    char name[256]; /* the name of its file */
    /* The number of vertex 0 in that file; everything else counts from 0. */
    int32_t vertices_from;
};

struct apsp_result {
    struct result result;
    char engine[80], chosen[80];
};

static apsp_status end(enum status status, const struct error *err, apsp_error *error) {
    if (status != STATUS_OK && error != NULL)
        memcpy(error->text, err->text, sizeof error->text);
    return (apsp_status)status;
}

/* Checks that an integer argument is in lowest .. highest. */
static enum status check_range(const char *name, int64_t value, int64_t lowest, int64_t highest,
                               struct error *err) {
    if (value >= lowest && value <= highest)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected %lld .. %lld, found %lld", name,
                (long long)lowest, (long long)highest, (long long)value);
}

/* The sizes of callers' structs in 0.2.0. New members must not take the place of padding. */
enum {
    FIRST_READING = SIZE_UP_TO(apsp_reading, progress_to),
    FIRST_OPTIONS = SIZE_UP_TO(apsp_options, progress_to),
    FIRST_ENGINE = SIZE_UP_TO(apsp_engine, distances_only),
    FIRST_REFUTATION = SIZE_UP_TO(apsp_refutation, weight),
};

static enum status take_reading(apsp_reading *to, const apsp_reading *from, struct error *err) {
    return struct_take(to, sizeof *to, FIRST_READING, from, "apsp_reading", err);
}

static enum status take_options(apsp_options *to, const apsp_options *from, struct error *err) {
    return struct_take(to, sizeof *to, FIRST_OPTIONS, from, "apsp_options", err);
}

const char *apsp_version(void) {
    return APSP_VERSION;
}

/* Graphs. */

/* Allocates a zeroed object. */
static enum status new_object(void **object, size_t size, const char *what, struct error *err) {
    RETURN_ON_FAILURE(memory_alloc(object, 1, size, what, err));
    memset(*object, 0, size);
    return STATUS_OK;
}

/* Checks that the edges of a graph fit into memory, and distances beside it. */
static enum status check_memory(int32_t n, int64_t count, struct error *err) {
    const struct memory_part build = {"to build the graph", graph_memory_to_build(n, count), 0};
    const struct memory_part result[] = {
        {"for distances alone", matrix_memory(n, 1), 0},
        {"for the graph at the least", graph_memory(n, 0), 0},
    };
    RETURN_ON_FAILURE(memory_check("the graph", n, result, 2, err));
    return memory_check("the graph", n, &build, 1, err);
}

/* The arguments of build_from_edges. */
struct from_edges {
    apsp_graph *made;
    int32_t n;
    int64_t count;
    const int32_t *from, *to, *weight;
    bool both_ways;
};

/* Copies the caller's arrays to edges, with room for their reverses. */
static enum status gather_edges(const struct from_edges *in, const struct progress *progress,
                                struct edge **edges, struct error *err) {
    const size_t room = in->both_ways ? 2 : 1;
    void *memory = NULL;
    enum status status =
        memory_alloc(&memory, room * (size_t)in->count, sizeof **edges, "the edges", err);
    *edges = memory;
    for (int64_t e = 0; e < in->count && status == STATUS_OK; e++) {
        const struct edge edge = {in->from[e], in->to[e], in->weight != NULL ? in->weight[e] : 1};
        if (edge.from < 0 || edge.from >= in->n || edge.to < 0 || edge.to >= in->n)
            status =
                fail(err, STATUS_BAD_INPUT, "edge %lld: expected vertices in 0 .. %d, found %d, %d",
                     (long long)e, in->n - 1, edge.from, edge.to);
        if (!progress_goes_on(progress))
            status = progress_cancelled(err);
        (*edges)[e] = edge;
    }
    return status;
}

static enum status build_from_edges(void *self, struct progress *progress, struct error *err) {
    const struct from_edges *in = self;
    struct edge *edges = NULL;
    int64_t count = in->count;
    enum status status;
    TRY(gather_edges(in, progress, &edges, err));
    if (in->both_ways)
        count = graph_append_reverses(edges, count);
    TRY(graph_build_stoppable(&in->made->graph, in->n, edges, count, progress, err));
cleanup:
    memory_free(edges);
    return status;
}

static enum status check_edges(const struct from_edges *in, struct error *err) {
    RETURN_ON_FAILURE(check_range("number of vertices", in->n, 1, INT32_MAX, err));
    RETURN_ON_FAILURE(check_range("number of edges", in->count, 0, INT64_MAX / 2, err));
    if (in->count > 0 && (in->from == NULL || in->to == NULL))
        return fail(err, STATUS_BAD_INPUT, "expected the ends of %lld edges, found NULL",
                    (long long)in->count);
    return check_memory(in->n, in->both_ways ? 2 * in->count : in->count, err);
}

/* Allocates a graph without edges and names it. */
static enum status new_graph(apsp_graph **graph, const char *name, struct error *err) {
    void *made = NULL;
    RETURN_ON_FAILURE(new_object(&made, sizeof **graph, "the graph", err));
    *graph = made;
    snprintf((*graph)->name, sizeof(*graph)->name, "%s", name);
    return STATUS_OK;
}

/* Ends a function that makes a graph. */
static apsp_status end_graph(enum status status, apsp_graph **graph, const struct error *err,
                             apsp_error *error) {
    if (status != STATUS_OK) {
        memory_free(*graph);
        *graph = NULL;
    }
    return end(status, err, error);
}

apsp_status apsp_graph_from_edges(apsp_graph **graph, int32_t n, int64_t count, const int32_t *from,
                                  const int32_t *to, const int32_t *weight,
                                  const apsp_reading *reading, apsp_error *error) {
    struct error err;
    apsp_reading how = APSP_READING_INIT;
    *graph = NULL;
    enum status status;
    TRY(take_reading(&how, reading, &err));
    TRY(check_range("scale", how.scale, 0, 0, &err));
    struct from_edges in = {NULL, n, count, from, to, weight, how.undirected != 0};
    TRY(check_edges(&in, &err));
    TRY(new_graph(graph, "in memory", &err));
    in.made = *graph;
    TRY(call_work(&(struct listener){how.progress, how.progress_to}, build_from_edges, &in, &err));
cleanup:
    return end_graph(status, graph, &err, error);
}

struct from_file {
    apsp_graph *made;
    const char *path;
    struct graph_reading how;
};

static enum status read_from_file(void *self, struct progress *progress, struct error *err) {
    struct from_file *in = self;
    struct graph *graph = &in->made->graph;
    in->how.progress = progress;
    enum status status = graph_read_as(in->path, &in->how, graph, err);
    /* In the library vertices count from 0, also in messages. */
    in->made->vertices_from = graph->first_vertex;
    graph->first_vertex = 0;
    return status;
}

apsp_status apsp_graph_read(apsp_graph **graph, const char *path, const apsp_reading *reading,
                            apsp_error *error) {
    struct error err;
    apsp_reading how = APSP_READING_INIT;
    *graph = NULL;
    enum status status;
    TRY(take_reading(&how, reading, &err));
    TRY(check_range("scale", how.scale, 0, TEXT_HIGHEST_SCALE, &err));
    TRY(new_graph(graph, path, &err));
    struct from_file in = {*graph, path, {.undirected = how.undirected != 0, .scale = how.scale}};
    TRY(call_work(&(struct listener){how.progress, how.progress_to}, read_from_file, &in, &err));
cleanup:
    return end_graph(status, graph, &err, error);
}

void apsp_graph_free(apsp_graph *graph) {
    if (graph != NULL)
        graph_free(&graph->graph);
    memory_free(graph);
}

int32_t apsp_graph_vertices(const apsp_graph *graph) {
    return graph->graph.n;
}

int64_t apsp_graph_edges_read(const apsp_graph *graph) {
    return graph->graph.edges_read;
}

int64_t apsp_graph_edges(const apsp_graph *graph) {
    return graph->graph.m;
}

int apsp_graph_find_edge(const apsp_graph *graph, int32_t from, int32_t to, int32_t *weight) {
    const int64_t e = graph_find_edge(&graph->graph, from, to);
    if (e >= 0 && weight != NULL)
        *weight = graph->graph.weight[e];
    return e >= 0;
}

uint32_t apsp_graph_checksum(const apsp_graph *graph) {
    return graph_checksum(&graph->graph);
}

struct cycle_search {
    const struct graph *graph;
    int64_t *potential;
    struct cycle cycle;
};

static enum status search_cycle(void *self, struct progress *progress, struct error *err) {
    struct cycle_search *search = self;
    return potentials_find(search->graph, search->potential, &search->cycle, progress, err);
}

apsp_status apsp_graph_negative_cycle(const apsp_graph *graph, int32_t *vertices, int32_t *length,
                                      int64_t *weight, apsp_error *error) {
    struct error err;
    struct cycle_search search = {.graph = &graph->graph};
    void *potential = NULL;
    *length = 0;
    *weight = 0;
    if (graph->graph.min_weight >= 0)
        return APSP_OK;
    enum status status;
    TRY(memory_alloc(&potential, (size_t)graph->graph.n, sizeof(int64_t), "the potentials", &err));
    search.potential = potential;
    status = call_work(&(struct listener){0}, search_cycle, &search, &err);
    if (status == STATUS_NEGATIVE_CYCLE) {
        memcpy(vertices, search.cycle.vertices, (size_t)search.cycle.length * sizeof *vertices);
        *length = search.cycle.length;
        *weight = search.cycle.weight;
    }
cleanup:
    memory_free(search.cycle.vertices);
    memory_free(potential);
    return end(status, &err, error);
}

/* Solving. */

int apsp_engine_at(size_t index, apsp_engine *engine) {
    struct error err;
    if (struct_check(engine, FIRST_ENGINE, "apsp_engine", &err) != STATUS_OK)
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
    return end(status, &err, error);
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
    return end(memory_check("in memory", n, &part, 1, &err), &err, error);
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

static enum status check_options(const apsp_options *how, const struct engine *engine,
                                 struct error *err) {
    const struct solver_variant *variant = engine->variant;
    RETURN_ON_FAILURE(check_range("threads", how->threads, 0, THREADS_MAX, err));
    RETURN_ON_FAILURE(check_range("device", how->device, 0, SOLVER_MAX_DEVICE, err));
    if (variant->max_tile == 0 && how->tile != 0)
        return fail(err, STATUS_BAD_INPUT, "tile: variant %s has no tile size to choose, found %d",
                    variant->name, how->tile);
    RETURN_ON_FAILURE(check_range("tile", how->tile, 0, variant->max_tile, err));
    if (variant->distances_only && !how->distances_only)
        return fail(err, STATUS_BAD_INPUT,
                    "variant %s computes no predecessors: ask for distances only", variant->name);
    return STATUS_OK;
}

static void note_choice(void *to, const char *variant, const char *why) {
    apsp_result *result = to;
    (void)why;
    snprintf(result->chosen, sizeof result->chosen, "%s", variant);
}

/* The arguments of solve_into; `made` is zeroed. */
struct solving {
    apsp_result *made;
    const apsp_graph *graph;
    const apsp_options *how;
    struct engine engine;
};

static enum status solve_into(void *self, struct progress *progress, struct error *err) {
    const struct solving *in = self;
    const apsp_options *how = in->how;
    const struct engine *engine = &in->engine;
    const apsp_graph *graph = in->graph;
    struct result *result = &in->made->result;
    const struct solver_options options = {
        .threads = how->threads,
        .device = how->device,
        .tile = how->tile,
        .keeps_device = true,
        .on_choice = note_choice,
        .callback_context = in->made,
    };
    struct timing timing;
    const struct graph *g = &graph->graph;
    const bool pred = !how->distances_only;
    const struct solve_size size = {g, g->n, how->threads, pred, .matrices = true};
    const struct memory_part parts[] = {
        {pred ? "for 2 matrices" : "for 1 matrix", matrix_memory(g->n, pred ? 2 : 1), 0},
        {"for the graph", graph_memory(g->n, g->m), 1},
        {"to solve", solve_memory(engine->variant, &size), 0},
    };
    RETURN_ON_FAILURE(memory_check(graph->name, g->n, parts, sizeof parts / sizeof *parts, err));
    RETURN_ON_FAILURE(result_alloc(result, g->n, g->n, pred, graph->name, err));
    RETURN_ON_FAILURE(solve(engine->variant, &graph->graph, &options, &result->dist,
                            how->distances_only ? NULL : &result->pred, progress, 1, &timing, err));
    result_describe(result, &graph->graph, graph->name, engine->solver->program,
                    engine->variant->name, &timing);
    result->made.vertices_from = graph->vertices_from;
    engine_name(engine, in->made->engine, sizeof in->made->engine);
    return STATUS_OK;
}

apsp_status apsp_solve(const apsp_graph *graph, const apsp_options *options, apsp_result **result,
                       apsp_error *error) {
    struct error err;
    apsp_options how = APSP_OPTIONS_INIT;
    struct solving in = {.graph = graph, .how = &how};
    void *made = NULL;
    *result = NULL;
    enum status status;
    TRY(take_options(&how, options, &err));
    TRY(find_engine(&how, &in.engine, &err));
    TRY(check_options(&how, &in.engine, &err));
    TRY(new_object(&made, sizeof **result, "the result", &err));
    in.made = made;
    TRY(call_work(&(struct listener){how.progress, how.progress_to}, solve_into, &in, &err));
    *result = made;
    made = NULL;
cleanup:
    apsp_result_free(made);
    return end(status, &err, error);
}

void apsp_result_free(apsp_result *result) {
    if (result != NULL)
        result_free(&result->result);
    memory_free(result);
}

/* Results. */

int32_t apsp_result_vertices(const apsp_result *result) {
    return result->result.dist.n;
}

static const int32_t *cells_of(const struct matrix *m, size_t *leading) {
    if (leading != NULL)
        *leading = m->ld;
    return m->cell;
}

const int32_t *apsp_result_distances(const apsp_result *result, size_t *leading) {
    return cells_of(&result->result.dist, leading);
}

const int32_t *apsp_result_predecessors(const apsp_result *result, size_t *leading) {
    return cells_of(&result->result.pred, leading);
}

int32_t apsp_result_distance(const apsp_result *result, int32_t from, int32_t to) {
    return matrix_row(&result->result.dist, from)[to];
}

/* Whether predecessors lead from `to` to `from`; in a result that was read they may not. */
static bool leads_back(const int32_t *pred, int32_t n, int32_t from, int32_t to) {
    int32_t v = to;
    for (int32_t steps = 0; steps < n && v >= 0 && v < n; steps++) {
        if (v == from)
            return pred[v] == -1;
        v = pred[v];
    }
    return false;
}

static enum status check_path(const struct result *result, int32_t from, int32_t to,
                              struct error *err) {
    const struct matrix *pred = &result->pred;
    RETURN_ON_FAILURE(check_range("from", from, 0, result->dist.n - 1, err));
    RETURN_ON_FAILURE(check_range("to", to, 0, result->dist.n - 1, err));
    if (pred->cell == NULL)
        return fail(err, STATUS_BAD_INPUT, "expected a result with predecessors, found none");
    const int32_t *row = matrix_row(pred, from);
    if ((from == to || row[to] != -1) && !leads_back(row, pred->n, from, to))
        return fail(err, STATUS_BAD_INPUT, "predecessors of (%d, %d) do not lead to %d", from, to,
                    from);
    return STATUS_OK;
}

apsp_status apsp_result_path(const apsp_result *result, int32_t from, int32_t to, int32_t *path,
                             int32_t *length, apsp_error *error) {
    struct error err;
    *length = 0;
    enum status status = check_path(&result->result, from, to, &err);
    if (status == STATUS_OK)
        certificate_path(&result->result.pred, from, to, path, length);
    return end(status, &err, error);
}

const char *apsp_result_engine(const apsp_result *result) {
    return result->engine;
}

const char *apsp_result_chosen(const apsp_result *result) {
    return result->chosen;
}

double apsp_result_seconds(const apsp_result *result, double *total) {
    if (total != NULL)
        *total = result->result.made.total_s;
    return result->result.made.solve_s;
}

int apsp_result_checksum(const apsp_result *result, uint32_t *checksum) {
    const struct provenance *made = &result->result.made;
    if (made->has_checksum)
        *checksum = made->checksum;
    return made->has_checksum;
}

/* Copies the certificate's refutation to the caller's struct. */
static void give_refutation(const struct refutation *found, apsp_refutation *to) {
    const bool has_edge = refutation_has_edge(found->reason);
    const apsp_refutation ours = {
        .check = refutation_check(found->reason),
        .reason = refutation_name(found->reason),
        .from = found->i,
        .to = found->j,
        .distance = found->distance,
        .via = found->via,
        .has_edge = has_edge,
        .via_distance = has_edge ? found->via_distance : 0,
        .weight = has_edge ? found->weight : 0,
    };
    struct_give(to, &ours, sizeof ours);
}

struct proving {
    const apsp_graph *graph;
    const apsp_result *result;
    int threads;
    struct refutation found;
};

static enum status prove(void *self, struct progress *progress, struct error *err) {
    struct proving *in = self;
    const struct result *result = &in->result->result;
    return certify_or_refute(&in->graph->graph, &result->dist,
                             result->pred.cell != NULL ? &result->pred : NULL, in->threads,
                             progress, &in->found, err);
}

apsp_status apsp_verify(const apsp_graph *graph, const apsp_result *result,
                        const apsp_options *options, apsp_refutation *refutation,
                        apsp_error *error) {
    struct error err;
    apsp_options how = APSP_OPTIONS_INIT;
    enum status status;
    TRY(take_options(&how, options, &err));
    TRY(check_range("threads", how.threads, 0, THREADS_MAX, &err));
    if (refutation != NULL)
        TRY(struct_check(refutation, FIRST_REFUTATION, "apsp_refutation", &err));
    struct proving in = {.graph = graph, .result = result, .threads = how.threads};
    status = call_work(&(struct listener){how.progress, how.progress_to}, prove, &in, &err);
    if (status == STATUS_REFUTED && refutation != NULL)
        give_refutation(&in.found, refutation);
cleanup:
    return end(status, &err, error);
}

struct writing {
    const struct result *result;
    const char *path;
    apsp_format format;
    int threads;
};

static enum status write_result(void *self, struct progress *progress, struct error *err) {
    const struct writing *out = self;
    (void)progress;
    return out->format == APSP_NPY ? result_write_npy(out->path, out->result, out->threads, err)
                                   : result_write_text(out->path, out->result, out->threads, err);
}

apsp_status apsp_result_write(const apsp_result *result, const char *path, apsp_format format,
                              int threads, apsp_error *error) {
    struct error err;
    enum status status;
    TRY(check_range("threads", threads, 0, THREADS_MAX, &err));
    TRY(check_range("format", (int)format, APSP_TEXT, APSP_NPY, &err));
    if (format == APSP_NPY && strcmp(path, "-") == 0)
        TRY(fail(&err, STATUS_BAD_INPUT,
                 "APSP_NPY is several files and cannot go to standard output"));
    TRY(call_work(&(struct listener){0}, write_result,
                  &(struct writing){&result->result, path, format, threads}, &err));
cleanup:
    return end(status, &err, error);
}

struct reading_result {
    struct result *result;
    const char *path;
};

static enum status read_result(void *self, struct progress *progress, struct error *err) {
    const struct reading_result *in = self;
    (void)progress;
    RETURN_ON_FAILURE(result_read(in->path, in->result, err));
    if (in->result->sources.source == NULL)
        return STATUS_OK;
    result_free(in->result);
    return fail(err, STATUS_BAD_INPUT, "%s: expected a row for every vertex, found those of some",
                in->path);
}

apsp_status apsp_result_read(apsp_result **result, const char *path, apsp_error *error) {
    struct error err;
    void *memory = NULL;
    *result = NULL;
    apsp_result *made = NULL;
    enum status status;
    TRY(new_object(&memory, sizeof *made, "the result", &err));
    made = memory;
    TRY(call_work(&(struct listener){0}, read_result, &(struct reading_result){&made->result, path},
                  &err));
    *result = made;
    memory = NULL;
cleanup:
    memory_free(memory); /* after a failure the result in it is empty */
    return end(status, &err, error);
}
