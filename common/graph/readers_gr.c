// SPDX-License-Identifier: MIT
/* DIMACS shortest path problems, .gr. */
#include "common/graph/readers.h"

bool gr_matches(struct text_line first) {
    return readers_begins_with(first, 'c') || readers_begins_with(first, 'p') ||
           readers_begins_with(first, 'a');
}

enum status gr_read(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {.expected = "an edge 'a u v w'",
                                              .keyword = "a",
                                              .comment = 'c',
                                              .separator = ' ',
                                              .first = 1};
    static const char expected[] = "a line 'p sp V E'";
    int64_t vertices = 0, edges = 0;
    if (readers_begins_with(first, syntax.comment))
        RETURN_ON_FAILURE(readers_demand_line(r, syntax.comment, expected, &first, err));
    if (!readers_take_this_word(&first, "p") || !readers_take_this_word(&first, "sp")) {
        char excerpt[READERS_EXCERPT];
        return text_source_fail(r->source, err, "expected %s, found %s", expected,
                                text_excerpt(first, excerpt, sizeof excerpt));
    }
    RETURN_ON_FAILURE(readers_take_sizes(r, &first, expected, &vertices, &edges, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, first, expected, err));
    RETURN_ON_FAILURE(readers_announce(r, vertices, edges, err));
    return readers_read_edges(r, &syntax, edges, err);
}
