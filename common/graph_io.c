#include "common/graph_io.h"

#include "common/memory.h"      // memory_check
#include "common/text_source.h" // lines and numbers

#include <stdlib.h>

enum { MAX_LINE = 4096, FIRST_EDGES = 1 << 16, EXCERPT = 48 };

/* Edges read so far. */
struct edge_list {
    struct edge *edges;
    int64_t count, capacity;
};

static enum status edge_list_append(struct edge_list *list, struct edge edge,
                                    const struct text_source *source, struct error *err) {
    if (list->count == list->capacity) {
        int64_t capacity = list->capacity == 0 ? FIRST_EDGES : list->capacity * 2;
        struct edge *larger = NULL;
        if ((uint64_t)capacity <= memory_limit() / sizeof *larger)
            larger = realloc(list->edges, (size_t)capacity * sizeof *larger);
        if (larger == NULL)
            return fail(err, STATUS_NO_RESOURCE, "out of memory: %s has more than %lld edges",
                        source->name, (long long)list->count);
        list->edges = larger;
        list->capacity = capacity;
    }
    list->edges[list->count++] = edge;
    return STATUS_OK;
}

/* A line that ends after what the caller took. */
static enum status expect_end_of_line(const struct text_source *source, struct text_line rest,
                                      const char *expected, struct error *err) {
    char found[EXCERPT];
    text_skip_blanks(&rest);
    if (rest.begin == rest.end)
        return STATUS_OK;
    return text_source_fail(source, err, "expected %s, found %s after it", expected,
                            text_excerpt(rest, found, sizeof found));
}

static enum status take_number(const struct text_source *source, struct text_line *rest,
                               const char *expected, const char *what, int64_t lowest,
                               int64_t highest, int64_t *value, struct error *err) {
    char found[EXCERPT];
    struct text_line before = *rest;
    if (!text_take_integer(rest, value))
        return text_source_fail(source, err, "expected %s, found %s where the %s should be",
                                expected, text_excerpt(before, found, sizeof found), what);
    if (*value < lowest || *value > highest)
        return text_source_fail(source, err, "expected the %s in %lld .. %lld, found %s", what,
                                (long long)lowest, (long long)highest,
                                text_excerpt(before, found, sizeof found));
    return STATUS_OK;
}

/* An integer of at most nine digits and a sign, off the front of the line. */
static inline bool take_short(struct text_line *rest, int32_t *value) {
    const char *at = rest->begin, *end = rest->end;
    while (at < end && text_is_blank(*at))
        at++;
    const bool negative = at < end && *at == '-';
    at += negative;
    const char *digits = at;
    uint32_t magnitude = 0, digit;
    while (at < end && (digit = (uint32_t)(*at - '0')) < 10) {
        magnitude = magnitude * 10 + digit;
        at++;
    }
    if (at == digits || at - digits > 9)
        return false;
    *value = negative ? -(int32_t)magnitude : (int32_t)magnitude;
    rest->begin = at;
    return true;
}

/* The common case of take_edge, without what it takes to explain a mistake;
 * false where there may be one. */
static inline bool take_plain_edge(struct text_line line, int32_t n, struct edge *edge) {
    if (!take_short(&line, &edge->from) || line.begin == line.end || !text_is_blank(*line.begin) ||
        !take_short(&line, &edge->to) || line.begin == line.end || !text_is_blank(*line.begin) ||
        !take_short(&line, &edge->weight))
        return false;
    return line.begin == line.end && edge->from >= 0 && edge->from < n && edge->to >= 0 &&
           edge->to < n;
}

static enum status take_edge(const struct text_source *source, struct text_line line, int32_t n,
                             struct edge *edge, struct error *err) {
    static const char expected[] = "an edge 'u v w'";
    int64_t from = 0, to = 0, weight = 0;
    enum status status = take_number(source, &line, expected, "tail u", 0, n - 1, &from, err);
    if (status == STATUS_OK)
        status = take_number(source, &line, expected, "head v", 0, n - 1, &to, err);
    if (status == STATUS_OK)
        status =
            take_number(source, &line, expected, "weight w", INT32_MIN, INT32_MAX, &weight, err);
    if (status == STATUS_OK)
        status = expect_end_of_line(source, line, expected, err);
    *edge = (struct edge){(int32_t)from, (int32_t)to, (int32_t)weight};
    return status;
}

static bool thesis_matches(struct text_line first) {
    int64_t number;
    return text_take_integer(&first, &number);
}

static enum status thesis_read(struct text_source *source, struct text_line line, int32_t *n,
                               struct edge_list *list, struct error *err) {
    static const char expected[] = "a first line 'V E'";
    int64_t vertices = 0, announced = 0;
    bool found;
    enum status status =
        take_number(source, &line, expected, "number of vertices V", 1, INT32_MAX, &vertices, err);
    if (status == STATUS_OK)
        status = take_number(source, &line, expected, "number of edges E", 0, INT64_MAX, &announced,
                             err);
    if (status == STATUS_OK)
        status = expect_end_of_line(source, line, expected, err);
    if (status == STATUS_OK)
        status = memory_check(vertices, 1, source->name, err);
    if (status != STATUS_OK)
        return status;
    *n = (int32_t)vertices;
    for (;;) {
        status = text_source_next_filled(source, MAX_LINE, &line, &found, err);
        if (status != STATUS_OK)
            return status;
        if (!found)
            break;
        if (list->count == announced) {
            char excerpt[EXCERPT];
            return text_source_fail(
                source, err, "expected the end of the file after %lld edges, found %s",
                (long long)announced, text_excerpt(line, excerpt, sizeof excerpt));
        }
        struct edge edge;
        if (!take_plain_edge(line, *n, &edge))
            status = take_edge(source, line, *n, &edge, err);
        if (status == STATUS_OK)
            status = edge_list_append(list, edge, source, err);
        if (status != STATUS_OK)
            return status;
    }
    if (list->count < announced)
        return text_source_fail(source, err,
                                "expected %lld edges, found the end of the file after %lld",
                                (long long)announced, (long long)list->count);
    return STATUS_OK;
}

/* A graph format: how its first line is recognised, and its reader, which is
 * handed that line. The first row that matches reads the file. */
struct graph_format {
    const char *name;
    bool (*matches)(struct text_line first);
    enum status (*read)(struct text_source *source, struct text_line first, int32_t *n,
                        struct edge_list *list, struct error *err);
};

static const struct graph_format formats[] = {
    {"thesis text", thesis_matches, thesis_read},
};

static enum status read_edges(struct text_source *source, int32_t *n, struct edge_list *list,
                              struct error *err) {
    struct text_line line;
    bool found;
    char excerpt[EXCERPT];
    enum status status = text_source_next_filled(source, MAX_LINE, &line, &found, err);
    if (status != STATUS_OK)
        return status;
    if (!found)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a graph, found an empty file",
                    source->name);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (formats[f].matches(line))
            return formats[f].read(source, line, n, list, err);
    }
    return text_source_fail(source, err, "expected a graph whose first line is 'V E', found %s",
                            text_excerpt(line, excerpt, sizeof excerpt));
}

enum status graph_read(const char *path, struct graph *g, struct error *err) {
    struct text_source source;
    struct edge_list list = {0};
    int32_t n = 0;
    *g = (struct graph){0};
    enum status status = text_source_open(&source, path, err);
    if (status == STATUS_OK)
        status = read_edges(&source, &n, &list, err);
    text_source_close(&source);
    if (status == STATUS_OK)
        status = graph_build(g, n, list.edges, list.count, err);
    free(list.edges);
    return status;
}
