/* apsp.h over what the programs are made of. */
#include "libapsp/apsp.h"

#include "apsp/auto.h"          // apsp_solver
#include "common/certificate.h" // certify_or_refute, certificate_path
#include "common/engines.h"     // engines, engine_find
#include "common/gpu_solver.h"  // gpu_name, gpu_solve
#include "common/graph_io.h"    // graph_read_as
#include "common/memory.h"      // memory_alloc, memory_check
#include "common/potentials.h"  // potentials_find
#include "common/result_io.h"   // struct result
#include "common/solve.h"       // solve

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)APSP_OK == STATUS_OK && (int)APSP_REFUTED == STATUS_REFUTED &&
                   (int)APSP_BAD_INPUT == STATUS_BAD_INPUT &&
                   (int)APSP_NEGATIVE_CYCLE == STATUS_NEGATIVE_CYCLE &&
                   (int)APSP_NO_RESOURCE == STATUS_NO_RESOURCE,
               "statuses are passed on as they are");
_Static_assert(APSP_INF == INF, "distances are passed on as they are");
_Static_assert(sizeof(apsp_error) == sizeof(struct error), "messages are passed on whole");

enum { MOST_THREADS = 4096, MOST_DEVICES = 1024 };

struct apsp_graph {
    struct graph graph;
    char name[256]; /* of its file */
    /* How that file numbers vertex 0; all else counts from 0. */
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

/* An integer argument in lowest .. highest. */
static enum status check_range(const char *name, int64_t value, int64_t lowest, int64_t highest,
                               struct error *err) {
    if (value >= lowest && value <= highest)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected %lld .. %lld, found %lld", name,
                (long long)lowest, (long long)highest, (long long)value);
}

/* Copies a caller's struct, whose first member is its size, to ours of `known` bytes, which holds
 * the defaults. One of a later version may be longer as long as what we do not know is zero. */
static enum status take_struct(void *to, size_t known, const void *from, const char *name,
                               struct error *err) {
    size_t size;
    if (from == NULL)
        return STATUS_OK;
    memcpy(&size, from, sizeof size);
    if (size < known)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a struct of %zu bytes or more, found %zu",
                    name, known, size);
    const char *bytes = from;
    for (size_t b = known; b < size; b++) {
        if (bytes[b] != 0)
            return fail(err, STATUS_BAD_INPUT, "%s: library %s does not know all that is asked for",
                        name, APSP_VERSION);
    }
    memcpy(to, from, known);
    return STATUS_OK;
}

const char *apsp_version(void) {
    return APSP_VERSION;
}

/* Graphs. */

/* An object of ours, zeroed. */
static enum status new_object(void **object, size_t size, const char *what, struct error *err) {
    enum status status = memory_alloc(object, 1, size, what, err);
    if (status == STATUS_OK)
        memset(*object, 0, size);
    return status;
}

/* The caller's arrays as edges, with room for `room` times as many. */
static enum status gather_edges(int32_t n, int64_t count, const int32_t *from, const int32_t *to,
                                const int32_t *weight, size_t room, struct edge **edges,
                                struct error *err) {
    void *memory = NULL;
    enum status status = check_range("number of vertices", n, 1, INT32_MAX, err);
    if (status == STATUS_OK)
        status = check_range("number of edges", count, 0, INT64_MAX / 2, err);
    if (status == STATUS_OK && count > 0 && (from == NULL || to == NULL))
        status = fail(err, STATUS_BAD_INPUT, "expected the ends of %lld edges, found NULL",
                      (long long)count);
    if (status == STATUS_OK)
        status = memory_check(n, 1, "the graph", err);
    if (status == STATUS_OK)
        status = memory_alloc(&memory, room * (size_t)count, sizeof **edges, "the edges", err);
    *edges = memory;
    for (int64_t e = 0; e < count && status == STATUS_OK; e++) {
        const struct edge edge = {from[e], to[e], weight != NULL ? weight[e] : 1};
        if (edge.from < 0 || edge.from >= n || edge.to < 0 || edge.to >= n)
            status =
                fail(err, STATUS_BAD_INPUT, "edge %lld: expected vertices in 0 .. %d, found %d, %d",
                     (long long)e, n - 1, edge.from, edge.to);
        (*edges)[e] = edge;
    }
    return status;
}

apsp_status apsp_graph_from_edges(apsp_graph **graph, int32_t n, int64_t count, const int32_t *from,
                                  const int32_t *to, const int32_t *weight, int undirected,
                                  apsp_error *error) {
    struct error err;
    struct edge *edges = NULL;
    void *made = NULL;
    *graph = NULL;
    enum status status = gather_edges(n, count, from, to, weight, undirected ? 2 : 1, &edges, &err);
    if (status == STATUS_OK)
        status = new_object(&made, sizeof **graph, "the graph", &err);
    if (status == STATUS_OK && undirected)
        count = graph_append_reverses(edges, count);
    if (status == STATUS_OK) {
        *graph = made;
        snprintf((*graph)->name, sizeof(*graph)->name, "in memory");
        status = graph_build(&(*graph)->graph, n, edges, count, &err);
    }
    if (status != STATUS_OK) {
        free(made);
        *graph = NULL;
    }
    free(edges);
    return end(status, &err, error);
}

apsp_status apsp_graph_read(apsp_graph **graph, const char *path, const apsp_reading *reading,
                            apsp_error *error) {
    struct error err;
    apsp_reading how = APSP_READING_INIT;
    void *made = NULL;
    *graph = NULL;
    enum status status = take_struct(&how, sizeof how, reading, "apsp_reading", &err);
    if (status == STATUS_OK)
        status = check_range("scale", how.scale, 0, TEXT_HIGHEST_SCALE, &err);
    if (status == STATUS_OK)
        status = new_object(&made, sizeof **graph, "the graph", &err);
    if (status == STATUS_OK) {
        const struct graph_reading as = {.undirected = how.undirected != 0, .scale = how.scale};
        *graph = made;
        snprintf((*graph)->name, sizeof(*graph)->name, "%s", path);
        status = graph_read_as(path, &as, &(*graph)->graph, &err);
        (*graph)->vertices_from = (*graph)->graph.first_vertex;
        (*graph)->graph.first_vertex = 0;
    }
    if (status != STATUS_OK) {
        free(made);
        *graph = NULL;
    }
    return end(status, &err, error);
}

void apsp_graph_free(apsp_graph *graph) {
    if (graph != NULL)
        graph_free(&graph->graph);
    free(graph);
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

apsp_status apsp_graph_negative_cycle(const apsp_graph *graph, int32_t *vertices, int32_t *length,
                                      int64_t *weight, apsp_error *error) {
    struct error err;
    struct cycle cycle = {0};
    void *potential = NULL;
    *length = 0;
    *weight = 0;
    if (graph->graph.min_weight >= 0)
        return APSP_OK;
    enum status status =
        memory_alloc(&potential, (size_t)graph->graph.n, sizeof(int64_t), "the potentials", &err);
    if (status == STATUS_OK)
        status = potentials_find(&graph->graph, potential, &cycle, &err);
    if (status == STATUS_NEGATIVE_CYCLE) {
        memcpy(vertices, cycle.vertices, (size_t)cycle.length * sizeof *vertices);
        *length = cycle.length;
        *weight = cycle.weight;
    }
    free(cycle.vertices);
    free(potential);
    return end(status, &err, error);
}

/* Solving. */

int apsp_engine_at(size_t index, apsp_engine *engine) {
    for (int s = 0; s <= ENGINE_SOLVERS; s++) {
        const struct solver *solver = s == 0 ? &apsp_solver : engines[s - 1];
        if (index >= solver->variant_count) {
            index -= solver->variant_count;
            continue;
        }
        const struct solver_variant *variant = &solver->variants[index];
        *engine = (apsp_engine){
            .name = solver->program,
            .variant = variant->name,
            .summary = variant->summary,
            .source = variant->source,
            .is_default = strcmp(variant->name, solver->default_variant) == 0,
            .uses_gpu = variant->solve == gpu_solve,
            .distances_only = variant->distances_only,
        };
        return 1;
    }
    return 0;
}

apsp_status apsp_gpu_name(int device, char *name, size_t size, apsp_error *error) {
    struct error err;
    enum status status = check_range("device", device, 0, MOST_DEVICES, &err);
    if (status == STATUS_OK)
        status = gpu_name(device, name, size, &err);
    return end(status, &err, error);
}

/* The variants of a solver, each behind `before` and that is followed by a colon, unless empty. */
static void list_variants(const struct solver *solver, const char *before, char *list,
                          size_t size) {
    int used = 0;
    for (size_t v = 0; v < solver->variant_count && (size_t)used < size; v++)
        used += snprintf(list + used, size - (size_t)used, "%s%s%s%s", v == 0 ? "" : ", ", before,
                         before[0] != '\0' ? ":" : "", solver->variants[v].name);
}

/* Says which engines there are, or which variants of the one that was meant. */
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
    enum status status = check_range("threads", how->threads, 0, MOST_THREADS, err);
    if (status == STATUS_OK)
        status = check_range("device", how->device, 0, MOST_DEVICES, err);
    if (status == STATUS_OK && variant->max_tile == 0 && how->tile != 0)
        status =
            fail(err, STATUS_BAD_INPUT, "tile: variant %s has no tile size to choose, found %d",
                 variant->name, how->tile);
    if (status == STATUS_OK)
        status = check_range("tile", how->tile, 0, variant->max_tile, err);
    if (status == STATUS_OK && variant->distances_only && !how->distances_only)
        status = fail(err, STATUS_BAD_INPUT,
                      "variant %s computes no predecessors: ask for distances only", variant->name);
    return status;
}

static void note_choice(void *to, const char *variant, const char *why) {
    apsp_result *result = to;
    (void)why;
    snprintf(result->chosen, sizeof result->chosen, "%s", variant);
}

/* Into a result that is zeroed. */
static enum status solve_into(apsp_result *made, const apsp_graph *graph, const apsp_options *how,
                              const struct engine *engine, struct error *err) {
    struct result *result = &made->result;
    const struct solver_options options = {
        .threads = how->threads,
        .device = how->device,
        .tile = how->tile,
        .keeps_device = true,
        .tell_choice = note_choice,
        .tell_to = made,
    };
    struct progress progress = {.tell = how->progress, .tell_to = how->progress_to};
    struct timing timing;
    enum status status =
        result_alloc(result, graph->graph.n, !how->distances_only, graph->name, err);
    if (status != STATUS_OK)
        return status;
    status = solve(engine->variant, &graph->graph, &options, &result->dist,
                   how->distances_only ? NULL : &result->pred, &progress, 1, &timing, err);
    if (status != STATUS_OK)
        return status;
    result_describe(result, &graph->graph, graph->name, engine->solver->program,
                    engine->variant->name, &timing);
    result->made.vertices_from = graph->vertices_from;
    engine_name(engine, made->engine, sizeof made->engine);
    return STATUS_OK;
}

apsp_status apsp_solve(const apsp_graph *graph, const apsp_options *options, apsp_result **result,
                       apsp_error *error) {
    struct error err;
    apsp_options how = APSP_OPTIONS_INIT;
    struct engine engine = {0};
    void *made = NULL;
    *result = NULL;
    enum status status = take_struct(&how, sizeof how, options, "apsp_options", &err);
    if (status == STATUS_OK)
        status = find_engine(&how, &engine, &err);
    if (status == STATUS_OK)
        status = check_options(&how, &engine, &err);
    if (status == STATUS_OK)
        status = new_object(&made, sizeof **result, "the result", &err);
    if (status == STATUS_OK)
        status = solve_into(made, graph, &how, &engine, &err);
    if (status == STATUS_OK)
        *result = made;
    else
        apsp_result_free(made);
    return end(status, &err, error);
}

void apsp_result_free(apsp_result *result) {
    if (result != NULL)
        result_free(&result->result);
    free(result);
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

/* Whether predecessors lead from `to` to `from`; those of a file need not. */
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
    enum status status = check_range("from", from, 0, result->dist.n - 1, err);
    if (status == STATUS_OK)
        status = check_range("to", to, 0, result->dist.n - 1, err);
    if (status != STATUS_OK)
        return status;
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

/* What the certificate found, in the caller's struct. */
static void tell_refutation(const struct refutation *found, apsp_refutation *to) {
    const bool has_edge = refutation_has_edge(found->reason);
    *to = (apsp_refutation){
        .size = to->size,
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
}

apsp_status apsp_verify(const apsp_graph *graph, const apsp_result *result, int threads,
                        apsp_refutation *refutation, apsp_error *error) {
    struct error err;
    struct refutation found;
    const struct matrix *pred = result->result.pred.cell != NULL ? &result->result.pred : NULL;
    enum status status = check_range("threads", threads, 0, MOST_THREADS, &err);
    if (status == STATUS_OK && refutation != NULL && refutation->size < sizeof *refutation)
        status = fail(&err, STATUS_BAD_INPUT,
                      "apsp_refutation: expected a struct of %zu bytes or more, found %zu",
                      sizeof *refutation, refutation->size);
    if (status == STATUS_OK)
        status =
            certify_or_refute(&graph->graph, &result->result.dist, pred, threads, &found, &err);
    if (status == STATUS_REFUTED && refutation != NULL)
        tell_refutation(&found, refutation);
    return end(status, &err, error);
}

apsp_status apsp_result_write(const apsp_result *result, const char *path, apsp_format format,
                              int threads, apsp_error *error) {
    struct error err;
    enum status status = check_range("threads", threads, 0, MOST_THREADS, &err);
    if (status == STATUS_OK)
        status = check_range("format", (int)format, APSP_TEXT, APSP_NPY, &err);
    if (status == STATUS_OK && format == APSP_NPY && strcmp(path, "-") == 0)
        status = fail(&err, STATUS_BAD_INPUT,
                      "APSP_NPY is several files and cannot go to standard output");
    if (status == STATUS_OK)
        status = format == APSP_NPY ? result_write_npy(path, &result->result, threads, &err)
                                    : result_write_text(path, &result->result, threads, &err);
    return end(status, &err, error);
}

apsp_status apsp_result_read(apsp_result **result, const char *path, apsp_error *error) {
    struct error err;
    void *made = NULL;
    *result = NULL;
    enum status status = new_object(&made, sizeof **result, "the result", &err);
    if (status == STATUS_OK) {
        *result = made;
        status = result_read(path, &(*result)->result, &err);
    }
    if (status != STATUS_OK) {
        free(made);
        *result = NULL;
    }
    return end(status, &err, error);
}
