// SPDX-License-Identifier: MIT
/* METIS graphs. Every line that is not a comment belongs to a vertex; an empty line is a vertex
 * without neighbours. */
#include "common/graph/readers.h"

static const char expected_head[] = "a first line 'V E [FMT [NCON]]'";

/* The layout of the other lines, as the first line describes it. */
struct metis_layout {
    int64_t edges;     /* number of edges; each is in the lists of both its ends */
    int64_t skipped;   /* number of entries before the neighbours: size and weights of the vertex */
    bool weights;      /* the edge's weight follows every neighbour */
    size_t max_length; /* the most bytes of a line */
};

/* Reads three digits of 0 or 1, without leading zeros: whether there are sizes of vertices, weights
 * of vertices, weights of edges; then the number of weights of a vertex. */
static enum status take_layout(const struct reading *r, struct text_line rest,
                               struct metis_layout *layout, struct error *err) {
    enum { MAX_WEIGHTS = 1000, HUNDREDS = 100, TENS = 10 };
    char found[READERS_EXCERPT];
    int64_t fmt = 0, weights = 1;
    text_skip_blanks(&rest);
    const struct text_line before = rest;
    if (rest.begin < rest.end)
        RETURN_ON_FAILURE(
            readers_take_number(r->source, &rest, expected_head, "format FMT", 0, 111, &fmt, err));
    if (fmt % TENS > 1 || fmt / TENS % TENS > 1)
        return text_source_fail(r->source, err,
                                "expected the format FMT as three digits of 0 or 1, found %s",
                                text_excerpt(before, found, sizeof found));
    text_skip_blanks(&rest);
    if (rest.begin < rest.end)
        RETURN_ON_FAILURE(readers_take_number(r->source, &rest, expected_head,
                                              "number of weights NCON", 1, MAX_WEIGHTS, &weights,
                                              err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, rest, expected_head, err));
    layout->weights = fmt % TENS == 1;
    layout->skipped = (fmt >= HUNDREDS) + (fmt / TENS % TENS == 1 ? weights : 0);
    return STATUS_OK;
}

static enum status take_neighbours(struct reading *r, const struct metis_layout *layout,
                                   const struct edge_syntax *syntax, int32_t vertex,
                                   struct text_line line, struct error *err) {
    int64_t number;
    for (int64_t k = 0; k < layout->skipped; k++)
        RETURN_ON_FAILURE(readers_take_number(r->source, &line,
                                              "weights of the vertex before its neighbours",
                                              "weight", 0, INT64_MAX, &number, err));
    for (text_skip_blanks(&line); line.begin < line.end; text_skip_blanks(&line)) {
        struct read_weight weight = readers_unit_weight(r);
        int64_t to = 0;
        if (r->list.count + r->absent == 2 * layout->edges)
            return text_source_fail(r->source, err,
                                    "expected %lld edges, each in the lists of both its ends, "
                                    "found more",
                                    (long long)layout->edges);
        RETURN_ON_FAILURE(readers_take_number(r->source, &line, syntax->expected, "neighbour",
                                              syntax->first, (int64_t)r->n - 1 + syntax->first, &to,
                                              err));
        if (to - syntax->first == vertex)
            return text_source_fail(r->source, err,
                                    "expected neighbours of vertex %lld, found the vertex itself",
                                    (long long)to);
        if (layout->weights)
            RETURN_ON_FAILURE(readers_take_weight(r, syntax, &line, &weight, err));
        RETURN_ON_FAILURE(readers_append(r, vertex, (int32_t)(to - syntax->first), weight, err));
    }
    return STATUS_OK;
}

static enum status read_lists(struct reading *r, const struct metis_layout *layout,
                              const struct edge_syntax *syntax, struct error *err) {
    struct text_line line;
    bool found = true;
    for (int32_t vertex = 0; vertex < r->n; vertex++) {
        do {
            RETURN_ON_FAILURE(text_source_next(r->source, layout->max_length, &line, &found, err));
        } while (found && readers_begins_with(line, syntax->comment));
        if (!found)
            return text_source_fail(r->source, err,
                                    "expected a line for each of %d vertices, found the end of the "
                                    "file after %d",
                                    r->n, vertex);
        RETURN_ON_FAILURE(take_neighbours(r, layout, syntax, vertex, line, err));
    }
    return STATUS_OK;
}

static enum status read_metis(struct reading *r, struct text_line first, struct error *err) {
    /* the most bytes of a neighbour and its weight, with blanks, or of a weight of a vertex */
    enum { LONGEST_ENTRY = 48 };
    char excerpt[READERS_EXCERPT];
    int64_t vertices = 0;
    struct metis_layout layout = {0};
    bool found = false;
    if (readers_begins_with(first, '%'))
        RETURN_ON_FAILURE(readers_demand_line(r, '%', expected_head, &first, err));
    RETURN_ON_FAILURE(readers_take_sizes(r, &first, expected_head, &vertices, &layout.edges, err));
    RETURN_ON_FAILURE(take_layout(r, first, &layout, err));
    RETURN_ON_FAILURE(readers_announce(r, vertices, 2 * layout.edges, err));
    const struct edge_syntax syntax = {
        .expected = layout.weights ? "a neighbour and a weight" : "a neighbour",
        .comment = '%',
        .first = r->how->vertices_from != VERTICES_FROM_0,
        .natural = true,
    };
    const int64_t most = layout.edges < vertices ? layout.edges : vertices;
    layout.max_length = READERS_MAX_LINE + (size_t)(most + layout.skipped) * LONGEST_ENTRY;
    r->naming.first = syntax.first;
    RETURN_ON_FAILURE(read_lists(r, &layout, &syntax, err));
    RETURN_ON_FAILURE(readers_next_line(r, syntax.comment, &first, &found, err));
    if (found)
        return text_source_fail(r->source, err,
                                "expected the end of the file after %d vertices, found %s", r->n,
                                text_excerpt(first, excerpt, sizeof excerpt));
    if (r->list.count + r->absent < 2 * layout.edges)
        return text_source_fail(r->source, err,
                                "expected %lld edges, each in the lists of both its ends, found "
                                "%lld neighbours",
                                (long long)layout.edges, (long long)(r->list.count + r->absent));
    r->both_ways = false; /* the lists contain both directions already */
    r->listed_both = true;
    return STATUS_OK;
}

/* A line `V E [FMT [NCON]]`, then for each vertex a line with its neighbours, from 1, and the
 * weights of the edges; every edge is in the lists of both its ends; lines that begin with % are
 * comments.
 */
const struct graph_format readers_metis = {.name = "metis", .read = read_metis};
