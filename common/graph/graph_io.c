// SPDX-License-Identifier: MIT
#include "common/graph/graph_io.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_check, memory_resize
#include "common/base/number_text.h" // number_put
#include "common/graph/readers.h"    // the readers of the formats

#include <ctype.h>
#include <float.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static size_t edge_size(const struct edge_list *list) {
    return list->is_real ? sizeof *list->real_edges : sizeof *list->edges;
}

/* Makes room for `capacity` edges of `size` bytes. */
static enum status edge_list_resize(struct edge_list *list, int64_t capacity, size_t size,
                                    const struct text_source *source, struct error *err) {
    void *edges = list->memory;
    struct error reason;
    enum status status =
        memory_resize(&edges, (size_t)capacity, size, "the list of edges", &reason);
    if (status == STATUS_NO_RESOURCE)
        fail(err, status, "%s has more than %lld edges: %.600s", source->name,
             (long long)list->count, reason.text);
    if (status != STATUS_OK)
        return status;
    list->memory = edges;
    list->capacity = capacity;
    return STATUS_OK;
}

static enum status edge_list_reserve(struct edge_list *list, int64_t capacity,
                                     const struct text_source *source, struct error *err) {
    return edge_list_resize(list, capacity, edge_size(list), source, err);
}

static enum status make_room(struct edge_list *list, const struct text_source *source,
                             struct error *err) {
    if (list->count < list->capacity)
        return STATUS_OK;
    const int64_t doubled = list->capacity == 0 ? block_sizes.first_edges : list->capacity * 2;
    const bool enough = list->most > list->count && list->most < doubled;
    return edge_list_reserve(list, enough ? list->most : doubled, source, err);
}

/* Turns a list with integral weights into one with real weights. */
static enum status make_real(struct edge_list *list, const struct text_source *source,
                             struct error *err) {
    if (list->capacity > 0)
        RETURN_ON_FAILURE(
            edge_list_resize(list, list->capacity, sizeof *list->real_edges, source, err));
    list->is_real = true;
    /* From the end on, because an edge's new place covers old ones of itself and later edges. */
    for (int64_t e = list->count; e-- > 0;) {
        struct edge edge;
        memcpy(&edge, (const char *)list->memory + (size_t)e * sizeof edge, sizeof edge);
        list->real_edges[e] = (struct real_edge){edge.from, edge.to, edge.weight};
    }
    return STATUS_OK;
}

enum status readers_append(struct reading *r, int32_t from, int32_t to, struct read_weight weight,
                           struct error *err) {
    struct edge_list *const list = &r->list;
    if (weight.is_real && !list->is_real)
        RETURN_ON_FAILURE(make_real(list, r->source, err));
    RETURN_ON_FAILURE(make_room(list, r->source, err));
    if (list->is_real)
        list->real_edges[list->count++] =
            (struct real_edge){from, to, weight.is_real ? weight.real : (double)weight.integer};
    else
        list->edges[list->count++] = (struct edge){from, to, (int32_t)weight.integer};
    return STATUS_OK;
}

enum status readers_expect_end(const struct text_source *source, struct text_line rest,
                               const char *expected, struct error *err) {
    char found[READERS_EXCERPT];
    text_skip_blanks(&rest);
    if (rest.begin == rest.end)
        return STATUS_OK;
    return text_source_fail(source, err, "expected %s, found %s after it", expected,
                            text_excerpt(rest, found, sizeof found));
}

enum status readers_take_number(const struct text_source *source, struct text_line *rest,
                                const char *expected, const char *what, int64_t lowest,
                                int64_t highest, int64_t *value, struct error *err) {
    char found[READERS_EXCERPT];
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

bool readers_begins_with(struct text_line line, char character) {
    text_skip_blanks(&line);
    if (character == '\0' || line.begin == line.end || *line.begin != character)
        return false;
    if (!isalpha((unsigned char)character) || line.begin + 1 == line.end)
        return true;
    const char next = line.begin[1];
    return !isalnum((unsigned char)next) && next != ',' && next != ';';
}

int readers_take_word(struct text_line *rest, const char *const *words, int count) {
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

bool readers_take_this_word(struct text_line *rest, const char *word) {
    return readers_take_word(rest, &word, 1) == 0;
}

/* Reads up to seven digits at `at`, where eight bytes are readable. Stores their value and returns
 * their number; 0 or 8 mean that this function cannot read it. It examines all eight bytes at the
 * same time, because a loop would mispredict its end at nearly every number. */
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
    digits <<= 8 * (8 - count);           /* leading zeros, in the low bytes */
    digits = digits * 10 + (digits >> 8); /* pairs of digits, in every other byte */
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    *value = (int32_t)(((digits & pairs) * UINT64_C(0x000f424000000064) +
                        ((digits >> 16) & pairs) * UINT64_C(0x0000271000000001)) >>
                       32);
    return count;
}

/* The body of take_plain_edges, compiled once for each kind of syntax. */
static inline __attribute__((always_inline)) int64_t
take_edges_as(struct text_source *source, char keyword, char separator, int32_t first,
              bool unweighted, int32_t n, struct edge *edges, int64_t room) {
    enum { LONGEST = 40 }; /* bytes of one edge, at most */
    const char after_head = unweighted ? '\n' : separator;
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
        if (count == 0 || count == 8 || at[count] != separator || edge.from < 0 || edge.from >= n)
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

/* The fast path: takes edges off the front of the source's buffer as long as they are simple
 * (single separators, at most seven digits, a line feed) and correct, and leaves the rest to the
 * reader that explains mistakes. Returns how many it stored in edges, at most `room`. */
static int64_t take_plain_edges(struct text_source *source, const struct edge_syntax *syntax,
                                int32_t n, struct edge *edges, int64_t room) {
    if (syntax->separator == ' ' && syntax->keyword == NULL && syntax->first == 0 &&
        !syntax->unweighted)
        return take_edges_as(source, '\0', ' ', 0, false, n, edges, room);
    return take_edges_as(source, syntax->keyword != NULL ? *syntax->keyword : '\0',
                         syntax->separator, syntax->first, syntax->unweighted, n, edges, room);
}

/* The type of the graph, if it is not int32. */
static enum number_type real_type(const struct reading *r) {
    return r->how->type == READ_FLOAT32 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
}

static bool wants_real(const struct reading *r) {
    return r->how->type == READ_FLOAT32 || r->how->type == READ_FLOAT64;
}

/* Reports a weight that is not in the range of an int32, or not integral. */
static enum status wrong_weight(const struct reading *r, const struct edge_syntax *syntax,
                                enum text_number number, struct text_line at, int64_t weight,
                                struct error *err) {
    const int32_t scale = r->how->scale;
    const int32_t lowest = syntax->natural ? 0 : syntax->skew ? -INT32_MAX : INT32_MIN;
    char found[READERS_EXCERPT], times[32] = "";
    text_excerpt(at, found, sizeof found);
    if (scale > 0)
        snprintf(times, sizeof times, " times %d", scale);
    if (number == TEXT_NO_NUMBER)
        return text_source_fail(r->source, err,
                                "expected %s, found %s where the weight w should be",
                                syntax->expected, found);
    if (number == TEXT_NO_INTEGER)
        return text_source_fail(r->source, err,
                                "expected an integer for the weight w%s, found %s%s", times, found,
                                scale == 0 ? "; --scale K reads decimal weights times K" : "");
    const bool fits_real = scale == 0 && r->how->type == READ_BY_WEIGHTS &&
                           (weight > INT32_MAX || (weight < INT32_MIN && lowest < 0));
    return text_source_fail(r->source, err, "expected the weight w%s in %d .. %d, found %s%s",
                            times, lowest, INT32_MAX, found,
                            fits_real ? "; --type float64 reads larger ones" : "");
}

/* Takes a weight that no int32 holds, of a graph that may be real. `number` and `integer` are what
 * it would be in an int32 graph. */
static enum status take_real_weight(struct reading *r, const struct edge_syntax *syntax,
                                    struct text_line *rest, enum text_number number,
                                    int64_t integer, double *weight, struct error *err) {
    const enum number_type type = real_type(r);
    const struct text_line before = *rest;
    const enum text_number real = text_take_real(rest, type, weight);
    char found[READERS_EXCERPT];
    text_excerpt(before, found, sizeof found);
    if (real == TEXT_NO_NUMBER)
        return wrong_weight(r, syntax, TEXT_NO_NUMBER, before, 0, err);
    if (real == TEXT_TOO_LARGE)
        return text_source_fail(r->source, err,
                                "expected the weight w in the range of a %s, found %s",
                                number_name(type), found);
    if (*weight < (syntax->natural ? 0 : -DBL_MAX))
        return text_source_fail(r->source, err, "expected the weight w to be %s, found %s",
                                syntax->natural ? "at least 0" : "finite, or inf for no edge",
                                found);
    if (number != TEXT_INTEGER)
        r->has_decimal = true;
    else if (!r->has_too_large)
        (void)wrong_weight(r, syntax, number, before, integer, &r->too_large);
    r->has_too_large |= number == TEXT_INTEGER;
    return STATUS_OK;
}

enum status readers_take_weight(struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, struct read_weight *weight,
                                struct error *err) {
    const int32_t scale = r->how->scale;
    const int32_t lowest = syntax->natural ? 0 : syntax->skew ? -INT32_MAX : INT32_MIN;
    const struct text_line before = *rest;
    enum text_number number = TEXT_INTEGER;
    *weight = (struct read_weight){0};
    const bool plain = scale == 0 && text_take_integer(rest, &weight->integer);
    if (!plain)
        number = text_take_scaled(rest, scale > 0 ? scale : 1, &weight->integer);
    if (number == TEXT_INTEGER && !plain && scale == 0 && syntax->integral)
        number = TEXT_NO_INTEGER;
    if (number == TEXT_INTEGER && weight->integer >= lowest && weight->integer <= INT32_MAX)
        return STATUS_OK;
    *rest = before;
    const bool refused = number == TEXT_INTEGER && syntax->natural && weight->integer < 0;
    if (r->how->type == READ_INT32 || scale > 0 || (syntax->integral && !plain) || refused)
        return wrong_weight(r, syntax, number, before, weight->integer, err);
    weight->is_real = true;
    return take_real_weight(r, syntax, rest, number, weight->integer, &weight->real, err);
}

struct read_weight readers_unit_weight(const struct reading *r) {
    return (struct read_weight){.integer = r->how->scale > 0 ? r->how->scale : 1};
}

/* An edge as it was read. */
struct read_edge {
    int32_t from, to;
    struct read_weight weight;
};

static enum status take_edge(struct reading *r, const struct edge_syntax *syntax,
                             struct text_line line, struct read_edge *edge, struct error *err) {
    const int32_t first = syntax->first;
    const int64_t last = (int64_t)r->n - 1 + first;
    struct read_weight weight = readers_unit_weight(r);
    int64_t from = 0, to = 0;
    char found[READERS_EXCERPT];
    /* All fields follow one another on the line, or each has a field of its own. */
    struct text_line own[EDGE_FIELDS] = {line, line, line};
    struct text_line *field[EDGE_FIELDS] = {&line, &line, &line};
    if (syntax->keyword != NULL && !readers_take_this_word(&line, syntax->keyword))
        return text_source_fail(r->source, err, "expected %s, found %s", syntax->expected,
                                text_excerpt(line, found, sizeof found));
    if (syntax->split != NULL) {
        RETURN_ON_FAILURE(syntax->split(r, syntax, line, own, err));
        for (int f = 0; f < EDGE_FIELDS; f++)
            field[f] = &own[f];
    }
    RETURN_ON_FAILURE(readers_take_number(r->source, field[FIELD_TAIL], syntax->expected, "tail u",
                                          first, last, &from, err));
    RETURN_ON_FAILURE(readers_take_number(r->source, field[FIELD_HEAD], syntax->expected, "head v",
                                          first, last, &to, err));
    if (!syntax->unweighted)
        RETURN_ON_FAILURE(readers_take_weight(r, syntax, field[FIELD_WEIGHT], &weight, err));
    for (int f = 0; f < (syntax->unweighted ? FIELD_WEIGHT : EDGE_FIELDS); f++) {
        if (syntax->split != NULL || f == 0)
            RETURN_ON_FAILURE(readers_expect_end(r->source, *field[f], syntax->expected, err));
    }
    if (syntax->skew && from == to)
        return text_source_fail(r->source, err,
                                "expected no entry on the diagonal of a skew-symmetric matrix, "
                                "found one of vertex %lld",
                                (long long)from);
    *edge = (struct read_edge){(int32_t)(from - first), (int32_t)(to - first), weight};
    return STATUS_OK;
}

enum status readers_next_line(const struct reading *r, char comment, struct text_line *line,
                              bool *found, struct error *err) {
    enum status status;
    do {
        status = text_source_next_filled(r->source, READERS_MAX_LINE, line, found, err);
    } while (status == STATUS_OK && *found && readers_begins_with(*line, comment));
    return status;
}

/* Bounds the announced number of edges by the rest of the file, so that a file without these lines
 * fails for that reason and not for lack of memory. */
static int64_t edges_possible(const struct reading *r, int64_t announced) {
    enum { SHORTEST_EDGE = sizeof "0 1" };
    const uint64_t most = text_source_max_bytes(r->source) / SHORTEST_EDGE + 1;
    return most < (uint64_t)announced ? (int64_t)most : announced;
}

/* Fails unless there is memory for the edges, as far as they are known, while the graph is built,
 * and for the graph, of which only the vertices are certain, beside a result. */
static enum status check_memory(const struct reading *r, int64_t n, int64_t edges,
                                struct error *err) {
    const int matrices = r->how->matrices;
    const enum number_type type = wants_real(r) || r->list.is_real ? real_type(r) : NUMBER_INT32;
    const uint64_t list = memory_times((uint64_t)r->list.capacity, edge_size(&r->list));
    const uint64_t all = graph_memory_to_build_of(
        type, n, r->both_ways && edges < INT64_MAX / 2 ? 2 * edges : edges);
    const struct memory_part build[] = {
        {"to read the graph", all > list ? all - list : 0, 0},
    };
    const struct memory_part result[] = {
        {r->how->rows > 0 ? "for some rows"
         : matrices == 2  ? "for 2 matrices"
                          : "for distances alone",
         r->how->rows > 0 ? matrix_memory_typed(type, r->how->rows, n)
                          : matrix_memory_of_answer(type, n, n, matrices == 2),
         0},
        {"for the graph at the least", graph_memory(n, 0), 0},
    };
    struct memory_limit limit;
    RETURN_ON_FAILURE(memory_limit_find(&limit, err));
    if (memory_needed(result, 2) - memory_held() > limit.bytes)
        RETURN_ON_FAILURE(memory_check(r->source->name, n, result, 2, err));
    return memory_check(r->source->name, n, build, 1, err);
}

enum status readers_demand_line(const struct reading *r, char comment, const char *expected,
                                struct text_line *line, struct error *err) {
    bool found = false;
    RETURN_ON_FAILURE(readers_next_line(r, comment, line, &found, err));
    if (!found)
        return text_source_fail(r->source, err, "expected %s, found the end of the file", expected);
    return STATUS_OK;
}

enum status readers_take_sizes(const struct reading *r, struct text_line *rest,
                               const char *expected, int64_t *vertices, int64_t *edges,
                               struct error *err) {
    RETURN_ON_FAILURE(readers_take_number(r->source, rest, expected, "number of vertices V", 1,
                                          INT32_MAX, vertices, err));
    return readers_take_number(r->source, rest, expected, "number of edges E", 0, READERS_MAX_EDGES,
                               edges, err);
}

enum status readers_announce(struct reading *r, int64_t vertices, int64_t edges,
                             struct error *err) {
    RETURN_ON_FAILURE(check_memory(r, vertices, edges_possible(r, edges), err));
    r->n = (int32_t)vertices;
    if (r->how->on_size != NULL)
        r->how->on_size(r->how->callback_context, r->n, edges);
    return STATUS_OK;
}

enum status readers_read_edges(struct reading *r, const struct edge_syntax *syntax,
                               int64_t announced, struct error *err) {
    struct edge_list *list = &r->list;
    list->most = announced;
    struct text_line line;
    struct read_edge edge = {0};
    bool found;
    r->first_vertex = syntax->first;
    for (;;) {
        int64_t room = list->capacity - list->count;
        if (room > announced - list->count)
            room = announced - list->count;
        if (room > 0 && r->how->scale == 0 && syntax->separator != '\0' && !list->is_real)
            list->count +=
                take_plain_edges(r->source, syntax, r->n, list->edges + list->count, room);
        RETURN_ON_FAILURE(readers_next_line(r, syntax->comment, &line, &found, err));
        if (!found)
            break;
        if (list->count == announced) {
            char excerpt[READERS_EXCERPT];
            return text_source_fail(
                r->source, err, "expected the end of the file after %lld edges, found %s",
                (long long)announced, text_excerpt(line, excerpt, sizeof excerpt));
        }
        RETURN_ON_FAILURE(take_edge(r, syntax, line, &edge, err));
        RETURN_ON_FAILURE(readers_append(r, edge.from, edge.to, edge.weight, err));
    }
    if (announced != READERS_UNKNOWN && list->count < announced)
        return text_source_fail(r->source, err,
                                "expected %lld edges, found the end of the file after %lld",
                                (long long)announced, (long long)list->count);
    return STATUS_OK;
}

enum status readers_read_edges_alone(struct reading *r, const struct edge_syntax *syntax,
                                     struct error *err) {
    r->n = INT32_MAX;
    RETURN_ON_FAILURE(readers_read_edges(r, syntax, READERS_UNKNOWN, err));
    int32_t highest = 0;
    for (int64_t e = 0; e < r->list.count; e++) {
        const bool is_real = r->list.is_real;
        const int32_t from = is_real ? r->list.real_edges[e].from : r->list.edges[e].from;
        const int32_t to = is_real ? r->list.real_edges[e].to : r->list.edges[e].to;
        const int32_t end = from > to ? from : to;
        highest = end > highest ? end : highest;
    }
    r->n = highest + 1;
    return check_memory(r, r->n, r->list.count, err);
}

/* A format: how to recognise its first line that is not empty, and its reader, which gets that
 * line. */
struct graph_format {
    const char *name;
    bool (*matches)(struct text_line first); /* NULL: only the name selects it */
    enum status (*read)(struct reading *r, struct text_line first, struct error *err);
    bool named_columns; /* --weight-column can name one */
};

/* The first format that matches reads the file. */
static const struct graph_format formats[] = {
    {"mtx", mtx_matches, mtx_read, false},    {"gr", gr_matches, gr_read, false},
    {"snap", snap_matches, snap_read, false}, {"tntp", tntp_matches, tntp_read, true},
    {"csv", csv_matches, csv_read, true},     {"wel", wel_matches, wel_read, false},
    {"text", text_matches, text_read, false}, {"metis", NULL, metis_read, false},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const struct graph_format *graph_format_find(const char *name) {
    for (size_t f = 0; f < FORMATS; f++) {
        if (strcmp(formats[f].name, name) == 0)
            return &formats[f];
    }
    return NULL;
}

static enum status read_any(struct reading *r, struct error *err) {
    struct text_line line;
    bool found;
    char excerpt[READERS_EXCERPT];
    const struct graph_format *format = r->how->format;
    RETURN_ON_FAILURE(text_source_next_filled(r->source, READERS_MAX_LINE, &line, &found, err));
    if (!found)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a graph, found an empty file",
                    r->source->name);
    for (size_t f = 0; f < FORMATS && format == NULL; f++) {
        if (formats[f].matches != NULL && formats[f].matches(line))
            format = &formats[f];
    }
    if (format == NULL)
        return text_source_fail(
            r->source, err,
            "expected a graph, whose first line is 'V E', 'u v w', 'p sp V E', "
            "'%%%%MatrixMarket ...', '# ...', 'source,target,weight' or '<NUMBER OF NODES> V', "
            "found %s",
            text_excerpt(line, excerpt, sizeof excerpt));
    if (r->how->weight_column != NULL && !format->named_columns)
        return text_source_fail(r->source, err,
                                "expected a table, of which --weight-column names a column: csv or "
                                "tntp, found %s",
                                format->name);
    return format->read(r, line, err);
}

/* Gives back the memory that doubling has left unused. */
static void trim(struct reading *r) {
    struct error ignored;
    if (r->list.count < r->list.capacity)
        (void)edge_list_reserve(&r->list, r->list.count, r->source, &ignored);
}

static enum status append_reverses(struct reading *r, struct error *err) {
    if (r->list.count > r->list.capacity / 2)
        RETURN_ON_FAILURE(edge_list_reserve(&r->list, 2 * r->list.count, r->source, err));
    r->list.count = r->list.is_real ? graph_append_reverses_real(r->list.real_edges, r->list.count)
                                    : graph_append_reverses(r->list.edges, r->list.count);
    return STATUS_OK;
}

/* The same for a skew-symmetric matrix, which has no self-loops. */
static enum status append_negated_reverses(struct reading *r, struct error *err) {
    const int64_t count = r->list.count;
    RETURN_ON_FAILURE(append_reverses(r, err));
    for (int64_t e = count; e < r->list.count; e++) {
        if (r->list.is_real)
            r->list.real_edges[e].weight = -r->list.real_edges[e].weight;
        else
            r->list.edges[e].weight = -r->list.edges[e].weight;
    }
    return STATUS_OK;
}

static double weight_of(const struct graph *g, int64_t e) {
    return g->type == NUMBER_INT32 ? g->weight[e] : g->real_weight[e];
}

/* Checks that every edge has a reverse of the same weight, as the format demands. */
static enum status check_both_ways(const struct reading *r, const struct graph *g,
                                   struct error *err) {
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t back = graph_find_edge(g, g->head[e], u);
            if (back < 0)
                return fail(err, STATUS_BAD_INPUT,
                            "%s: expected every edge in the lists of both its ends, found vertex "
                            "%d in the list of %d only",
                            r->source->name, g->head[e] + 1, u + 1);
            char weights[2][NUMBER_TEXT_MAX];
            number_put(weights[0], weight_of(g, e), g->type);
            number_put(weights[1], weight_of(g, back), g->type);
            if (weight_of(g, back) != weight_of(g, e))
                return fail(err, STATUS_BAD_INPUT,
                            "%s: expected one weight for the edge of vertices %d and %d, found %s "
                            "in one list and %s in the other",
                            r->source->name, u + 1, g->head[e] + 1, weights[0], weights[1]);
        }
    }
    return STATUS_OK;
}

/* Reads the edges, and decides the type. An integer that is too large for an int32 is one of a real
 * graph only if other weights, before it or after it, or the caller say so. */
static enum status read_edges(struct reading *r, struct error *err) {
    const enum status status = read_any(r, err);
    if ((status == STATUS_OK || status == STATUS_BAD_INPUT) && r->has_too_large &&
        !r->has_decimal && !wants_real(r)) {
        *err = r->too_large;
        return STATUS_BAD_INPUT;
    }
    return status;
}

/* Builds the graph from the edges. */
static enum status build(struct reading *r, struct graph *g, struct error *err) {
    const struct graph_reading *const how = r->how;
    if (r->both_ways)
        RETURN_ON_FAILURE(r->skew ? append_negated_reverses(r, err) : append_reverses(r, err));
    trim(r);
    if (wants_real(r) && !r->list.is_real)
        RETURN_ON_FAILURE(make_real(&r->list, r->source, err));
    return r->list.is_real
               ? graph_build_real(g, r->n, real_type(r), r->list.real_edges, r->list.count,
                                  how->progress, err)
               : graph_build_stoppable(g, r->n, r->list.edges, r->list.count, how->progress, err);
}

enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err) {
    struct reading r = {.source = source, .how = how, .both_ways = how->undirected};
    *g = (struct graph){0};
    source->progress = how->progress;
    enum status status;
    TRY(read_edges(&r, err));
    TRY(build(&r, g, err));
    g->first_vertex = how->vertices_from == VERTICES_FROM_FILE
                          ? r.first_vertex
                          : how->vertices_from == VERTICES_FROM_1;
    if (r.listed_both)
        TRY(check_both_ways(&r, g, err));
cleanup:
    memory_free(r.list.memory);
    if (status != STATUS_OK)
        graph_free(g);
    return status;
}

enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err) {
    struct text_source source;
    *g = (struct graph){0};
    enum status status;
    TRY(text_source_open(&source, path, err));
    TRY(graph_read_source(&source, how, g, err));
cleanup:
    text_source_close(&source);
    return status;
}

enum status graph_read(const char *path, struct graph *g, struct error *err) {
    static const struct graph_reading as_it_is = {0};
    return graph_read_as(path, &as_it_is, g, err);
}
