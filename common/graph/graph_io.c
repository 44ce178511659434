// SPDX-License-Identifier: MIT
#include "common/graph/graph_io.h"

#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_put
#include "common/base/threads.h"     // threads_or_default
#include "common/graph/foreign.h"    // foreign_find
#include "common/graph/readers.h"    // the readers of the formats

#include <stdio.h>
#include <string.h>

#define POINTER(format) &(format),
static const struct graph_format *const formats[] = {READERS_FORMATS(POINTER)};
#undef POINTER
enum { FORMATS = sizeof formats / sizeof *formats };

const struct graph_format *graph_format_find(const char *name) {
    for (size_t f = 0; f < FORMATS; f++) {
        if (strcmp(formats[f]->name, name) == 0)
            return formats[f];
    }
    return NULL;
}

const char *graph_format_at(size_t index) {
    return index < FORMATS ? formats[index]->name : NULL;
}

/* Joins words, as graph_format_names() does. */
static void join(const char *const *words, size_t count, const char *between, const char *last,
                 char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t w = 0; w < count && length < size; w++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   w == 0           ? ""
                                   : w + 1 == count ? last
                                                    : between,
                                   words[w]);
}

const char *graph_format_names(unsigned trait, const char *between, const char *last,
                               char text[GRAPH_FORMAT_NAMES]) {
    const char *names[FORMATS];
    size_t count = 0;
    for (size_t f = 0; f < FORMATS; f++) {
        if ((formats[f]->traits & trait) == trait)
            names[count++] = formats[f]->name;
    }
    join(names, count, between, last, text, GRAPH_FORMAT_NAMES);
    return text;
}

enum status readers_refuse(const struct reading *r, struct text_line first, struct error *err) {
    const char *lines[FORMATS];
    char text[2 * GRAPH_FORMAT_NAMES], excerpt[READERS_EXCERPT];
    size_t count = 0;
    for (size_t f = 0; f < FORMATS; f++) {
        if (formats[f]->first_lines != NULL)
            lines[count++] = formats[f]->first_lines;
    }
    join(lines, count, ", ", " or ", text, sizeof text);
    return text_source_fail(r->source, err, "expected a graph, whose first line is %s, found %s",
                            text, text_excerpt(first, excerpt, sizeof excerpt));
}

/* Refuses options that the format does not use. */
static enum status check_options(const struct reading *r, const struct graph_format *format,
                                 struct error *err) {
    const struct graph_reading *const how = r->how;
    const unsigned traits = format->traits;
    char names[GRAPH_FORMAT_NAMES];
    if (how->edge_columns != NULL && (traits & FORMAT_EDGE_COLUMNS) == 0)
        return text_source_fail(r->source, err,
                                "expected a table, of which --edge-columns names columns: %s, "
                                "found %s",
                                graph_format_names(FORMAT_EDGE_COLUMNS, ", ", " or ", names),
                                format->name);
    if (how->weight_column != NULL &&
        (traits & (FORMAT_WEIGHT_COLUMN | FORMAT_WEIGHT_ATTRIBUTE)) == 0)
        return text_source_fail(r->source, err,
                                "expected a table, of which --weight-column names a column: %s, "
                                "found %s",
                                graph_format_names(FORMAT_WEIGHT_COLUMN, ", ", " or ", names),
                                format->name);
    if (how->along != NULL && (traits & FORMAT_FURTHER_COLUMNS) == 0)
        return text_source_fail(r->source, err,
                                "expected a format whose edges have several numbers, of which "
                                "--along names some: %s, found %s",
                                graph_format_names(FORMAT_FURTHER_COLUMNS, ", ", " or ", names),
                                format->name);
    if (how->keep_gaps && (traits & FORMAT_OCCURRING_VERTICES) == 0)
        return text_source_fail(r->source, err,
                                "--keep-gaps: expected a list of edges, found %s, which says how "
                                "many vertices there are",
                                format->name);
    if (how->transform != WEIGHTS_AS_READ && how->scale > 0)
        return fail(err, STATUS_BAD_INPUT,
                    "--scale: expected weights as they are in the file, found %s",
                    how->transform == WEIGHTS_ONE ? "--unweighted" : "--weight-transform inverse");
    if (how->transform == WEIGHTS_INVERSE && (how->type == READ_INT32 || how->type == READ_INT64))
        return fail(err, STATUS_BAD_INPUT,
                    "--type: expected float32 or float64 for --weight-transform inverse, found %s",
                    how->type == READ_INT32 ? number_name(NUMBER_INT32) : INT64_NAME);
    if (how->semiring == SEMIRING_MAX_PRODUCT && how->type == READ_INT32)
        return fail(err, STATUS_BAD_INPUT,
                    "--type: expected float32 or float64 for --semiring max-product, found int32");
    if (how->semiring != SEMIRING_MIN_PLUS && how->type == READ_INT64)
        return fail(
            err, STATUS_BAD_INPUT,
            "--type: expected another one than int64 for --semiring %s: take float64, which "
            "holds integers below 2^53",
            semiring_name(how->semiring));
    return STATUS_OK;
}

/* Refuses a file of another kind, recognized by its beginning or by the names of the files in an
 * archive, unless the caller has named a format. */
static enum status refuse_foreign(const struct reading *r, struct error *err) {
    struct text_line beginning;
    const enum status status = text_source_peek(r->source, FOREIGN_BYTES, &beginning, err);
    const struct foreign *const kind = status != STATUS_OK
                                           ? foreign_find_archive(text_source_members(r->source))
                                       : r->how->format == NULL ? foreign_find(beginning)
                                                                : NULL;
    return kind != NULL ? foreign_refuse(kind, r->source->name, err) : status;
}

static enum status read_any(struct reading *r, struct error *err) {
    struct text_line line;
    bool found;
    const struct graph_format *format = r->how->format;
    RETURN_ON_FAILURE(refuse_foreign(r, err));
    RETURN_ON_FAILURE(text_source_next_filled(r->source, READERS_MAX_LINE, &line, &found, err));
    if (!found)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a graph, found an empty file",
                    r->source->name);
    if (format == NULL && r->how->edge_columns != NULL && !readers_tntp.matches(line))
        format = &readers_csv;
    for (size_t f = 0; f < FORMATS && format == NULL; f++) {
        if (formats[f]->matches != NULL && formats[f]->matches(line))
            format = formats[f];
    }
    if (format == NULL)
        RETURN_ON_FAILURE(readers_guess(r, &line, &format, err));
    else if (format == &readers_snap && r->how->format == NULL) /* the first line is a comment */
        RETURN_ON_FAILURE(readers_guess_below(r, &line, &format, err));
    RETURN_ON_FAILURE(check_options(r, format, err));
    return format->read(r, line, err);
}

/* Frees the memory that doubling the list has left unused. */
static void trim(struct reading *r) {
    struct error ignored;
    if (r->list.count < r->list.capacity)
        (void)edge_list_reserve(&r->list, r->list.count, &ignored);
}

/* Checks that every edge has a reverse of the same weight, if the format demands it. */
static enum status check_both_ways(const struct reading *r, const struct graph *g,
                                   struct error *err) {
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t back = graph_find_edge(g, g->head[e], u);
            if (back < 0)
                return fail(err, STATUS_BAD_INPUT,
                            "%s: expected every edge in the lists of both its ends, found vertex "
                            "%s in the list of %s only",
                            r->source->name, graph_name(g, g->head[e]).text, graph_name(g, u).text);
            char weights[2][NUMBER_TEXT_MAX];
            number_put(weights[0], graph_weight(g, e), g->type);
            number_put(weights[1], graph_weight(g, back), g->type);
            if (graph_weight(g, back) != graph_weight(g, e))
                return fail(err, STATUS_BAD_INPUT,
                            "%s: expected one weight for the edge of vertices %s and %s, found %s "
                            "in one list and %s in the other",
                            r->source->name, graph_name(g, u).text, graph_name(g, g->head[e]).text,
                            weights[0], weights[1]);
        }
    }
    return STATUS_OK;
}

/* Reads the edges, and decides the type. An integer that is too large for a float64 is allowed only
 * if the graph is real because of other weights, before or after it, or of the caller. */
static enum status read_edges(struct reading *r, struct error *err) {
    const enum status status = read_any(r, err);
    if ((status == STATUS_OK || status == STATUS_BAD_INPUT) && r->has_too_large &&
        !r->has_decimal && !readers_wants_real(r->how)) {
        *err = r->too_large;
        return STATUS_BAD_INPUT;
    }
    return status;
}

/* Builds the graph of the list, which it overwrites, and finds the extra numbers of its edges. */
static enum status build_of_list(struct reading *r, struct graph *g, struct error *err) {
    const struct graph_reading *const how = r->how;
    struct edge_list *const list = &r->list;
    const size_t size = list->is_real ? sizeof *list->real_edges : sizeof *list->edges;
    void *ends = NULL;
    enum status status;
    if (how->along != NULL && list->count > 0) {
        TRY(memory_alloc(&ends, (size_t)list->count, size, "columns of edges", err));
        memcpy(ends, list->memory, (size_t)list->count * size);
    }
    if (how->semiring != SEMIRING_MIN_PLUS)
        TRY(graph_build_semiring(
            g, r->n, how->semiring, list->is_real ? readers_real_type(how) : NUMBER_INT32,
            list->is_real ? NULL : list->edges, list->is_real ? list->real_edges : NULL,
            list->count, how->progress, err));
    else if (list->is_real)
        TRY(graph_build_real(g, r->n, readers_real_type(how), list->real_edges, list->count,
                             how->progress, err));
    else
        TRY(graph_build_stoppable(g, r->n, list->edges, list->count, how->progress, err));
    if (how->along != NULL)
        TRY(edge_columns_match(how->columns, list, ends, g, err));
cleanup:
    memory_free(ends);
    return status;
}

/* Builds the graph from the edges. */
static enum status build(struct reading *r, struct graph *g, struct error *err) {
    const struct graph_reading *const how = r->how;
    const bool skew = r->skew && how->transform != WEIGHTS_ONE;
    if (r->both_ways)
        RETURN_ON_FAILURE(edge_list_append_reverses(&r->list, skew, err));
    trim(r);
    if (readers_wants_real(how))
        RETURN_ON_FAILURE(edge_list_make_real(&r->list, err));
    RETURN_ON_FAILURE(build_of_list(r, g, err));
    g->edges_read += r->both_ways ? 2 * r->absent : r->absent;
    return STATUS_OK;
}

static enum status check_semiring(const struct reading *r, const struct graph *g,
                                  struct error *err) {
    struct error reason;
    const enum status status = semiring_check_graph(g, &reason);
    return status == STATUS_OK
               ? STATUS_OK
               : fail(err, status, "%s: --semiring %.700s", r->source->name, reason.text);
}

enum status graph_read_source(struct text_source *source, const struct graph_reading *how,
                              struct graph *g, struct error *err) {
    struct reading r = {
        .source = source, .how = how, .both_ways = how->undirected, .list.source = source};
    if (how->columns != NULL)
        *how->columns = (struct edge_columns){0};
    *g = (struct graph){0};
    source->progress = how->progress;
    enum status status;
    TRY(read_edges(&r, err));
    TRY(build(&r, g, err));
    g->naming = naming_share(&r.naming);
    g->zones = r.zones;
    g->integral = how->semiring == SEMIRING_MIN_PLUS &&
                  (how->type == READ_INT64 ||
                   (how->type == READ_BY_WEIGHTS && r.has_large && !r.has_decimal));
    if (r.listed_both)
        TRY(check_both_ways(&r, g, err));
    if (g->semiring != SEMIRING_MIN_PLUS)
        TRY(check_semiring(&r, g, err));
    for (int k = 0; k < r.note_count; k++)
        graph_note(how, r.notes[k].text);
cleanup:
    edge_list_free(&r.list);
    naming_free(&r.naming);
    if (status != STATUS_OK)
        graph_free(g);
    if (status != STATUS_OK && how->columns != NULL)
        edge_columns_free(how->columns);
    return status;
}

enum status graph_read_as(const char *path, const struct graph_reading *how, struct graph *g,
                          struct error *err) {
    struct text_source source;
    *g = (struct graph){0};
    enum status status;
    TRY(text_source_open_shared(&source, path, threads_or_default(how->threads), err));
    TRY(graph_read_source(&source, how, g, err));
cleanup:
    text_source_close(&source);
    return status;
}

enum status graph_read(const char *path, struct graph *g, struct error *err) {
    static const struct graph_reading as_it_is = {0};
    return graph_read_as(path, &as_it_is, g, err);
}
