// SPDX-License-Identifier: MIT
/* The text of PREFIX.csv: its head and rows as they are written, and its lines and fields as they
 * are read. */
#ifndef MEASURES_CSV_H
#define MEASURES_CSV_H

#include "common/graph/names.h" // struct vertex_naming
#include "measures/measures.h"  // struct measures

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Properties of measures that decide which columns there are. */
struct measures_columns {
    /* directed: the graph is directed; all: all vertices are sources */
    bool directed, all;
    unsigned parts;      /* bits of parts.h */
    bool other_semiring; /* lengths are of another semiring than min-plus */
};

struct measures_columns measures_columns_of(const struct measures *m);

/* Returns the name of a column, counted after the columns of the vertex and its name; NULL after
 * the last. */
const char *measures_column_name(struct measures_columns columns, int column);
int measures_count_columns(struct measures_columns columns);

/* Returns the bit of the part that a column belongs to; 0 if it belongs to none. */
unsigned measures_column_part(struct measures_columns columns, int column);

/* Stores the line with the names of all columns, and its length with the line feed. The caller
 * frees it with memory_free. */
enum status measures_csv_head(struct measures_columns columns, char **head, size_t *length,
                              struct error *err);

/* Returns the most bytes of a row, with the name of its vertex and the line feed. */
size_t measures_csv_row_size(const struct measures *m, const struct vertex_naming *naming);

/* Writes one of measures_rows() rows, of at most measures_csv_row_size() bytes; returns its length.
 */
int measures_csv_row(const struct measures *m, const struct vertex_naming *naming, int32_t position,
                     char *to);

/* A part of a text: a line without its line feed, or a field. */
struct csv_text {
    const char *begin, *end;
};

/* Takes the next line of a text, and moves *at behind it; false after the last line. */
bool csv_next_line(const char **at, const char *end, struct csv_text *line);

/* Takes the next field and the comma after it from *rest; a comma in quotes is part of the field.
 */
struct csv_text csv_next_field(struct csv_text *rest);

bool csv_same(struct csv_text a, struct csv_text b);

/* Writes a field in quotes, for messages; of a long field only the beginning. Room: CSV_QUOTED
 * bytes. */
enum { CSV_QUOTED = 64 };
const char *csv_quoted(struct csv_text field, char text[CSV_QUOTED]);

#endif
