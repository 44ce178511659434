// SPDX-License-Identifier: MIT
/* Tables with a row for each edge, whose columns have names or numbers. */
#include "common/graph/readers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LONGEST_NAME = 64,   /* bytes of a column's name that are examined, with a zero byte */
    MOST_COLUMNS = 2048, /* the most columns of a table */
    SHOWN_COLUMNS = 12,  /* the most columns shown in messages */
};

static const char expected_edge[] = "an edge";

/* Roles of columns, the fields of an edge first. */
enum role {
    TAIL = FIELD_TAIL,
    HEAD = FIELD_HEAD,
    WEIGHT = FIELD_WEIGHT,
    TYPE = EDGE_FIELDS, /* Gephi's: Directed or Undirected */
    ONEWAY,             /* OpenStreetMap's: the edge leads one way */
    REVERSE,            /* pgRouting's: the weight of the reverse edge */
    KEY,                /* OSMnx's: the table lists every direction of a street */
    ROLES,
};

/* The columns of a table, numbered from 0. */
struct columns {
    int at[ROLES];                /* column of each role; -1: there is none */
    int along[EDGE_COLUMNS_MOST]; /* columns of --along */
    int count;                    /* number of all columns */
    char separator;
    bool closes; /* a weight below 0 means that there is no edge, as in pgRouting */
};

/* Fields ----------------------------------------------------------------------------------------
 */

bool readers_take_field(struct text_line *rest, char separator, struct text_line *field,
                        bool *last) {
    const char *at = rest->begin, *const end = rest->end;
    while (at < end && text_is_blank(*at) && (*at != separator || separator == ' '))
        at++;
    const bool quoted = at < end && *at == '"';
    field->begin = at += quoted;
    if (quoted) {
        while (at < end && (*at != '"' || (at + 1 < end && at[1] == '"')))
            at += *at == '"' ? 2 : 1;
        if (at >= end)
            return false;
        field->end = at++;
        while (at < end && text_is_blank(*at) && *at != separator)
            at++;
        if (at < end && *at != separator)
            return false;
    } else {
        while (at < end && *at != separator && (separator != ' ' || !text_is_blank(*at)))
            at++;
        *field = readers_trimmed((struct text_line){field->begin, at});
    }
    while (separator == ' ' && at + 1 < end && text_is_blank(at[1]))
        at++;
    *last = at >= end || (separator == ' ' && at + 1 == end);
    rest->begin = at < end ? at + 1 : end;
    return true;
}

size_t readers_unquote(struct text_line field, char *to, size_t most) {
    size_t length = 0;
    for (const char *at = field.begin; at < field.end && length < most; at++) {
        to[length++] = *at;
        at += *at == '"' && at + 1 < field.end && at[1] == '"';
    }
    return length;
}

/* Splits a line into fields: returns their number, and stores the first `most` of them, without the
 * blanks around them inside quotes unless the line has names of vertices. Returns -1 if a quote is
 * not closed. */
static int split(struct text_line line, char separator, bool named, struct text_line *fields,
                 int most) {
    int count = 0;
    bool last = false;
    if (separator == ' ')
        line = readers_trimmed(line);
    while (!last) {
        struct text_line field;
        if (!readers_take_field(&line, separator, &field, &last))
            return -1;
        if (count < most)
            fields[count] = named ? field : readers_trimmed(field);
        count++;
    }
    return count;
}

static bool is_integer(struct text_line field) {
    int64_t number;
    field = readers_trimmed(field);
    return field.begin < field.end && text_take_integer(&field, &number) &&
           field.begin == field.end;
}

size_t readers_vertex_name(struct text_line field, char *to, size_t most) {
    return readers_unquote(is_integer(field) ? readers_trimmed(field) : field, to, most);
}

static bool is_number(struct text_line field) {
    double number;
    field = readers_trimmed(field);
    return field.begin < field.end &&
           text_take_real(&field, NUMBER_FLOAT64, &number) != TEXT_NO_NUMBER &&
           field.begin == field.end;
}

static bool is_word(struct text_line field, const char *word) {
    const size_t length = (size_t)(field.end - field.begin);
    return strlen(word) == length && strncasecmp(field.begin, word, length) == 0;
}

static bool is_one_of(struct text_line field, const char *const *words) {
    while (*words != NULL && !is_word(field, *words))
        words++;
    return *words != NULL;
}

/* Names of columns ------------------------------------------------------------------------------
 */

/* Writes a column's name in lower case, without blanks, underscores and hyphens, and without "id",
 * "node" or "vertex" at its end, because authors differ in these. */
static void simplify(struct text_line field, char name[LONGEST_NAME]) {
    static const char *const endings[] = {"id", "node", "vertex"};
    size_t length = 0;
    for (const char *c = field.begin; c < field.end && length < LONGEST_NAME - 1; c++) {
        if (!text_is_blank(*c) && *c != '_' && *c != '-')
            name[length++] = (char)tolower((unsigned char)*c);
    }
    name[length] = '\0';
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        const size_t ending = strlen(endings[e]);
        if (length > ending && strcmp(name + length - ending, endings[e]) == 0)
            name[length -= ending] = '\0';
    }
}

/* Returns the role of a column with that name; ROLES: none. */
static enum role role_of(struct text_line field) {
    enum { MAX_NAMES = 8 };
    static const char *const names[ROLES][MAX_NAMES] = {
        [TAIL] = {"source", "src", "from", "u", "tail", "origin"},
        [HEAD] = {"target", "tgt", "to", "v", "head", "dst", "dest", "destination"},
        [WEIGHT] = {"weight", "w", "cost", "length", "distance", "dist"},
        [TYPE] = {"type"},
        [ONEWAY] = {"oneway"},
        [REVERSE] = {"reversecost", "revcost"},
        [KEY] = {"key"},
    };
    char name[LONGEST_NAME];
    simplify(field, name);
    for (int role = 0; role < ROLES; role++) {
        for (int k = 0; k < MAX_NAMES && names[role][k] != NULL; k++) {
            if (strcmp(name, names[role][k]) == 0)
                return (enum role)role;
        }
    }
    return ROLES;
}

/* Finds two columns whose names are a pair that would be ambiguous alone, or differ only in a 1 and
 * a 2, as node_1,node_2 do. Finds none if there are several such pairs. */
static void find_pair(const struct text_line *fields, int count, struct columns *c) {
    static const char *const known[][2] = {
        {"start", "end"}, {"i", "j"}, {"init", "term"}, {"o", "d"}};
    int tail = -1, head = -1, pairs = 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        int at[2] = {-1, -1};
        for (int a = 0; a < count; a++) {
            char name[LONGEST_NAME];
            simplify(fields[a], name);
            for (int end = 0; end < 2; end++)
                at[end] = strcmp(name, known[k][end]) == 0 ? a : at[end];
        }
        if (at[0] < 0 || at[1] < 0)
            continue;
        tail = at[0];
        head = at[1];
        pairs++;
    }
    for (int a = 0; a < count; a++) {
        char first[LONGEST_NAME], second[LONGEST_NAME];
        simplify(fields[a], first);
        char *const one = strrchr(first, '1');
        if (one == NULL || is_number(fields[a]))
            continue;
        *one = '2';
        for (int b = 0; b < count; b++) {
            simplify(fields[b], second);
            if (b == a || strcmp(first, second) != 0)
                continue;
            tail = a;
            head = b;
            pairs++;
        }
    }
    if (pairs == 1) {
        c->at[TAIL] = tail;
        c->at[HEAD] = head;
    }
}

/* Finds the columns whose names show their roles, without options. *twice: a role that two columns
 * have, or -1. */
static void find_by_names(const struct text_line *fields, int count, struct columns *c,
                          int *twice) {
    *twice = -1;
    for (int role = 0; role < ROLES; role++)
        c->at[role] = -1;
    for (int k = 0; k < count; k++) {
        const enum role role = role_of(fields[k]);
        if (role != ROLES && c->at[role] >= 0 && *twice != TAIL && *twice != HEAD)
            *twice = (int)role;
        else if (role != ROLES && c->at[role] < 0)
            c->at[role] = k;
    }
    if (c->at[TAIL] < 0 || c->at[HEAD] < 0)
        find_pair(fields, count, c);
}

bool readers_find_ends(const struct text_line *names, int count, int *tail, int *head) {
    struct columns c;
    int twice;
    find_by_names(names, count, &c, &twice);
    *tail = c.at[TAIL];
    *head = c.at[HEAD];
    return twice != TAIL && twice != HEAD;
}

/* Returns whether some field is a number, which is no name of a column. */
static bool has_number(const struct text_line *fields, int count) {
    for (int k = 0; k < count; k++) {
        if (is_number(fields[k]))
            return true;
    }
    return false;
}

static const char separators[] = {',', ';', '\t', '|', ' '};

/* Returns the separator with which a line has columns for both ends of an edge, or '\0'. */
static char find_separator(struct text_line line) {
    struct text_line fields[MOST_COLUMNS];
    struct columns c;
    int twice;
    for (size_t s = 0; s < sizeof separators; s++) {
        const int count = split(line, separators[s], false, fields, MOST_COLUMNS);
        if (count < 2 || count > MOST_COLUMNS || has_number(fields, count))
            continue;
        find_by_names(fields, count, &c, &twice);
        if (c.at[TAIL] >= 0 && c.at[HEAD] >= 0)
            return separators[s];
    }
    return '\0';
}

static bool csv_matches(struct text_line first) {
    return find_separator(first) != '\0';
}

char readers_guess_separator(struct text_line line) {
    static struct text_line none[1];
    int best = 1;
    char separator = ' ';
    for (size_t s = 0; s < sizeof separators; s++) {
        const int count = split(line, separators[s], false, none, 0);
        if (count > best && (separators[s] != ' ' || best == 1)) {
            best = count;
            separator = separators[s];
        }
    }
    return separator;
}

const char *readers_list_columns(const struct text_line *names, int count, char *text,
                                 size_t size) {
    enum { SHOWN = 40 }; /* the most bytes of a name in a message */
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < count && k < SHOWN_COLUMNS && used + LONGEST_NAME < size; k++) {
        const ptrdiff_t length = names[k].end - names[k].begin;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s%s", k == 0 ? "" : ", ",
                                 (int)(length < SHOWN ? length : SHOWN), names[k].begin,
                                 length == 0 ? "''" : "");
    }
    if (count > SHOWN_COLUMNS)
        snprintf(text + used, size - used, ", ...");
    return text;
}

/* Options ---------------------------------------------------------------------------------------
 */

/* A table's first line, and its meaning with the options. */
struct table_head {
    struct text_line fields[MOST_COLUMNS];
    char shown[SHOWN_COLUMNS * 48]; /* the fields, for messages */
    struct columns columns;
    int64_t line;   /* number of the first line */
    bool has_names; /* the first line names columns */
    bool is_known;  /* some of these names show their roles */
};

/* Finds a column by its number, from 1, or, if the first line names columns, by its name. */
static enum status find_column(const struct reading *r, const struct table_head *h,
                               const char *option, struct text_line wanted, int *column,
                               struct error *err) {
    int64_t number;
    struct text_line rest = wanted = readers_trimmed(wanted);
    for (int k = 0; k < h->columns.count && !is_integer(wanted); k++) {
        const struct text_line field = h->fields[k];
        if (field.end - field.begin == wanted.end - wanted.begin &&
            strncasecmp(field.begin, wanted.begin, (size_t)(field.end - field.begin)) == 0) {
            *column = k;
            return STATUS_OK;
        }
    }
    if (is_integer(wanted) && text_take_integer(&rest, &number) && number >= 1 &&
        number <= h->columns.count) {
        *column = (int)number - 1;
        return STATUS_OK;
    }
    return text_source_fail(r->source, err, "expected a column '%.*s' (%s) of: %s",
                            (int)(wanted.end - wanted.begin), wanted.begin, option, h->shown);
}

/* Takes --edge-columns A,B. */
static enum status take_edge_columns(const struct reading *r, struct table_head *h,
                                     struct error *err) {
    const char *const option = r->how->edge_columns, *const comma = strchr(option, ',');
    struct columns *const c = &h->columns;
    if (comma == NULL || strchr(comma + 1, ',') != NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "--edge-columns: expected two columns, as in 'source,target' or '1,2', found "
                    "'%s'",
                    option);
    const struct text_line first = {option, comma}, second = {comma + 1, option + strlen(option)};
    RETURN_ON_FAILURE(find_column(r, h, "--edge-columns", first, &c->at[TAIL], err));
    RETURN_ON_FAILURE(find_column(r, h, "--edge-columns", second, &c->at[HEAD], err));
    if (c->at[TAIL] == c->at[HEAD])
        return fail(err, STATUS_BAD_INPUT, "--edge-columns: expected two columns, found '%s' twice",
                    option);
    return STATUS_OK;
}

static bool names_are_numbers(const char *option) {
    return option == NULL || strspn(option, "0123456789, ") == strlen(option);
}

/* Finds the column of weights, if there is one. */
static enum status find_weight(const struct reading *r, struct table_head *h, int twice,
                               struct error *err) {
    struct columns *const c = &h->columns;
    const char *const option = r->how->weight_column;
    if (option != NULL) {
        const struct text_line wanted = {option, option + strlen(option)};
        RETURN_ON_FAILURE(find_column(r, h, "--weight-column", wanted, &c->at[WEIGHT], err));
        if (c->at[WEIGHT] == c->at[TAIL] || c->at[WEIGHT] == c->at[HEAD])
            return text_source_fail(r->source, err,
                                    "expected a column of weights for --weight-column, found '%s', "
                                    "which is one of vertices",
                                    option);
        return STATUS_OK;
    }
    const bool needed =
        r->how->transform != WEIGHTS_ONE; /* otherwise weights only show which edges are absent */
    if (!needed && twice == WEIGHT)
        c->at[WEIGHT] = -1;
    if (needed && twice == WEIGHT)
        return text_source_fail(r->source, err,
                                "expected one column for the weight w, found two; --weight-column "
                                "COL says which of: %s",
                                h->shown);
    if (!h->has_names && c->count == EDGE_FIELDS)
        c->at[WEIGHT] = EDGE_FIELDS - c->at[TAIL] - c->at[HEAD];
    if (c->at[WEIGHT] == c->at[TAIL] || c->at[WEIGHT] == c->at[HEAD])
        c->at[WEIGHT] = -1;
    const bool others = c->count > 2 + (c->at[TYPE] >= 0) + (c->at[ONEWAY] >= 0);
    if (needed && c->at[WEIGHT] < 0 && others)
        return text_source_fail(r->source, err,
                                "expected a column 'weight', found none among %d columns; "
                                "--weight-column COL says which it is of: %s; --unweighted takes "
                                "none",
                                c->count, h->shown);
    return STATUS_OK;
}

/* Finds the columns of --along. */
static enum status find_along(struct reading *r, struct table_head *h, struct error *err) {
    struct columns *const c = &h->columns;
    const char *rest = r->how->along;
    struct text_line wanted;
    char text[EDGE_COLUMN_NAME + 32];
    while (readers_next_column(&rest, &wanted)) {
        int column = 0;
        RETURN_ON_FAILURE(find_column(r, h, "--along", wanted, &column, err));
        if (column == c->at[TAIL] || column == c->at[HEAD])
            return text_source_fail(r->source, err,
                                    "expected a column of numbers for --along, found '%.*s', which "
                                    "is one of vertices",
                                    (int)(wanted.end - wanted.begin), wanted.begin);
        size_t length = readers_unquote(h->fields[column], text, sizeof text - 16);
        if (!h->has_names || length == 0)
            length = (size_t)snprintf(text, sizeof text, "%d", column + 1);
        const struct text_line name = {text, text + length};
        RETURN_ON_FAILURE(readers_add_column(r, name, err));
        c->along[r->list.extras - 1] = column;
    }
    return STATUS_OK;
}

/* Finds the columns from the first line, and whether that line is a row itself. */
static enum status take_head(struct reading *r, struct text_line line, struct table_head *h,
                             struct error *err) {
    static const char *const ends[] = {"the tail u", "the head v"};
    struct columns *const c = &h->columns;
    const bool by_option = r->how->edge_columns != NULL;
    char excerpt[READERS_EXCERPT];
    int twice;
    const char known = find_separator(line);
    c->separator = known != '\0' ? known : readers_guess_separator(line);
    c->count = split(line, c->separator, false, h->fields, MOST_COLUMNS);
    if (c->count < 0)
        return text_source_fail(r->source, err,
                                "expected a name that ends with its second quote, found %s",
                                text_excerpt(line, excerpt, sizeof excerpt));
    if (c->count < 2 || c->count > MOST_COLUMNS)
        return text_source_fail(r->source, err,
                                "expected names of columns such as 'source,target,weight', found "
                                "%s",
                                text_excerpt(line, excerpt, sizeof excerpt));
    readers_list_columns(h->fields, c->count, h->shown, sizeof h->shown);
    find_by_names(h->fields, c->count, c, &twice);
    h->is_known = known != '\0';
    h->has_names = h->is_known || !names_are_numbers(r->how->edge_columns) ||
                   (by_option && !has_number(h->fields, c->count));
    if (by_option)
        RETURN_ON_FAILURE(take_edge_columns(r, h, err));
    else if (twice == TAIL || twice == HEAD)
        return text_source_fail(r->source, err,
                                "expected one column for %s, found two; --edge-columns A,B says "
                                "which of: %s",
                                ends[twice], h->shown);
    if (!h->has_names)
        for (int role = WEIGHT; role < ROLES; role++)
            c->at[role] = -1;
    if (!h->has_names && !by_option && c->count <= EDGE_FIELDS &&
        (is_number(h->fields[c->count - 1]) ||
         (is_integer(h->fields[0]) && is_integer(h->fields[1])))) {
        c->at[TAIL] = 0; /* a table without names: both ends, and perhaps a weight */
        c->at[HEAD] = 1;
    }
    if (c->at[TAIL] < 0 || c->at[HEAD] < 0)
        return text_source_fail(r->source, err,
                                "expected names of columns such as 'source,target,weight', found: "
                                "%s; --edge-columns A,B says by name or number which two hold the "
                                "ends of edges",
                                h->shown);
    RETURN_ON_FAILURE(find_weight(r, h, twice, err));
    return find_along(r, h, err);
}

/* Directions ------------------------------------------------------------------------------------
 */

/* Decides on the meaning of columns of directions by the first row. */
static enum status settle_directions(struct reading *r, struct table_head *h,
                                     const struct text_line *row, struct error *err) {
    static const char *const undirected[] = {"undirected", NULL}, *const directed[] = {"directed",
                                                                                       NULL};
    struct columns *const c = &h->columns;
    if (c->at[TYPE] >= 0) {
        const struct text_line type = row[c->at[TYPE]];
        const bool both = is_one_of(type, undirected);
        if (!both && !is_one_of(type, directed))
            c->at[TYPE] = -1; /* a column `type` with another meaning */
        if (both && !r->how->undirected)
            readers_note(r, "edges are read both ways, as the column '%.*s' says",
                         (int)(h->fields[c->at[TYPE]].end - h->fields[c->at[TYPE]].begin),
                         h->fields[c->at[TYPE]].begin);
        r->both_ways |= both;
    }
    if (c->at[REVERSE] >= 0) {
        const int weight = c->at[WEIGHT];
        if (weight < 0 || !is_word(h->fields[weight], "cost")) {
            if (!r->how->undirected)
                return text_source_fail(r->source, err,
                                        "expected weights of the column 'cost' beside "
                                        "'reverse_cost', which says what the reverse of an edge "
                                        "costs; --undirected reads edges both ways without it");
            readers_note(r, "the column 'reverse_cost' is left aside");
            c->at[REVERSE] = -1;
        } else {
            c->closes = true;
            readers_note(r, "'reverse_cost' is the weight of the reverse edge, and a cost below 0 "
                            "is no edge, as in pgRouting");
        }
    }
    if (c->at[ONEWAY] < 0)
        return STATUS_OK;
    if (r->how->undirected || c->at[REVERSE] >= 0 || c->at[KEY] >= 0) {
        readers_note(r, "the column 'oneway' is left aside: %s",
                     c->at[REVERSE] >= 0 ? "'reverse_cost' tells"
                     : c->at[KEY] >= 0 ? "beside 'key' a table lists every direction, as OSMnx's do"
                                       : "--undirected reads every edge both ways");
        c->at[ONEWAY] = -1;
    } else {
        readers_note(r, "edges are read both ways unless the column 'oneway' says otherwise");
    }
    return STATUS_OK;
}

enum edge_way { FORWARD, BACKWARD, BOTH };

/* Reads marks of one-way streets, as in OpenStreetMap. */
static enum status take_way(const struct reading *r, struct text_line field, enum edge_way *way,
                            struct error *err) {
    static const char *const forward[] = {"yes", "true", "1", "t", "y", "f->t", "ft", NULL};
    static const char *const backward[] = {"-1", "reverse", "tf", NULL};
    static const char *const both[] = {"no", "false", "0", "f", "n", "", "b", NULL};
    char excerpt[READERS_EXCERPT];
    if (is_one_of(field, forward))
        *way = FORWARD;
    else if (is_one_of(field, backward))
        *way = BACKWARD;
    else if (is_one_of(field, both))
        *way = BOTH;
    else
        return text_source_fail(r->source, err,
                                "expected yes, no or -1 in the column 'oneway', found %s; "
                                "--undirected reads every edge both ways",
                                text_excerpt(field, excerpt, sizeof excerpt));
    return STATUS_OK;
}

/* Returns STATUS_BAD_INPUT for a type that differs from that of the rows before. */
static enum status check_type(const struct reading *r, const struct columns *c,
                              const struct text_line *row, struct error *err) {
    const bool both = r->both_ways;
    const struct text_line type = row[c->at[TYPE]];
    if (r->how->undirected || type.begin == type.end ||
        is_word(type, both ? "undirected" : "directed"))
        return STATUS_OK;
    char excerpt[READERS_EXCERPT];
    return text_source_fail(r->source, err,
                            "expected edges of one type, '%s' as before, found %s; --undirected "
                            "reads every edge both ways",
                            both ? "Undirected" : "Directed",
                            text_excerpt(type, excerpt, sizeof excerpt));
}

/* Rows ------------------------------------------------------------------------------------------
 */

/* Takes both ends of a row. In names two quotes stand for one, and blanks inside quotes are kept;
 * around numbers blanks are ignored. */
static enum status take_ends(struct reading *r, const struct columns *c,
                             const struct text_line *fields, int32_t *from, int32_t *to,
                             struct error *err) {
    char names[2][READERS_MAX_LINE];
    struct text_line ends[2];
    for (int end = 0; end < 2; end++) {
        const struct text_line field = ends[end] = fields[c->at[end]];
        if (field.begin == field.end)
            return text_source_fail(r->source, err, "expected a vertex in column %d, found nothing",
                                    c->at[end] + 1);
        if (memchr(field.begin, '"', (size_t)(field.end - field.begin)) == NULL &&
            !text_is_blank(*field.begin) && !text_is_blank(field.end[-1]))
            continue;
        const size_t length = readers_vertex_name(field, names[end], sizeof names[end]);
        ends[end] = (struct text_line){names[end], names[end] + length};
    }
    return edge_list_take_ends(&r->list, ends[0], ends[1], from, to, err);
}

static enum status take_weight(struct reading *r, const struct edge_syntax *syntax,
                               struct text_line field, int column, bool closes,
                               struct read_weight *weight, struct error *err) {
    if (field.begin == field.end)
        return text_source_fail(r->source, err, "expected a number in column %d, found nothing",
                                column + 1);
    RETURN_ON_FAILURE(readers_take_weight(r, syntax, &field, weight, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, field, syntax->expected, err));
    if (closes && (weight->is_real ? weight->real < 0 : weight->integer < 0))
        weight->is_absent = true;
    return STATUS_OK;
}

static enum status append(struct reading *r, int32_t from, int32_t to, struct read_weight weight,
                          struct error *err) {
    if (weight.is_absent)
        RETURN_ON_FAILURE(edge_list_mention(&r->list, from, to, err));
    return readers_append(r, from, to, weight, err);
}

static enum status take_row(struct reading *r, const struct edge_syntax *syntax,
                            struct text_line row, struct error *err) {
    const struct columns *const c = syntax->columns;
    struct text_line fields[MOST_COLUMNS];
    struct read_weight weight = readers_unit_weight(r), reverse = weight;
    int32_t from = 0, to = 0;
    enum edge_way way = FORWARD;
    const int count = split(row, c->separator, true, fields, MOST_COLUMNS);
    if (count < 0)
        return text_source_fail(r->source, err,
                                "expected a field that ends with its second quote, before the end "
                                "of the line");
    if (count != c->count)
        return text_source_fail(r->source, err, "expected %d fields as in the first line, found %d",
                                c->count, count);
    RETURN_ON_FAILURE(take_ends(r, c, fields, &from, &to, err));
    for (int k = 0; k < count; k++)
        fields[k] = readers_trimmed(fields[k]);
    if (c->at[WEIGHT] >= 0)
        RETURN_ON_FAILURE(
            take_weight(r, syntax, fields[c->at[WEIGHT]], c->at[WEIGHT], c->closes, &weight, err));
    for (int k = 0; k < r->list.extras && !(weight.is_absent && c->at[REVERSE] < 0); k++)
        RETURN_ON_FAILURE(readers_take_column(r, k, fields[c->along[k]], err));
    if (c->at[TYPE] >= 0)
        RETURN_ON_FAILURE(check_type(r, c, fields, err));
    if (c->at[ONEWAY] >= 0)
        RETURN_ON_FAILURE(take_way(r, fields[c->at[ONEWAY]], &way, err));
    if (way != BACKWARD)
        RETURN_ON_FAILURE(append(r, from, to, weight, err));
    if (c->at[REVERSE] >= 0) {
        way = BACKWARD;
        RETURN_ON_FAILURE(
            take_weight(r, syntax, fields[c->at[REVERSE]], c->at[REVERSE], true, &reverse, err));
    }
    if (way == FORWARD)
        return STATUS_OK;
    return append(r, to, from, c->at[REVERSE] >= 0 ? reverse : weight, err);
}

/* Notes which columns are not used. */
static void note_unused(struct reading *r, const struct table_head *h) {
    struct text_line unused[SHOWN_COLUMNS + 1];
    char text[sizeof h->shown];
    int count = 0;
    for (int k = 0; k < h->columns.count && count <= SHOWN_COLUMNS; k++) {
        bool used = false;
        for (int role = 0; role < ROLES; role++)
            used |= h->columns.at[role] == k;
        for (int a = 0; a < r->list.extras; a++)
            used |= h->columns.along[a] == k;
        if (!used)
            unused[count++] = h->fields[k];
    }
    if (count > 0 && h->has_names)
        readers_note(r, "columns that are left aside: %s",
                     readers_list_columns(unused, count, text, sizeof text));
}

/* Returns whether a vertex has the name of a column, or a name that differs only in the digits at
 * its end. */
static bool is_like(const char *vertex, size_t length, struct text_line column) {
    const char *stem = column.end, *end = vertex + length;
    while (stem > column.begin && isdigit((unsigned char)stem[-1]))
        stem--;
    if (stem < column.end) {
        while (end > vertex && isdigit((unsigned char)end[-1]))
            end--;
    }
    const size_t stem_length = (size_t)(stem - column.begin);
    return (size_t)(end - vertex) == stem_length && memcmp(vertex, column.begin, stem_length) == 0;
}

/* Refuses a table whose first line may be an edge or names of columns, because vertices have
 * similar names. */
static enum status check_names(const struct reading *r, const struct table_head *h,
                               struct error *err) {
    const struct vertex_names *const names = r->naming.names;
    char name[NAMES_LONGEST + 1];
    for (int32_t v = 0; names != NULL && names->number == NULL && v < names->n; v++) {
        const size_t length = names_put(names, v, name, sizeof name);
        for (int end = 0; end < 2; end++) {
            const struct text_line column = h->fields[h->columns.at[end]];
            if (is_like(name, length, column))
                return fail(
                    err, STATUS_BAD_INPUT,
                    "%s:%lld: expected names of columns or an edge, found what may be both, "
                    "since '%.60s' is a vertex: --edge-columns %.*s,%.*s says that these are "
                    "columns, and --edge-columns %d,%d that it is an edge",
                    r->source->name, (long long)h->line, name,
                    (int)(h->fields[h->columns.at[TAIL]].end -
                          h->fields[h->columns.at[TAIL]].begin),
                    h->fields[h->columns.at[TAIL]].begin,
                    (int)(h->fields[h->columns.at[HEAD]].end -
                          h->fields[h->columns.at[HEAD]].begin),
                    h->fields[h->columns.at[HEAD]].begin, h->columns.at[TAIL] + 1,
                    h->columns.at[HEAD] + 1);
        }
    }
    return STATUS_OK;
}

/* Reads a table whose first line is `first`; line: a copy of it, because the buffer moves. */
static enum status read_table(struct reading *r, struct table_head *h, struct text_line first,
                              struct text_line line, struct error *err) {
    struct text_line row = first, fields[MOST_COLUMNS];
    h->line = r->source->line;
    RETURN_ON_FAILURE(take_head(r, line, h, err));
    struct columns *const c = &h->columns;
    if (h->has_names)
        RETURN_ON_FAILURE(readers_demand_line(r, r->comment, expected_edge, &row, err));
    if (h->has_names && !h->is_known && names_are_numbers(r->how->edge_columns))
        readers_note(r, "line %lld is taken for the names of columns: %s", (long long)h->line,
                     h->shown);
    if (split(row, c->separator, false, fields, MOST_COLUMNS) == c->count)
        RETURN_ON_FAILURE(settle_directions(r, h, fields, err));
    note_unused(r, h);
    const bool unweighted = c->at[WEIGHT] < 0;
    const bool plain = r->list.extras == 0 && c->at[TAIL] == 0 && c->at[HEAD] == 1 &&
                       c->count == (unweighted ? 2 : 3) && c->at[WEIGHT] == (unweighted ? -1 : 2);
    const struct edge_syntax syntax = {.expected = expected_edge,
                                       .comment = r->comment,
                                       .separator = plain ? c->separator : '\0',
                                       .named = true,
                                       .unweighted = unweighted,
                                       .take_row = take_row,
                                       .columns = c};
    text_source_put_back(r->source, row);
    RETURN_ON_FAILURE(readers_read_list(r, &syntax, err));
    return h->has_names && r->how->edge_columns == NULL ? check_names(r, h, err) : STATUS_OK;
}

static enum status read_csv(struct reading *r, struct text_line first, struct error *err) {
    if (r->comment != '\0' && readers_begins_with(first, r->comment))
        RETURN_ON_FAILURE(
            readers_demand_line(r, r->comment, "names of columns or an edge", &first, err));
    struct table_head *const h = calloc(1, sizeof *h);
    const size_t length = (size_t)(first.end - first.begin);
    /* strndup() would end at a NUL in the line */
    char *const line = malloc(length + 1);
    enum status status = STATUS_NO_RESOURCE;
    if (h == NULL || line == NULL) {
        fail(err, status, "out of memory: cannot read %s", r->source->name);
    } else {
        memcpy(line, first.begin, length);
        status = read_table(r, h, first, (struct text_line){line, line + length}, err);
    }
    free(line);
    free(h);
    return status;
}

/* A line of names of columns, separated by commas, semicolons, bars, tabs or blanks, then a row for
 * each edge; fields may be quoted, and comments may begin the file. The weight is the column called
 * weight, w, cost, length, distance or dist. Without such a line, the first two columns, and the
 * third of three. */
const struct graph_format readers_csv = {.name = "csv",
                                         .first_lines = "'source,target,weight'",
                                         .matches = csv_matches,
                                         .read = read_csv,
                                         .traits = FORMAT_OCCURRING_VERTICES | FORMAT_EDGE_COLUMNS |
                                                   FORMAT_WEIGHT_COLUMN | FORMAT_FURTHER_COLUMNS};
