// SPDX-License-Identifier: MIT
/* Thesis text. */
#include "common/graph/readers.h"

static enum status read_text(struct reading *r, struct text_line first, struct error *err) {
    static const char expected[] = "a first line 'V E'";
    const struct edge_syntax syntax = {.expected = "an edge 'u v w'",
                                       .separator = ' ',
                                       .first = r->how->vertices_from == VERTICES_FROM_1};
    int64_t vertices = 0, edges = 0;
    RETURN_ON_FAILURE(readers_take_sizes(r, &first, expected, &vertices, &edges, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, first, expected, err));
    RETURN_ON_FAILURE(readers_announce(r, vertices, edges, err));
    return readers_read_edges(r, &syntax, edges, err);
}

/* A line `V E`, then E lines `u v w`, vertices from 0 (thesis, chapter 4). */
const struct graph_format readers_text = {
    .name = "text", .first_lines = "'V E'", .read = read_text};
