// SPDX-License-Identifier: MIT
#include "libapsp/own_sinks.h"

#include "common/base/memory.h"   // memory_alloc, memory_free
#include "common/base/threads.h"  // threads_or_default
#include "libapsp/structs.h"      // struct_take
#include "solve/distance_bound.h" // distance_bound_of_integers
#include "solve/solver.h"         // SOLVER_MAX_DEVICE

#include <stdlib.h>
#include <string.h>

/* The `take` of every sink of the library, by which own_sink_of recognizes it; it is never
 * called. */
static apsp_status take_nothing(void *self, const apsp_rows *rows, apsp_error *error) {
    struct error err;
    (void)self, (void)rows;
    return end_call(
        fail(&err, STATUS_BAD_INPUT, "a sink of the library works for apsp_solve_rows only"), &err,
        error);
}

struct own_sink *own_sink_of(const apsp_sink *sink) {
    return sink->take == take_nothing ? sink->self : NULL;
}

static void show(struct own_sink *own, enum own_kind kind) {
    *own = (struct own_sink){
        .shown = {.size = sizeof own->shown, .take = take_nothing, .self = own},
        .kind = kind,
    };
}

void own_sink_for_result(struct own_sink *own, apsp_result **result) {
    show(own, OWN_RESULT);
    own->result_to = result;
}

static enum status new_sink(struct own_sink **own, enum own_kind kind, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(new_object(&memory, sizeof **own, "the sink", err));
    *own = memory;
    show(*own, kind);
    return STATUS_OK;
}

static enum status copy_targets(struct own_sink *own, const apsp_files *files, struct error *err) {
    const size_t bytes = (size_t)files->target_count * sizeof(int32_t);
    void *memory;
    if (files->targets == NULL)
        return check_range("apsp_files: target_count", files->target_count, 0, 0, err);
    RETURN_ON_FAILURE(
        check_range("apsp_files: target_count", files->target_count, 1, INT32_MAX, err));
    RETURN_ON_FAILURE(memory_alloc(&memory, bytes, 1, "the targets", err));
    own->targets = (struct vertex_list){memcpy(memory, files->targets, bytes), files->target_count};
    return STATUS_OK;
}

/* Makes a sink for files. `given` has the size of the caller's version. */
static enum status new_file_sink(struct own_sink **own, const apsp_files *given,
                                 struct error *err) {
    const struct result_format *format;
    apsp_files files = APSP_FILES_INIT;
    RETURN_ON_FAILURE(struct_take(&files, sizeof files, SIZE_UP_TO(apsp_files, target_count), given,
                                  "apsp_files", err));
    if (files.path == NULL)
        return fail(err, STATUS_BAD_INPUT, "apsp_files: expected a path, found NULL");
    RETURN_ON_FAILURE(result_format_find("format", files.format != NULL ? files.format : "npy",
                                         false, &format, err));
    if (format->npy && strcmp(files.path, "-") == 0)
        return fail(err, STATUS_BAD_INPUT,
                    "%s is several files and cannot go to standard output: expected a prefix",
                    format->name);
    if (files.resume != 0 && (!format->npy || format->npz))
        return fail(err, STATUS_BAD_INPUT,
                    "resume: expected a format of NumPy's files, found %s, which is written when "
                    "all is solved",
                    format->name);
    RETURN_ON_FAILURE(new_sink(own, format->npy ? OWN_FILES : OWN_TEXT, err));
    (*own)->format = format;
    (*own)->resumes = files.resume != 0;
    (*own)->rows_kept = files.rows_kept;
    (*own)->path = strdup(files.path);
    if ((*own)->path == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: %s", files.path);
    return copy_targets(*own, &files, err);
}

/* Ends a function that makes a sink. */
static apsp_status end_sink(enum status status, struct own_sink *own, apsp_sink **sink,
                            const struct error *err, apsp_error *error) {
    *sink = NULL;
    if (status == STATUS_OK)
        *sink = &own->shown;
    else if (own != NULL)
        apsp_sink_free(&own->shown);
    return end_call(status, err, error);
}

apsp_status apsp_sink_file(apsp_sink **sink, const char *path, apsp_format format,
                           apsp_error *error) {
    static const char *const names[] = {[APSP_TEXT] = "text", [APSP_NPY] = "npy"};
    apsp_files files = APSP_FILES_INIT;
    struct error err;
    struct own_sink *own = NULL;
    enum status status;
    TRY(check_range("format", (int)format, APSP_TEXT, APSP_NPY, &err));
    files.path = path;
    files.format = names[format];
    TRY(new_file_sink(&own, &files, &err));
cleanup:
    return end_sink(status, own, sink, &err, error);
}

apsp_status apsp_sink_files(apsp_sink **sink, const apsp_files *files, apsp_error *error) {
    struct error err;
    struct own_sink *own = NULL;
    const enum status status = new_file_sink(&own, files, &err);
    return end_sink(status, own, sink, &err, error);
}

apsp_status apsp_sink_result(apsp_sink **sink, apsp_result **result, apsp_error *error) {
    struct error err;
    struct own_sink *own = NULL;
    const enum status status = new_sink(&own, OWN_RESULT, &err);
    *result = NULL;
    if (status == STATUS_OK)
        own->result_to = result;
    return end_sink(status, own, sink, &err, error);
}

_Static_assert(APSP_PART_HARMONIC == (int)MEASURES_HARMONIC &&
                   APSP_PART_HISTOGRAM == (int)MEASURES_HISTOGRAM,
               "the same bits");

apsp_status apsp_sink_measures(apsp_sink **sink, apsp_measures **measures, apsp_error *error) {
    return apsp_sink_measures_of(sink, MEASURES_ALL, measures, error);
}

apsp_status apsp_sink_measures_of(apsp_sink **sink, unsigned parts, apsp_measures **measures,
                                  apsp_error *error) {
    struct error err;
    struct own_sink *own = NULL;
    enum status status;
    *measures = NULL;
    TRY(check_range("parts", parts, 0, MEASURES_ALL, &err));
    TRY(new_sink(&own, OWN_MEASURES, &err));
    own->measures_to = measures;
    own->parts = parts;
cleanup:
    return end_sink(status, own, sink, &err, error);
}

apsp_status apsp_sink_arrays(apsp_sink **sink, const apsp_arrays *arrays, apsp_error *error) {
    struct error err;
    struct own_sink *own = NULL;
    enum status status;
    TRY(new_sink(&own, OWN_ARRAYS, &err));
    TRY(array_sink_make(&own->arrays, arrays, &err));
cleanup:
    return end_sink(status, own, sink, &err, error);
}

apsp_status apsp_sink_device(apsp_sink **sink, int device, apsp_device_matrix **matrix,
                             apsp_error *error) {
    struct error err;
    struct own_sink *own = NULL;
    enum status status;
    *matrix = NULL;
    TRY(check_range("device", device, 0, SOLVER_MAX_DEVICE, &err));
    TRY(new_sink(&own, OWN_DEVICE, &err));
    own->device = device;
    own->device_to = matrix;
cleanup:
    return end_sink(status, own, sink, &err, error);
}

void apsp_sink_free(apsp_sink *sink) {
    if (sink == NULL)
        return;
    struct own_sink *const own = sink->self;
    own_sink_close(own);
    free(own->path);
    vertex_list_free(&own->targets);
    memory_free(own);
}

/* Answers --------------------------------------------------------------------------------------*/

static bool keeps_rows(const struct own_sink *own) {
    return own->kind == OWN_RESULT || own->kind == OWN_TEXT;
}

bool own_sink_takes_predecessors(const struct own_sink *own) {
    return own->kind == OWN_ARRAYS ? own->arrays.to.predecessors != NULL
                                   : own->kind != OWN_MEASURES && own->targets.vertex == NULL &&
                                         !(own->kind == OWN_FILES && own->format->npz);
}

/* The vertices of the columns that the sink keeps. */
static struct row_sources columns_of(const struct own_sink *own, const struct graph *g) {
    return vertex_list_rows(&own->targets, g);
}

static bool has_predecessors(const struct own_sink *own, const struct answer *answer) {
    return answer->with_pred && own_sink_takes_predecessors(own);
}

uint64_t own_sink_matrices(const struct own_sink *own, const struct answer *answer) {
    const struct graph *const g = &answer->graph->graph;
    const int32_t rows = answer->sources.count;
    return keeps_rows(own) ? matrix_memory_of_answer(g->type, rows, columns_of(own, g).count,
                                                     has_predecessors(own, answer))
                           : 0;
}

/* The rows, columns and type of an answer in files. */
static struct result_layout layout_of(const struct own_sink *own, const struct answer *answer) {
    const struct graph *const g = &answer->graph->graph;
    return (struct result_layout){.n = g->n,
                                  .naming = g->naming,
                                  .sources = answer->sources,
                                  .targets = columns_of(own, g),
                                  .limit = answer->limit,
                                  .semiring = g->semiring,
                                  .with_pred = has_predecessors(own, answer),
                                  .type = npy_type_of_graph(g)};
}

uint64_t own_sink_memory(const struct own_sink *own, const struct answer *answer, int threads) {
    const int32_t n = answer->graph->graph.n, rows = answer->sources.count;
    const bool all = answer->sources.source == NULL;
    if (own->kind == OWN_MEASURES)
        return measures_memory(answer->graph->graph.type, n, rows, all, true,
                               threads_or_default(threads));
    if (own->kind == OWN_RESULT || own->kind == OWN_ARRAYS || own->kind == OWN_DEVICE)
        return 0;
    const struct result_layout layout = layout_of(own, answer);
    return row_files_memory(own->format, &layout, answer->graph->graph.type, threads);
}

static enum status open_result(struct own_sink *own, const struct answer *answer,
                               struct error *err) {
    const struct row_sources *const sources = &answer->sources;
    const char *const name = answer->graph->name;
    const int32_t n = answer->graph->graph.n;
    void *memory;
    RETURN_ON_FAILURE(new_object(&memory, sizeof *own->result, "the result", err));
    own->result = memory;
    struct result *const result = &own->result->result;
    const bool with_pred = has_predecessors(own, answer);
    const int32_t columns = columns_of(own, &answer->graph->graph).count;
    RETURN_ON_FAILURE(result_alloc(result, answer->graph->graph.type, sources->count, columns,
                                   with_pred, name, err));
    result->n = n;
    result->limit = answer->limit;
    if (sources->source != NULL)
        RETURN_ON_FAILURE(
            vertex_list_copy(name, sources->source, sources->count, n, &result->sources, err));
    if (own->targets.vertex != NULL)
        RETURN_ON_FAILURE(
            vertex_list_copy(name, own->targets.vertex, columns, n, &result->targets, err));
    if (own->kind == OWN_RESULT)
        RETURN_ON_FAILURE(index_rows(own->result, err));
    matrix_sink_begin(&own->rows, &result->dist, with_pred ? &result->pred : NULL);
    own->to = &own->rows.sink;
    return STATUS_OK;
}

static enum status open_measures(struct own_sink *own, const struct answer *answer, int threads,
                                 struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(new_object(&memory, sizeof *own->measures, "the measures", err));
    own->measures = memory;
    measures_init(&own->measures->measures, &answer->graph->graph, threads);
    own->measures->measures.limit = answer->limit;
    measures_choose(&own->measures->measures, own->parts);
    own->to = &own->measures->measures.sink;
    return STATUS_OK;
}

enum status own_sink_type(const struct own_sink *own, const struct answer *answer,
                          enum npy_type *type, struct error *err) {
    const struct graph *const g = &answer->graph->graph;
    RETURN_ON_FAILURE(result_format_type("format", own->format, g, type, err));
    if (own->format->smallest)
        *type = npy_type_for(0, distance_bound_of_integers(g, answer->limit));
    return STATUS_OK;
}

static enum status open_files(struct own_sink *own, const struct answer *answer,
                              struct error *err) {
    const struct row_files_sharing sharing = {.partial = own->partial};
    struct result_layout layout = layout_of(own, answer);
    RETURN_ON_FAILURE(own_sink_type(own, answer, &layout.type, err));
    RETURN_ON_FAILURE(row_files_open(&own->files, own->path, own->format, &layout, &sharing, err));
    own->to = own->files.sink;
    return STATUS_OK;
}

/* STATUS_BAD_INPUT unless all targets are vertices of the graph, each once. */
static enum status check_targets(const struct own_sink *own, const struct graph *g,
                                 struct error *err) {
    struct vertex_list checked = {0};
    if (own->targets.vertex == NULL)
        return STATUS_OK;
    const enum status status =
        vertex_list_copy("targets", own->targets.vertex, own->targets.count, g->n, &checked, err);
    vertex_list_free(&checked);
    return status;
}

/* If the sink keeps some columns in memory, puts a sink before it that selects them. */
static void select_columns(struct own_sink *own, const struct graph *g) {
    const struct row_sources targets = columns_of(own, g);
    if (own->targets.vertex == NULL || !keeps_rows(own))
        return;
    column_sink_open(&own->columns, &targets, own->to);
    own->to = &own->columns.sink;
}

static enum status open_device(struct own_sink *own, const struct answer *answer,
                               struct error *err) {
    const struct graph *const g = &answer->graph->graph;
    void *memory;
    RETURN_ON_FAILURE(new_object(&memory, sizeof *own->on_device, "the matrix", err));
    own->on_device = memory;
    own->to = &own->device_rows.sink;
    RETURN_ON_FAILURE(device_matrix_alloc(&own->on_device->matrix, own->device, g->type,
                                          answer->sources.count, g->n, answer->with_pred, err));
    device_sink_begin(&own->device_rows, &own->on_device->matrix);
    return STATUS_OK;
}

static enum status open_arrays(struct own_sink *own, const struct answer *answer,
                               struct error *err) {
    own->to = &own->arrays.sink;
    return array_sink_check(&own->arrays, answer->graph->graph.type, answer->graph->graph.n,
                            answer->with_pred, err);
}

/* For a graph of another semiring than min-plus, refuses all sinks but results, files, measures,
 * and arrays that need no conversion. */
static enum status check_semiring(const struct own_sink *own, const struct answer *answer,
                                  struct error *err) {
    const struct graph *const g = &answer->graph->graph;
    const bool converts = own->kind == OWN_ARRAYS
                              ? (int)own->arrays.to.type != (int)g->type
                              : own->format != NULL && result_format_narrows(own->format);
    if (g->semiring == SEMIRING_MIN_PLUS || (own->kind != OWN_DEVICE && !converts))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected a sink of %s, found one of %s",
                semiring_name(g->semiring),
                converts ? number_name(g->type) : "results, files, measures or arrays",
                own->kind == OWN_FILES ? own->format->name
                : converts             ? "another type"
                                       : "a device");
}

enum status own_sink_open(struct own_sink *own, const struct answer *answer, int threads,
                          struct error *err) {
    if (own->used)
        return fail(err, STATUS_BAD_INPUT, "expected a sink that has not been used before");
    RETURN_ON_FAILURE(check_semiring(own, answer, err));
    RETURN_ON_FAILURE(check_targets(own, &answer->graph->graph, err));
    own->used = true;
    own->limit = answer->limit;
    const enum status status = own->kind == OWN_MEASURES ? open_measures(own, answer, threads, err)
                               : own->kind == OWN_ARRAYS ? open_arrays(own, answer, err)
                               : own->kind == OWN_DEVICE ? open_device(own, answer, err)
                               : keeps_rows(own)         ? open_result(own, answer, err)
                                                         : open_files(own, answer, err);
    if (status == STATUS_OK)
        select_columns(own, &answer->graph->graph);
    else
        own_sink_close(own);
    return status;
}

/* Sets the provenance of a result and its number of edges, nothing else. */
static void describe(const struct making *making, struct result *result) {
    const struct engine *const engine = &making->engine;
    result_describe(result, &making->graph->graph, making->graph->name, engine->solver->program,
                    engine->variant->name, &making->timing);
    result->made.naming.first = making->graph->vertices_from;
    result->made.proved = making->proved;
    result->made.grid = making->grid.spacing;
    result->made.grid_error = making->grid.distance_by;
}

static enum status finish_measures(struct own_sink *own, const struct making *making,
                                   struct error *err) {
    const struct graph *const g = &making->graph->graph;
    apsp_measures *const made = own->measures;
    struct result described = {0};
    RETURN_ON_FAILURE(measures_finish(&made->measures, err));
    describe(making, &described);
    made->made = described.made; /* takes over the reference to the vertices' names */
    made->head = (struct graph){.n = g->n,
                                .edges_read = g->edges_read,
                                .m = g->m,
                                .type = g->type,
                                .integral = g->integral,
                                .semiring = g->semiring,
                                .naming = made->made.naming};
    made->measures.graph = &made->head;
    return STATUS_OK;
}

static enum status finish_files(struct own_sink *own, const struct making *making,
                                struct error *err) {
    struct result described = {0};
    describe(making, &described);
    const enum status status =
        row_files_finish(&own->files, described.edges_read, &described.made, err);
    result_free(&described);
    return status;
}

static enum status finish_result(struct own_sink *own, const struct making *making,
                                 struct error *err) {
    apsp_result *const made = own->result;
    describe(making, &made->result);
    engine_name(&making->engine, made->engine, sizeof made->engine);
    memcpy(made->chosen, making->chosen, sizeof made->chosen);
    return own->kind == OWN_TEXT ? result_write_text(own->path, &made->result, making->threads, err)
                                 : STATUS_OK;
}

enum status own_sink_finish(struct own_sink *own, const struct making *making, struct error *err) {
    return own->kind == OWN_MEASURES ? finish_measures(own, making, err)
           : own->kind == OWN_FILES  ? finish_files(own, making, err)
           : own->kind == OWN_ARRAYS ? STATUS_OK
           : own->kind == OWN_DEVICE ? device_matrix_wait(&own->on_device->matrix, err)
                                     : finish_result(own, making, err);
}

void own_sink_hand_over(struct own_sink *own) {
    if (own->kind == OWN_RESULT) {
        *own->result_to = own->result;
        own->result = NULL;
    } else if (own->kind == OWN_DEVICE) {
        *own->device_to = own->on_device;
        own->on_device = NULL;
    } else if (own->kind == OWN_MEASURES) {
        *own->measures_to = own->measures;
        own->measures = NULL;
    }
}

void own_sink_close(struct own_sink *own) {
    row_files_close(&own->files);
    column_sink_close(&own->columns);
    apsp_result_free(own->result);
    apsp_measures_free(own->measures);
    apsp_device_matrix_free(own->on_device);
    own->on_device = NULL;
    own->result = NULL;
    own->measures = NULL;
    own->to = NULL;
}

/* Matrices on a device -------------------------------------------------------------------------*/

const void *apsp_device_matrix_cells(const apsp_device_matrix *matrix) {
    return matrix->matrix.dist;
}

const int32_t *apsp_device_matrix_predecessors(const apsp_device_matrix *matrix) {
    return matrix->matrix.pred;
}

void apsp_device_matrix_free(apsp_device_matrix *matrix) {
    if (matrix != NULL)
        device_matrix_free(&matrix->matrix);
    memory_free(matrix);
}
