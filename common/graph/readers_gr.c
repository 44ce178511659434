// SPDX-License-Identifier: MIT
/* DIMACS files, .gr: shortest path problems, and undirected graphs of other problems. */
#include "common/graph/readers.h"

/* The problems that a line 'p PROBLEM V E' names. */
enum { SHORTEST_PATHS, COLOURING, COLUMNS_OF_COLOURING, TREEWIDTH, MAXIMUM_FLOW, PROBLEMS };
static const char *const problems[PROBLEMS] = {"sp", "edge", "col", "tw", "max"};

/* Returns whether the first line is one of DIMACS. If it begins with c or a it may also be an edge
 * between names, which readers_guess decides. */
static bool gr_matches(struct text_line first) {
    return readers_take_this_word(&first, "p") &&
           readers_take_word(&first, problems, PROBLEMS) >= 0;
}

/* Lines of a colouring problem that describe vertices are skipped with the comments. */
static enum status take_colouring_row(struct reading *r, const struct edge_syntax *syntax,
                                      struct text_line row, struct error *err) {
    const struct read_weight weight = readers_unit_weight(r);
    int32_t from = 0, to = 0;
    char found[READERS_EXCERPT];
    if (readers_begins_with(row, 'n'))
        return STATUS_OK;
    if (!readers_take_this_word(&row, "e"))
        return text_source_fail(r->source, err, "expected %s, found %s", syntax->expected,
                                text_excerpt(row, found, sizeof found));
    RETURN_ON_FAILURE(readers_take_ends(r, syntax, &row, &from, &to, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, row, syntax->expected, err));
    return readers_append(r, from, to, weight, err);
}

/* Notes that edges are read in both directions, since such problems have none. */
static void read_both_ways(struct reading *r, const char *problem) {
    if (!r->both_ways)
        readers_note(r, "edges are read both ways, as in every graph of a problem '%s'", problem);
    r->both_ways = true;
}

static enum status read_gr(struct reading *r, struct text_line first, struct error *err) {
    static const char expected[] = "a line 'p sp V E'";
    struct edge_syntax syntax = {.expected = "an edge 'a u v w'",
                                 .keyword = "a",
                                 .comment = 'c',
                                 .separator = ' ',
                                 .first = r->how->vertices_from != VERTICES_FROM_0};
    int64_t vertices = 0, edges = 0;
    char excerpt[READERS_EXCERPT];
    int problem = -1;
    if (readers_begins_with(first, syntax.comment))
        RETURN_ON_FAILURE(readers_demand_line(r, syntax.comment, expected, &first, err));
    if (readers_take_this_word(&first, "p"))
        problem = readers_take_word(&first, problems, PROBLEMS);
    if (problem < 0)
        return text_source_fail(r->source, err, "expected %s, found %s", expected,
                                text_excerpt(first, excerpt, sizeof excerpt));
    if (problem == MAXIMUM_FLOW)
        return text_source_fail(r->source, err,
                                "expected %s, found a maximum flow problem, whose numbers are "
                                "capacities, not lengths",
                                expected);
    RETURN_ON_FAILURE(readers_take_sizes(r, &first, expected, &vertices, &edges, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, first, expected, err));
    RETURN_ON_FAILURE(readers_announce(r, vertices, edges, err));
    if (problem == SHORTEST_PATHS)
        return readers_read_edges(r, &syntax, edges, err);
    read_both_ways(r, problems[problem]);
    syntax.unweighted = true;
    if (problem == TREEWIDTH) {
        syntax.expected = "an edge 'u v'";
        syntax.keyword = NULL;
        return readers_read_edges(r, &syntax, edges, err);
    }
    syntax.expected = "an edge 'e u v'";
    syntax.separator = '\0';
    syntax.take_row = take_colouring_row;
    RETURN_ON_FAILURE(readers_read_edges(r, &syntax, READERS_UNKNOWN, err));
    if (r->list.count != edges)
        readers_note(r, "%lld edges were read; the line 'p %s' says %lld", (long long)r->list.count,
                     problems[problem], (long long)edges);
    return STATUS_OK;
}

/* DIMACS: `p sp V E`, then E lines `a u v w`, vertices from 1; a line that begins with the letter c
 * alone is a comment. Graphs of other problems are undirected, without weights: `p edge V E`, then
 * lines `e u v`; PACE's `p tw V E`, then E lines `u v`. */
const struct graph_format readers_gr = {
    .name = "gr", .first_lines = "'p sp V E'", .matches = gr_matches, .read = read_gr};
