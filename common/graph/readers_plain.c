// SPDX-License-Identifier: MIT
/* Formats whose lines have only numbers: thesis text, GAP .wel, SNAP. */
#include "common/graph/readers.h"

#include <string.h>

static const char expected_edge[] = "an edge 'u v w'";

bool text_matches(struct text_line first) {
    int64_t number;
    return text_take_integer(&first, &number);
}

enum status text_read(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {.expected = expected_edge, .separator = ' '};
    static const char expected[] = "a first line 'V E'";
    int64_t vertices = 0, edges = 0;
    RETURN_ON_FAILURE(readers_take_sizes(r, &first, expected, &vertices, &edges, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, first, expected, err));
    RETURN_ON_FAILURE(readers_announce(r, vertices, edges, err));
    return readers_read_edges(r, &syntax, edges, err);
}

/* Takes two integers off the front of the line. */
static bool take_two(struct text_line *rest) {
    int64_t number;
    return text_take_integer(rest, &number) && text_take_integer(rest, &number);
}

/* The first line of thesis text has two numbers; that of a .wel has three. */
bool wel_matches(struct text_line first) {
    if (!take_two(&first))
        return false;
    text_skip_blanks(&first);
    const char *const weight = first.begin;
    while (first.begin < first.end && !text_is_blank(*first.begin))
        first.begin++;
    const bool third = first.begin > weight;
    text_skip_blanks(&first);
    return third && first.begin == first.end;
}

enum status wel_read(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {.expected = expected_edge, .separator = ' '};
    text_source_put_back(r->source, first);
    return readers_read_edges_alone(r, &syntax, err);
}

bool snap_matches(struct text_line first) {
    return readers_begins_with(first, '#');
}

/* The first edge shows whether edges have weights, and the separator. */
enum status snap_read(struct reading *r, struct text_line first, struct error *err) {
    struct edge_syntax syntax = {.expected = expected_edge, .comment = '#', .separator = ' '};
    if (readers_begins_with(first, syntax.comment))
        RETURN_ON_FAILURE(
            readers_demand_line(r, syntax.comment, "an edge 'u v' or 'u v w'", &first, err));
    struct text_line rest = first;
    if (take_two(&rest)) {
        text_skip_blanks(&rest);
        syntax.unweighted = rest.begin == rest.end;
    }
    if (syntax.unweighted)
        syntax.expected = "an edge 'u v'";
    if (memchr(first.begin, '\t', (size_t)(first.end - first.begin)) != NULL)
        syntax.separator = '\t';
    text_source_put_back(r->source, first);
    return readers_read_edges_alone(r, &syntax, err);
}
