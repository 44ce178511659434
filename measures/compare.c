// SPDX-License-Identifier: MIT
#include "measures/compare.h"

#include "common/base/memory.h" // memory_alloc
#include "measures/csv.h"
#include "measures/edges_csv.h"
#include "measures/file_names.h" // MEASURES_DIGITS
#include "measures/json.h"
#include "measures/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_NUMBER = 64 }; /* the most bytes of a number that is read */

static const char *value_text(const struct json_value *value, char text[JSON_REAL_SIZE]) {
    switch (value->kind) {
    case JSON_IS_NULL:
        return "null";
    case JSON_IS_TRUE:
        return "true";
    case JSON_IS_FALSE:
        return "false";
    case JSON_IS_INTEGER:
        snprintf(text, JSON_REAL_SIZE, "%" PRId64, value->integer);
        return text;
    case JSON_IS_REAL:
        json_text_real(text, value->number, MEASURES_DIGITS);
        return text;
    default:
        return value->kind == JSON_IS_ARRAY ? "an array" : "text or an object";
    }
}

static bool is_number(const struct json_value *value) {
    return value->kind == JSON_IS_INTEGER || value->kind == JSON_IS_REAL;
}

static bool same_scalar(const struct json_value *a, const struct json_value *b) {
    if (a->kind == JSON_IS_INTEGER && b->kind == JSON_IS_INTEGER)
        return a->integer == b->integer;
    if (a->kind == JSON_IS_TEXT && b->kind == JSON_IS_TEXT)
        return strcmp(a->text, b->text) == 0;
    return is_number(a) && is_number(b) ? a->number == b->number : a->kind == b->kind;
}

static enum status compare_value(const struct measures_file *file, const char *name,
                                 const struct json_value *expected, const struct json_value *found,
                                 struct error *err);

static enum status compare_members(const struct measures_file *file,
                                   const struct json_value *expected,
                                   const struct json_value *found, struct error *err) {
    for (const struct json_value *member = expected->first; member != NULL; member = member->next)
        RETURN_ON_FAILURE(
            compare_value(file, member->name, member, json_text_member(found, member->name), err));
    return STATUS_OK;
}

/* Returns the name of the subject of the measures, for messages. */
static const char *kind_of(const struct measures *m) {
    return m->limit < NO_LIMIT                         ? "distances up to a limit"
           : m->source != NULL                         ? "some sources"
           : (m->parts & MEASURES_ALL) != MEASURES_ALL ? "a graph, without those that are omitted"
           : m->directed                               ? "a directed graph"
                                                       : "a graph that is not directed";
}

/* Fails if the file has measures that are not computed anew, because they would seem proved. */
static enum status refuse_others(const struct measures_file *file, const struct measures *m,
                                 const struct json_value *expected, struct error *err) {
    const struct measure_of_graph *row;
    for (size_t k = 0; (row = measure_of_graph_at(k)) != NULL; k++) {
        const char *const names[] = {row->name, measure_member(row, true, true),
                                     measure_member(row, false, false)};
        for (int n = 0; n < 3; n++) {
            if (json_text_member(file->json.root, names[n]) != NULL &&
                json_text_member(expected, names[n]) == NULL)
                return fail(err, STATUS_BAD_INPUT, "%s: expected no \"%s\" in measures of %s",
                            file->json_path, names[n], kind_of(m));
        }
    }
    return STATUS_OK;
}

static enum status compare_arrays(const struct measures_file *file, const char *name,
                                  const struct json_value *expected, const struct json_value *found,
                                  struct error *err) {
    const struct json_value *a = expected->first, *b = found->first;
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        RETURN_ON_FAILURE(compare_value(file, name, a, b, err));
    return a == NULL && b == NULL ? STATUS_OK
                                  : fail(err, STATUS_REFUTED, "%s: \"%s\" has too %s numbers",
                                         file->json_path, name, a != NULL ? "few" : "many");
}

static enum status compare_value(const struct measures_file *file, const char *name,
                                 const struct json_value *expected, const struct json_value *found,
                                 struct error *err) {
    char wanted[JSON_REAL_SIZE], had[JSON_REAL_SIZE];
    if (found == NULL || (found->kind == JSON_IS_TEXT) != (expected->kind == JSON_IS_TEXT) ||
        (found->kind == JSON_IS_OBJECT) != (expected->kind == JSON_IS_OBJECT))
        return fail(err, STATUS_BAD_INPUT, "%s: expected the measure \"%s\"", file->json_path,
                    name);
    if (expected->kind == JSON_IS_OBJECT)
        return compare_members(file, expected, found, err);
    if (expected->kind == JSON_IS_ARRAY && found->kind == JSON_IS_ARRAY)
        return compare_arrays(file, name, expected, found, err);
    if (same_scalar(expected, found))
        return STATUS_OK;
    return fail(err, STATUS_REFUTED, "%s: \"%s\": expected %s, found %s", file->json_path, name,
                value_text(expected, wanted), value_text(found, had));
}

static enum status compare_json(const struct measures_file *file, const struct measures *m,
                                struct error *err) {
    struct json_long_text text = {0};
    struct json_document expected = {0};
    enum status status;
    TRY(measures_json(m, NULL, (struct measures_checksums){0}, false, &text, err));
    TRY(json_text_read("measures", text.text, text.size, &expected, err));
    TRY(compare_members(file, expected.root, file->json.root, err));
    TRY(refuse_others(file, m, expected.root, err));
cleanup:
    memory_free(text.text);
    memory_free(expected.memory);
    return status;
}

/* Texts of the eccentricity of a vertex without a path, in min-max and max-min. */
static const char infinity_text[] = "-inf";
static const struct csv_text infinite = {infinity_text + 1, infinity_text + 4};
static const struct csv_text minus_infinite = {infinity_text, infinity_text + 4};

/* Returns whether a field is written like a number. */
static bool is_numeric(struct csv_text field) {
    const char *c = field.begin;
    if (csv_same(field, infinite) || csv_same(field, minus_infinite))
        return true;
    while (c < field.end && strchr("+-.0123456789eE", *c) != NULL && *c != '\0')
        c++;
    return c == field.end && c > field.begin;
}

/* Returns whether two fields are the same number up to what rounding may change. */
static bool is_near(struct csv_text expected, struct csv_text found, double of_sources) {
    char a[CSV_NUMBER], b[CSV_NUMBER];
    if (!is_numeric(expected) || !is_numeric(found) || found.end - found.begin >= CSV_NUMBER)
        return false;
    snprintf(a, sizeof a, "%.*s", (int)(expected.end - expected.begin), expected.begin);
    snprintf(b, sizeof b, "%.*s", (int)(found.end - found.begin), found.begin);
    const double value = strtod(a, NULL);
    return fabs(strtod(b, NULL) - value) <= flow_tolerance(value, of_sources);
}

/* Returns whether two fields of a betweenness, or of a centrality, agree. */
static bool same_flow(const struct measures *m, bool is_centrality, struct csv_text expected,
                      struct csv_text found) {
    return csv_same(expected, found) || is_near(expected, found, is_centrality ? 1.0 / m->n : m->n);
}

/* Compares a row with that of the file; `row` has room for one line of text. */
static enum status compare_row(const struct measures_file *file, const struct measures *m,
                               int32_t position, struct csv_text found, char *row,
                               struct error *err) {
    enum { NUMBER = -2, NAME };
    const struct measures_columns columns = measures_columns_of(m);
    char wanted[CSV_QUOTED], had[CSV_QUOTED];
    const int length = measures_csv_row(m, &m->graph->naming, position, row);
    struct csv_text expected = {row, row + length - 1};
    for (int c = NUMBER; expected.begin < expected.end; c++) {
        const struct csv_text a = csv_next_field(&expected), b = csv_next_field(&found);
        const bool is_flow = c > NAME && measures_column_part(columns, c) == MEASURES_FLOWS;
        if (is_flow
                ? same_flow(m, strstr(measures_column_name(columns, c), "centrality") != NULL, a, b)
                : csv_same(a, b))
            continue;
        return fail(err, is_numeric(b) || c == NAME ? STATUS_REFUTED : STATUS_BAD_INPUT,
                    "%s:%lld: %s of vertex %s: expected %s, found %s%s", file->csv_path,
                    (long long)position + 2,
                    c == NUMBER ? "the number"
                    : c == NAME ? "the id"
                                : measures_column_name(columns, c),
                    graph_name(m->graph, measures_row_vertex(m, position)).text,
                    csv_quoted(a, wanted), csv_quoted(b, had), graph_numbering(m->graph));
    }
    return STATUS_OK;
}

/* Compares the rows of edges with those in the file. */
static enum status compare_edges(const struct measures_file *file, const struct measures *m,
                                 struct error *err) {
    static const char *const names[] = {"the source", "the target", "betweenness",
                                        "edge_betweenness_centrality"};
    enum { SOURCE, TARGET, BETWEENNESS, CENTRALITY, FIELDS };
    const struct vertex_naming *const naming = &m->graph->naming;
    const char *at = file->edges, *const end = file->edges + file->edges_size;
    char wanted[CSV_QUOTED], had[CSV_QUOTED];
    struct csv_text line = {at, at};
    void *row;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&row, edges_csv_row_size(naming), 1, "a row of text", err));
    static const char names_of_columns[] = EDGES_CSV_HEAD;
    const struct csv_text head = {names_of_columns, &names_of_columns[sizeof names_of_columns - 2]};
    csv_next_line(&at, end, &line);
    if (!csv_same(line, head))
        TRY(fail(err, STATUS_BAD_INPUT, "%s:1: expected '%.*s', found %s", file->edges_path,
                 (int)(head.end - head.begin), head.begin, csv_quoted(line, had)));
    for (int64_t e = 0; e < m->flows->edges; e++) {
        if (!csv_next_line(&at, end, &line))
            TRY(fail(err, STATUS_BAD_INPUT, "%s: truncated: expected %lld rows, found %lld",
                     file->edges_path, (long long)m->flows->edges, (long long)e));
        struct csv_text expected = {row, (char *)row + edges_csv_row(m, naming, e, row) - 1};
        for (int c = SOURCE; c < FIELDS; c++) {
            const struct csv_text a = csv_next_field(&expected), b = csv_next_field(&line);
            if (c < BETWEENNESS ? csv_same(a, b) : same_flow(m, c == CENTRALITY, a, b))
                continue;
            TRY(fail(err, c < BETWEENNESS || is_numeric(b) ? STATUS_REFUTED : STATUS_BAD_INPUT,
                     "%s:%lld: %s: expected %s, found %s", file->edges_path, (long long)e + 2,
                     names[c], csv_quoted(a, wanted), csv_quoted(b, had)));
        }
        if (line.begin != line.end)
            TRY(fail(err, STATUS_BAD_INPUT, "%s:%lld: expected %d columns, found more",
                     file->edges_path, (long long)e + 2, FIELDS));
    }
    if (at != end)
        TRY(fail(err, STATUS_BAD_INPUT, "%s: expected %lld rows and nothing behind them",
                 file->edges_path, (long long)m->flows->edges));
cleanup:
    memory_free(row);
    return status;
}

enum status measures_compare(const struct measures_file *file, const struct measures *m,
                             struct error *err) {
    const char *at = file->csv, *const end = file->csv + file->csv_size;
    struct csv_text line;
    if (file->directed != m->directed)
        return fail(err, STATUS_REFUTED, "%s: \"directed\": expected %s, found %s", file->json_path,
                    m->directed ? "true" : "false", file->directed ? "true" : "false");
    csv_next_line(&at, end, &line); /* skips the header, which measures_read has checked, as it has
                                       the number of rows */
    void *row;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&row, measures_csv_row_size(m, &m->graph->naming), 1, "a row of text", err));
    for (int32_t p = 0;
         p < measures_rows(m) && status == STATUS_OK && csv_next_line(&at, end, &line); p++)
        status = compare_row(file, m, p, line, row, err);
    memory_free(row);
    RETURN_ON_FAILURE(status);
    if (m->flows != NULL)
        RETURN_ON_FAILURE(compare_edges(file, m, err));
    return compare_json(file, m, err);
}
