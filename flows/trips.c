// SPDX-License-Identifier: MIT
#include "flows/trips.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "common/base/text_source.h" // struct text_source
#include "common/graph/readers.h"    // readers_take_field

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_LINE = 1 << 20,
    LONGEST_PLACE = 300, /* most bytes of "FILE:LINE" in messages */
    LONGEST_LIST = 600,  /* most bytes that the names of columns take in a message */
    EXCERPT = 48,
    MOST_COLUMNS = 64
};

static const char what[] = "a table of trips";

// The table ---------------------------------------------------------------------------------------

struct trip {
    int32_t from, to;
    double count;
};

/* A row and its number. Rows of the same pair stay in their order, so that sums do not depend on
 * how rows are sorted. */
struct numbered_trip {
    struct trip trip;
    int64_t row;
};

static int by_pair(const void *a, const void *b) {
    const struct numbered_trip *const x = a, *const y = b;
    return x->trip.from != y->trip.from ? (x->trip.from < y->trip.from ? -1 : 1)
           : x->trip.to != y->trip.to   ? (x->trip.to < y->trip.to ? -1 : 1)
           : x->row != y->row           ? (x->row < y->row ? -1 : 1)
                                        : 0;
}

static enum status alloc(struct trips *t, int64_t rows, struct error *err) {
    const size_t most = (size_t)rows;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, most, sizeof *t->origin, what, err));
    t->origin = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, most + 1, sizeof *t->first, what, err));
    t->first = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, most, sizeof *t->to, what, err));
    t->to = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, most, sizeof *t->count, what, err));
    t->count = memory;
    return STATUS_OK;
}

/* Puts sorted rows into the table. */
static void fill(struct trips *t, const struct numbered_trip *sorted, int64_t rows) {
    int64_t kept = 0;
    for (int64_t k = 0; k < rows; k++) {
        const struct trip *const trip = &sorted[k].trip;
        const bool same_origin = k > 0 && sorted[k - 1].trip.from == trip->from;
        if (same_origin && sorted[k - 1].trip.to == trip->to) {
            t->count[kept - 1] += trip->count;
            t->added++;
            continue;
        }
        if (!same_origin) {
            t->origin[t->origins] = trip->from;
            t->first[t->origins++] = kept;
        }
        t->to[kept] = trip->to;
        t->count[kept++] = trip->count;
    }
    t->first[t->origins] = kept;
}

static enum status make(struct numbered_trip *rows, int64_t count, struct trips *t,
                        struct error *err) {
    *t = (struct trips){.origins = 0};
    RETURN_ON_FAILURE(alloc(t, count, err));
    qsort(rows, (size_t)count, sizeof *rows, by_pair);
    fill(t, rows, count);
    return STATUS_OK;
}

enum status trips_make(const int32_t *origin, const int32_t *destination, const double *count,
                       int64_t rows, struct trips *trips, struct error *err) {
    void *memory;
    int64_t kept = 0;
    *trips = (struct trips){.origins = 0};
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)rows, sizeof(struct numbered_trip), what, err));
    struct numbered_trip *const list = memory;
    for (int64_t k = 0; k < rows; k++) {
        const double trip = count != NULL ? count[k] : 1;
        if (trip > 0) {
            list[kept] = (struct numbered_trip){{origin[k], destination[k], trip}, kept};
            kept++;
        }
    }
    const enum status status = make(list, kept, trips, err);
    memory_free(list);
    return status;
}

/* Returns the index of a number among ascending ones; -1: it is not there. */
static int64_t place_of(const int32_t *number, int64_t begin, int64_t end, int32_t wanted) {
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (number[middle] == wanted)
            return middle;
        if (number[middle] < wanted)
            begin = middle + 1;
        else
            end = middle;
    }
    return -1;
}

double trips_between(const struct trips *trips, int32_t origin, int32_t destination) {
    const int64_t from = place_of(trips->origin, 0, trips->origins, origin);
    const int64_t to =
        from < 0 ? -1
                 : place_of(trips->to, trips->first[from], trips->first[from + 1], destination);
    return to < 0 ? 0 : trips->count[to];
}

enum status trips_of_some(const struct trips *all, const int32_t *origin, int32_t origins,
                          struct trips *trips, struct error *err) {
    int64_t rows = 0;
    *trips = (struct trips){.origins = 0};
    for (int32_t k = 0; k < origins; k++) {
        const int64_t from = place_of(all->origin, 0, all->origins, origin[k]);
        rows += all->first[from + 1] - all->first[from];
    }
    RETURN_ON_FAILURE(alloc(trips, rows, err));
    trips->first[0] = 0;
    for (int32_t k = 0; k < origins; k++) {
        const int64_t from = place_of(all->origin, 0, all->origins, origin[k]);
        const int64_t first = all->first[from], own = all->first[from + 1] - first;
        const int64_t at = trips->first[k];
        memcpy(trips->to + at, all->to + first, (size_t)own * sizeof *trips->to);
        memcpy(trips->count + at, all->count + first, (size_t)own * sizeof *trips->count);
        trips->origin[trips->origins++] = origin[k];
        trips->first[k + 1] = at + own;
    }
    return STATUS_OK;
}

void trips_free(struct trips *t) {
    memory_free(t->origin);
    memory_free(t->first);
    memory_free(t->to);
    memory_free(t->count);
    *t = (struct trips){.origins = 0};
}

// Reading -----------------------------------------------------------------------------------------

struct trip_reading {
    struct text_source source;
    const struct graph *g;
    struct numbered_trip *row;
    int64_t rows, room;
    char separator;
    int columns;                     /* number of fields of a row; 0: no row was read yet */
    int origin, destination, number; /* columns of these fields, counted from 0; number -1: no such
                                        column */
    double announced;                /* number of all trips as a TNTP file states it; 0: not
                                        stated */
    int32_t from;                    /* origin whose trips follow in a TNTP file; -1: none yet */
    bool is_pairs;      /* pairs without trips are kept, and numbers of trips are not read */
    struct error *note; /* note on what is left aside or guessed */
};

static enum status take_vertex(const struct trip_reading *r, struct text_line field, int32_t *v,
                               struct error *err) {
    char place[LONGEST_PLACE], name[NAMES_LONGEST + 1];
    const size_t length = readers_vertex_name(field, name, sizeof name);
    snprintf(place, sizeof place, "%s:%lld", r->source.name, (long long)r->source.line);
    return naming_take(&r->g->naming, r->g->n, place, name, length, v, err);
}

static enum status take_count(const struct trip_reading *r, struct text_line field, double *count,
                              struct error *err) {
    struct text_line rest = field;
    char excerpt[EXCERPT];
    if (text_take_real(&rest, NUMBER_FLOAT64, count) == TEXT_REAL && rest.begin == rest.end &&
        *count >= 0 && !isinf(*count))
        return STATUS_OK;
    return text_source_fail(
        &r->source, err, "expected a finite number of trips of 0 or more, found %s",
        field.begin == field.end ? "nothing" : text_excerpt(field, excerpt, sizeof excerpt));
}

static enum status add(struct trip_reading *r, int32_t from, int32_t to, double count,
                       struct error *err) {
    if (!(count > 0) && !r->is_pairs)
        return STATUS_OK;
    if (r->rows == r->room) {
        const int64_t room = r->room == 0 ? block_sizes.first_edges : 2 * r->room;
        void *memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)room, sizeof *r->row, what, err));
        if (r->rows > 0)
            memcpy(memory, r->row, (size_t)r->rows * sizeof *r->row);
        memory_free(r->row);
        r->row = memory;
        r->room = room;
    }
    r->row[r->rows] = (struct numbered_trip){{from, to, count}, r->rows};
    r->rows++;
    return STATUS_OK;
}

/* Takes the fields of a line; returns their number, MOST_COLUMNS + 1 if there are more, or -1 if a
 * quote is not closed. */
static int take_fields(struct text_line line, char separator,
                       struct text_line field[MOST_COLUMNS]) {
    int count = 0;
    for (bool last = false; !last; count++) {
        struct text_line next;
        if (!readers_take_field(&line, separator, &next, &last))
            return -1;
        if (count == MOST_COLUMNS)
            return MOST_COLUMNS + 1;
        field[count] = next;
    }
    return count;
}

/* Returns whether a first line is a head: no field of it is a vertex or a number. */
static bool is_head(const struct trip_reading *r, const struct text_line *field) {
    for (int c = 0; c < r->columns; c++) {
        char name[NAMES_LONGEST + 1];
        const size_t length = readers_vertex_name(field[c], name, sizeof name);
        int32_t v;
        double number;
        struct text_line rest = readers_trimmed(field[c]);
        if (naming_find(&r->g->naming, r->g->n, name, length, &v) ||
            (text_take_real(&rest, NUMBER_FLOAT64, &number) == TEXT_REAL && rest.begin == rest.end))
            return false;
    }
    return true;
}

static enum status refuse_columns(const struct trip_reading *r, const char *found,
                                  struct error *err) {
    return text_source_fail(
        &r->source, err,
        "expected a row ORIGIN,DESTINATION,TRIPS%s or a TNTP file of trips, found %s",
        r->columns == 2 ? " without TRIPS, as above," : "", found);
}

/* Finds the column of numbers of trips in a head that names both ends. */
static enum status find_number(struct trip_reading *r, const struct text_line *name,
                               struct error *err) {
    static const char *const known[] = {"trips", "demand", "flow", "volume", "count"};
    enum { KNOWN = sizeof known / sizeof *known };
    int called = 0;
    for (int c = 0; c < r->columns; c++) {
        struct text_line rest = name[c];
        if (readers_take_word(&rest, known, KNOWN) >= 0 && rest.begin == rest.end) {
            called++;
            r->number = c;
        }
    }
    const int other = 3 - r->origin - r->destination; /* the third of three columns */
    if (r->columns == 3 && name[other].begin < name[other].end)
        r->number = other;
    else if (r->columns > 3 && called != 1)
        return text_source_fail(&r->source, err,
                                "expected three columns, or one that is called trips, found %d",
                                r->columns);
    return STATUS_OK;
}

static void note(const struct trip_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void note(const struct trip_reading *r, const char *format, ...) {
    char *const text = r->note->text;
    const size_t size = sizeof r->note->text;
    const size_t used = (size_t)snprintf(text, size, "%.300s: ", r->source.name);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
    printable(text);
}

/* Notes which columns of a head are not used. */
static void note_unused(struct trip_reading *r, const struct text_line *name) {
    struct text_line unused[MOST_COLUMNS];
    char list[LONGEST_LIST];
    int count = 0;
    for (int c = 0; c < r->columns; c++) {
        if (c != r->origin && c != r->destination && c != r->number)
            unused[count++] = name[c];
    }
    if (count > 0)
        note(r, "columns that are left aside: %s",
             readers_list_columns(unused, count, list, sizeof list));
}

/* Finds the columns by the names in a head. */
static enum status take_head(struct trip_reading *r, const struct text_line *field,
                             struct error *err) {
    struct text_line name[MOST_COLUMNS];
    char list[LONGEST_LIST];
    int origin, destination;
    for (int c = 0; c < r->columns; c++)
        name[c] = readers_trimmed(field[c]);
    const bool once = readers_find_ends(name, r->columns, &origin, &destination);
    if (once && origin >= 0 && destination >= 0) {
        r->origin = origin;
        r->destination = destination;
        r->number = -1;
        if (!r->is_pairs)
            RETURN_ON_FAILURE(find_number(r, name, err));
        note_unused(r, name);
        return STATUS_OK;
    }
    readers_list_columns(name, r->columns, list, sizeof list);
    if (!once || origin > 0 || (destination >= 0 && destination != 1))
        return text_source_fail(&r->source, err,
                                "expected names of columns that tell origins and destinations "
                                "apart, such as from,to,trips, found %s",
                                list);
    if (r->columns > 3)
        return refuse_columns(r, "more fields", err);
    note(r, "the first line is taken as names of columns with origins%s: %s",
         r->number < 0 ? " and destinations" : ", destinations and numbers of trips", list);
    return STATUS_OK;
}

/* Takes the first line: finds the number of columns and what they are. *is_row: the line is a row,
 * not a head. */
static enum status take_first(struct trip_reading *r, const struct text_line *field, bool *is_row,
                              struct error *err) {
    r->origin = 0;
    r->destination = 1;
    r->number = r->columns > 2 && !r->is_pairs ? 2 : -1;
    *is_row = !is_head(r, field);
    if (!*is_row)
        return take_head(r, field, err);
    if (r->columns > 3)
        return refuse_columns(r, "more fields", err);
    if (r->columns == 3 && r->is_pairs)
        note(r, "the third column is left aside");
    return STATUS_OK;
}

static enum status take_row(struct trip_reading *r, struct text_line line, struct error *err) {
    struct text_line field[MOST_COLUMNS];
    int32_t from, to;
    double count = 1;
    const bool is_first = r->columns == 0;
    bool is_row = true;
    if (is_first)
        r->separator = readers_guess_separator(line);
    const int columns = take_fields(line, r->separator, field);
    /* If the first line has a quote that is not closed, no separator is found. */
    const bool is_open =
        columns < 0 ||
        (columns == 1 && memchr(line.begin, '"', (size_t)(line.end - line.begin)) != NULL);
    if (columns < 2 || columns > MOST_COLUMNS || (!is_first && columns != r->columns))
        return refuse_columns(r,
                              is_open                               ? "a quote that is not closed"
                              : columns > 2 && columns > r->columns ? "more fields"
                                                                    : "fewer fields",
                              err);
    r->columns = columns;
    if (is_first)
        RETURN_ON_FAILURE(take_first(r, field, &is_row, err));
    if (!is_row)
        return STATUS_OK;
    RETURN_ON_FAILURE(take_vertex(r, field[r->origin], &from, err));
    RETURN_ON_FAILURE(take_vertex(r, field[r->destination], &to, err));
    if (r->number >= 0)
        RETURN_ON_FAILURE(take_count(r, readers_trimmed(field[r->number]), &count, err));
    return add(r, from, to, count, err);
}

// TNTP --------------------------------------------------------------------------------------------

static const char origin_word[] = "Origin";
static const char total_word[] = "<TOTAL OD FLOW>";

static bool begins_with(struct text_line line, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(line.end - line.begin) >= length && memcmp(line.begin, word, length) == 0;
}

/* Reads "DESTINATION : TRIPS;" pairs of a line. */
static enum status take_pairs(struct trip_reading *r, struct text_line line, struct error *err) {
    for (;;) {
        text_skip_blanks(&line);
        if (line.begin == line.end)
            return STATUS_OK;
        const size_t length = (size_t)(line.end - line.begin);
        const char *const semicolon = memchr(line.begin, ';', length);
        const char *const end = semicolon != NULL ? semicolon : line.end;
        const char *const colon = memchr(line.begin, ':', (size_t)(end - line.begin));
        char excerpt[EXCERPT];
        int32_t to;
        double count;
        if (colon == NULL || r->from < 0)
            return text_source_fail(&r->source, err, "expected %s, found %s",
                                    r->from < 0 ? "a line 'Origin ZONE'" : "'DESTINATION : TRIPS;'",
                                    text_excerpt(line, excerpt, sizeof excerpt));
        RETURN_ON_FAILURE(
            take_vertex(r, readers_trimmed((struct text_line){line.begin, colon}), &to, err));
        RETURN_ON_FAILURE(
            take_count(r, readers_trimmed((struct text_line){colon + 1, end}), &count, err));
        RETURN_ON_FAILURE(add(r, r->from, to, count, err));
        line.begin = end < line.end ? end + 1 : end;
    }
}

static enum status take_tntp(struct trip_reading *r, struct text_line line, struct error *err) {
    line = readers_trimmed(line);
    if (begins_with(line, total_word)) {
        struct text_line rest = {line.begin + sizeof total_word - 1, line.end};
        double total;
        text_skip_blanks(&rest);
        if (text_take_real(&rest, NUMBER_FLOAT64, &total) == TEXT_REAL)
            r->announced = total;
    }
    if (*line.begin == '<' || *line.begin == '~') /* lines of metadata and comments */
        return STATUS_OK;
    if (!begins_with(line, origin_word))
        return take_pairs(r, line, err);
    line.begin += sizeof origin_word - 1;
    return take_vertex(r, readers_trimmed(line), &r->from, err);
}

/* Notes if the number of trips differs from what the TNTP file states, as in a file that was
 * cut. */
static void note_total(struct trip_reading *r) {
    double total = 0;
    for (int64_t k = 0; k < r->rows; k++)
        total += r->row[k].trip.count;
    if (!r->is_pairs && r->announced > 0 && !(fabs(total - r->announced) <= 0.001 * r->announced))
        note(r, "has %.15g trips, where <TOTAL OD FLOW> says %.15g", total, r->announced);
}

static enum status read(struct trip_reading *r, struct error *err) {
    struct text_line line;
    bool found, is_tntp = false, is_first = true;
    for (;;) {
        RETURN_ON_FAILURE(text_source_next_filled(&r->source, LONGEST_LINE, &line, &found, err));
        if (!found) {
            note_total(r);
            return STATUS_OK;
        }
        if (is_first)
            is_tntp = *readers_trimmed(line).begin == '<' ||
                      begins_with(readers_trimmed(line), "Origin ");
        is_first = false;
        RETURN_ON_FAILURE(is_tntp ? take_tntp(r, line, err) : take_row(r, line, err));
    }
}

enum status trips_read(const char *path, const struct graph *g, struct trips *trips,
                       struct error *err) {
    struct error note = {.text = ""};
    struct trip_reading r = {.g = g, .from = -1, .note = &note};
    enum status status;
    *trips = (struct trips){.origins = 0};
    TRY(text_source_open(&r.source, path, err));
    TRY(read(&r, err));
    if (r.rows == 0)
        TRY(text_source_fail(&r.source, err, "expected trips above 0, found none"));
    TRY(make(r.row, r.rows, trips, err));
    trips->note = note;
cleanup:
    text_source_close(&r.source);
    memory_free(r.row);
    return status;
}

enum status pairs_read(const char *path, const struct graph *g, struct pairs *pairs,
                       struct error *err) {
    struct error note = {.text = ""};
    struct trip_reading r = {.g = g, .from = -1, .is_pairs = true, .note = &note};
    struct trips *const by_origin = &pairs->by_origin;
    void *memory;
    enum status status;
    *pairs = (struct pairs){.count = 0};
    TRY(text_source_open(&r.source, path, err));
    TRY(read(&r, err));
    if (r.rows == 0)
        TRY(text_source_fail(&r.source, err, "expected pairs of vertices, found none"));
    pairs->count = r.rows;
    TRY(memory_alloc(&memory, (size_t)r.rows, sizeof *pairs->place, what, err));
    pairs->place = memory;
    TRY(memory_alloc(&memory, (size_t)r.rows, sizeof *pairs->from, what, err));
    pairs->from = memory;
    for (int64_t k = 0; k < r.rows; k++)
        pairs->from[k] = r.row[k].trip.from;
    TRY(make(r.row, r.rows, by_origin, err)); /* sorts the rows in place */
    by_origin->note = note;
    for (int64_t k = 0, place = -1; k < r.rows; k++) {
        place += k == 0 || r.row[k].trip.from != r.row[k - 1].trip.from ||
                 r.row[k].trip.to != r.row[k - 1].trip.to;
        pairs->place[r.row[k].row] = place;
    }
cleanup:
    text_source_close(&r.source);
    memory_free(r.row);
    return status;
}

void pairs_free(struct pairs *pairs) {
    trips_free(&pairs->by_origin);
    memory_free(pairs->place);
    memory_free(pairs->from);
    *pairs = (struct pairs){.count = 0};
}
