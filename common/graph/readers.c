// SPDX-License-Identifier: MIT
#include "common/graph/readers.h"

#include "common/base/memory.h"       // memory_check
#include "common/base/threads.h"      // threads_or_default
#include "common/graph/plain_edges.h" // plain_edges_take

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void readers_note(struct reading *r, const char *format, ...) {
    va_list args;
    if (r->note_count == READERS_MOST_NOTES)
        return;
    char *const text = r->notes[r->note_count++].text;
    const size_t size = sizeof r->notes->text;
    const size_t used = (size_t)snprintf(text, size, "%.400s: ", r->source->name);
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
    printable(text);
}

enum status readers_append(struct reading *r, int32_t from, int32_t to, struct read_weight weight,
                           struct error *err) {
    if (!weight.is_absent)
        return edge_list_append(&r->list, from, to, weight, err);
    r->absent++;
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

struct text_line readers_take_token(struct text_line *rest) {
    text_skip_blanks(rest);
    struct text_line token = *rest;
    while (rest->begin < rest->end && !text_is_blank(*rest->begin))
        rest->begin++;
    token.end = rest->begin;
    return token;
}

struct text_line readers_trimmed(struct text_line line) {
    text_skip_blanks(&line);
    while (line.end > line.begin && text_is_blank(line.end[-1]))
        line.end--;
    return line;
}

enum status readers_take_ends(struct reading *r, const struct edge_syntax *syntax,
                              struct text_line *rest, int32_t *from, int32_t *to,
                              struct error *err) {
    static const char *const what[] = {"tail u", "head v"};
    const int64_t last = (int64_t)r->n - 1 + syntax->first;
    int64_t number[2];
    struct text_line name[2];
    char found[READERS_EXCERPT];
    for (int end = 0; end < 2; end++) {
        if (!syntax->named)
            RETURN_ON_FAILURE(readers_take_number(r->source, rest, syntax->expected, what[end],
                                                  syntax->first, last, &number[end], err));
        else
            name[end] = readers_take_token(rest);
        if (syntax->named && (name[end].begin == name[end].end ||
                              (end == 0 && (*name[end].begin == '#' || *name[end].begin == '%'))))
            return text_source_fail(r->source, err, "expected %s, found %s where the %s should be",
                                    syntax->expected, text_excerpt(name[end], found, sizeof found),
                                    what[end]);
    }
    if (syntax->named)
        return edge_list_take_ends(&r->list, name[0], name[1], from, to, err);
    *from = (int32_t)(number[0] - syntax->first);
    *to = (int32_t)(number[1] - syntax->first);
    return STATUS_OK;
}

/* Returns advice about a weight that is no number, for messages, or "". */
static const char *advice_on(struct text_line at) {
    const size_t length = (size_t)(at.end - at.begin);
    const bool is_digit = length > 0 && (isdigit((unsigned char)*at.begin) || *at.begin == '-');
    if (is_digit && memchr(at.begin, ',', length) != NULL)
        return "; decimals have a point, and thousands no comma";
    if (length >= 3 && strncasecmp(at.begin, "nan", 3) == 0)
        return "; inf says that there is no edge";
    return "";
}

/* Returns the largest integer that the graph may have as a weight. */
static int64_t largest_integer(const struct graph_reading *how) {
    return how->type == READ_INT32 || how->type == READ_FLOAT32 ? INT32_MAX
                                                                : (int64_t)INTEGERS_MOST - 1;
}

/* Returns advice about an integer that is too large. */
static const char *advice_on_large(const struct graph_reading *how, int64_t weight) {
    if (how->scale > 0)
        return "";
    if (how->type == READ_INT32 && llabs(weight) < (int64_t)INTEGERS_MOST)
        return "; --type int64 reads larger ones";
    return how->type == READ_BY_WEIGHTS ? "; --type float64 rounds larger ones" : "";
}

/* Reports a weight that is out of range or no integer. */
static enum status wrong_weight(const struct reading *r, const struct edge_syntax *syntax,
                                enum text_number number, struct text_line at, int64_t weight,
                                struct error *err) {
    const int32_t scale = r->how->scale;
    const int64_t most = largest_integer(r->how);
    const int64_t lowest = syntax->natural                      ? 0
                           : most == INT32_MAX && !syntax->skew ? INT32_MIN
                                                                : -most;
    char found[READERS_EXCERPT], times[32] = "";
    text_excerpt(at, found, sizeof found);
    if (scale > 0)
        snprintf(times, sizeof times, " times %d", scale);
    if (number == TEXT_NO_NUMBER)
        return text_source_fail(r->source, err,
                                "expected %s, found %s where the weight w should be%s",
                                syntax->expected, found, advice_on(at));
    if (number == TEXT_NO_INTEGER)
        return text_source_fail(r->source, err,
                                "expected an integer for the weight w%s, found %s%s", times, found,
                                scale == 0 ? "; --scale K reads decimal weights times K" : "");
    return text_source_fail(r->source, err, "expected the weight w%s in %lld .. %lld, found %s%s",
                            times, (long long)lowest, (long long)most, found,
                            weight < 0 && syntax->natural ? "" : advice_on_large(r->how, weight));
}

/* Takes a weight that is no integer below 2^53, in a graph that may be real. number, integer: the
 * weight in an integral graph. */
static enum status take_real_weight(struct reading *r, const struct edge_syntax *syntax,
                                    struct text_line *rest, enum text_number number,
                                    int64_t integer, double *weight, struct error *err) {
    const enum number_type type = readers_real_type(r->how);
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

/* Takes a weight as written, and scales it. */
static enum status take_weight(struct reading *r, const struct edge_syntax *syntax,
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
    const bool refused = number == TEXT_INTEGER && syntax->natural && weight->integer < 0;
    if (number == TEXT_INTEGER && !refused && llabs(weight->integer) <= largest_integer(r->how)) {
        weight->is_real = r->has_large = true;
        weight->real = (double)weight->integer;
        return STATUS_OK;
    }
    *rest = before;
    const bool is_integral = r->how->type == READ_INT32 || r->how->type == READ_INT64;
    if (is_integral || scale > 0 || (syntax->integral && !plain) || refused)
        return wrong_weight(r, syntax, number, before, weight->integer, err);
    weight->is_real = true;
    return take_real_weight(r, syntax, rest, number, weight->integer, &weight->real, err);
}

struct read_weight readers_unit_weight(const struct reading *r) {
    return (struct read_weight){.integer = r->how->scale > 0 ? r->how->scale : 1};
}

/* Takes a weight that only decides whether there is an edge. */
static enum status take_presence(struct reading *r, const struct edge_syntax *syntax,
                                 struct text_line *rest, struct read_weight *weight,
                                 struct error *err) {
    const struct text_line before = *rest;
    double value = 0;
    const enum text_number number = text_take_real(rest, NUMBER_FLOAT64, &value);
    if (number == TEXT_NO_NUMBER)
        return wrong_weight(r, syntax, TEXT_NO_NUMBER, before, 0, err);
    *weight = readers_unit_weight(r);
    weight->is_absent = number == TEXT_REAL && isinf(value);
    return STATUS_OK;
}

/* Takes a similarity, whose inverse is the weight. */
static enum status take_inverse(struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, struct read_weight *weight,
                                struct error *err) {
    const struct text_line before = *rest;
    char found[READERS_EXCERPT];
    double value = 0;
    const enum text_number number = text_take_real(rest, NUMBER_FLOAT64, &value);
    if (number == TEXT_NO_NUMBER)
        return wrong_weight(r, syntax, TEXT_NO_NUMBER, before, 0, err);
    const double inverse = number_rounded(readers_real_type(r->how), 1 / value);
    *weight = (struct read_weight){.is_real = true, .real = inverse, .is_absent = value == 0};
    if (number == TEXT_TOO_LARGE || isinf(value) || value < 0 || (value > 0 && isinf(inverse)))
        return text_source_fail(r->source, err,
                                "expected a weight w of at least 0 with an inverse "
                                "(--weight-transform inverse), found %s",
                                text_excerpt(before, found, sizeof found));
    r->has_decimal = true;
    return STATUS_OK;
}

static enum status take_any_weight(struct reading *r, const struct edge_syntax *syntax,
                                   struct text_line *rest, struct read_weight *weight,
                                   struct error *err) {
    switch (r->how->transform) {
    case WEIGHTS_ONE:
        return take_presence(r, syntax, rest, weight, err);
    case WEIGHTS_INVERSE:
        return take_inverse(r, syntax, rest, weight, err);
    case WEIGHTS_AS_READ:
        break;
    }
    return take_weight(r, syntax, rest, weight, err);
}

/* Refuses a weight that the semiring does not allow. */
static enum status check_semiring(const struct reading *r, struct text_line at,
                                  const struct read_weight *weight, struct error *err) {
    const enum semiring semiring = r->how->semiring;
    const double value = weight->is_real ? weight->real : (double)weight->integer;
    char found[READERS_EXCERPT],
        change[32] = ""; /* change: words for how options change a weight before it is checked */
    if (r->how->scale > 0)
        snprintf(change, sizeof change, " times %d", r->how->scale);
    else if (r->how->transform == WEIGHTS_INVERSE)
        snprintf(change, sizeof change, " with an inverse");
    if (semiring == SEMIRING_MAX_PRODUCT && !weight->is_absent && !(value >= 0 && value <= 1))
        return text_source_fail(
            r->source, err, "expected a weight w%s in 0 .. 1 (--semiring max-product), found %s",
            change, text_excerpt(at, found, sizeof found));
    if (semiring == SEMIRING_MAX_MIN && !weight->is_absent && isinf(value))
        return text_source_fail(
            r->source, err,
            "expected a finite weight w (--semiring max-min: no edge is no line, and a capacity "
            "without a bound any number above the others), found %s",
            text_excerpt(at, found, sizeof found));
    return STATUS_OK;
}

enum status readers_take_weight(struct reading *r, const struct edge_syntax *syntax,
                                struct text_line *rest, struct read_weight *weight,
                                struct error *err) {
    const struct text_line before = *rest;
    RETURN_ON_FAILURE(take_any_weight(r, syntax, rest, weight, err));
    return r->how->semiring != SEMIRING_MIN_PLUS ? check_semiring(r, before, weight, err)
                                                 : STATUS_OK;
}

bool readers_next_column(const char **rest, struct text_line *name) {
    if (*rest == NULL)
        return false;
    const size_t length = strcspn(*rest, ",");
    *name = readers_trimmed((struct text_line){*rest, *rest + length});
    *rest = (*rest)[length] == ',' ? *rest + length + 1 : NULL;
    return true;
}

enum status readers_add_column(struct reading *r, struct text_line name, struct error *err) {
    struct edge_columns *const columns = r->how->columns;
    const int length = (int)(name.end - name.begin);
    if (length >= EDGE_COLUMN_NAME)
        return text_source_fail(r->source, err,
                                "--along: expected a column with a name of at most %d bytes, found "
                                "'%.*s...'",
                                EDGE_COLUMN_NAME - 1, EDGE_COLUMN_NAME - 1, name.begin);
    if (columns->count == EDGE_COLUMNS_MOST)
        return text_source_fail(r->source, err, "--along: expected at most %d columns, found more",
                                EDGE_COLUMNS_MOST);
    char *const to = columns->name[columns->count];
    snprintf(to, EDGE_COLUMN_NAME, "%.*s", length, name.begin);
    printable(to);
    for (int c = 0; c < columns->count; c++) {
        if (strcmp(columns->name[c], to) == 0)
            return text_source_fail(r->source, err,
                                    "--along: expected different columns, found '%s' twice", to);
    }
    r->list.extras = ++columns->count;
    return STATUS_OK;
}

enum status readers_take_column(struct reading *r, int column, struct text_line field,
                                struct error *err) {
    const struct text_line before = field;
    char found[READERS_EXCERPT];
    double *const value = &r->list.next[column];
    const enum text_number number = text_take_real(&field, NUMBER_FLOAT64, value);
    text_skip_blanks(&field);
    if ((number == TEXT_REAL || number == TEXT_INTEGER) && field.begin == field.end &&
        isfinite(*value))
        return STATUS_OK;
    return text_source_fail(
        r->source, err, "expected a finite number in the column '%s' (--along), found %s",
        r->how->columns->name[column],
        before.begin == before.end ? "nothing" : text_excerpt(before, found, sizeof found));
}

/* Reads an edge whose fields are separated by blanks. */
static enum status take_edge(struct reading *r, const struct edge_syntax *syntax,
                             struct text_line line, struct error *err) {
    struct read_weight weight = readers_unit_weight(r);
    int32_t from = 0, to = 0;
    char found[READERS_EXCERPT];
    if (syntax->keyword != NULL && !readers_take_this_word(&line, syntax->keyword))
        return text_source_fail(r->source, err, "expected %s, found %s", syntax->expected,
                                text_excerpt(line, found, sizeof found));
    RETURN_ON_FAILURE(readers_take_ends(r, syntax, &line, &from, &to, err));
    text_skip_blanks(&line);
    const bool needless = r->how->transform == WEIGHTS_ONE && line.begin == line.end;
    if (!syntax->unweighted && !needless)
        RETURN_ON_FAILURE(readers_take_weight(r, syntax, &line, &weight, err));
    if (syntax->has_time)
        (void)readers_take_token(&line);
    RETURN_ON_FAILURE(readers_expect_end(r->source, line, syntax->expected, err));
    if (syntax->skew && from == to)
        return text_source_fail(r->source, err,
                                "expected no entry on the diagonal of a skew-symmetric matrix, "
                                "found one of vertex %lld",
                                (long long)from + syntax->first);
    if (weight.is_absent && syntax->named)
        RETURN_ON_FAILURE(edge_list_mention(&r->list, from, to, err));
    return readers_append(r, from, to, weight, err);
}

enum status readers_next_line(const struct reading *r, char comment, struct text_line *line,
                              bool *found, struct error *err) {
    enum status status;
    do {
        status = text_source_next_filled(r->source, READERS_MAX_LINE, line, found, err);
    } while (status == STATUS_OK && *found && readers_begins_with(*line, comment));
    return status;
}

/* Bounds the announced number of edges by the rest of the file, so that a file with too few lines
 * fails for that reason and not for lack of memory. */
static int64_t edges_possible(const struct reading *r, int64_t announced) {
    enum { SHORTEST_EDGE = sizeof "0 1" };
    const uint64_t most = text_source_max_bytes(r->source) / SHORTEST_EDGE + 1;
    return most < (uint64_t)announced ? (int64_t)most : announced;
}

/* Checks that there is memory to build a graph of `edges` edges, and that there is memory for the
 * result beside the finished graph, of which only the n vertices count because the number of its
 * edges is not certain. */
enum status readers_check_memory(const struct reading *r, int64_t n, int64_t edges,
                                 struct error *err) {
    const int matrices = r->how->matrices;
    const enum number_type type =
        readers_wants_real(r->how) || r->list.is_real ? readers_real_type(r->how) : NUMBER_INT32;
    const uint64_t list =
        memory_times((uint64_t)r->list.capacity,
                     r->list.is_real ? sizeof(struct real_edge) : sizeof(struct edge));
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
    RETURN_ON_FAILURE(readers_check_memory(r, vertices, edges_possible(r, edges), err));
    r->n = (int32_t)vertices;
    if (r->how->on_size != NULL)
        r->how->on_size(r->how->callback_context, r->n, edges);
    return STATUS_OK;
}

/* Takes plain lines, if there are any. When real weights are read this way, a weight with decimals
 * was found before, so that no later weight decides on the type of the graph. */
static void take_plain_edges(struct reading *r, struct plain_edges *plain, int64_t room) {
    struct edge_list *const list = &r->list;
    const struct edge_syntax *const syntax = plain->syntax;
    const bool is_product = r->how->semiring == SEMIRING_MAX_PRODUCT;
    const bool as_read = r->how->scale == 0 && r->how->transform == WEIGHTS_AS_READ;
    const bool real = r->has_decimal && !syntax->integral && !syntax->unweighted;
    if (syntax->separator == '\0' || list->uses_names || !as_read ||
        !(list->is_real ? real : !is_product))
        return;
    plain->n = r->n;
    plain->is_real = list->is_real;
    plain->type = readers_real_type(r->how);
    plain->lowest = syntax->natural || is_product ? 0 : -DBL_MAX;
    plain->highest = is_product ? 1 : DBL_MAX;
    list->count += list->is_real
                       ? plain_edges_take(plain, r->source, list->real_edges + list->count, room)
                       : plain_edges_take(plain, r->source, list->edges + list->count, room);
}

enum status readers_read_edges(struct reading *r, const struct edge_syntax *syntax,
                               int64_t announced, struct error *err) {
    struct edge_list *list = &r->list;
    struct plain_edges plain = {
        .syntax = syntax, .threads = threads_or_default(r->how->threads), .window = SIZE_MAX};
    list->most = announced;
    struct text_line line;
    bool found;
    r->naming.first = syntax->first;
    for (;;) {
        const int64_t read = list->count + r->absent;
        int64_t room = list->capacity - list->count;
        if (room > announced - read)
            room = announced - read;
        if (room > 0)
            take_plain_edges(r, &plain, room);
        RETURN_ON_FAILURE(readers_next_line(r, syntax->comment, &line, &found, err));
        if (!found)
            break;
        if (list->count + r->absent == announced) {
            char excerpt[READERS_EXCERPT];
            return text_source_fail(
                r->source, err, "expected the end of the file after %lld edges, found %s",
                (long long)announced, text_excerpt(line, excerpt, sizeof excerpt));
        }
        RETURN_ON_FAILURE(syntax->take_row != NULL ? syntax->take_row(r, syntax, line, err)
                                                   : take_edge(r, syntax, line, err));
    }
    const int64_t read = list->count + r->absent;
    if (announced != READERS_UNKNOWN && read < announced)
        return text_source_fail(r->source, err,
                                "expected %lld edges, found the end of the file after %lld",
                                (long long)announced, (long long)read);
    return STATUS_OK;
}

/* Notes how the vertices of a list are numbered, if it leaves out some of the first numbers or
 * mixes numbers with words. */
static void note_vertices(struct reading *r, const struct list_vertices *vertices) {
    const struct edge_list *const list = &r->list;
    if (vertices->has_gaps)
        readers_note(r,
                     "vertices are the %d numbers that occur, of %lld .. %lld (--keep-gaps makes "
                     "the others vertices without edges)",
                     vertices->n, (long long)(vertices->lowest < 0 ? vertices->lowest : 0),
                     (long long)vertices->highest);
    else if (list->first_word_at > 0 && list->has_number)
        readers_note(r,
                     "names of vertices are numbers and words; all are taken as words, because of "
                     "'%s' in line %lld",
                     list->first_word, (long long)list->first_word_at);
}

static enum status keep_gaps(struct reading *r, struct list_vertices *vertices, struct error *err) {
    const int32_t first = r->how->vertices_from == VERTICES_FROM_1;
    bool outside = false;
    RETURN_ON_FAILURE(edge_list_keep_numbers(&r->list, first, -1, vertices, &outside, err));
    if (outside)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: --keep-gaps: expected vertices that are numbers of %d .. %d, found others",
                    r->source->name, first, INT32_MAX - 1);
    return STATUS_OK;
}

enum status readers_read_list(struct reading *r, const struct edge_syntax *syntax,
                              struct error *err) {
    struct list_vertices vertices = {0};
    if (r->how->vertices_from != VERTICES_FROM_FILE && !r->how->keep_gaps)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: --vertices-from: expected a format that numbers its vertices, found a "
                    "list of edges, whose vertices are those that occur (with --keep-gaps it says "
                    "where their numbers begin)",
                    r->source->name);
    r->n = INT32_MAX;
    RETURN_ON_FAILURE(readers_read_edges(r, syntax, READERS_UNKNOWN, err));
    RETURN_ON_FAILURE(r->how->keep_gaps ? keep_gaps(r, &vertices, err)
                                        : edge_list_find_vertices(&r->list, &vertices, err));
    r->naming = vertices.naming;
    r->n = vertices.n;
    note_vertices(r, &vertices);
    return readers_check_memory(r, r->n, r->list.count, err);
}
