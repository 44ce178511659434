#include "common/graph_io.h"

#include "common/memory.h"      // memory_check
#include "common/text_source.h" // lines and numbers

#include <stdlib.h>
#include <string.h>

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

/* Up to seven digits at `at`, eight bytes of which can be read: returns how many
 * there are (0 or 8 and more: not for here) and their value. All eight bytes are
 * looked at together: a loop would mispredict its end at nearly every number. */
static inline int take_digits(const char *at, int32_t *value) {
    const uint64_t ascii_zeros = UINT64_C(0x3030303030303030);
    const uint64_t high_bits = UINT64_C(0x8080808080808080);
    const uint64_t above_nine = UINT64_C(0x7676767676767676); /* 10 + 0x76 = 0x80 */
    uint64_t digits;
    memcpy(&digits, at, sizeof digits);
    digits ^= ascii_zeros;
    const uint64_t others = ((digits + above_nine) | digits) & high_bits;
    if (others == 0)
        return 8;
    const int count = __builtin_ctzll(others) / 8;
    if (count == 0)
        return 0;
    digits <<= 8 * (8 - count);           /* zeros in front, that is, in the low bytes */
    digits = digits * 10 + (digits >> 8); /* pairs, in every other byte */
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    *value = (int32_t)(((digits & pairs) * UINT64_C(0x000f424000000064) +
                        ((digits >> 16) & pairs) * UINT64_C(0x0000271000000001)) >>
                       32);
    return count;
}

/* Takes edges off the front of what the source has in its buffer, as long as
 * they are written plainly (single blanks, at most seven digits, a line feed)
 * and nothing is wrong with them; what is left is for the reader that explains
 * mistakes. Returns how many it stored in edges, at most `room`. */
static int64_t take_plain_edges(struct text_source *source, int32_t n, struct edge *edges,
                                int64_t room) {
    enum { LONGEST = 40 }; /* bytes looked at for one edge, and more */
    int64_t taken = 0;
    while (taken < room && source->end - source->begin >= LONGEST) {
        const char *at = source->buffer + source->begin;
        struct edge edge;
        int count = take_digits(at, &edge.from);
        if (count == 0 || count == 8 || at[count] != ' ' || edge.from >= n)
            break;
        at += count + 1;
        count = take_digits(at, &edge.to);
        if (count == 0 || count == 8 || at[count] != ' ' || edge.to >= n)
            break;
        at += count + 1;
        const bool negative = *at == '-';
        at += negative;
        count = take_digits(at, &edge.weight);
        if (count == 0 || count == 8 || at[count] != '\n')
            break;
        if (negative)
            edge.weight = -edge.weight;
        edges[taken++] = edge;
        source->begin = (size_t)(at + count + 1 - source->buffer);
        source->line++;
    }
    return taken;
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
        int64_t room = list->capacity - list->count;
        if (room > announced - list->count)
            room = announced - list->count;
        if (room > 0)
            list->count += take_plain_edges(source, *n, list->edges + list->count, room);
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
