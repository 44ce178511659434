// SPDX-License-Identifier: MIT
#include "measures/json.h"

#include "common/base/memory.h"       // memory_alloc
#include "common/base/number_text.h"  // number_put_integer
#include "common/rows/result_parts.h" // result_write_grid

#include "measures/file_names.h"
#include "measures/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int measures_put_exact(char *to, exact_sum value) {
    return value >= INT64_MIN && value <= INT64_MAX
               ? (int)(number_put_integer(to, (int64_t)value) - to)
               : json_text_real(to, (double)value, MEASURES_DIGITS);
}

static void write_exact(struct json_writer *json, const char *name, exact_sum value) {
    if (value >= INT64_MIN && value <= INT64_MAX)
        json_write_integer(json, name, (int64_t)value);
    else
        json_write_real(json, name, (double)value, MEASURES_DIGITS);
}

/* Writes a sum of distances: exact if they are integers, otherwise rounded. */
static void write_sum(struct json_writer *json, const char *name, const struct measures *m,
                      exact_sum exact, double rounded) {
    if (measures_are_integral(m))
        write_exact(json, name, exact);
    else
        json_write_number(json, name, NUMBER_FLOAT64, rounded);
}

/* Writes a number that is real whatever type distances have; null if it is NaN. */
static void write_real(struct json_writer *json, const char *name, const struct measures *m,
                       double real) {
    if (m->type == NUMBER_INT32 && !isnan(real))
        json_write_real(json, name, real, MEASURES_DIGITS);
    else
        json_write_number(json, name, NUMBER_FLOAT64, real);
}

static void write_made(struct json_writer *json, const struct provenance *made,
                       const struct measures *m, struct measures_checksums crc) {
    char checksum[9];
    json_write_text(json, "program", made->program);
    json_write_text(json, "variant", made->variant);
    json_write_real(json, "solve_s", made->solve_s, MEASURES_DIGITS);
    json_write_real(json, "total_s", made->total_s, MEASURES_DIGITS);
    result_write_grid(json, made);
    snprintf(checksum, sizeof checksum, "%08x", made->checksum);
    if (made->has_checksum)
        json_write_text(json, "graph_checksum", checksum);
    snprintf(checksum, sizeof checksum, "%08x", crc.csv);
    json_write_text(json, MEMBER_CSV_CRC, checksum);
    snprintf(checksum, sizeof checksum, "%08x", crc.edges);
    if (m->flows != NULL)
        json_write_text(json, MEMBER_EDGES_CRC, checksum);
    json_write_text(json, "graph", made->graph);
    if (made->naming.names == NULL)
        json_write_integer(json, "vertices_from", made->naming.first);
}

static void write_pair(struct json_writer *json, const char *name, const struct measures *m) {
    json_write_open(json, name);
    if (measures_have_largest(m))
        json_write_number(json, "distance", measures_written_type(m), m->pairs.largest);
    else
        json_write_null(json, "distance");
    json_write_integer(json, "from", m->pairs.from);
    json_write_integer(json, "to", m->pairs.to);
    json_write_close(json);
}

/* Writes the list of vertices that have the given eccentricity. */
static enum status write_vertices(struct json_writer *json, const char *name,
                                  const struct measures *m, double eccentricity,
                                  struct json_long_text *text, struct error *err) {
    const int32_t count = measures_find_vertices(m, eccentricity, NULL, 0);
    enum status status = STATUS_OK;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof(int32_t), "a list", err));
    int32_t *const vertex = memory;
    measures_find_vertices(m, eccentricity, vertex, count);
    json_write_array(json, name);
    for (int32_t k = 0; k < count && status == STATUS_OK; k++) {
        json_write_integer(json, NULL, vertex[k]);
        if (json->length > JSON_LONGEST / 2)
            status = json_write_out(json, text, err);
    }
    json_write_array_end(json);
    memory_free(memory);
    return status;
}

static enum status write_histogram(struct json_writer *json, const char *name,
                                   const struct measures *m, struct json_long_text *text,
                                   struct error *err) {
    const struct distance_histogram *const histogram = &m->pairs.histogram;
    const enum number_type type = measures_are_integral(m) ? NUMBER_INT32 : NUMBER_FLOAT64;
    json_write_open(json, name);
    json_write_number(json, "bin_width", type, histogram->width);
    json_write_number(json, "first", type, histogram->first);
    json_write_array(json, "counts");
    for (int32_t k = 0; k < histogram->bins; k++) {
        json_write_integer(json, NULL, histogram->count[k]);
        if (json->length > JSON_LONGEST / 2)
            RETURN_ON_FAILURE(json_write_out(json, text, err));
    }
    json_write_array_end(json);
    json_write_close(json);
    return STATUS_OK;
}

static enum status write_measure(struct json_writer *json, const struct measures *m,
                                 const struct measure_of_graph *row, struct json_long_text *text,
                                 struct error *err) {
    const char *const name = measure_member(row, m->directed, m->order.is_sum);
    const struct measured value = row->value != NULL ? row->value(m) : (struct measured){0};
    if (measure_is_null(m, row) || (row->form == MEASURE_DISTANCE && !measures_have_largest(m))) {
        json_write_null(json, name);
        return STATUS_OK;
    }
    switch (row->form) {
    case MEASURE_COUNT:
        write_exact(json, name, value.exact);
        return STATUS_OK;
    case MEASURE_SUM:
        write_sum(json, name, m, value.exact, value.real);
        return STATUS_OK;
    case MEASURE_DISTANCE:
        json_write_number(json, name, measures_written_type(m), value.real);
        return STATUS_OK;
    case MEASURE_REAL:
        write_real(json, name, m, value.real);
        return STATUS_OK;
    case MEASURE_TRUTH:
        json_write_bool(json, name, value.exact != 0);
        return STATUS_OK;
    case MEASURE_VERTICES:
        return write_vertices(json, name, m, value.real, text, err);
    case MEASURE_PAIR:
        write_pair(json, name, m);
        return STATUS_OK;
    case MEASURE_HISTOGRAM:
        return write_histogram(json, name, m, text, err);
    }
    return STATUS_OK;
}

static void write_flows(struct json_writer *json, const struct measured_flows *flows,
                        bool with_way) {
    json_write_open(json, MEMBER_FLOWS);
    json_write_bool(json, MEMBER_ENDPOINTS, flows->endpoints);
    json_write_integer(json, MEMBER_TIMES, (int64_t)flows->times);
    if (flows->spacing > 0)
        json_write_number(json, MEMBER_SPACING, NUMBER_FLOAT64, flows->spacing);
    if (with_way)
        json_write_text(json, "engine", flows->way);
    json_write_close(json);
}

enum status measures_json(const struct measures *m, const struct provenance *made,
                          struct measures_checksums crc, bool with_limit,
                          struct json_long_text *text, struct error *err) {
    struct json_writer json;
    const struct measure_of_graph *row;
    char omitted[MEASURES_PARTS_TEXT];
    json_write_begin(&json, NULL);
    json_write_integer(&json, "vertices", m->n);
    if (made != NULL) {
        if (m->graph->edges_read >= 0)
            json_write_integer(&json, MEMBER_EDGES, m->graph->edges_read);
        if (m->type != NUMBER_INT32)
            json_write_text(&json, MEMBER_TYPE, graph_type_name(m->graph));
        write_made(&json, made, m, crc);
    }
    result_write_semiring(&json, m->graph->semiring);
    json_write_bool(&json, "directed", m->directed);
    json_write_bool(&json, "all_sources", m->source == NULL);
    json_write_integer(&json, "sources", m->count);
    if (m->limit < NO_LIMIT && with_limit)
        json_write_number(&json, "limit", measures_are_integral(m) ? NUMBER_INT32 : NUMBER_FLOAT64,
                          m->limit);
    if ((m->parts & MEASURES_ALL) != MEASURES_ALL)
        json_write_text(&json, MEMBER_OMITTED,
                        measures_parts_text(MEASURES_ALL & ~m->parts, ",", omitted));
    for (size_t k = 0; (row = measure_of_graph_at(k)) != NULL; k++) {
        if (measures_have(m, row))
            RETURN_ON_FAILURE(write_measure(&json, m, row, text, err));
    }
    if (m->flows != NULL)
        write_flows(&json, m->flows, with_limit);
    json_write_close(&json);
    return json_write_out(&json, text, err);
}

enum status measures_answer(const struct measures *m, struct json_long_text *text,
                            struct error *err) {
    return measures_json(m, NULL, (struct measures_checksums){0}, true, text, err);
}
