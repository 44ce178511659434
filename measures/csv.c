// SPDX-License-Identifier: MIT
#include "measures/csv.h"

#include "common/base/json_text.h"   // json_text_number
#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_put_integer
#include "measures/file_names.h"     // MEASURES_DIGITS
#include "measures/json.h"           // measures_put_exact
#include "measures/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    VERTEX_SIZE = 16, /* the most bytes of a row without the vertex's name and the columns */
    NUMBER_SIZE = 32, /* the most bytes of a column of a row, with its comma */
};

struct measures_columns measures_columns_of(const struct measures *m) {
    return (struct measures_columns){m->directed, m->source == NULL, m->parts, !m->order.is_sum};
}

static bool has_column(struct measures_columns columns, const struct measure_of_vertices *row,
                       bool inwards) {
    return (row->part & ~columns.parts) == 0 && !(columns.other_semiring && row->sums_only) &&
           measure_column(row, columns.directed, inwards) != NULL;
}

/* Returns the measure of a column, and stores in *inwards if it is of distances to the vertex; NULL
 * after the last column. */
static const struct measure_of_vertices *find_column(struct measures_columns columns, int column,
                                                     bool *inwards) {
    const int directions = columns.directed && columns.all ? 2 : 1;
    const struct measure_of_vertices *row;
    for (int direction = 0; direction < directions; direction++) {
        *inwards = direction == 1;
        for (size_t k = 0; (row = measure_of_vertices_at(k)) != NULL; k++) {
            if (has_column(columns, row, *inwards) && column-- == 0)
                return row;
        }
    }
    return NULL;
}

const char *measures_column_name(struct measures_columns columns, int column) {
    bool inwards;
    const struct measure_of_vertices *const row = find_column(columns, column, &inwards);
    return row != NULL ? measure_column(row, columns.directed, inwards) : NULL;
}

unsigned measures_column_part(struct measures_columns columns, int column) {
    bool inwards;
    const struct measure_of_vertices *const row = find_column(columns, column, &inwards);
    return row != NULL ? row->part : 0;
}

int measures_count_columns(struct measures_columns columns) {
    int count = 0;
    while (measures_column_name(columns, count) != NULL)
        count++;
    return count;
}

enum status measures_csv_head(struct measures_columns columns, char **head, size_t *length,
                              struct error *err) {
    static const char first[] = "vertex,id";
    size_t size = sizeof first + 1;
    void *memory;
    for (int c = 0; measures_column_name(columns, c) != NULL; c++)
        size += 1 + strlen(measures_column_name(columns, c));
    RETURN_ON_FAILURE(memory_alloc(&memory, size, 1, "a line of text", err));
    char *at = *head = memory;
    at = stpcpy(at, first);
    for (int c = 0; measures_column_name(columns, c) != NULL; c++) {
        *at++ = ',';
        at = stpcpy(at, measures_column_name(columns, c));
    }
    stpcpy(at, "\n");
    *length = size - 1;
    return STATUS_OK;
}

static int put_number(const struct measure_of_vertices *row, enum number_type type,
                      const struct any_totals *totals, char *to) {
    if (row->form == MEASURE_DISTANCE && isinf(row->real(totals))) /* only of other semirings */
        return json_text_number(to, NUMBER_FLOAT64, row->real(totals));
    if (measure_is_integer(row->form, type))
        return measures_put_exact(to, row->integer(totals));
    if (type == NUMBER_INT32)
        return json_text_real(to, row->real(totals), MEASURES_DIGITS);
    return json_text_number(to, row->form == MEASURE_DISTANCE ? type : NUMBER_FLOAT64,
                            row->real(totals));
}

static int put_vertex(const struct measures *m, bool inwards, int32_t position, char *to) {
    const struct any_totals totals = measures_totals(m, inwards, position);
    const struct measures_columns columns = measures_columns_of(m);
    const struct measure_of_vertices *row;
    int length = 0;
    for (size_t k = 0; (row = measure_of_vertices_at(k)) != NULL; k++) {
        if (!has_column(columns, row, inwards))
            continue;
        to[length++] = ',';
        if (position < m->count || row->part == MEASURES_FLOWS)
            length += put_number(row, measures_written_type(m), &totals, to + length);
    }
    return length;
}

size_t measures_csv_row_size(const struct measures *m, const struct vertex_naming *naming) {
    return VERTEX_SIZE + naming_longest_field(naming) +
           (size_t)measures_count_columns(measures_columns_of(m)) * NUMBER_SIZE;
}

int measures_csv_row(const struct measures *m, const struct vertex_naming *naming, int32_t position,
                     char *to) {
    const int32_t v = measures_row_vertex(m, position);
    int length = (int)(number_put_integer(to, v) - to);
    to[length++] = ',';
    length += (int)naming_put_field(naming, v, to + length);
    length += put_vertex(m, false, position, to + length);
    if (measures_have_in(m))
        length += put_vertex(m, true, position, to + length);
    to[length++] = '\n';
    to[length] = '\0';
    return length;
}

bool csv_next_line(const char **at, const char *end, struct csv_text *line) {
    if (*at == end)
        return false;
    const char *feed = memchr(*at, '\n', (size_t)(end - *at));
    *line = (struct csv_text){*at, feed != NULL ? feed : end};
    *at = feed != NULL ? feed + 1 : end;
    if (line->end > line->begin && line->end[-1] == '\r')
        line->end--;
    return true;
}

struct csv_text csv_next_field(struct csv_text *rest) {
    const struct csv_text whole = *rest;
    bool quoted = false;
    while (rest->begin < rest->end && (quoted || *rest->begin != ',')) {
        quoted ^= *rest->begin == '"';
        rest->begin++;
    }
    const struct csv_text field = {whole.begin, rest->begin};
    rest->begin += rest->begin < rest->end;
    return field;
}

bool csv_same(struct csv_text a, struct csv_text b) {
    const size_t length = (size_t)(a.end - a.begin);
    return length == (size_t)(b.end - b.begin) && memcmp(a.begin, b.begin, length) == 0;
}

const char *csv_quoted(struct csv_text field, char text[CSV_QUOTED]) {
    snprintf(text, CSV_QUOTED, "'%.*s'",
             (int)(field.end - field.begin < 40 ? field.end - field.begin : 40), field.begin);
    return text;
}
