// SPDX-License-Identifier: MIT
#include "accessibility/mass_table.h"

#include "common/base/memory.h"      // memory_alloc
#include "common/base/text_source.h" // struct text_source
#include "common/graph/readers.h"    // readers_take_field

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_LINE = 1 << 20,
    MOST_MASSES = 1 << 16,
    LONGEST_PLACE = 300, /* bytes of "FILE:LINE" in messages */
    EXCERPT = 48,
};

static const char what[] = "a table of masses";

struct mass_reading {
    struct text_source source;
    const struct graph *g;
    struct mass_table *table;
    char separator;
    int32_t before; /* number of columns before that of the vertices */
    bool *is_there; /* by vertex, n entries: the table has had the vertex */
};

static bool is_word(struct text_line field, const char *word) {
    const size_t length = (size_t)(field.end - field.begin);
    return length == strlen(word) && memcmp(field.begin, word, length) == 0;
}

/* Returns the number of fields of a line; -1: a quote is not closed. */
static int32_t count_fields(struct text_line line, char separator) {
    int32_t count = 0;
    for (bool last = false; !last; count++) {
        struct text_line field;
        if (!readers_take_field(&line, separator, &field, &last))
            return -1;
    }
    return count;
}

static struct text_line next(const struct mass_reading *r, struct text_line *rest) {
    struct text_line field = {rest->begin, rest->begin};
    bool last;
    readers_take_field(rest, r->separator, &field, &last);
    return field;
}

/* Returns whether a column has a name that is for vertices, and not for masses. */
static bool names_vertices(struct text_line field) {
    static const char *const names[] = {"id", "vertex", "node", "vertex_id", "node_id"};
    const int found = readers_take_word(&field, names, (int)(sizeof names / sizeof *names));
    return found >= 0 && field.begin == field.end;
}

/* Takes the name of a mass. */
static enum status take_name(struct mass_reading *r, struct text_line field, struct error *err) {
    struct mass_table *const t = r->table;
    const size_t most = (size_t)(field.end - field.begin);
    char excerpt[EXCERPT];
    void *memory;
    if (names_vertices(field))
        return text_source_fail(&r->source, err,
                                "expected masses in all columns but the first, which has the "
                                "vertices, found column %s: put it first, or leave it out",
                                text_excerpt(field, excerpt, sizeof excerpt));
    RETURN_ON_FAILURE(memory_alloc(&memory, most + 1, 1, what, err));
    const size_t length = readers_unquote(field, memory, most);
    t->name[t->masses] = memory;
    t->name[t->masses][length] = '\0';
    if (length == 0 || mass_table_find(t, t->name[t->masses], length) >= 0) {
        memory_free(memory);
        return text_source_fail(&r->source, err, "expected columns with different names, found %s",
                                length == 0 ? "one without a name"
                                            : text_excerpt(field, excerpt, sizeof excerpt));
    }
    t->masses++;
    return STATUS_OK;
}

/* Reads the first line: the separator of fields and the names of masses. */
static enum status read_head(struct mass_reading *r, struct error *err) {
    struct text_line line, rest, first;
    char excerpt[EXCERPT], name[NAMES_LONGEST + 1];
    void *memory;
    bool found;
    int32_t v;
    RETURN_ON_FAILURE(text_source_next_filled(&r->source, LONGEST_LINE, &line, &found, err));
    if (!found)
        return text_source_fail(&r->source, err,
                                "expected a head with the names of columns, found nothing");
    r->separator = readers_guess_separator(line);
    if (r->separator == ' ') /* names of columns may contain blanks */
        r->separator = ',';
    const int32_t count = count_fields(line, r->separator);
    if (count < 0 || count > MOST_MASSES)
        return text_source_fail(&r->source, err,
                                "expected up to %d columns and closed quotes, found others",
                                MOST_MASSES);
    rest = line;
    first = next(r, &rest);
    if (naming_find(&r->g->naming, r->g->n, name, readers_vertex_name(first, name, sizeof name),
                    &v))
        return text_source_fail(
            &r->source, err,
            "expected a head with the names of columns, found vertex %s: put vertex,NAME above it",
            text_excerpt(first, excerpt, sizeof excerpt));
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof *r->table->name, what, err));
    r->table->name = memory;
    for (int32_t c = 1; c < count; c++) {
        const struct text_line field = readers_trimmed(next(r, &rest));
        if (c == 1 && is_word(first, "vertex") && is_word(field, "id"))
            r->before = 1;
        else
            RETURN_ON_FAILURE(take_name(r, field, err));
    }
    return STATUS_OK;
}

static enum status take_vertex(struct mass_reading *r, struct text_line field, int32_t *v,
                               struct error *err) {
    char place[LONGEST_PLACE], name[NAMES_LONGEST + 1];
    struct mass_table *const t = r->table;
    const size_t length = readers_vertex_name(field, name, sizeof name);
    snprintf(place, sizeof place, "%s:%lld", r->source.name, (long long)r->source.line);
    RETURN_ON_FAILURE(naming_take(&r->g->naming, r->g->n, place, name, length, v, err));
    if (r->is_there[*v])
        return text_source_fail(&r->source, err, "expected each vertex once, found %s again",
                                graph_name(r->g, *v).text);
    r->is_there[*v] = true;
    t->vertex[t->rows++] = *v;
    return STATUS_OK;
}

static enum status read_row(struct mass_reading *r, struct text_line line, struct error *err) {
    struct mass_table *const t = r->table;
    char excerpt[EXCERPT];
    int32_t v;
    const int32_t count = count_fields(line, r->separator);
    if (count != r->before + 1 + t->masses)
        return text_source_fail(&r->source, err, "expected %d fields, found %d",
                                r->before + 1 + t->masses, count);
    for (int32_t c = 0; c < r->before; c++)
        next(r, &line);
    RETURN_ON_FAILURE(take_vertex(r, next(r, &line), &v, err));
    for (int32_t m = 0; m < t->masses; m++) {
        const struct text_line field = readers_trimmed(next(r, &line));
        struct text_line rest = field;
        double mass = -1;
        if (text_take_real(&rest, NUMBER_FLOAT64, &mass) != TEXT_REAL || rest.begin != rest.end ||
            !(mass >= 0) || isinf(mass))
            return text_source_fail(&r->source, err,
                                    "expected a finite number of 0 or more in column '%.60s', "
                                    "found %s",
                                    t->name[m],
                                    field.begin == field.end
                                        ? "nothing"
                                        : text_excerpt(field, excerpt, sizeof excerpt));
        t->mass[(size_t)v * (size_t)t->masses + (size_t)m] = mass == 0 ? 0 : mass;
    }
    return STATUS_OK;
}

static enum status alloc(struct mass_reading *r, struct error *err) {
    struct mass_table *const t = r->table;
    const size_t n = (size_t)r->g->n, masses = (size_t)t->masses;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, masses * sizeof *t->mass, what, err));
    t->mass = memset(memory, 0, n * masses * sizeof *t->mass);
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *t->vertex, what, err));
    t->vertex = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *r->is_there, what, err));
    r->is_there = memset(memory, 0, n * sizeof *r->is_there);
    return STATUS_OK;
}

enum status mass_table_read(const char *path, const struct graph *g, struct mass_table *table,
                            struct error *err) {
    struct mass_reading r = {.g = g, .table = table};
    struct text_line line;
    bool found = true;
    enum status status;
    *table = (struct mass_table){.masses = 0};
    TRY(text_source_open(&r.source, path, err));
    TRY(read_head(&r, err));
    TRY(alloc(&r, err));
    for (;;) {
        TRY(text_source_next_filled(&r.source, LONGEST_LINE, &line, &found, err));
        if (!found)
            break;
        TRY(read_row(&r, line, err));
    }
    if (table->rows == 0)
        status = text_source_fail(&r.source, err,
                                  "expected a row for one vertex or more, found "
                                  "none");
cleanup:
    text_source_close(&r.source);
    memory_free(r.is_there);
    return status;
}

int32_t mass_table_find(const struct mass_table *table, const char *name, size_t length) {
    for (int32_t m = 0; m < table->masses; m++) {
        if (strlen(table->name[m]) == length && memcmp(table->name[m], name, length) == 0)
            return m;
    }
    return -1;
}

void mass_table_free(struct mass_table *table) {
    for (int32_t m = 0; m < table->masses; m++)
        memory_free(table->name[m]);
    memory_free(table->name);
    memory_free(table->mass);
    memory_free(table->vertex);
    *table = (struct mass_table){.masses = 0};
}
