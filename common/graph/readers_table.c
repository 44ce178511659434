// SPDX-License-Identifier: MIT
/* Tables, whose rows may have more columns than an edge needs: CSV with a header, TNTP networks. */
#include "common/graph/readers.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NAME = 64 };

/* Stands for a vertex that is named, too. */
static const char expected_edge[] = "an edge of numbers, not names";

/* CSV ------------------------------------------------------------------------ */

/* Takes a field and the separator after it, if any, off the front of a row. *field is its content,
 * without the quotes of a quoted one. False if a quoted field has no closing quote before the
 * separator. */
static bool take_field(struct text_line *rest, char separator, struct text_line *field,
                       bool *last) {
    const char *at = rest->begin, *const end = rest->end;
    while (at < end && text_is_blank(*at) && *at != separator)
        at++;
    const bool quoted = at < end && *at == '"';
    field->begin = at += quoted;
    if (quoted) {
        while (at < end && (*at != '"' || (at + 1 < end && at[1] == '"')))
            at += *at == '"' ? 2 : 1;
        if (at == end)
            return false;
        field->end = at++;
        while (at < end && text_is_blank(*at) && *at != separator)
            at++;
        if (at < end && *at != separator)
            return false;
    } else {
        const char *const found = memchr(at, separator, (size_t)(end - at));
        field->end = at = found != NULL ? found : end;
    }
    *last = at == end;
    rest->begin = at + !*last;
    return true;
}

static enum status csv_split(const struct reading *r, const struct edge_syntax *syntax,
                             struct text_line row, struct text_line fields[EDGE_FIELDS],
                             struct error *err) {
    int count = 0;
    bool last = false;
    while (!last) {
        struct text_line field;
        if (!take_field(&row, syntax->columns.separator, &field, &last))
            return text_source_fail(r->source, err,
                                    "expected a field that ends with its second quote, before the "
                                    "end of the line, in column %d",
                                    count + 1);
        for (int f = 0; f < EDGE_FIELDS; f++) {
            if (syntax->columns.at[f] != count)
                continue;
            fields[f] = field;
            text_skip_blanks(&field);
            if (field.begin == field.end)
                return text_source_fail(r->source, err,
                                        "expected a number in column %d, found "
                                        "nothing",
                                        count + 1);
        }
        count++;
    }
    if (count != syntax->columns.count)
        return text_source_fail(r->source, err, "expected %d fields as in the first line, found %d",
                                syntax->columns.count, count);
    return STATUS_OK;
}

/* The name of a column in lower case, without blanks, underscores, hyphens, and without "id",
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

/* The field of an edge that a column names; EDGE_FIELDS: none. */
static enum edge_field field_named(struct text_line field) {
    enum { MAX_NAMES = 9 };
    static const char *const names[EDGE_FIELDS][MAX_NAMES] = {
        [FIELD_TAIL] = {"source", "src", "from", "u", "tail", "origin"},
        [FIELD_HEAD] = {"target", "tgt", "to", "v", "head", "dst", "dest", "destination"},
        [FIELD_WEIGHT] = {"weight", "w", "cost", "length", "distance", "dist"},
    };
    char name[LONGEST_NAME];
    simplify(field, name);
    for (int f = 0; f < EDGE_FIELDS; f++) {
        for (int k = 0; k < MAX_NAMES && names[f][k] != NULL; k++) {
            if (strcmp(name, names[f][k]) == 0)
                return (enum edge_field)f;
        }
    }
    return EDGE_FIELDS;
}

/* Whether a column is the one that --weight-column names, in upper or lower case. */
static bool is_column(struct text_line field, const char *name) {
    while (field.end > field.begin && text_is_blank(field.end[-1]))
        field.end--;
    const size_t length = (size_t)(field.end - field.begin);
    return strlen(name) == length && strncasecmp(field.begin, name, length) == 0;
}

/* A header, read with one separator. */
struct header {
    int at[EDGE_FIELDS], count;
    int twice;  /* a field of an edge that two columns name, or -1 */
    bool whole; /* every quoted field has its closing quote */
};

static struct header understand_header(struct text_line line, char separator,
                                       const char *weight_column) {
    struct header h = {.at = {-1, -1, -1}, .twice = -1, .whole = true};
    bool last = false;
    while (!last) {
        struct text_line field;
        if (!take_field(&line, separator, &field, &last)) {
            h.whole = false;
            return h;
        }
        enum edge_field named = field_named(field);
        if (weight_column != NULL) {
            if (named == FIELD_WEIGHT)
                named = EDGE_FIELDS;
            if (is_column(field, weight_column))
                named = FIELD_WEIGHT;
        }
        if (named != EDGE_FIELDS && h.at[named] >= 0)
            h.twice = (int)named;
        else if (named != EDGE_FIELDS)
            h.at[named] = h.count;
        h.count++;
    }
    return h;
}

/* The separator with which a line has columns for both ends of an edge, or '\0'. */
static char find_separator(struct text_line line) {
    static const char separators[] = {',', ';', '\t'};
    for (size_t s = 0; s < sizeof separators; s++) {
        const struct header h = understand_header(line, separators[s], NULL);
        if (h.at[FIELD_TAIL] >= 0 && h.at[FIELD_HEAD] >= 0)
            return separators[s];
    }
    return '\0';
}

bool csv_matches(struct text_line first) {
    return find_separator(first) != '\0';
}

/* Finds the fields of an edge in a row by the columns of the header. */
static enum status take_header(const struct reading *r, struct text_line line, struct header *h,
                               char *separator, struct error *err) {
    static const char *const fields[EDGE_FIELDS] = {"the tail u", "the head v", "the weight w"};
    const char *const column = r->how->weight_column;
    char excerpt[READERS_EXCERPT];
    *separator = find_separator(line);
    if (*separator == '\0')
        return text_source_fail(r->source, err,
                                "expected names of columns such as 'source,target,weight', found "
                                "%s",
                                text_excerpt(line, excerpt, sizeof excerpt));
    *h = understand_header(line, *separator, column);
    if (!h->whole)
        return text_source_fail(r->source, err,
                                "expected a name that ends with its second quote, in column %d",
                                h->count + 1);
    if (column != NULL && h->at[FIELD_WEIGHT] < 0)
        return text_source_fail(r->source, err, "expected a column '%s' (--weight-column)", column);
    if (h->at[FIELD_TAIL] < 0 || h->at[FIELD_HEAD] < 0)
        return text_source_fail(r->source, err,
                                "expected a column of weights for --weight-column, found '%s', "
                                "which is one of vertices",
                                column);
    if (h->twice >= 0)
        return text_source_fail(r->source, err, "expected one column for %s, found two%s",
                                fields[h->twice],
                                h->twice == FIELD_WEIGHT ? "; --weight-column COL says which" : "");
    if (h->at[FIELD_WEIGHT] < 0 && h->count > 2)
        return text_source_fail(r->source, err,
                                "expected a column 'weight', found none among %d columns; "
                                "--weight-column COL says which it is",
                                h->count);
    return STATUS_OK;
}

enum status csv_read(struct reading *r, struct text_line first, struct error *err) {
    struct header h = {0};
    char separator = '\0';
    RETURN_ON_FAILURE(take_header(r, first, &h, &separator, err));
    const bool unweighted = h.at[FIELD_WEIGHT] < 0;
    const bool plain = h.at[FIELD_TAIL] == 0 && h.at[FIELD_HEAD] == 1 &&
                       h.count == (unweighted ? 2 : 3) &&
                       h.at[FIELD_WEIGHT] == (unweighted ? -1 : 2);
    struct edge_syntax syntax = {.expected = expected_edge,
                                 .separator = plain ? separator : '\0',
                                 .unweighted = unweighted,
                                 .split = csv_split};
    memcpy(syntax.columns.at, h.at, sizeof h.at);
    syntax.columns.count = h.count;
    syntax.columns.separator = separator;
    RETURN_ON_FAILURE(readers_demand_line(r, '\0', "an edge", &first, err));
    text_source_put_back(r->source, first);
    return readers_read_edges_alone(r, &syntax, err);
}

/* TNTP ----------------------------------------------------------------------- */

/* The columns of a network, in the order of the format. */
static const char *const tntp_columns[] = {"init_node",      "term_node", "capacity", "length",
                                           "free_flow_time", "b",         "power",    "speed",
                                           "toll",           "link_type"};
enum {
    TNTP_COLUMNS = sizeof tntp_columns / sizeof *tntp_columns,
    TNTP_FIRST_WEIGHT = 2,
    TNTP_FREE_FLOW_TIME = 4,
};

bool tntp_matches(struct text_line first) {
    static const char *const tags[] = {"<number of ", "<first thru ", "<original header>",
                                       "<end of metadata>"};
    text_skip_blanks(&first);
    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
        const size_t length = strlen(tags[t]);
        if ((size_t)(first.end - first.begin) >= length &&
            strncasecmp(first.begin, tags[t], length) == 0)
            return true;
    }
    return false;
}

static enum status tntp_split(const struct reading *r, const struct edge_syntax *syntax,
                              struct text_line row, struct text_line fields[EDGE_FIELDS],
                              struct error *err) {
    const char *const end = memchr(row.begin, ';', (size_t)(row.end - row.begin));
    int count = 0;
    if (end == NULL)
        return text_source_fail(r->source, err, "expected ';' at the end of the line");
    RETURN_ON_FAILURE(readers_expect_end(r->source, (struct text_line){end + 1, row.end},
                                         "';' at the end of the line", err));
    row.end = end;
    for (text_skip_blanks(&row); row.begin < row.end; text_skip_blanks(&row)) {
        struct text_line field = row;
        while (row.begin < row.end && !text_is_blank(*row.begin))
            row.begin++;
        field.end = row.begin;
        for (int f = 0; f < EDGE_FIELDS; f++) {
            if (syntax->columns.at[f] == count)
                fields[f] = field;
        }
        count++;
    }
    if (count <= syntax->columns.at[FIELD_WEIGHT])
        return text_source_fail(r->source, err,
                                "expected %d columns, from init_node to %s, found %d",
                                syntax->columns.at[FIELD_WEIGHT] + 1,
                                tntp_columns[syntax->columns.at[FIELD_WEIGHT]], count);
    return STATUS_OK;
}

/* Reads the number after a tag. */
static enum status take_value(const struct reading *r, struct text_line rest, const char *what,
                              int64_t lowest, int64_t highest, int64_t *value, struct error *err) {
    static const char expected[] = "a number after the tag";
    RETURN_ON_FAILURE(
        readers_take_number(r->source, &rest, expected, what, lowest, highest, value, err));
    return readers_expect_end(r->source, rest, expected, err);
}

/* Reads tags up to the last one; `line` is the first. It skips unknown tags. */
static enum status take_metadata(struct reading *r, struct text_line line, int64_t *vertices,
                                 int64_t *edges, struct error *err) {
    static const char *const tags[] = {"<NUMBER OF NODES>", "<NUMBER OF LINKS>",
                                       "<END OF METADATA>"};
    enum { NODES, LINKS, END, TAGS };
    char excerpt[READERS_EXCERPT];
    *vertices = *edges = -1;
    for (;;) {
        int tag = 0;
        text_skip_blanks(&line);
        const char *const close =
            *line.begin == '<' ? memchr(line.begin, '>', (size_t)(line.end - line.begin)) : NULL;
        if (close == NULL && *line.begin != '~')
            return text_source_fail(r->source, err,
                                    "expected a tag such as '%s', or '%s' before the links, found "
                                    "%s",
                                    tags[NODES], tags[END],
                                    text_excerpt(line, excerpt, sizeof excerpt));
        const size_t length = close != NULL ? (size_t)(close + 1 - line.begin) : 0;
        while (tag < TAGS &&
               (strlen(tags[tag]) != length || strncasecmp(line.begin, tags[tag], length) != 0))
            tag++;
        line.begin += length;
        if (tag == END)
            break;
        if (tag == NODES)
            RETURN_ON_FAILURE(take_value(r, line, "number of nodes", 1, INT32_MAX, vertices, err));
        else if (tag == LINKS)
            RETURN_ON_FAILURE(
                take_value(r, line, "number of links", 0, READERS_MAX_EDGES, edges, err));
        RETURN_ON_FAILURE(readers_demand_line(r, '\0', tags[END], &line, err));
    }
    if (*vertices < 0 || *edges < 0)
        return text_source_fail(r->source, err, "expected '%s' before the end of the metadata",
                                tags[*vertices < 0 ? NODES : LINKS]);
    return STATUS_OK;
}

enum status tntp_read(struct reading *r, struct text_line first, struct error *err) {
    struct edge_syntax syntax = {
        .expected = expected_edge, .comment = '~', .first = 1, .split = tntp_split};
    const char *const column = r->how->weight_column;
    int64_t vertices, edges;
    int weight = TNTP_FREE_FLOW_TIME;
    if (column != NULL) {
        for (weight = TNTP_FIRST_WEIGHT; weight < TNTP_COLUMNS; weight++) {
            if (strcasecmp(tntp_columns[weight], column) == 0)
                break;
        }
    }
    if (weight == TNTP_COLUMNS)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: --weight-column: expected one of %s .. %s of a TNTP network, found '%s'",
                    r->source->name, tntp_columns[TNTP_FIRST_WEIGHT],
                    tntp_columns[TNTP_COLUMNS - 1], column);
    syntax.columns.at[FIELD_HEAD] = 1;
    syntax.columns.at[FIELD_WEIGHT] = weight;
    RETURN_ON_FAILURE(take_metadata(r, first, &vertices, &edges, err));
    RETURN_ON_FAILURE(readers_announce(r, vertices, edges, err));
    return readers_read_edges(r, &syntax, edges, err);
}
