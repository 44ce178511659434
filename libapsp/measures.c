// SPDX-License-Identifier: MIT
/* Finished measures of apsp.h. */
#include "common/base/memory.h" // memory_free
#include "libapsp/call.h"       // call_work
#include "libapsp/objects.h"
#include "libapsp/structs.h" // struct_check, struct_give
#include "measures/table.h"
#include "measures/write.h" // measures_write

#include <math.h>

void apsp_measures_free(apsp_measures *measures) {
    if (measures == NULL)
        return;
    measures_free(&measures->measures);
    naming_free(&measures->made.naming);
    memory_free(measures);
}

/* Adds the measures of the whole graph, which need the rows of all vertices. */
static void add_graph(const struct measures *m, apsp_graph_measures *to) {
    const struct graph_measures *const g = &m->of_graph;
    const bool connected = g->components == 1, is_sum = m->order.is_sum;
    const double no_path = semiring_no_path(m->graph->semiring, NUMBER_FLOAT64);
    to->components = g->components;
    to->largest_component = g->largest_component;
    to->diameter = connected ? g->diameter : no_path;
    to->radius = connected ? g->radius : no_path;
    to->average_shortest_path_length = !is_sum     ? NAN
                                       : connected ? g->average_shortest_path_length
                                                   : HUGE_VAL;
    to->wiener_index = !is_sum ? NAN : connected ? g->real_wiener_index : HUGE_VAL;
    to->global_efficiency = is_sum ? g->global_efficiency : NAN;
}

apsp_status apsp_measures_graph(const apsp_measures *measures, apsp_graph_measures *values,
                                apsp_error *error) {
    const struct measures *const m = &measures->measures;
    const struct pair_measures *const pairs = &m->pairs;
    struct error err;
    enum { HALF = 64 };
    apsp_graph_measures ours = {
        .vertices = m->n,
        .sources = m->count,
        .all_sources = m->source == NULL,
        .directed = m->directed,
        .pairs = pairs->pairs,
        .pairs_without_path = pairs->without_path,
        .largest_length = pairs->largest,
        .distance_sum_high = (int64_t)(pairs->sum >> HALF),
        .distance_sum_low = (uint64_t)pairs->sum,
        .distance_sum = pairs->real_sum,
        .average_distance = pairs->average,
        .largest_distance =
            m->type == NUMBER_INT32 && measures_have_largest(m) ? (int32_t)pairs->largest : 0,
        .largest_from = pairs->from,
        .largest_to = pairs->to,
        .grid = measures->made.grid,
        .grid_error = measures->made.grid_error,
    };
    const enum status status = struct_check(
        values, SIZE_UP_TO(apsp_graph_measures, global_efficiency), "apsp_graph_measures", &err);
    if (status == STATUS_OK) {
        if (m->of_graph.components > 0)
            add_graph(m, &ours);
        struct_give(values, &ours, sizeof ours);
    }
    return end_call(status, &err, error);
}

/* Finds a measure of vertices in the table of all measures. Stores in *inwards whether the measure
 * is about the distances to each source and these differ from the distances from it. */
static enum status find_measure(const struct measures *m, apsp_vertex_measure which,
                                apsp_direction direction, const struct measure_of_vertices **row,
                                bool *inwards, struct error *err) {
    char part[MEASURES_PARTS_TEXT];
    *row = measure_of_vertices_numbered((int)which);
    *inwards = false;
    if (*row == NULL || (*row)->part == MEASURES_FLOWS)
        return fail(err, STATUS_BAD_INPUT,
                    "measure: expected one of apsp_measures_column, found %d", (int)which);
    if ((*row)->sums_only && !m->order.is_sum)
        return fail(err, STATUS_BAD_INPUT, "measure: expected one that %s has, found %s, of sums",
                    semiring_name(m->graph->semiring), (*row)->name);
    RETURN_ON_FAILURE(check_range("direction", (int)direction, APSP_OUTWARDS, APSP_INWARDS, err));
    if (((*row)->part & ~m->parts) != 0)
        return fail(err, STATUS_BAD_INPUT,
                    "measure: expected measures with the part %s, found them without",
                    measures_parts_text((*row)->part, ",", part));
    if (direction == APSP_OUTWARDS || (m->source == NULL && !m->directed))
        return STATUS_OK;
    if (!measures_have_in(m))
        return fail(err, STATUS_BAD_INPUT,
                    "direction: measures inwards need the rows of all vertices, found %d of %d",
                    m->count, m->n);
    *inwards = true;
    return STATUS_OK;
}

apsp_status apsp_measures_integers(const apsp_measures *measures, apsp_vertex_measure which,
                                   apsp_direction direction, int64_t *values, apsp_error *error) {
    const struct measures *const m = &measures->measures;
    const struct measure_of_vertices *row;
    bool inwards;
    struct error err;
    const enum number_type type = measures_are_integral(m) ? NUMBER_INT32 : m->type;
    enum status status = find_measure(m, which, direction, &row, &inwards, &err);
    if (status == STATUS_OK && !measure_is_integer(row->form, type))
        status = fail(&err, STATUS_BAD_INPUT,
                      "measure: expected one that is an integer, found %s of %s distances",
                      row->name, number_name(m->type));
    for (int32_t r = 0; r < m->count && status == STATUS_OK; r++) {
        const struct any_totals totals = measures_totals(m, inwards, r);
        const exact_sum value = row->integer(&totals);
        values[r] = (int64_t)value;
        if (value != values[r])
            status = fail(&err, STATUS_BAD_INPUT,
                          "measure: expected integers of 64 bits, found %s of %.17g; "
                          "apsp_measures_reals rounds it",
                          row->name, row->real(&totals));
    }
    return end_call(status, &err, error);
}

apsp_status apsp_measures_reals(const apsp_measures *measures, apsp_vertex_measure which,
                                apsp_direction direction, double *values, apsp_error *error) {
    const struct measures *const m = &measures->measures;
    const struct measure_of_vertices *row;
    bool inwards;
    struct error err;
    const enum status status = find_measure(m, which, direction, &row, &inwards, &err);
    for (int32_t r = 0; r < m->count && status == STATUS_OK; r++) {
        const struct any_totals totals = measures_totals(m, inwards, r);
        values[r] = row->real(&totals);
    }
    return end_call(status, &err, error);
}

static apsp_numbers numbers_of(enum measure_form form) {
    return measure_is_integer(form, NUMBER_FLOAT64) ? APSP_INTEGERS
           : measure_is_integer(form, NUMBER_INT32) ? APSP_INTEGERS_OF_INT32
                                                    : APSP_REALS;
}

/* Measure number `index` in the order of the table, without betweenness, which
 * apsp_betweenness_find finds. */
static const struct measure_of_vertices *measure_of_rows_at(size_t index) {
    const struct measure_of_vertices *row;
    for (size_t k = 0; (row = measure_of_vertices_at(k)) != NULL; k++) {
        if (row->part != MEASURES_FLOWS && index-- == 0)
            return row;
    }
    return NULL;
}

int apsp_measures_column(size_t index, apsp_column *column) {
    const struct measure_of_vertices *const row = measure_of_rows_at(index);
    struct error err;
    if (row == NULL ||
        struct_check(column, SIZE_UP_TO(apsp_column, part), "apsp_column", &err) != STATUS_OK)
        return 0;
    const apsp_column ours = {
        .which = (apsp_vertex_measure)row->number,
        .name = row->name,
        .outwards = row->out_name,
        .inwards = row->in_name,
        .numbers = numbers_of(row->form),
        .dimension = row->dimension,
        .part = row->part,
        .sums_only = row->sums_only,
    };
    struct_give(column, &ours, sizeof ours);
    return 1;
}

unsigned apsp_measures_part(const char *name) {
    return name != NULL ? measures_part_of(name) : MEASURES_ALL;
}

/* Lists the vertices that have this eccentricity; none unless the graph is connected. */
static void list_vertices(const struct measures *m, double eccentricity, int32_t *vertices,
                          int32_t *count) {
    *count =
        m->of_graph.components == 1 ? measures_find_vertices(m, eccentricity, vertices, m->n) : 0;
}

void apsp_measures_center(const apsp_measures *measures, int32_t *vertices, int32_t *count) {
    list_vertices(&measures->measures, measures->measures.of_graph.radius, vertices, count);
}

void apsp_measures_periphery(const apsp_measures *measures, int32_t *vertices, int32_t *count) {
    list_vertices(&measures->measures, measures->measures.of_graph.diameter, vertices, count);
}

static bool has_bins(const struct measures *m) {
    return (m->parts & MEASURES_HISTOGRAM) != 0;
}

const int64_t *apsp_measures_histogram(const apsp_measures *measures, int32_t *first,
                                       int32_t *width, int32_t *bins) {
    const struct distance_histogram *const h = &measures->measures.pairs.histogram;
    const bool is_integral =
        measures->measures.type == NUMBER_INT32 && has_bins(&measures->measures);
    *first = is_integral ? (int32_t)h->first : 0;
    *width = is_integral ? (int32_t)h->width : 0;
    *bins = is_integral ? h->bins : 0;
    return is_integral ? h->count : NULL;
}

const int64_t *apsp_measures_bins(const apsp_measures *measures, double *first, double *width,
                                  int32_t *bins) {
    const struct distance_histogram *const h = &measures->measures.pairs.histogram;
    *first = h->first;
    *width = h->width;
    *bins = h->bins;
    return has_bins(&measures->measures) ? h->count : NULL;
}

struct writing_measures {
    const apsp_measures *measures;
    const char *prefix;
};

static enum status write_measures(void *self, struct progress *progress, struct error *err) {
    const struct writing_measures *const out = self;
    (void)progress;
    return measures_write(out->prefix, &out->measures->measures, &out->measures->made, err);
}

apsp_status apsp_measures_write(const apsp_measures *measures, const char *prefix,
                                apsp_error *error) {
    struct error err;
    struct writing_measures out = {measures, prefix};
    const enum status status = call_work(&(struct listener){0}, write_measures, &out, &err);
    return end_call(status, &err, error);
}
