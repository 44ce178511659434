// SPDX-License-Identifier: MIT
/* Networks of the Transportation Networks repository, TNTP. */
#include "common/graph/readers.h"

#include "common/base/memory.h" // memory_alloc

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The columns of a network, in the order of the format. */
static const char *const column_names[] = {"init_node",      "term_node", "capacity", "length",
                                           "free_flow_time", "b",         "power",    "speed",
                                           "toll",           "link_type"};
enum {
    COLUMNS = sizeof column_names / sizeof *column_names,
    FIRST_WEIGHT = 2,
    FREE_FLOW_TIME = 4,
};

static bool tntp_matches(struct text_line first) {
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

/* The columns of a link that are read. */
struct read_columns {
    int weight;
    int along[EDGE_COLUMNS_MOST]; /* columns of --along */
    int most;                     /* the last of all these columns */
};

/* Reads a link, which ends with ';' or the end of its line. */
static enum status take_link(struct reading *r, const struct edge_syntax *syntax,
                             struct text_line row, struct error *err) {
    static const char expected_end[] = "the end of the line after ';'";
    const struct read_columns *const columns = syntax->columns;
    const int column = columns->weight;
    const char *const end = memchr(row.begin, ';', (size_t)(row.end - row.begin));
    struct text_line fields[COLUMNS];
    struct read_weight weight = readers_unit_weight(r);
    int32_t from = 0, to = 0;
    int count = 0;
    if (end != NULL) {
        RETURN_ON_FAILURE(
            readers_expect_end(r->source, (struct text_line){end + 1, row.end}, expected_end, err));
        row.end = end;
    }
    for (struct text_line rest = row; count < COLUMNS; count++) {
        fields[count] = readers_take_token(&rest);
        if (fields[count].begin == fields[count].end)
            break;
    }
    if (count <= columns->most)
        return text_source_fail(r->source, err,
                                "expected %d columns, from init_node to %s, found %d",
                                columns->most + 1, column_names[columns->most], count);
    RETURN_ON_FAILURE(readers_take_ends(r, syntax, &row, &from, &to, err));
    for (int k = 0; k < r->list.extras; k++)
        RETURN_ON_FAILURE(readers_take_column(r, k, fields[columns->along[k]], err));
    RETURN_ON_FAILURE(readers_take_weight(r, syntax, &fields[column], &weight, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, fields[column], syntax->expected, err));
    if (weight.is_absent)
        RETURN_ON_FAILURE(edge_list_mention(&r->list, from, to, err));
    return readers_append(r, from, to, weight, err);
}

/* Numbers in a network's head; -1: not stated. */
struct metadata {
    int64_t nodes, links, first_thru_node;
};

/* Reads the number after a tag. */
static enum status take_value(const struct reading *r, struct text_line rest, const char *what,
                              int64_t lowest, int64_t highest, int64_t *value, struct error *err) {
    static const char expected[] = "a number after the tag";
    RETURN_ON_FAILURE(
        readers_take_number(r->source, &rest, expected, what, lowest, highest, value, err));
    return readers_expect_end(r->source, rest, expected, err);
}

/* Reads tags up to the last one, and skips unknown tags; line: the first one. */
static enum status take_metadata(struct reading *r, struct text_line line, struct metadata *data,
                                 struct error *err) {
    static const char *const tags[] = {"<NUMBER OF NODES>", "<NUMBER OF LINKS>",
                                       "<FIRST THRU NODE>", "<END OF METADATA>"};
    enum { NODES, LINKS, FIRST_THRU, END, TAGS };
    char excerpt[READERS_EXCERPT];
    *data = (struct metadata){-1, -1, 1};
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
            RETURN_ON_FAILURE(
                take_value(r, line, "number of nodes", 1, INT32_MAX, &data->nodes, err));
        else if (tag == LINKS)
            RETURN_ON_FAILURE(
                take_value(r, line, "number of links", 0, READERS_MAX_EDGES, &data->links, err));
        else if (tag == FIRST_THRU)
            RETURN_ON_FAILURE(take_value(r, line, "first node that paths may lead through",
                                         INT32_MIN, INT64_MAX, &data->first_thru_node, err));
        RETURN_ON_FAILURE(readers_demand_line(r, '\0', tags[END], &line, err));
    }
    if (data->nodes < 0 || data->links < 0)
        return text_source_fail(r->source, err, "expected '%s' before the end of the metadata",
                                tags[data->nodes < 0 ? NODES : LINKS]);
    return STATUS_OK;
}

/* Makes vertices of the nodes: 1 .. nodes or, if other numbers occur, the numbers that occur, of
 * which there may be no more than `nodes`. */
static enum status find_vertices(struct reading *r, int64_t nodes, struct error *err) {
    const int32_t first = r->how->vertices_from != VERTICES_FROM_0;
    struct list_vertices vertices;
    bool outside;
    RETURN_ON_FAILURE(edge_list_keep_numbers(&r->list, first, (int32_t)nodes - 1 + first, &vertices,
                                             &outside, err));
    if (outside) {
        RETURN_ON_FAILURE(edge_list_find_vertices(&r->list, &vertices, err));
        r->naming = vertices.naming;
        if (vertices.n > nodes)
            return fail(err, STATUS_BAD_INPUT, "%s: expected %lld nodes, found %d in the links",
                        r->source->name, (long long)nodes, vertices.n);
        readers_note(r,
                     "vertices are the %d nodes that links have, which are not numbered 1 .. %lld",
                     vertices.n, (long long)nodes);
    }
    r->naming = vertices.naming;
    r->n = vertices.n;
    return STATUS_OK;
}

/* Counts those zones, the first vertices, that a path could enter and leave. */
static enum status count_open_zones(const struct reading *r, int32_t zones, int64_t *open,
                                    struct error *err) {
    enum { ENTERED = 1, LEFT = 2 };
    void *memory;
    *open = 0;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)zones, 1, "the zones", err));
    uint8_t *const ways = memory;
    memset(ways, 0, (size_t)zones);
    for (int64_t e = 0; e < r->list.count; e++) {
        const int32_t from = r->list.is_real ? r->list.real_edges[e].from : r->list.edges[e].from;
        const int32_t to = r->list.is_real ? r->list.real_edges[e].to : r->list.edges[e].to;
        if (from < zones && from != to)
            ways[from] |= LEFT | (r->both_ways ? ENTERED : 0);
        if (to < zones && from != to)
            ways[to] |= ENTERED | (r->both_ways ? LEFT : 0);
    }
    for (int32_t v = 0; v < zones; v++)
        *open += ways[v] == (ENTERED | LEFT);
    memory_free(memory);
    return STATUS_OK;
}

/* Stores and notes the zones, the nodes below the first one that paths may lead through. No note is
 * needed if no path could lead through any of them. */
static enum status find_zones(struct reading *r, int64_t first_thru_node, struct error *err) {
    const struct vertex_names *const names = r->naming.names;
    int64_t zones = first_thru_node - r->naming.first, open = 0;
    if (names != NULL)
        zones = names->number != NULL ? names_at_least(names, first_thru_node) : 0;
    zones = zones < 0 ? 0 : zones < r->n ? zones : r->n;
    if (zones > 0)
        RETURN_ON_FAILURE(count_open_zones(r, (int32_t)zones, &open, err));
    if (open == 0)
        return STATUS_OK;
    if (r->how->through_zones) {
        readers_note(r, "paths lead through the %lld zones, too (--through-zones)",
                     (long long)zones);
        return STATUS_OK;
    }
    readers_note(r,
                 "no path leads through the %lld zones (<FIRST THRU NODE> %lld); --through-zones "
                 "allows it",
                 (long long)zones, (long long)first_thru_node);
    r->zones = (int32_t)zones;
    return STATUS_OK;
}

/* Finds the column of numbers with that name, or with that number from 1. option: the one that
 * names it. */
static enum status find_column(const struct reading *r, const char *option, struct text_line name,
                               int *column, struct error *err) {
    const size_t length = (size_t)(name.end - name.begin);
    for (int c = FIRST_WEIGHT; c < COLUMNS; c++) {
        char number[4];
        snprintf(number, sizeof number, "%d", c + 1);
        if ((strlen(column_names[c]) == length &&
             strncasecmp(column_names[c], name.begin, length) == 0) ||
            (strlen(number) == length && memcmp(number, name.begin, length) == 0)) {
            *column = c;
            return STATUS_OK;
        }
    }
    return fail(err, STATUS_BAD_INPUT,
                "%s: %s: expected one of %s .. %s of a TNTP network, found '%.*s'", r->source->name,
                option, column_names[FIRST_WEIGHT], column_names[COLUMNS - 1], (int)length,
                name.begin);
}

/* Finds the columns of --along. */
static enum status find_along(struct reading *r, struct read_columns *columns, struct error *err) {
    const char *rest = r->how->along;
    struct text_line wanted;
    columns->most = columns->weight;
    while (readers_next_column(&rest, &wanted)) {
        int c;
        RETURN_ON_FAILURE(find_column(r, "--along", wanted, &c, err));
        const char *const name = column_names[c];
        RETURN_ON_FAILURE(
            readers_add_column(r, (struct text_line){name, name + strlen(name)}, err));
        columns->along[r->list.extras - 1] = c;
        columns->most = c > columns->most ? c : columns->most;
    }
    return STATUS_OK;
}

static enum status read_tntp(struct reading *r, struct text_line first, struct error *err) {
    const char *const column = r->how->weight_column;
    struct read_columns columns = {.weight = FREE_FLOW_TIME};
    struct metadata data;
    const struct edge_syntax syntax = {.expected = "a link",
                                       .comment = '~',
                                       .named = true,
                                       .take_row = take_link,
                                       .columns = &columns};
    if (column != NULL)
        RETURN_ON_FAILURE(find_column(r, "--weight-column",
                                      (struct text_line){column, column + strlen(column)},
                                      &columns.weight, err));
    RETURN_ON_FAILURE(find_along(r, &columns, err));
    RETURN_ON_FAILURE(take_metadata(r, first, &data, err));
    RETURN_ON_FAILURE(readers_announce(r, data.nodes, data.links, err));
    RETURN_ON_FAILURE(readers_read_edges(r, &syntax, data.links, err));
    RETURN_ON_FAILURE(find_vertices(r, data.nodes, err));
    return find_zones(r, data.first_thru_node, err);
}

/* Tags up to <END OF METADATA>, then a row for each link, which may end in `;`, vertices from 1;
 * lines that begin with ~ are comments. The weight is the free flow time. */
const struct graph_format readers_tntp = {.name = "tntp",
                                          .first_lines = "'<NUMBER OF NODES> V'",
                                          .matches = tntp_matches,
                                          .read = read_tntp,
                                          .traits = FORMAT_WEIGHT_COLUMN | FORMAT_ZONES |
                                                    FORMAT_FURTHER_COLUMNS};
