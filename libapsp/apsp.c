// SPDX-License-Identifier: MIT
/* Implements apsp.h by the parts that the programs use. */
#include "libapsp/apsp.h"

#include "certificate/certificate.h" // certify_rows, certificate_path_in
#include "common/base/memory.h"      // memory_alloc, memory_check
#include "common/base/threads.h"     // THREADS_MAX
#include "common/graph/foreign.h"    // foreign_find
#include "common/graph/graph_io.h"   // graph_read_as
#include "common/graph/zones.h"      // zone_split_make
#include "common/rows/vertex_list.h" // vertex_list_copy
#include "libapsp/call.h"            // call_work
#include "libapsp/objects.h"
#include "libapsp/structs.h"     // struct_take, struct_give
#include "solve/potentials.h"    // potentials_find
#include "solve/reached_edges.h" // reached_edges_find
#include "solve/real_cycles.h"   // real_cycles_find

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sizes of callers' structs in 0.2.0. New members must not take the place of padding. */
enum {
    FIRST_READING = SIZE_UP_TO(apsp_reading, progress_to),
    FIRST_REFUTATION = SIZE_UP_TO(apsp_refutation, weight),
};

static enum status take_reading(apsp_reading *to, const apsp_reading *from, struct error *err) {
    RETURN_ON_FAILURE(struct_take(to, sizeof *to, FIRST_READING, from, "apsp_reading", err));
    if (to->semiring == NULL || semiring_find(to->semiring) != SEMIRINGS)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "semiring: expected " SEMIRING_NAMES ", found '%.100s'",
                to->semiring);
}

static enum semiring semiring_of(const apsp_reading *reading) {
    return reading->semiring != NULL ? semiring_find(reading->semiring) : SEMIRING_MIN_PLUS;
}

const char *apsp_version(void) {
    return APSP_VERSION;
}

/* Graphs. */

/* The arguments of build_from_edges. */
struct from_edges {
    apsp_graph *made;
    int32_t n;
    int64_t count;
    const int32_t *from, *to;
    enum number_type type; /* type of the weights */
    const void *weight;    /* weight of each edge; NULL: all are 1 */
    const int64_t *first;  /* the edges from v are first[v] .. first[v + 1] - 1; NULL: edge e leads
                              from from[e] */
    bool both_ways;
    enum semiring semiring;
    bool rows; /* the edges are rows that a graph can have as they are */
    bool lent; /* the graph may keep these rows where they are */
};

/* The tail of edge e, which is `from` or a later vertex. */
static int32_t tail_of(const struct from_edges *in, int64_t e, int32_t from) {
    if (in->first == NULL)
        return in->from[e];
    while (e >= in->first[from + 1])
        from++;
    return from;
}

static enum status check_ends(const struct from_edges *in, int64_t e, int32_t from,
                              struct error *err) {
    const int32_t to = in->to[e];
    if (from < 0 || from >= in->n || to < 0 || to >= in->n)
        return fail(err, STATUS_BAD_INPUT, "edge %lld: expected vertices in 0 .. %d, found %d, %d",
                    (long long)e, in->n - 1, from, to);
    return STATUS_OK;
}

/* Copies the caller's arrays to edges, with room for their reverses. */
static enum status gather_edges(const struct from_edges *in, const struct progress *progress,
                                struct edge **edges, struct error *err) {
    const size_t room = in->both_ways ? 2 : 1;
    void *memory = NULL;
    enum status status =
        memory_alloc(&memory, room * (size_t)in->count, sizeof **edges, "the edges", err);
    *edges = memory;
    for (int64_t e = 0, from = 0; e < in->count && status == STATUS_OK; e++) {
        const int32_t *const weight = in->weight;
        from = tail_of(in, e, (int32_t)from);
        status = check_ends(in, e, (int32_t)from, err);
        (*edges)[e] = (struct edge){(int32_t)from, in->to[e], weight != NULL ? weight[e] : 1};
        if (!progress_goes_on(progress))
            status = progress_cancelled(err);
    }
    return status;
}

static double real_weight_of(const struct from_edges *in, int64_t e) {
    if (in->weight == NULL)
        return 1;
    return in->type == NUMBER_FLOAT32 ? (double)((const float *)in->weight)[e]
                                      : ((const double *)in->weight)[e];
}

static enum status gather_real_edges(const struct from_edges *in, const struct progress *progress,
                                     struct real_edge **edges, struct error *err) {
    const size_t room = in->both_ways ? 2 : 1;
    void *memory = NULL;
    enum status status =
        memory_alloc(&memory, room * (size_t)in->count, sizeof **edges, "the edges", err);
    *edges = memory;
    for (int64_t e = 0, from = 0; e < in->count && status == STATUS_OK; e++) {
        const double weight = real_weight_of(in, e);
        from = tail_of(in, e, (int32_t)from);
        status = check_ends(in, e, (int32_t)from, err);
        const bool wants_greatest = semiring_wants_greatest(in->semiring);
        if (status == STATUS_OK &&
            (isnan(weight) || (isinf(weight) && (weight < 0 || wants_greatest))))
            status = fail(err, STATUS_BAD_INPUT, "edge %lld: expected a number, found %g",
                          (long long)e, weight);
        if (status == STATUS_OK && in->semiring == SEMIRING_MAX_PRODUCT &&
            !(weight >= 0 && weight <= 1))
            status = fail(err, STATUS_BAD_INPUT,
                          "edge %lld: expected a weight in 0 .. 1 for max-product, found %g",
                          (long long)e, weight);
        (*edges)[e] = (struct real_edge){(int32_t)from, in->to[e], weight};
        if (!progress_goes_on(progress))
            status = progress_cancelled(err);
    }
    return status;
}

static enum status build_from_real_edges(const struct from_edges *in, struct progress *progress,
                                         struct error *err) {
    struct real_edge *edges = NULL;
    int64_t count = in->count;
    enum status status;
    TRY(gather_real_edges(in, progress, &edges, err));
    if (in->both_ways)
        count = graph_append_reverses_real(edges, count);
    TRY(in->semiring != SEMIRING_MIN_PLUS
            ? graph_build_semiring(&in->made->graph, in->n, in->semiring, in->type, NULL, edges,
                                   count, progress, err)
            : graph_build_real(&in->made->graph, in->n, in->type, edges, count, progress, err));
cleanup:
    memory_free(edges);
    return status;
}

/* Returns whether the edges are rows that a graph can have as they are. */
static bool are_rows(const struct from_edges *in) {
    const bool real = in->type == NUMBER_FLOAT64;
    if (in->first == NULL || in->both_ways || in->weight == NULL || in->type == NUMBER_FLOAT32 ||
        in->semiring != SEMIRING_MIN_PLUS)
        return false;
    for (int64_t e = 0; e < in->count; e++) {
        if (in->to[e] < 0 || in->to[e] >= in->n)
            return false;
    }
    return graph_rows_are_ascending(in->n, in->first, in->to, real ? in->weight : NULL);
}

static enum status build_from_rows(const struct from_edges *in, struct error *err) {
    const bool real = in->type != NUMBER_INT32;
    struct graph *const graph = &in->made->graph;
    if (in->lent)
        return graph_borrow_rows(graph, in->n, in->first, (int32_t *)in->to,
                                 real ? NULL : (int32_t *)in->weight,
                                 real ? (double *)in->weight : NULL, err);
    return graph_from_rows(graph, in->n, in->first, in->to, real ? NULL : in->weight,
                           real ? in->weight : NULL, err);
}

static enum status build_from_edges(void *self, struct progress *progress, struct error *err) {
    const struct from_edges *in = self;
    struct edge *edges = NULL;
    int64_t count = in->count;
    enum status status;
    if (in->rows)
        return build_from_rows(in, err);
    if (in->type != NUMBER_INT32)
        return build_from_real_edges(in, progress, err);
    TRY(gather_edges(in, progress, &edges, err));
    if (in->both_ways)
        count = graph_append_reverses(edges, count);
    TRY(in->semiring != SEMIRING_MIN_PLUS
            ? graph_build_semiring(&in->made->graph, in->n, in->semiring, in->type, edges, NULL,
                                   count, progress, err)
            : graph_build_stoppable(&in->made->graph, in->n, edges, count, progress, err));
cleanup:
    memory_free(edges);
    return status;
}

/* Checks that the edges of a graph fit into memory. */
static enum status check_memory(const struct from_edges *in, struct error *err) {
    const int64_t count = in->both_ways ? 2 * in->count : in->count;
    const int64_t copied = in->lent ? 0 : count;
    const struct memory_part build = {"to build the graph",
                                      in->rows ? graph_memory_of(in->type, in->n, copied)
                                               : graph_memory_to_build(in->n, count),
                                      0};
    return memory_check("the graph", in->n, &build, 1, err);
}

static enum status check_first(const struct from_edges *in, struct error *err) {
    const int64_t *const first = in->first;
    for (int32_t v = 0; v < in->n; v++) {
        if (first[v] > first[v + 1])
            return fail(err, STATUS_BAD_INPUT,
                        "edges of vertex %d: expected them to end at %lld or later, found %lld", v,
                        (long long)first[v], (long long)first[v + 1]);
    }
    if (first[0] != 0 || first[in->n] != in->count)
        return fail(err, STATUS_BAD_INPUT, "expected edges 0 .. %lld in rows, found %lld .. %lld",
                    (long long)in->count - 1, (long long)first[0], (long long)first[in->n] - 1);
    return STATUS_OK;
}

/* Checks the arguments, and sets in->rows. */
static enum status check_edges(struct from_edges *in, struct error *err) {
    RETURN_ON_FAILURE(check_range("number of vertices", in->n, 1, INT32_MAX, err));
    RETURN_ON_FAILURE(check_range("number of edges", in->count, 0, INT64_MAX / 2, err));
    if (in->count > 0 && ((in->from == NULL && in->first == NULL) || in->to == NULL))
        return fail(err, STATUS_BAD_INPUT, "expected the ends of %lld edges, found NULL",
                    (long long)in->count);
    if (in->first != NULL)
        RETURN_ON_FAILURE(check_first(in, err));
    in->rows = are_rows(in);
    in->lent = in->lent && in->rows;
    return check_memory(in, err);
}

/* Makes g stand for integers. STATUS_BAD_INPUT if some weight is none. */
static enum status take_integers(struct graph *g, struct error *err) {
    if (g->type == NUMBER_FLOAT32 || g->semiring != SEMIRING_MIN_PLUS)
        return fail(err, STATUS_BAD_INPUT,
                    "integral: expected lengths of int32 or float64, found %s%s",
                    g->semiring != SEMIRING_MIN_PLUS ? "those of " : number_name(g->type),
                    g->semiring != SEMIRING_MIN_PLUS ? semiring_name(g->semiring) : "");
    for (int64_t e = 0; e < g->m && g->type == NUMBER_FLOAT64; e++) {
        const double weight = g->real_weight[e];
        if (fabs(weight) >= INTEGERS_MOST || weight != trunc(weight))
            return fail(err, STATUS_BAD_INPUT,
                        "integral: expected integers below 2^53 for the weights, found %.17g",
                        weight);
    }
    g->integral = g->type == NUMBER_FLOAT64;
    return STATUS_OK;
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
    return end_call(status, err, error);
}

apsp_status apsp_graph_from_edges(apsp_graph **graph, int32_t n, int64_t count, const int32_t *from,
                                  const int32_t *to, const int32_t *weight,
                                  const apsp_reading *reading, apsp_error *error) {
    const apsp_edges edges = {sizeof edges, n, count, from, to, APSP_INT32, weight, NULL, 0, 0, 0};
    return apsp_graph_make(graph, &edges, reading, error);
}

apsp_status apsp_graph_make(apsp_graph **graph, const apsp_edges *edges,
                            const apsp_reading *reading, apsp_error *error) {
    struct error err;
    apsp_reading how = APSP_READING_INIT;
    apsp_edges given = APSP_EDGES_INIT;
    *graph = NULL;
    enum status status;
    TRY(take_reading(&how, reading, &err));
    TRY(struct_take(&given, sizeof given, SIZE_UP_TO(apsp_edges, weight), edges, "apsp_edges",
                    &err));
    TRY(check_range("scale", how.scale, 0, 0, &err));
    TRY(check_range("type of the reading", how.type, 0, 0, &err));
    TRY(check_range("type", (int)given.type, APSP_INT32, APSP_FLOAT64, &err));
    struct from_edges in = {.n = given.vertices,
                            .count = given.count,
                            .from = given.from,
                            .to = given.to,
                            .type = (enum number_type)given.type,
                            .weight = given.weight,
                            .first = given.first,
                            .both_ways = how.undirected != 0,
                            .semiring = semiring_of(&how),
                            .lent = given.lent != 0};
    TRY(check_edges(&in, &err));
    TRY(check_range("zones", given.zones, 0, given.vertices, &err));
    TRY(new_graph(graph, "in memory", &err));
    in.made = *graph;
    TRY(call_work(&(struct listener){how.progress, how.progress_to}, build_from_edges, &in, &err));
    (*graph)->graph.zones = given.zones;
    TRY(semiring_check_graph(&(*graph)->graph, &err));
    if (given.integral != 0)
        TRY(take_integers(&(*graph)->graph, &err));
cleanup:
    if (status != STATUS_OK && *graph != NULL)
        graph_free(&(*graph)->graph);
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
    in->made->vertices_from = graph->naming.first;
    graph->naming.first = 0;
    return status;
}

apsp_status apsp_graph_read(apsp_graph **graph, const char *path, const apsp_reading *reading,
                            apsp_error *error) {
    static const enum reading_type types[] = {
        [APSP_TYPE_OF_FILE - APSP_TYPE_OF_FILE] = READ_BY_WEIGHTS,
        [APSP_INT32 - APSP_TYPE_OF_FILE] = READ_INT32,
        [APSP_FLOAT32 - APSP_TYPE_OF_FILE] = READ_FLOAT32,
        [APSP_FLOAT64 - APSP_TYPE_OF_FILE] = READ_FLOAT64,
    };
    struct error err;
    apsp_reading how = APSP_READING_INIT;
    *graph = NULL;
    enum status status;
    TRY(take_reading(&how, reading, &err));
    TRY(check_range("scale", how.scale, 0, TEXT_HIGHEST_SCALE, &err));
    TRY(check_range("type", how.type, APSP_TYPE_OF_FILE, APSP_FLOAT64, &err));
    if (how.format != NULL && graph_format_find(how.format) == NULL) {
        char names[GRAPH_FORMAT_NAMES];
        status = fail(&err, STATUS_BAD_INPUT, "format: expected one of %s, found '%s'",
                      graph_format_names(0, "|", "|", names), how.format);
        goto cleanup;
    }
    TRY(new_graph(graph, path, &err));
    struct from_file in = {*graph,
                           path,
                           {.format = how.format != NULL ? graph_format_find(how.format) : NULL,
                            .edge_columns = how.edge_columns,
                            .weight_column = how.weight_column,
                            .transform = how.unweighted != 0 ? WEIGHTS_ONE : WEIGHTS_AS_READ,
                            .undirected = how.undirected != 0,
                            .keep_gaps = how.keep_gaps != 0,
                            .through_zones = how.through_zones != 0,
                            .semiring = semiring_of(&how),
                            .on_note = how.note,
                            .callback_context = how.note_to,
                            .scale = how.scale,
                            .type = types[how.type - APSP_TYPE_OF_FILE],
                            .rows = 1}};
    TRY(call_work(&(struct listener){how.progress, how.progress_to}, read_from_file, &in, &err));
cleanup:
    return end_graph(status, graph, &err, error);
}

apsp_status apsp_graph_widen(const apsp_graph *graph, apsp_graph **wide, apsp_error *error) {
    struct error err;
    enum status status;
    *wide = NULL;
    TRY(new_graph(wide, graph->name, &err));
    (*wide)->vertices_from = graph->vertices_from;
    status = graph_widen(&graph->graph, &(*wide)->graph, &err);
cleanup:
    return end_graph(status, wide, &err, error);
}

void apsp_graph_free(apsp_graph *graph) {
    if (graph != NULL)
        graph_free(&graph->graph);
    memory_free(graph);
}

int32_t apsp_graph_vertices(const apsp_graph *graph) {
    return graph->graph.n;
}

size_t apsp_graph_vertex_name(const apsp_graph *graph, int32_t v, char *name, size_t size) {
    const struct vertex_naming naming = {.first = graph->vertices_from,
                                         .names = graph->graph.naming.names};
    return naming_put(&naming, v, name, size);
}

int64_t apsp_graph_edges_read(const apsp_graph *graph) {
    return graph->graph.edges_read;
}

int64_t apsp_graph_edges(const apsp_graph *graph) {
    return graph->graph.m;
}

int apsp_graph_find_edge(const apsp_graph *graph, int32_t from, int32_t to, int32_t *weight) {
    const int64_t e = graph_find_edge(&graph->graph, from, to);
    if (e >= 0 && weight != NULL && graph->graph.type == NUMBER_INT32)
        *weight = graph->graph.weight[e];
    return e >= 0;
}

int apsp_graph_find_weight(const apsp_graph *graph, int32_t from, int32_t to, double *weight) {
    const struct graph *const g = &graph->graph;
    const int64_t e = graph_find_edge(g, from, to);
    if (e >= 0 && weight != NULL)
        *weight = graph_weight(g, e);
    return e >= 0;
}

apsp_type apsp_graph_type(const apsp_graph *graph) {
    return (apsp_type)graph->graph.type;
}

int apsp_graph_is_integral(const apsp_graph *graph) {
    return graph->graph.type == NUMBER_INT32 || graph->graph.integral;
}

apsp_status apsp_graph_view(const apsp_graph *graph, apsp_edges *edges, apsp_error *error) {
    const struct graph *const g = &graph->graph;
    const bool real = g->type != NUMBER_INT32;
    apsp_edges shown = {.size = edges->size,
                        .vertices = g->n,
                        .count = g->m,
                        .to = g->head,
                        .type = real ? APSP_FLOAT64 : APSP_INT32,
                        .weight = real ? (const void *)g->real_weight : g->weight,
                        .first = g->first,
                        .zones = g->zones,
                        .integral = g->integral};
    struct error err;
    enum status status;
    TRY(struct_check(edges, SIZE_UP_TO(apsp_edges, first), "apsp_edges", &err));
    if (g->zones > 0 && edges->size < SIZE_UP_TO(apsp_edges, zones))
        TRY(fail(&err, STATUS_BAD_INPUT,
                 "edges alone do not say that no path leads through the %d zones of the network: "
                 "expected a struct apsp_edges with a member zones",
                 g->zones));
    struct_give(edges, &shown, sizeof shown);
cleanup:
    return end_call(status, &err, error);
}

const char *apsp_format_at(size_t index) {
    return graph_format_at(index);
}

const char *apsp_foreign_format(const void *bytes, size_t size) {
    const char *const begin = bytes;
    const size_t most = size < FOREIGN_BYTES ? size : FOREIGN_BYTES;
    return foreign_format(foreign_find((struct text_line){begin, begin + most}));
}

uint32_t apsp_graph_checksum(const apsp_graph *graph) {
    return graph_checksum(&graph->graph);
}

struct cycle_search {
    const struct graph *graph;
    struct row_sources sources;
    int64_t *potential;
    struct cycle cycle;
};

static enum status search_cycle(void *self, struct progress *progress, struct error *err) {
    struct cycle_search *search = self;
    struct graph reached = {0};
    enum status status;
    TRY(reached_edges_find(search->graph, &search->sources, &reached, progress, err));
    const struct graph *const g = reached.n > 0 ? &reached : search->graph;
    if (g->type != NUMBER_INT32)
        status = real_cycles_find(g, &search->cycle, progress, err);
    else
        status = potentials_find(g, search->potential, &search->cycle, progress, err);
cleanup:
    graph_free(&reached);
    return status;
}

apsp_status apsp_graph_negative_cycle(const apsp_graph *graph, int32_t *vertices, int32_t *length,
                                      int64_t *weight, apsp_error *error) {
    return apsp_graph_reached_cycle(graph, NULL, 0, vertices, length, weight, error);
}

apsp_status apsp_graph_reached_cycle(const apsp_graph *graph, const int32_t *sources,
                                     int32_t source_count, int32_t *vertices, int32_t *length,
                                     int64_t *weight, apsp_error *error) {
    struct error err;
    struct vertex_list list = {0};
    const struct graph *const g = &graph->graph;
    struct zone_split split = {0};
    struct cycle_search search = {.graph = g};
    const int32_t n = g->n;
    void *potential = NULL;
    enum status status;
    *length = 0;
    *weight = 0;
    TRY(check_min_plus(graph, &err));
    TRY(check_range("source_count", source_count, sources != NULL, sources != NULL ? n : 0, &err));
    if (sources != NULL)
        TRY(vertex_list_copy("sources", sources, source_count, n, &list, &err));
    if (g->min_weight >= 0)
        goto cleanup;
    if (g->zones > 0) { /* a cycle has no zone, because no path leads through a zone */
        TRY(zone_split_make(g, &split, &err));
        search.graph = &split.graph;
        for (int32_t k = 0; k < list.count; k++)
            list.vertex[k] = zone_split_source(&split, list.vertex[k]);
    }
    search.sources = vertex_list_rows(&list, search.graph);
    TRY(memory_alloc(&potential, (size_t)search.graph->n, sizeof(int64_t), "the potentials", &err));
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
    zone_split_free(&split);
    vertex_list_free(&list);
    return end_call(status, &err, error);
}

/* Results. */

void apsp_result_free(apsp_result *result) {
    if (result == NULL)
        return;
    result_free(&result->result);
    memory_free(result->row_of);
    memory_free(result);
}

int32_t apsp_result_vertices(const apsp_result *result) {
    return result->result.dist.n;
}

int32_t apsp_result_rows(const apsp_result *result) {
    return result->result.dist.rows;
}

const int32_t *apsp_result_sources(const apsp_result *result) {
    return result->result.sources.vertex;
}

int32_t apsp_result_row(const apsp_result *result, int32_t from) {
    return result->row_of != NULL ? result->row_of[from] : from;
}

int32_t apsp_result_limit(const apsp_result *result) {
    const double limit = result->result.limit;
    return limit < APSP_INF ? (int32_t)limit : APSP_INF;
}

double apsp_result_real_limit(const apsp_result *result) {
    return result->result.limit;
}

apsp_type apsp_result_type(const apsp_result *result) {
    return (apsp_type)result->result.dist.type;
}

static const void *cells_of(const struct matrix *m, size_t *leading) {
    if (leading != NULL)
        *leading = m->ld;
    return m->cells;
}

const void *apsp_result_cells(const apsp_result *result, size_t *leading) {
    return cells_of(&result->result.dist, leading);
}

const int32_t *apsp_result_distances(const apsp_result *result, size_t *leading) {
    const int32_t *const cells = cells_of(&result->result.dist, leading);
    return result->result.dist.type == NUMBER_INT32 ? cells : NULL;
}

const int32_t *apsp_result_predecessors(const apsp_result *result, size_t *leading) {
    return cells_of(&result->result.pred, leading);
}

int32_t apsp_result_distance(const apsp_result *result, int32_t from, int32_t to) {
    const int32_t row = apsp_result_row(result, from);
    const struct matrix *const dist = &result->result.dist;
    return row >= 0 && dist->type == NUMBER_INT32 ? matrix_row(dist, row)[to] : APSP_NO_ROW;
}

double apsp_result_length(const apsp_result *result, int32_t from, int32_t to) {
    const int32_t row = apsp_result_row(result, from);
    const struct matrix *const dist = &result->result.dist;
    if (row < 0)
        return NAN;
    const size_t at = (size_t)row * dist->ld + (size_t)to;
    if (dist->type == NUMBER_FLOAT32)
        return (double)dist->cell_f32[at];
    if (dist->type == NUMBER_FLOAT64)
        return dist->cell_f64[at];
    return dist->cell[at] == INF ? (double)INFINITY : dist->cell[at];
}

/* Returns whether predecessors lead from `to` to `from`; in a result that was read they may not. */
static bool leads_back(const int32_t *pred, int32_t n, int32_t from, int32_t to) {
    int32_t v = to;
    for (int32_t steps = 0; steps < n && v >= 0 && v < n; steps++) {
        if (v == from)
            return pred[v] == -1;
        v = pred[v];
    }
    return false;
}

/* Finds the row of predecessors for a path, and checks that it leads from `to` to `from`. */
static enum status find_path_row(const apsp_result *result, int32_t from, int32_t to,
                                 const int32_t **row, struct error *err) {
    const struct matrix *pred = &result->result.pred;
    const int32_t n = result->result.dist.n;
    RETURN_ON_FAILURE(check_range("from", from, 0, n - 1, err));
    RETURN_ON_FAILURE(check_range("to", to, 0, n - 1, err));
    if (pred->cell == NULL)
        return fail(err, STATUS_BAD_INPUT, "expected a result with predecessors, found none");
    const int32_t r = apsp_result_row(result, from);
    if (r < 0)
        return fail(err, STATUS_BAD_INPUT, "from: expected a source of the result, found %d", from);
    *row = matrix_row(pred, r);
    if ((from == to || (*row)[to] != -1) && !leads_back(*row, n, from, to))
        return fail(err, STATUS_BAD_INPUT, "predecessors of (%d, %d) do not lead to %d", from, to,
                    from);
    return STATUS_OK;
}

apsp_status apsp_result_path(const apsp_result *result, int32_t from, int32_t to, int32_t *path,
                             int32_t *length, apsp_error *error) {
    struct error err;
    const int32_t *row = NULL;
    *length = 0;
    const enum status status = find_path_row(result, from, to, &row, &err);
    if (status == STATUS_OK)
        certificate_path_in(row, from, to, path, length);
    return end_call(status, &err, error);
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
    const bool is_integral = found->type == NUMBER_INT32;
    const apsp_refutation ours = {
        .check = refutation_check(found->reason),
        .reason = refutation_name(found->reason),
        .from = found->i,
        .to = found->j,
        .distance = is_integral ? (int32_t)found->distance : 0,
        .via = found->via,
        .has_edge = has_edge,
        .via_distance = has_edge && is_integral ? (int32_t)found->via_distance : 0,
        .weight = has_edge && is_integral ? (int32_t)found->weight : 0,
        .type = (apsp_type)found->type,
        .length = found->distance,
        .via_length = has_edge ? found->via_distance : 0,
        .edge_length = has_edge ? found->weight : 0,
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
    const struct row_sources sources = result_rows(result);
    if (result->made.semiring != in->graph->graph.semiring)
        return fail(err, STATUS_BAD_INPUT, "expected a result of %s, as the graph is, found %s",
                    semiring_name(in->graph->graph.semiring), semiring_name(result->made.semiring));
    return certify_rows(&in->graph->graph, &sources, result->limit, &result->dist,
                        result->pred.cell != NULL ? &result->pred : NULL, in->threads, progress,
                        &in->found, err);
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
    return end_call(status, &err, error);
}

struct result_writing {
    const struct result *result;
    const char *path;
    apsp_format format;
    int threads;
};

static enum status write_result(void *self, struct progress *progress, struct error *err) {
    const struct result_writing *out = self;
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
                  &(struct result_writing){&result->result, path, format, threads}, &err));
cleanup:
    return end_call(status, &err, error);
}

struct reading_result {
    apsp_result *result;
    const char *path;
    enum number_type type;
};

static enum status read_result(void *self, struct progress *progress, struct error *err) {
    const struct reading_result *in = self;
    (void)progress;
    RETURN_ON_FAILURE(result_read_as(in->path, in->type, &in->result->result, err));
    if (in->result->result.targets.vertex != NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a column for every vertex, found those of some", in->path);
    return index_rows(in->result, err);
}

apsp_status apsp_result_read(apsp_result **result, const char *path, apsp_error *error) {
    return apsp_result_read_as(result, path, APSP_INT32, error);
}

apsp_status apsp_result_read_as(apsp_result **result, const char *path, apsp_type type,
                                apsp_error *error) {
    struct error err;
    void *memory = NULL;
    *result = NULL;
    enum status status;
    TRY(check_range("type", (int)type, APSP_INT32, APSP_FLOAT64, &err));
    TRY(new_object(&memory, sizeof **result, "the result", &err));
    TRY(call_work(&(struct listener){0}, read_result,
                  &(struct reading_result){memory, path, (enum number_type)type}, &err));
    *result = memory;
    memory = NULL;
cleanup:
    apsp_result_free(memory);
    return end_call(status, &err, error);
}
