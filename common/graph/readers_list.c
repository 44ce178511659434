// SPDX-License-Identifier: MIT
/* Lists of edges with blanks between the fields: GAP .wel; SNAP's and all that look like them, with
 * or without weights and comments; NetworkX's, with attributes; KONECT's. */
#include "common/graph/readers.h"

#include <string.h>
#include <strings.h>

static enum status read_wel(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {
        .expected = "an edge 'u v w'", .separator = ' ', .named = true};
    text_source_put_back(r->source, first);
    return readers_read_list(r, &syntax, err);
}

/* GAP: lines `u v w` alone. */
const struct graph_format readers_wel = {
    .name = "wel", .first_lines = "'u v w'", .read = read_wel, .traits = FORMAT_OCCURRING_VERTICES};

/* Attributes ------------------------------------------------------------------------------------
 */

/* Finds the value of an attribute in a dict such as {'weight': 3, 'kind': 'road'}; returns false if
 * there is none of that name. Strings are in single or double quotes; a backslash escapes the
 * character after it. */
static bool find_attribute(struct text_line rest, const char *name, struct text_line *value) {
    const size_t length = strlen(name);
    for (const char *at = rest.begin; at < rest.end; at++) {
        if (*at != '\'' && *at != '"')
            continue;
        const char quote = *at, *const begin = ++at;
        while (at < rest.end && *at != quote)
            at += *at == '\\' ? 2 : 1;
        if (at >= rest.end)
            return false;
        const bool is_it = (size_t)(at - begin) == length && memcmp(begin, name, length) == 0;
        struct text_line after = {at + 1, rest.end};
        text_skip_blanks(&after);
        if (!is_it || after.begin == after.end || *after.begin != ':')
            continue;
        after.begin++;
        text_skip_blanks(&after);
        const char *end = after.begin;
        while (end < after.end && *end != ',' && *end != '}')
            end++;
        *value = readers_trimmed((struct text_line){after.begin, end});
        return true;
    }
    return false;
}

/* Reads `u v {...}`. An edge without the weight attribute weighs 1, as in NetworkX. */
static enum status take_attributed(struct reading *r, const struct edge_syntax *syntax,
                                   struct text_line row, struct error *err) {
    struct read_weight weight = readers_unit_weight(r);
    struct text_line value;
    int32_t from, to;
    char found[READERS_EXCERPT];
    RETURN_ON_FAILURE(readers_take_ends(r, syntax, &row, &from, &to, err));
    row = readers_trimmed(row);
    if (row.begin == row.end || *row.begin != '{' || row.end[-1] != '}')
        return text_source_fail(r->source, err, "expected %s, found %s", syntax->expected,
                                text_excerpt(row, found, sizeof found));
    if (find_attribute(row, syntax->columns, &value)) {
        r->attributed++;
        RETURN_ON_FAILURE(readers_take_weight(r, syntax, &value, &weight, err));
        RETURN_ON_FAILURE(readers_expect_end(r->source, value, syntax->expected, err));
    }
    for (int k = 0; k < r->list.extras && !weight.is_absent; k++) {
        const char *const name = r->how->columns->name[k];
        if (!find_attribute(row, name, &value))
            return text_source_fail(r->source, err,
                                    "expected an attribute '%s' (--along), found none", name);
        RETURN_ON_FAILURE(readers_take_column(r, k, value, err));
    }
    if (weight.is_absent)
        RETURN_ON_FAILURE(edge_list_mention(&r->list, from, to, err));
    return readers_append(r, from, to, weight, err);
}

/* SNAP ------------------------------------------------------------------------------------------
 */

static bool snap_matches(struct text_line first) {
    return readers_begins_with(first, '#') ||
           (readers_begins_with(first, '%') && !readers_konect.matches(first));
}

/* Returns whether a comment is the one that NetworkX writes above a list of neighbours. */
static bool is_adjacency_list(struct text_line comment) {
    return readers_take_this_word(&comment, "#") && readers_take_this_word(&comment, "GMT");
}

/* Skips the comments at the beginning. */
static enum status skip_comments(struct reading *r, struct text_line *line, char comment,
                                 const char *expected, struct error *err) {
    bool found = true;
    while (readers_begins_with(*line, comment)) {
        if (is_adjacency_list(*line))
            return text_source_fail(r->source, err,
                                    "expected edges, found NetworkX's list of neighbours; in "
                                    "Python, apsp.read(\"FILE\", format=\"adjlist\") reads it, or "
                                    "\"multiline_adjlist\" if lines of vertices have the number of "
                                    "their neighbours");
        RETURN_ON_FAILURE(text_source_next_filled(r->source, READERS_MAX_LINE, line, &found, err));
        if (!found)
            return text_source_fail(r->source, err, "expected %s, found the end of the file",
                                    expected);
    }
    return STATUS_OK;
}

/* Chooses the syntax by the first edge: weights, attributes or neither, and the separator. */
static enum status find_syntax(const struct reading *r, struct text_line first,
                               struct edge_syntax *syntax, struct error *err) {
    struct text_line rest = first;
    int fields = 0;
    for (struct text_line token = readers_take_token(&rest); token.begin < token.end; fields++) {
        if (fields == 2 && *token.begin == '{') {
            syntax->take_row = take_attributed;
            syntax->separator = '\0';
            syntax->expected = "an edge 'u v {...}'";
            return STATUS_OK;
        }
        token = readers_take_token(&rest);
    }
    if (fields > EDGE_FIELDS + syntax->has_time)
        return text_source_fail(r->source, err,
                                "expected %s, found %d fields; --input-format csv --edge-columns "
                                "A,B --weight-column C says by their numbers which they are",
                                syntax->expected, fields);
    syntax->has_time &= fields > EDGE_FIELDS;
    syntax->unweighted = fields == EDGE_FIELDS - 1;
    if (!syntax->has_time)
        syntax->expected = syntax->unweighted ? "an edge 'u v'" : "an edge 'u v w'";
    if (syntax->has_time)
        syntax->separator = '\0';
    else if (memchr(first.begin, '\t', (size_t)(first.end - first.begin)) != NULL)
        syntax->separator = '\t';
    return STATUS_OK;
}

static enum status read_snap(struct reading *r, struct text_line first, struct error *err) {
    static const char expected[] = "an edge 'u v' or 'u v w'";
    const char comment = readers_begins_with(first, '%') ? '%' : '#';
    struct edge_syntax syntax = {.expected = expected,
                                 .comment = comment,
                                 .separator = ' ',
                                 .named = true,
                                 .columns = r->how->weight_column};
    if (syntax.columns == NULL)
        syntax.columns = "weight";
    if (readers_mtx.matches(first))
        return text_source_fail(r->source, err, "expected %s, found a matrix of Matrix Market",
                                expected);
    RETURN_ON_FAILURE(skip_comments(r, &first, comment, expected, err));
    RETURN_ON_FAILURE(find_syntax(r, first, &syntax, err));
    if (r->how->weight_column != NULL && syntax.take_row == NULL)
        return text_source_fail(r->source, err,
                                "expected a table or edges with attributes, of which "
                                "--weight-column names one, found a list of edges");
    if (r->how->along != NULL && syntax.take_row == NULL)
        return text_source_fail(r->source, err,
                                "expected a table or edges with attributes, of which --along names "
                                "some, found a list of edges");
    const char *rest = r->how->along;
    for (struct text_line name; readers_next_column(&rest, &name);)
        RETURN_ON_FAILURE(readers_add_column(r, name, err));
    text_source_put_back(r->source, first);
    RETURN_ON_FAILURE(readers_read_list(r, &syntax, err));
    if (syntax.take_row == NULL || r->attributed > 0)
        return STATUS_OK;
    if (r->how->weight_column != NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: --weight-column: expected an attribute '%s', found no edge that has it",
                    r->source->name, r->how->weight_column);
    readers_note(r, "no edge has an attribute 'weight': each weighs 1");
    return STATUS_OK;
}

/* Lines `u v` (weight 1), `u v w` or, as NetworkX writes them, `u v {'weight': w}`; lines that
 * begin with # or % are comments. */
const struct graph_format readers_snap = {
    .name = "snap",
    .first_lines = "'u v', '# ...'",
    .matches = snap_matches,
    .read = read_snap,
    .traits = FORMAT_OCCURRING_VERTICES | FORMAT_WEIGHT_ATTRIBUTE | FORMAT_FURTHER_COLUMNS};

/* KONECT ----------------------------------------------------------------------------------------
 */

enum { ASYMMETRIC, SYMMETRIC, BIPARTITE, DIRECTIONS };
static const char *const directions[DIRECTIONS] = {"asym", "sym", "bip"};

static bool konect_matches(struct text_line first) {
    return readers_take_this_word(&first, "%") &&
           readers_take_word(&first, directions, DIRECTIONS) >= 0;
}

static enum status read_konect(struct reading *r, struct text_line first, struct error *err) {
    static const char expected[] = "an edge 'u v', 'u v w' or 'u v w t'";
    struct edge_syntax syntax = {
        .expected = expected, .comment = '%', .separator = ' ', .named = true, .has_time = true};
    struct text_line rest = first;
    char excerpt[READERS_EXCERPT];
    const bool marked = readers_take_this_word(&rest, "%");
    const int direction = marked ? readers_take_word(&rest, directions, DIRECTIONS) : -1;
    if (direction < 0)
        return text_source_fail(r->source, err, "expected '%% sym' or '%% asym', found %s",
                                text_excerpt(first, excerpt, sizeof excerpt));
    if (direction == BIPARTITE)
        return text_source_fail(r->source, err,
                                "expected vertices of one kind, found KONECT's 'bip': two kinds, "
                                "which are numbered apart; give the second kind other names");
    r->both_ways |= direction == SYMMETRIC;
    RETURN_ON_FAILURE(skip_comments(r, &first, '%', expected, err));
    RETURN_ON_FAILURE(find_syntax(r, first, &syntax, err));
    if (direction == SYMMETRIC && !r->how->undirected)
        readers_note(r, "edges are read both ways, as '%% sym' says");
    if (syntax.has_time)
        readers_note(r, "the fourth column, a time, is left aside");
    text_source_put_back(r->source, first);
    return readers_read_list(r, &syntax, err);
}

/* `% sym|asym WEIGHTS`, then lines `u v`, `u v w` or `u v w t`; sym is undirected. */
const struct graph_format readers_konect = {.name = "konect",
                                            .first_lines = "'% sym ...'",
                                            .matches = konect_matches,
                                            .read = read_konect,
                                            .traits = FORMAT_OCCURRING_VERTICES};
