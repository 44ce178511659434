// SPDX-License-Identifier: MIT
#include "common/graph/edge_list.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc, memory_resize

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t edge_size(const struct edge_list *list) {
    return list->is_real ? sizeof *list->real_edges : sizeof *list->edges;
}

/* Makes room for `capacity` edges of `size` bytes. */
static enum status resize(struct edge_list *list, int64_t capacity, size_t size,
                          struct error *err) {
    void *edges = list->memory;
    struct error reason;
    enum status status =
        memory_resize(&edges, (size_t)capacity, size, "the list of edges", &reason);
    if (status == STATUS_NO_RESOURCE)
        fail(err, status, "%s has more than %lld edges: %.600s", list->source->name,
             (long long)list->count, reason.text);
    if (status != STATUS_OK)
        return status;
    list->memory = edges;
    list->capacity = capacity;
    return STATUS_OK;
}

enum status edge_list_reserve(struct edge_list *list, int64_t capacity, struct error *err) {
    return resize(list, capacity, edge_size(list), err);
}

static enum status make_room(struct edge_list *list, struct error *err) {
    if (list->count < list->capacity)
        return STATUS_OK;
    const int64_t doubled = list->capacity == 0 ? block_sizes.first_edges : list->capacity * 2;
    const bool enough = list->most > list->count && list->most < doubled;
    return edge_list_reserve(list, enough ? list->most : doubled, err);
}

enum status edge_list_make_real(struct edge_list *list, struct error *err) {
    if (list->is_real)
        return STATUS_OK;
    if (list->capacity > 0)
        RETURN_ON_FAILURE(resize(list, list->capacity, sizeof *list->real_edges, err));
    list->is_real = true;
    /* From the end, because an edge's new place covers the old places of this and later edges. */
    for (int64_t e = list->count; e-- > 0;) {
        struct edge edge;
        memcpy(&edge, (const char *)list->memory + (size_t)e * sizeof edge, sizeof edge);
        list->real_edges[e] = (struct real_edge){edge.from, edge.to, edge.weight};
    }
    return STATUS_OK;
}

/* Makes room for the extra numbers of `count` edges. */
static enum status reserve_extras(struct edge_list *list, int64_t count, struct error *err) {
    const int64_t doubled = 2 * list->extra_capacity;
    void *extra = list->extra;
    if (list->extras == 0 || count <= list->extra_capacity)
        return STATUS_OK;
    count = count < doubled                   ? doubled
            : count < block_sizes.first_edges ? block_sizes.first_edges
                                              : count;
    RETURN_ON_FAILURE(memory_resize(&extra, (size_t)count, (size_t)list->extras * sizeof(double),
                                    "columns of edges", err));
    list->extra = extra;
    list->extra_capacity = count;
    return STATUS_OK;
}

static double *extras_of(const struct edge_list *list, int64_t e) {
    return list->extra + e * list->extras;
}

enum status edge_list_append(struct edge_list *list, int32_t from, int32_t to,
                             struct read_weight weight, struct error *err) {
    if (weight.is_real)
        RETURN_ON_FAILURE(edge_list_make_real(list, err));
    RETURN_ON_FAILURE(make_room(list, err));
    RETURN_ON_FAILURE(reserve_extras(list, list->count + 1, err));
    if (list->extras > 0)
        memcpy(extras_of(list, list->count), list->next, (size_t)list->extras * sizeof(double));
    if (list->is_real)
        list->real_edges[list->count++] =
            (struct real_edge){from, to, weight.is_real ? weight.real : (double)weight.integer};
    else
        list->edges[list->count++] = (struct edge){from, to, (int32_t)weight.integer};
    return STATUS_OK;
}

/* Appends the extra numbers of the edges that graph_append_reverses appends. */
static enum status append_reversed_extras(struct edge_list *list, struct error *err) {
    int64_t end = list->count;
    RETURN_ON_FAILURE(reserve_extras(list, 2 * list->count, err));
    for (int64_t e = 0; e < list->count && list->extras > 0; e++) {
        const bool loop = list->is_real ? list->real_edges[e].from == list->real_edges[e].to
                                        : list->edges[e].from == list->edges[e].to;
        if (!loop)
            memcpy(extras_of(list, end++), extras_of(list, e),
                   (size_t)list->extras * sizeof(double));
    }
    return STATUS_OK;
}

enum status edge_list_append_reverses(struct edge_list *list, bool negated, struct error *err) {
    const int64_t count = list->count;
    if (count > list->capacity / 2)
        RETURN_ON_FAILURE(edge_list_reserve(list, 2 * count, err));
    RETURN_ON_FAILURE(append_reversed_extras(list, err));
    list->count = list->is_real ? graph_append_reverses_real(list->real_edges, count)
                                : graph_append_reverses(list->edges, count);
    for (int64_t e = count; negated && e < list->count; e++) {
        if (list->is_real)
            list->real_edges[e].weight = -list->real_edges[e].weight;
        else
            list->edges[e].weight = -list->edges[e].weight;
    }
    return STATUS_OK;
}

/* Names -----------------------------------------------------------------------------------------
 */

/* The ends of an edge, with which struct edge and struct real_edge begin. */
struct ends {
    int32_t *from, *to;
};

static struct ends ends_of(const struct edge_list *list, int64_t e) {
    return list->is_real ? (struct ends){&list->real_edges[e].from, &list->real_edges[e].to}
                         : (struct ends){&list->edges[e].from, &list->edges[e].to};
}

/* Moves the numbers of all ends into the table. */
static enum status use_names(struct edge_list *list, struct error *err) {
    if (list->uses_names)
        return STATUS_OK;
    for (int64_t e = 0; e < list->count; e++) {
        const struct ends ends = ends_of(list, e);
        RETURN_ON_FAILURE(name_table_number(&list->names, *ends.from, ends.from, err));
        RETURN_ON_FAILURE(name_table_number(&list->names, *ends.to, ends.to, err));
    }
    list->uses_names = true;
    return STATUS_OK;
}

/* Returns whether a word stands for a missing value among numbers. */
static bool is_missing(const char *name, size_t length) {
    static const char *const words[] = {"nan", "na", "n/a", "null", "none"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        if (strlen(words[w]) == length && strncasecmp(name, words[w], length) == 0)
            return true;
    }
    return false;
}

static enum status take_word(struct edge_list *list, const char *name, size_t length, int32_t *end,
                             struct error *err) {
    if (list->first_word_at == 0) {
        if (list->count > 0 && is_missing(name, length))
            return text_source_fail(list->source, err,
                                    "expected a vertex, which is a number in the lines before, "
                                    "found '%.*s'",
                                    (int)length, name);
        list->first_word_at = list->source->line;
        list->has_number = list->names.count > 0;
        snprintf(list->first_word, sizeof list->first_word, "%.*s", (int)length, name);
    }
    return name_table_word(&list->names, name, length, end, err);
}

/* A name, and its value if it is a number. */
struct name {
    struct text_line text;
    bool is_number;
    int64_t number;
};

static enum status understand(const struct edge_list *list, struct text_line text,
                              struct name *name, struct error *err) {
    const size_t length = (size_t)(text.end - text.begin);
    if (length == 0)
        return text_source_fail(list->source, err, "expected the name of a vertex, found nothing");
    if (length > NAMES_LONGEST)
        return text_source_fail(list->source, err,
                                "expected the name of a vertex of at most %d bytes, found %zu",
                                NAMES_LONGEST, length);
    for (const char *c = text.begin; c < text.end; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return text_source_fail(list->source, err,
                                    "expected the name of a vertex, found the control character %d",
                                    *c);
    }
    *name = (struct name){.text = text};
    name->is_number = names_take_number(text.begin, length, &name->number);
    return STATUS_OK;
}

/* Returns whether an edge can hold the name without the table of names. */
static bool is_small(const struct name *name) {
    return name->is_number && name->number >= 0 && name->number < INT32_MAX;
}

static enum status find_end(struct edge_list *list, const struct name *name, int32_t *end,
                            struct error *err) {
    if (!name->is_number)
        return take_word(list, name->text.begin, (size_t)(name->text.end - name->text.begin), end,
                         err);
    list->has_number |= list->names.words;
    return name_table_number(&list->names, name->number, end, err);
}

enum status edge_list_take_ends(struct edge_list *list, struct text_line tail,
                                struct text_line head, int32_t *from, int32_t *to,
                                struct error *err) {
    struct name first = {0}, second = {0};
    RETURN_ON_FAILURE(understand(list, tail, &first, err));
    RETURN_ON_FAILURE(understand(list, head, &second, err));
    if (!list->uses_names && is_small(&first) && is_small(&second)) {
        *from = (int32_t)first.number;
        *to = (int32_t)second.number;
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(use_names(list, err));
    RETURN_ON_FAILURE(find_end(list, &first, from, err));
    return find_end(list, &second, to, err);
}

/* Vertices --------------------------------------------------------------------------------------
 */

static void find_extremes(const struct edge_list *list, struct list_vertices *vertices) {
    vertices->lowest = INT64_MAX;
    vertices->highest = INT64_MIN;
    for (int64_t e = 0; e < list->count; e++) {
        const struct ends ends = ends_of(list, e);
        const int64_t low = *ends.from < *ends.to ? *ends.from : *ends.to;
        const int64_t high = *ends.from < *ends.to ? *ends.to : *ends.from;
        vertices->lowest = low < vertices->lowest ? low : vertices->lowest;
        vertices->highest = high > vertices->highest ? high : vertices->highest;
    }
}

static void shift_ends(const struct edge_list *list, int32_t by) {
    for (int64_t e = 0; by != 0 && e < list->count; e++) {
        const struct ends ends = ends_of(list, e);
        *ends.from -= by;
        *ends.to -= by;
    }
}

static void replace_ends(const struct edge_list *list, const int32_t *vertex, int64_t lowest) {
    for (int64_t e = 0; e < list->count; e++) {
        const struct ends ends = ends_of(list, e);
        *ends.from = vertex[*ends.from - lowest];
        *ends.to = vertex[*ends.to - lowest];
    }
}

/* Makes vertices of ascending numbers: they keep names, unless the numbers are 0, 1, … or 1, 2, …
 */
static enum status name_numbers(struct list_vertices *vertices, const int64_t *number, int32_t n,
                                struct error *err) {
    vertices->n = n;
    vertices->lowest = number[0];
    vertices->highest = number[n - 1];
    vertices->has_gaps = number[0] < 0 || number[0] > 1 || number[n - 1] - number[0] >= n;
    if (vertices->has_gaps)
        return names_of_numbers(&vertices->naming.names, number, n, err);
    vertices->naming.first = (int32_t)number[0];
    return STATUS_OK;
}

/* Makes vertices of numbers so close together that an array over their range is no larger than the
 * edges. Stores in place[] the vertex of each number, counted from the lowest. */
static enum status find_close(struct edge_list *list, struct list_vertices *vertices,
                              struct error *err) {
    const size_t range = (size_t)(vertices->highest - vertices->lowest + 1);
    void *places = NULL, *numbers = NULL;
    int32_t n = 0;
    enum status status;
    TRY(memory_alloc(&places, range, sizeof(int32_t), "the numbers of vertices", err));
    int32_t *const place = places;
    memset(place, 0, range * sizeof *place);
    for (int64_t e = 0; e < list->count; e++) {
        const struct ends ends = ends_of(list, e);
        place[*ends.from - vertices->lowest] = 1;
        place[*ends.to - vertices->lowest] = 1;
    }
    for (size_t k = 0; k < range; k++)
        n += place[k];
    TRY(memory_alloc(&numbers, (size_t)n, sizeof(int64_t), "the numbers of vertices", err));
    int64_t *const number = numbers;
    n = 0;
    for (size_t k = 0; k < range; k++) {
        if (place[k] == 0)
            continue;
        place[k] = n;
        number[n++] = vertices->lowest + (int64_t)k;
    }
    TRY(name_numbers(vertices, number, n, err));
    replace_ends(list, place, vertices->lowest);
cleanup:
    memory_free(places);
    memory_free(numbers);
    return status;
}

static int compare_places(const void *a, const void *b, void *numbers) {
    const int64_t *const number = numbers;
    const int64_t first = number[*(const int32_t *)a], second = number[*(const int32_t *)b];
    return (first > second) - (first < second);
}

/* Makes vertices of the numbers in the table of names. */
static enum status sort_numbers(struct edge_list *list, struct list_vertices *vertices,
                                struct error *err) {
    const int32_t n = list->names.count;
    void *orders = NULL, *places = NULL, *numbers = NULL;
    enum status status;
    TRY(memory_alloc(&orders, (size_t)n, sizeof(int32_t), "the numbers of vertices", err));
    TRY(memory_alloc(&places, (size_t)n, sizeof(int32_t), "the numbers of vertices", err));
    TRY(memory_alloc(&numbers, (size_t)n, sizeof(int64_t), "the numbers of vertices", err));
    int32_t *const order = orders, *const place = places;
    int64_t *const number = numbers;
    for (int32_t k = 0; k < n; k++)
        order[k] = k;
    qsort_r(order, (size_t)n, sizeof *order, compare_places, list->names.number);
    for (int32_t v = 0; v < n; v++) {
        place[order[v]] = v;
        number[v] = list->names.number[order[v]];
    }
    TRY(name_numbers(vertices, number, n, err));
    replace_ends(list, place, 0);
cleanup:
    memory_free(orders);
    memory_free(places);
    memory_free(numbers);
    return status;
}

enum status edge_list_find_vertices(struct edge_list *list, struct list_vertices *vertices,
                                    struct error *err) {
    enum { SPARE_NUMBERS = 1 << 16 };
    *vertices = (struct list_vertices){0};
    if (!list->uses_names) {
        find_extremes(list, vertices);
        if (list->names.count == 0 && /* no end is that of an absent edge alone */
            vertices->highest - vertices->lowest <= 4 * list->count + SPARE_NUMBERS)
            return find_close(list, vertices, err);
        RETURN_ON_FAILURE(use_names(list, err));
    }
    vertices->n = list->names.count;
    if (!list->names.words)
        return sort_numbers(list, vertices, err);
    return names_of_words(&vertices->naming.names, list->names.start, list->names.text, vertices->n,
                          err);
}

enum status edge_list_mention(struct edge_list *list, int32_t from, int32_t to, struct error *err) {
    if (list->uses_names)
        return STATUS_OK; /* the table has the names already */
    RETURN_ON_FAILURE(use_names(list, err));
    RETURN_ON_FAILURE(name_table_number(&list->names, from, &from, err));
    return name_table_number(&list->names, to, &to, err);
}

/* Puts the numbers in the table back into the edges. Sets *outside if some are too large or below
 * 0. */
static enum status return_numbers(struct edge_list *list, bool *outside, struct error *err) {
    const struct name_table *const names = &list->names;
    void *numbers;
    for (int32_t k = 0; k < names->count && !*outside; k++)
        *outside = names->number[k] < 0 || names->number[k] >= INT32_MAX;
    if (*outside)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&numbers, (size_t)names->count, sizeof(int32_t),
                                   "the numbers of vertices", err));
    int32_t *const number = numbers;
    for (int32_t k = 0; k < names->count; k++)
        number[k] = (int32_t)names->number[k];
    replace_ends(list, number, 0);
    memory_free(numbers);
    list->uses_names = false;
    return STATUS_OK;
}

enum status edge_list_keep_numbers(struct edge_list *list, int32_t first, int32_t last,
                                   struct list_vertices *vertices, bool *outside,
                                   struct error *err) {
    *vertices = (struct list_vertices){.naming.first = first};
    *outside = list->names.words;
    if (*outside)
        return STATUS_OK;
    if (list->uses_names)
        RETURN_ON_FAILURE(return_numbers(list, outside, err));
    if (*outside)
        return STATUS_OK;
    find_extremes(list, vertices);
    for (int32_t k = 0; k < list->names.count; k++) { /* includes ends of edges that are absent */
        const int64_t number = list->names.number[k];
        vertices->lowest = number < vertices->lowest ? number : vertices->lowest;
        vertices->highest = number > vertices->highest ? number : vertices->highest;
    }
    const int64_t end = last >= 0 ? last : vertices->highest;
    *outside = vertices->lowest <= vertices->highest &&
               (vertices->lowest < first || vertices->highest > end);
    if (*outside)
        return STATUS_OK;
    vertices->n = (int32_t)(end - first + 1);
    shift_ends(list, first);
    return STATUS_OK;
}

void edge_list_free(struct edge_list *list) {
    memory_free(list->memory);
    memory_free(list->extra);
    name_table_free(&list->names);
    *list = (struct edge_list){0};
}
