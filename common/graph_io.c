#include "common/graph_io.h"

#include "common/memory.h" // memory_check, memory_resize

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const int64_t unknown = INT64_MAX; /* a number of edges */

enum { MAX_LINE = 4096, FIRST_EDGES = 1 << 10, EXCERPT = 48 };

/* Edges read so far. */
struct edge_list {
    struct edge *edges;
    int64_t count, capacity;
    int64_t most; /* announced */
};

/* Room for `capacity` edges in all. */
static enum status edge_list_reserve(struct edge_list *list, int64_t capacity,
                                     const struct text_source *source, struct error *err) {
    void *edges = list->edges;
    struct error reason;
    enum status status =
        memory_resize(&edges, (size_t)capacity, sizeof *list->edges, "the list of edges", &reason);
    if (status == STATUS_NO_RESOURCE)
        fail(err, status, "%s has more than %lld edges: %.600s", source->name,
             (long long)list->count, reason.text);
    if (status != STATUS_OK)
        return status;
    list->edges = edges;
    list->capacity = capacity;
    return STATUS_OK;
}

static enum status edge_list_append(struct edge_list *list, struct edge edge,
                                    const struct text_source *source, struct error *err) {
    if (list->count == list->capacity) {
        const int64_t doubled = list->capacity == 0 ? FIRST_EDGES : list->capacity * 2;
        const bool enough = list->most > list->count && list->most < doubled;
        enum status status = edge_list_reserve(list, enough ? list->most : doubled, source, err);
        if (status != STATUS_OK)
            return status;
    }
    list->edges[list->count++] = edge;
    return STATUS_OK;
}

/* A graph being read. */
struct reading {
    struct text_source *source;
    const struct graph_reading *how;
    struct edge_list list;
    int32_t n;
    bool both_ways; /* every edge stands for its reverse as well */
};

/* How a format writes an edge on a line of its own. */
struct edge_syntax {
    const char *expected; /* for messages */
    const char *keyword;  /* one letter that stands in front; NULL: none does */
    char comment;         /* lines that begin with it are skipped; '\0': none are */
    int32_t first;        /* number of the first vertex */
    bool unweighted;      /* weights are 1 and not written */
    bool decimal;         /* weights are integers, but may be written as 5.0 or 1e3 */
};

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

/* Whether the line begins with this letter, not as part of a longer word. */
static bool begins_with(struct text_line line, char letter) {
    text_skip_blanks(&line);
    return line.begin < line.end && *line.begin == letter &&
           (line.begin + 1 == line.end || !isalnum((unsigned char)line.begin[1]));
}

/* Takes one of `count` words, in capitals or not, off the front of the line;
 * returns which, or -1. */
static int take_word(struct text_line *rest, const char *const *words, int count) {
    text_skip_blanks(rest);
    const char *end = rest->begin;
    while (end < rest->end && !text_is_blank(*end))
        end++;
    const size_t length = (size_t)(end - rest->begin);
    for (int w = 0; w < count; w++) {
        if (strlen(words[w]) == length && strncasecmp(rest->begin, words[w], length) == 0) {
            rest->begin = end;
            return w;
        }
    }
    return -1;
}

static bool take_this_word(struct text_line *rest, const char *word) {
    return take_word(rest, &word, 1) == 0;
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

/* What take_plain_edges does, to be compiled once for each kind of syntax. */
static inline __attribute__((always_inline)) int64_t
take_edges_as(struct text_source *source, char keyword, int32_t first, bool unweighted, int32_t n,
              struct edge *edges, int64_t room) {
    enum { LONGEST = 40 }; /* bytes looked at for one edge, and more */
    const char after_head = unweighted ? '\n' : ' ';
    int64_t taken = 0;
    while (taken < room && source->end - source->begin >= LONGEST) {
        const char *at = source->buffer + source->begin;
        struct edge edge = {.weight = 1};
        if (keyword != '\0') {
            if (at[0] != keyword || at[1] != ' ')
                break;
            at += 2;
        }
        int count = take_digits(at, &edge.from);
        edge.from -= first;
        if (count == 0 || count == 8 || at[count] != ' ' || edge.from < 0 || edge.from >= n)
            break;
        at += count + 1;
        count = take_digits(at, &edge.to);
        edge.to -= first;
        if (count == 0 || count == 8 || at[count] != after_head || edge.to < 0 || edge.to >= n)
            break;
        at += count + 1;
        if (!unweighted) {
            const bool negative = *at == '-';
            at += negative;
            count = take_digits(at, &edge.weight);
            if (count == 0 || count == 8 || at[count] != '\n')
                break;
            if (negative)
                edge.weight = -edge.weight;
            at += count + 1;
        }
        edges[taken++] = edge;
        source->begin = (size_t)(at - source->buffer);
        source->line++;
    }
    return taken;
}

/* Takes edges off the front of what the source has in its buffer, as long as
 * they are written plainly (single blanks, at most seven digits, a line feed)
 * and nothing is wrong with them; what is left is for the reader that explains
 * mistakes. Returns how many it stored in edges, at most `room`. */
static int64_t take_plain_edges(struct text_source *source, const struct edge_syntax *syntax,
                                int32_t n, struct edge *edges, int64_t room) {
    if (syntax->keyword == NULL && syntax->first == 0 && !syntax->unweighted)
        return take_edges_as(source, '\0', 0, false, n, edges, room);
    return take_edges_as(source, syntax->keyword != NULL ? *syntax->keyword : '\0', syntax->first,
                         syntax->unweighted, n, edges, room);
}

static enum status take_weight(const struct reading *r, const struct edge_syntax *syntax,
                               struct text_line *rest, int64_t *weight, struct error *err) {
    const int32_t scale = r->how->scale;
    const struct text_line before = *rest;
    enum text_number number = TEXT_INTEGER;
    bool plain = scale == 0 && text_take_integer(rest, weight);
    if (!plain)
        number = text_take_scaled(rest, scale > 0 ? scale : 1, weight);
    const bool allowed = plain || scale > 0 || syntax->decimal;
    if (number == TEXT_INTEGER && allowed && *weight >= INT32_MIN && *weight <= INT32_MAX)
        return STATUS_OK;

    char found[EXCERPT], times[32] = "";
    text_excerpt(before, found, sizeof found);
    if (scale > 0)
        snprintf(times, sizeof times, " times %d", scale);
    if (number == TEXT_NO_NUMBER)
        return text_source_fail(r->source, err,
                                "expected %s, found %s where the weight w should be",
                                syntax->expected, found);
    if (number == TEXT_NO_INTEGER || !allowed)
        return text_source_fail(r->source, err,
                                "expected an integer for the weight w%s, found %s%s", times, found,
                                scale == 0 ? "; --scale K reads decimal weights times K" : "");
    return text_source_fail(r->source, err, "expected the weight w%s in %d .. %d, found %s", times,
                            INT32_MIN, INT32_MAX, found);
}

static enum status take_edge(const struct reading *r, const struct edge_syntax *syntax,
                             struct text_line line, struct edge *edge, struct error *err) {
    const int32_t first = syntax->first;
    int64_t from = 0, to = 0, weight = r->how->scale > 0 ? r->how->scale : 1;
    char found[EXCERPT];
    if (syntax->keyword != NULL && !take_this_word(&line, syntax->keyword))
        return text_source_fail(r->source, err, "expected %s, found %s", syntax->expected,
                                text_excerpt(line, found, sizeof found));
    const int64_t last = (int64_t)r->n - 1 + first;
    enum status status =
        take_number(r->source, &line, syntax->expected, "tail u", first, last, &from, err);
    if (status == STATUS_OK)
        status = take_number(r->source, &line, syntax->expected, "head v", first, last, &to, err);
    if (status == STATUS_OK && !syntax->unweighted)
        status = take_weight(r, syntax, &line, &weight, err);
    if (status == STATUS_OK)
        status = expect_end_of_line(r->source, line, syntax->expected, err);
    *edge = (struct edge){(int32_t)(from - first), (int32_t)(to - first), (int32_t)weight};
    return status;
}

static bool is_comment(struct text_line line, char comment) {
    text_skip_blanks(&line);
    return comment != '\0' && line.begin < line.end && *line.begin == comment;
}

/* The next line that is neither empty nor a comment. */
static enum status next_line(const struct reading *r, char comment, struct text_line *line,
                             bool *found, struct error *err) {
    enum status status;
    do {
        status = text_source_next_filled(r->source, MAX_LINE, line, found, err);
    } while (status == STATUS_OK && *found && is_comment(*line, comment));
    return status;
}

/* No more edges than the rest of the file can hold, whatever it announces, so that one whose lines
 * are missing is told so. */
static int64_t edges_possible(const struct reading *r, int64_t announced) {
    enum { SHORTEST_EDGE = sizeof "0 1" };
    const uint64_t most = text_source_most_bytes(r->source) / SHORTEST_EDGE + 1;
    return most < (uint64_t)announced ? (int64_t)most : announced;
}

/* Refuses what there is no memory for: the edges while the graph is built, as far as they are
 * known; then the graph, of which only the vertices are certain, beside a result. */
static enum status check_memory(const struct reading *r, int64_t n, int64_t edges,
                                struct error *err) {
    const int matrices = r->how->matrices;
    const uint64_t list = memory_times((uint64_t)r->list.capacity, sizeof *r->list.edges);
    const uint64_t all =
        graph_memory_to_build(n, r->both_ways && edges < INT64_MAX / 2 ? 2 * edges : edges);
    const struct memory_part build[] = {
        {"to read the graph", all > list ? all - list : 0, 0},
    };
    const struct memory_part result[] = {
        {matrices == 2 ? "for 2 matrices" : "for distances alone",
         memory_matrices(n, matrices > 0 ? matrices : 1), 0},
        {"for the graph at the least", graph_memory(n, 0), 0},
    };
    struct memory_limit limit;
    enum status status = memory_limit_find(&limit, err);
    if (status == STATUS_OK && memory_needed(result, 2) - memory_held() > limit.bytes)
        status = memory_check(r->source->name, n, result, 2, err);
    if (status == STATUS_OK)
        status = memory_check(r->source->name, n, build, 1, err);
    return status;
}

/* The rest of a line that announces "V E"; refuses a |V| that is too large. */
static enum status take_sizes(struct reading *r, struct text_line line, const char *expected,
                              int64_t *edges, struct error *err) {
    int64_t vertices = 0;
    enum status status = take_number(r->source, &line, expected, "number of vertices V", 1,
                                     INT32_MAX, &vertices, err);
    if (status == STATUS_OK)
        status =
            take_number(r->source, &line, expected, "number of edges E", 0, INT64_MAX, edges, err);
    if (status == STATUS_OK)
        status = expect_end_of_line(r->source, line, expected, err);
    if (status == STATUS_OK)
        status = check_memory(r, vertices, edges_possible(r, *edges), err);
    r->n = (int32_t)vertices;
    if (status == STATUS_OK && r->how->tell_size != NULL)
        r->how->tell_size(r->how->tell_to, r->n, *edges);
    return status;
}

/* All edges up to the end of the source; `announced` of them, or any number where it is
 * unknown. */
static enum status read_edges(struct reading *r, const struct edge_syntax *syntax,
                              int64_t announced, struct error *err) {
    struct edge_list *list = &r->list;
    list->most = announced;
    struct text_line line;
    struct edge edge = {0};
    bool found;
    for (;;) {
        int64_t room = list->capacity - list->count;
        if (room > announced - list->count)
            room = announced - list->count;
        if (room > 0 && r->how->scale == 0)
            list->count +=
                take_plain_edges(r->source, syntax, r->n, list->edges + list->count, room);
        enum status status = next_line(r, syntax->comment, &line, &found, err);
        if (status != STATUS_OK)
            return status;
        if (!found)
            break;
        if (list->count == announced) {
            char excerpt[EXCERPT];
            return text_source_fail(
                r->source, err, "expected the end of the file after %lld edges, found %s",
                (long long)announced, text_excerpt(line, excerpt, sizeof excerpt));
        }
        status = take_edge(r, syntax, line, &edge, err);
        if (status == STATUS_OK)
            status = edge_list_append(list, edge, r->source, err);
        if (status != STATUS_OK)
            return status;
    }
    if (announced != unknown && list->count < announced)
        return text_source_fail(r->source, err,
                                "expected %lld edges, found the end of the file after %lld",
                                (long long)announced, (long long)list->count);
    return STATUS_OK;
}

static bool thesis_matches(struct text_line first) {
    int64_t number;
    return text_take_integer(&first, &number);
}

static enum status thesis_read(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {.expected = "an edge 'u v w'"};
    int64_t edges = 0;
    enum status status = take_sizes(r, first, "a first line 'V E'", &edges, err);
    return status == STATUS_OK ? read_edges(r, &syntax, edges, err) : status;
}

/* A first line of thesis text has two numbers, one of these three. */
static bool wel_matches(struct text_line first) {
    int64_t number;
    if (!text_take_integer(&first, &number) || !text_take_integer(&first, &number))
        return false;
    text_skip_blanks(&first);
    const char *const weight = first.begin;
    while (first.begin < first.end && !text_is_blank(*first.begin))
        first.begin++;
    const bool third = first.begin > weight;
    text_skip_blanks(&first);
    return third && first.begin == first.end;
}

static enum status wel_read(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {.expected = "an edge 'u v w'"};
    text_source_put_back(r->source, first);
    r->n = INT32_MAX;
    enum status status = read_edges(r, &syntax, unknown, err);
    if (status != STATUS_OK)
        return status;
    int32_t highest = 0;
    for (int64_t e = 0; e < r->list.count; e++) {
        const struct edge edge = r->list.edges[e];
        const int32_t end = edge.from > edge.to ? edge.from : edge.to;
        highest = end > highest ? end : highest;
    }
    r->n = highest + 1;
    return check_memory(r, r->n, r->list.count, err);
}

static bool dimacs_matches(struct text_line first) {
    return begins_with(first, 'c') || begins_with(first, 'p') || begins_with(first, 'a');
}

static enum status dimacs_read(struct reading *r, struct text_line first, struct error *err) {
    static const struct edge_syntax syntax = {
        .expected = "an edge 'a u v w'", .keyword = "a", .comment = 'c', .first = 1};
    static const char expected[] = "a line 'p sp V E'";
    int64_t edges = 0;
    bool found = true;
    enum status status = STATUS_OK;
    if (is_comment(first, syntax.comment))
        status = next_line(r, syntax.comment, &first, &found, err);
    if (status != STATUS_OK)
        return status;
    if (!found)
        return text_source_fail(r->source, err, "expected %s, found the end of the file", expected);
    if (!take_this_word(&first, "p") || !take_this_word(&first, "sp")) {
        char excerpt[EXCERPT];
        return text_source_fail(r->source, err, "expected %s, found %s", expected,
                                text_excerpt(first, excerpt, sizeof excerpt));
    }
    status = take_sizes(r, first, expected, &edges, err);
    return status == STATUS_OK ? read_edges(r, &syntax, edges, err) : status;
}

static bool matrix_market_matches(struct text_line first) {
    return take_this_word(&first, "%%MatrixMarket");
}

static enum status matrix_market_read(struct reading *r, struct text_line line, struct error *err) {
    enum { INTEGER, REAL, PATTERN, FIELDS };
    enum { GENERAL, SYMMETRIC, SYMMETRIES };
    static const char *const fields[FIELDS] = {"integer", "real", "pattern"};
    static const char *const symmetries[SYMMETRIES] = {"general", "symmetric"};
    static const struct edge_syntax syntaxes[FIELDS] = {
        [INTEGER] = {.expected = "an entry 'u v w'", .comment = '%', .first = 1},
        [REAL] = {.expected = "an entry 'u v w'", .comment = '%', .first = 1, .decimal = true},
        [PATTERN] = {.expected = "an entry 'u v'", .comment = '%', .first = 1, .unweighted = true},
    };
    static const char banner[] = "'%%MatrixMarket matrix coordinate integer|real|pattern "
                                 "general|symmetric'";
    static const char sizes[] = "a line 'V V E'";
    char excerpt[EXCERPT];
    int field = -1, symmetry = -1;
    if (take_this_word(&line, "%%MatrixMarket") && take_this_word(&line, "matrix") &&
        take_this_word(&line, "coordinate"))
        field = take_word(&line, fields, FIELDS);
    if (field >= 0)
        symmetry = take_word(&line, symmetries, SYMMETRIES);
    if (symmetry < 0)
        return text_source_fail(r->source, err, "expected %s, found %s", banner,
                                text_excerpt(line, excerpt, sizeof excerpt));
    r->both_ways |= symmetry == SYMMETRIC;

    bool found;
    int64_t rows = 0, edges = 0;
    enum status status = expect_end_of_line(r->source, line, banner, err);
    if (status == STATUS_OK)
        status = next_line(r, syntaxes[field].comment, &line, &found, err);
    if (status == STATUS_OK && !found)
        status = text_source_fail(r->source, err, "expected %s, found the end of the file", sizes);
    if (status == STATUS_OK)
        status = take_number(r->source, &line, sizes, "number of rows V", 1, INT32_MAX, &rows, err);
    if (status == STATUS_OK)
        status = take_sizes(r, line, sizes, &edges, err);
    if (status == STATUS_OK && r->n != rows)
        status = text_source_fail(
            r->source, err, "expected as many columns as rows, found %lld rows and %d columns",
            (long long)rows, r->n);
    return status == STATUS_OK ? read_edges(r, &syntaxes[field], edges, err) : status;
}

/* How a format's first line that is not empty is recognised, and its reader, which
 * is handed that line. The first row that matches reads the file. */
struct graph_format {
    bool (*matches)(struct text_line first);
    enum status (*read)(struct reading *r, struct text_line first, struct error *err);
};

static const struct graph_format formats[] = {
    {matrix_market_matches, matrix_market_read},
    {dimacs_matches, dimacs_read},
    {wel_matches, wel_read},
    {thesis_matches, thesis_read},
};

static enum status read_any(struct reading *r, struct error *err) {
    struct text_line line;
    bool found;
    char excerpt[EXCERPT];
    enum status status = text_source_next_filled(r->source, MAX_LINE, &line, &found, err);
    if (status != STATUS_OK)
        return status;
    if (!found)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a graph, found an empty file",
                    r->source->name);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (formats[f].matches(line))
            return formats[f].read(r, line, err);
    }
    return text_source_fail(r->source, err,
                            "expected a graph, whose first line is 'V E', 'u v w', 'p sp V E' or "
                            "'%%%%MatrixMarket ...', found %s",
                            text_excerpt(line, excerpt, sizeof excerpt));
}

/* The list as long as it is, where it has grown by doubling. */
static void trim(struct reading *r) {
    struct error ignored;
    if (r->list.count < r->list.capacity)
        (void)edge_list_reserve(&r->list, r->list.count, r->source, &ignored);
}

static enum status append_reverses(struct reading *r, struct error *err) {
    enum status status = STATUS_OK;
    if (r->list.count > r->list.capacity / 2)
        status = edge_list_reserve(&r->list, 2 * r->list.count, r->source, err);
    if (status == STATUS_OK)
        r->list.count = graph_append_reverses(r->list.edges, r->list.count);
    return status;
}

enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err) {
    struct reading r = {.source = source, .how = how, .both_ways = how->undirected};
    *g = (struct graph){0};
    enum status status = read_any(&r, err);
    if (status == STATUS_OK && r.both_ways)
        status = append_reverses(&r, err);
    trim(&r);
    if (status == STATUS_OK)
        status = graph_build(g, r.n, r.list.edges, r.list.count, err);
    memory_free(r.list.edges);
    return status;
}

enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err) {
    struct text_source source;
    *g = (struct graph){0};
    enum status status = text_source_open(&source, path, err);
    if (status == STATUS_OK)
        status = graph_read_source(&source, how, g, err);
    text_source_close(&source);
    return status;
}

enum status graph_read(const char *path, struct graph *g, struct error *err) {
    static const struct graph_reading as_it_is = {0};
    return graph_read_as(path, &as_it_is, g, err);
}
