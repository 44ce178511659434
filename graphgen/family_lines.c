// SPDX-License-Identifier: MIT
/* Networks of lines with many vertices of two neighbours: rivers and public transport.
 *
 * Junctions come first, then the vertices on the links between them. Junctions stand on a square
 * grid, row by row; the last row may be short. */
#include "graphgen/families.h"
#include "graphgen/random.h" // random_word

enum line_use { USE_TURNS, USE_JITTER, USE_LENGTHS, USE_FAST };

/* A link between two junctions, or one that ends with its last vertex. */
struct link {
    int32_t from, to; /* junctions; to is -1 if the link ends nowhere */
};

/* State of putting the links of a network one after the other. */
struct line_network {
    const struct family_request *request;
    const struct edge_sink *sink;
    int64_t junctions, side;  /* number of junctions, and of those in a row */
    int64_t links;            /* number of links, known after the first pass */
    int64_t joining;          /* number of links that lead to a junction, known likewise */
    int64_t fast;             /* number of edges between far junctions, known likewise */
    int64_t next;             /* number of the next link */
    uint64_t jitter, lengths; /* keys of random numbers */
    int32_t shortest, range;  /* least length of an edge of a link, and number of possible lengths
                               */
    bool counts;              /* first pass: links are only counted */
};

/* Returns the number of vertices that stand on links 0 .. link - 1. Each link has about the same
 * number of vertices, one more or less at random. */
static int64_t on_links_before(const struct line_network *l, int64_t link) {
    const int64_t all = l->request->graph.n - l->junctions;
    if (link == 0 || link >= l->links)
        return link == 0 ? 0 : all;
    const int64_t each = all / l->links;
    const uint64_t jitter = random_word(l->jitter, (uint64_t)link);
    return all * link / l->links + (int64_t)random_below(jitter, (uint64_t)each + 1);
}

static int32_t edge_length_of(const struct line_network *l, int64_t edge) {
    const uint64_t draw = random_word(l->lengths, (uint64_t)edge);
    return l->shortest + (int32_t)random_below(draw, (uint64_t)l->range);
}

/* Puts a link as a chain of edges over the vertices on it. */
static enum status put_link(struct line_network *l, struct link link, struct error *err) {
    const int64_t number = l->next++;
    if (l->counts) {
        l->joining += link.to >= 0;
        return STATUS_OK;
    }
    const int64_t first = on_links_before(l, number), end = on_links_before(l, number + 1);
    int32_t here = link.from;
    for (int64_t k = first; k < end + (link.to >= 0); k++) {
        const int32_t next = k < end ? (int32_t)(l->junctions + k) : link.to;
        RETURN_ON_FAILURE(
            l->sink->put(l->sink->to, here, next, edge_length_of(l, k + number), err));
        here = next;
    }
    return STATUS_OK;
}

/* Visits all links and fast connections of a network. */
typedef enum status visit_links(struct line_network *l, struct error *err);

/* Returns the number of junctions if one vertex in four is one. Two of them, which a link joins,
 * are the fewest of a graph with other vertices. */
static int64_t quarter_of(int64_t n) {
    return n < 2 ? n : n < 8 ? 2 : n / 4;
}

/* Puts all edges of a network, in a second pass over its links; the first pass counts the edges.
 * Edges of links have lengths of shortest .. shortest + range - 1. */
static enum status put_network(const struct family_request *request, const struct edge_sink *sink,
                               visit_links *visit, int32_t shortest, int32_t range,
                               struct error *err) {
    const int64_t n = request->graph.n;
    struct line_network network = {.request = request,
                                   .sink = sink,
                                   .junctions = quarter_of(n),
                                   .shortest = shortest,
                                   .range = range};
    struct line_network *const l = &network;
    l->jitter = family_key(l->request, USE_JITTER);
    l->lengths = family_key(l->request, USE_LENGTHS);
    l->side = root_above((uint64_t)l->junctions, 2);
    l->counts = true;
    RETURN_ON_FAILURE(visit(l, err));
    l->links = l->next;
    RETURN_ON_FAILURE(l->sink->begin(l->sink->to, n - l->junctions + l->joining + l->fast, 0, err));
    l->next = 0;
    l->counts = false;
    return visit(l, err);
}

/* Rivers: water of a junction runs to one of two junctions in the row before, at random
 * (Scheidegger 1967, A stochastic model for drainage patterns into an intramontane trench); the
 * first row is the main stem. */
static enum status visit_reaches(struct line_network *l, struct error *err) {
    const uint64_t key = family_key(l->request, USE_TURNS);
    for (int64_t j = 1; j < l->junctions; j++) {
        const bool is_stem = j < l->side, turns = random_word(key, (uint64_t)j) >> 63 != 0;
        const int64_t below = is_stem ? j - 1 : j - l->side - (turns && j % l->side > 0);
        RETURN_ON_FAILURE(put_link(l, (struct link){(int32_t)j, (int32_t)below}, err));
    }
    return STATUS_OK;
}

enum status generate_river(const struct family_request *request, const struct edge_sink *sink,
                           struct error *err) {
    enum { SHORTEST_M = 100, RANGE_M = 1000 };
    return put_network(request, sink, visit_reaches, SHORTEST_M, RANGE_M, err);
}

/* Joins a junction with that one `stride` places before it in its row or column by one edge, which
 * is faster than the links between them. */
static enum status put_fast(struct line_network *l, int64_t junction, int64_t before,
                            int64_t stride, struct error *err) {
    enum { STOP_S = 300, PLACE_S = 120, JITTER_S = 60 };
    const uint64_t draw = random_word(family_key(l->request, USE_FAST), (uint64_t)l->next);
    const int64_t jitter = (int64_t)random_below(draw, (uint64_t)(stride * JITTER_S));
    if (l->counts) {
        l->fast++;
        return STATUS_OK;
    }
    return l->sink->put(l->sink->to, (int32_t)junction, (int32_t)before,
                        (int32_t)(STOP_S + stride * PLACE_S + jitter), err);
}

/* Puts the fast connections that end at a junction: those with the junctions EVERY, EVERY^2, ...
 * places before it, if it stands in such a row and column. */
static enum status put_all_fast(struct line_network *l, int64_t junction, struct error *err) {
    enum { EVERY = 8 };
    const int64_t row = junction / l->side, column = junction % l->side;
    for (int64_t stride = EVERY;
         row % stride == 0 && column % stride == 0 && (row >= stride || column >= stride);
         stride *= EVERY) {
        if (column >= stride)
            RETURN_ON_FAILURE(put_fast(l, junction, junction - stride, stride, err));
        if (row >= stride)
            RETURN_ON_FAILURE(put_fast(l, junction, junction - stride * l->side, stride, err));
    }
    return STATUS_OK;
}

/* Public transport: lines join each interchange with its neighbours before it, with at least one of
 * them; some lines end outside of interchanges; fast ones join far interchanges. */
static enum status visit_lines(struct line_network *l, struct error *err) {
    const uint64_t key = family_key(l->request, USE_TURNS);
    for (int64_t j = 0; j < l->junctions; j++) {
        const uint64_t draw = random_word(key, (uint64_t)j);
        const bool joins_both = draw & 1, begins_with_row = draw & 2, has_end = (draw & 12) == 0;
        const bool has_left = j % l->side > 0, has_above = j >= l->side;
        const bool to_left = has_left && (joins_both || begins_with_row || !has_above);
        const bool to_above = has_above && (joins_both || !begins_with_row || !has_left);
        if (to_left)
            RETURN_ON_FAILURE(put_link(l, (struct link){(int32_t)j, (int32_t)(j - 1)}, err));
        if (to_above)
            RETURN_ON_FAILURE(put_link(l, (struct link){(int32_t)j, (int32_t)(j - l->side)}, err));
        if (has_end)
            RETURN_ON_FAILURE(put_link(l, (struct link){(int32_t)j, -1}, err));
        RETURN_ON_FAILURE(put_all_fast(l, j, err));
    }
    return STATUS_OK;
}

enum status generate_transit(const struct family_request *request, const struct edge_sink *sink,
                             struct error *err) {
    enum { SHORTEST_S = 60, RANGE_S = 181 };
    return put_network(request, sink, visit_lines, SHORTEST_S, RANGE_S, err);
}
