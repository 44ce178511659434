// SPDX-License-Identifier: MIT
#include "common/rows/vertex_list.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc, memory_resize
#include "common/base/output.h"      // output_refuse_input
#include "common/base/splitmix64.h"  // splitmix64
#include "common/base/text_source.h" // struct text_source

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list that is being read. */
struct list_reading {
    const char *option; /* name of the option, for messages */
    const struct graph *g;
    struct vertex_list *list;
    bool words;    /* names of vertices are words */
    int32_t room;  /* number of vertices that list->vertex has room for */
    uint8_t *seen; /* a bit for each vertex: it is in the list */
};

static enum status append(struct list_reading *r, int32_t v, struct error *err) {
    const uint8_t bit = (uint8_t)(1 << v % 8);
    if ((r->seen[v / 8] & bit) != 0)
        return fail(err, STATUS_BAD_INPUT, "%s: expected different vertices, found %s twice",
                    r->option, graph_name(r->g, v).text);
    r->seen[v / 8] |= bit;
    if (r->list->count == r->room) {
        const int32_t more = r->room < r->g->n / 2 ? 2 * r->room : r->g->n;
        void *block = r->list->vertex;
        RETURN_ON_FAILURE(memory_resize(&block, (size_t)more, sizeof *r->list->vertex,
                                        "a list of vertices", err));
        r->list->vertex = block;
        r->room = more;
    }
    r->list->vertex[r->list->count++] = v;
    return STATUS_OK;
}

static enum status append_named(struct list_reading *r, const char *begin, const char *end,
                                struct error *err) {
    const struct graph *const g = r->g;
    int32_t v;
    RETURN_ON_FAILURE(
        naming_take(&g->naming, g->n, r->option, begin, (size_t)(end - begin), &v, err));
    return append(r, v, err);
}

static enum status append_number(struct list_reading *r, int64_t number, struct error *err) {
    char text[24];
    const int length = snprintf(text, sizeof text, "%lld", (long long)number);
    return append_named(r, text, text + length, err);
}

/* Appends the vertices numbered first .. last. If vertices are the numbers that occur, these are
 * the numbers in the range that occur, of which there must be at least one. */
static enum status append_range(struct list_reading *r, int64_t first, int64_t last,
                                struct error *err) {
    const struct vertex_names *const names = r->g->naming.names;
    if (names == NULL || first == last) {
        for (int64_t number = first; number <= last; number++)
            RETURN_ON_FAILURE(append_number(r, number, err));
        return STATUS_OK;
    }
    const int32_t begin = names_at_least(names, first), end = names_at_least(names, last + 1);
    if (begin == end)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a range with vertices, found none numbered %lld .. %lld",
                    r->option, (long long)first, (long long)last);
    for (int32_t v = begin; v < end; v++)
        RETURN_ON_FAILURE(append(r, v, err));
    return STATUS_OK;
}

/* Takes an integer off the front; returns false if there is none. Integers beyond 10^18, which is
 * no number of a vertex, become 10^18. */
static bool take_number(const char **at, const char *end, int64_t *number) {
    const int64_t limit = INT64_C(1000000000000000000);
    const char *digits = *at;
    const bool negative = digits < end && *digits == '-';
    digits += negative;
    *at = digits;
    *number = 0;
    while (*at < end && **at >= '0' && **at <= '9') {
        *number = *number < limit / 10 ? 10 * *number + (**at - '0') : limit;
        ++*at;
    }
    *number = negative ? -*number : *number;
    return *at > digits;
}

static bool is_separator(char c) {
    return c == ',' || text_is_blank(c);
}

/* Returns where a comment in a file begins, or the end. In a name, # is in quotes, or after a
 * character that is no blank. */
static const char *find_comment(const struct list_reading *r, const char *begin, const char *end) {
    const bool words = r->words;
    bool quoted = false;
    for (const char *at = begin; at < end; at++) {
        const bool begins = at == begin || is_separator(at[-1]);
        quoted ^= words && *at == '"' && (quoted || begins);
        if (*at == '#' && !quoted && (!words || begins))
            return at;
    }
    return end;
}

/* Reads words, separated by commas, up to `end`. */
static enum status read_words(struct list_reading *r, const char *at, const char *end,
                              struct error *err) {
    char word[NAMES_LONGEST + 1];
    size_t length;
    const bool several = memchr(at, ',', (size_t)(end - at)) != NULL;
    for (;;) {
        while (at < end && is_separator(*at))
            at++;
        if (at == end)
            return STATUS_OK;
        const bool quoted = *at == '"';
        const char *const begin = at;
        if (!naming_take_field(&at, end, ',', word, &length))
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected a second quote and a comma after the name, found %.60s",
                        r->option, begin);
        int32_t v;
        const enum status status =
            naming_take(&r->g->naming, r->g->n, r->option, word, length, &v, err);
        if (status != STATUS_OK && several && !quoted) {
            const struct error found = *err;
            return fail(err, status, "%s; a name with commas is put in double quotes", found.text);
        }
        RETURN_ON_FAILURE(status);
        RETURN_ON_FAILURE(append(r, v, err));
    }
}

/* Reads numbers and ranges, or words, up to `end`. Stores in *wrong where it stopped because there
 * is no number. */
static enum status read_vertices(struct list_reading *r, const char *at, const char *end,
                                 const char **wrong, struct error *err) {
    *wrong = NULL;
    if (r->words)
        return read_words(r, at, end, err);
    for (;;) {
        int64_t first, last;
        while (at < end && is_separator(*at))
            at++;
        if (at == end)
            return STATUS_OK;
        const char *const begin = at;
        bool is_right = take_number(&at, end, &first);
        last = first;
        if (is_right && at < end && *at == '-') {
            at++;
            is_right = take_number(&at, end, &last) && last >= first;
        }
        if (!is_right || (at < end && !is_separator(*at))) {
            *wrong = begin;
            return STATUS_OK;
        }
        RETURN_ON_FAILURE(append_range(r, first, last, err));
    }
}

static enum status read_file(struct list_reading *r, const char *path, struct error *err) {
    enum { LONGEST_LINE = 1 << 20, EXCERPT = 40 };
    struct text_source source;
    struct text_line line;
    bool found = true;
    enum status status = STATUS_OK;
    TRY(text_source_open(&source, path, err));
    while (found) {
        TRY(text_source_next(&source, LONGEST_LINE, &line, &found, err));
        if (!found)
            break;
        const char *const end = find_comment(r, line.begin, line.end), *wrong;
        TRY(read_vertices(r, line.begin, end, &wrong, err));
        if (wrong != NULL) {
            char excerpt[EXCERPT];
            status = text_source_fail(
                &source, err, "expected vertices or ranges like 100-199, found %s",
                text_excerpt((struct text_line){wrong, end}, excerpt, sizeof excerpt));
            goto cleanup;
        }
    }
cleanup:
    text_source_close(&source);
    return status;
}

/* Selection sampling (Knuth, The Art of Computer Programming 2, section 3.4.2): each vertex in turn
 * is taken with a probability that makes all sets of K vertices equally likely. */
static enum status draw(struct list_reading *r, const char *text, struct error *err) {
    const char *at = text, *const end = text + strlen(text);
    const struct graph *const g = r->g;
    int64_t wanted, seed;
    if (!take_number(&at, end, &wanted) || at == end || *at++ != ':' ||
        !take_number(&at, end, &seed) || at != end)
        return fail(err, STATUS_BAD_INPUT, "%s: expected random:K:SEED, found 'random:%.60s'",
                    r->option, text);
    if (wanted < 1 || wanted > g->n)
        return fail(err, STATUS_BAD_INPUT, "%s: expected random:K:SEED with K in 1 .. %d",
                    r->option, g->n);
    uint64_t state = (uint64_t)seed;
    for (int32_t v = 0; v < g->n && wanted > 0; v++) {
        const uint64_t drawn = (splitmix64_next(&state) >> 32) * (uint64_t)(g->n - v) >> 32;
        if (drawn >= (uint64_t)wanted)
            continue;
        RETURN_ON_FAILURE(append(r, v, err));
        wanted--;
    }
    return STATUS_OK;
}

static enum status read_list(struct list_reading *r, const char *text, struct error *err) {
    static const char random[] = "random:";
    const char *wrong;
    if (*text == '@')
        return read_file(r, text + 1, err);
    if (strncmp(text, random, sizeof random - 1) == 0)
        return draw(r, text + sizeof random - 1, err);
    RETURN_ON_FAILURE(read_vertices(r, text, text + strlen(text), &wrong, err));
    if (wrong != NULL)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected vertices and ranges like 0,17,100-199, @FILE or "
                    "random:K:SEED, found '%.60s'",
                    r->option, wrong);
    return STATUS_OK;
}

enum status vertex_list_refuse_output(const char *text, const char *option, const char *path,
                                      struct error *err) {
    return text != NULL && *text == '@'
               ? output_refuse_input(option, path, "list of vertices", text + 1, err)
               : STATUS_OK;
}

enum status vertex_list_parse(const char *option, const char *text, const struct graph *g,
                              struct vertex_list *list, struct error *err) {
    const size_t bytes = (size_t)g->n / 8 + 1;
    const struct vertex_names *const names = g->naming.names;
    struct list_reading r = {
        .option = option, .g = g, .list = list, .words = names != NULL && names->number == NULL};
    void *seen = NULL, *vertex = NULL;
    enum status status = STATUS_OK;
    *list = (struct vertex_list){0};
    if (text == NULL)
        return STATUS_OK;
    TRY(memory_alloc(&seen, bytes, 1, "a list of vertices", err));
    memset(seen, 0, bytes);
    TRY(memory_resize(&vertex, (size_t)block_sizes.first_vertices, sizeof *list->vertex,
                      "a list of vertices", err));
    r.seen = seen;
    r.room = block_sizes.first_vertices;
    list->vertex = vertex;
    TRY(read_list(&r, text, err));
    if (list->count == 0)
        status = fail(err, STATUS_BAD_INPUT, "%s: expected at least one vertex", option);
cleanup:
    memory_free(seen);
    return status;
}

enum status vertex_list_copy(const char *path, const int32_t *vertex, int32_t count, int32_t n,
                             struct vertex_list *list, struct error *err) {
    void *seen = NULL, *copy = NULL;
    enum status status = STATUS_OK;
    *list = (struct vertex_list){0};
    TRY(memory_alloc(&seen, (size_t)n, 1, "a list of vertices", err));
    memset(seen, 0, (size_t)n);
    for (int32_t k = 0; k < count; k++) {
        const bool is_vertex = vertex[k] >= 0 && vertex[k] < n;
        uint8_t *const mark = (uint8_t *)seen + (is_vertex ? vertex[k] : 0);
        if (!is_vertex || *mark != 0) {
            status = fail(err, STATUS_BAD_INPUT,
                          "%s: entry %d: expected a vertex in 0 .. %d that is not there before, "
                          "found %d",
                          path, k, n - 1, vertex[k]);
            goto cleanup;
        }
        *mark = 1;
    }
    TRY(memory_alloc(&copy, (size_t)count, sizeof *vertex, "a list of vertices", err));
    memcpy(copy, vertex, (size_t)count * sizeof *vertex);
    *list = (struct vertex_list){copy, count};
cleanup:
    memory_free(seen);
    return status;
}

void vertex_list_free(struct vertex_list *list) {
    memory_free(list->vertex);
    *list = (struct vertex_list){0};
}
