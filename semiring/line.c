// SPDX-License-Identifier: MIT
#include "semiring/line.h"

#include "common/base/memory.h" // memory_alloc
#include "semiring/keys.h"      // key_to_i32
#include "semiring/search.h"    // search_tree

#include <string.h>

uint64_t line_memory(enum number_type type, int32_t n, int64_t m) {
    const uint64_t own = (uint64_t)n * (5 * sizeof(int32_t) + number_size(type));
    return memory_add(own, memory_add(search_graph_memory(type, n, m),
                                      search_memory(n) + (uint64_t)n * sizeof(uint64_t)));
}

/* Stores the keys of the `count` gaps from position `from` on as numbers of the graph's type. */
static void store_gaps(struct line *line, int32_t from, int32_t count, const void *keys) {
    const bool greatest = semiring_wants_greatest(line->g->semiring);
    for (int32_t k = 0; k < count; k++) {
        if (line->g->type == NUMBER_INT32)
            ((int32_t *)line->gap)[from + k] = key_to_i32(((const uint32_t *)keys)[k], greatest);
        else if (line->g->type == NUMBER_FLOAT32)
            ((float *)line->gap)[from + k] = key_to_f32(((const uint32_t *)keys)[k], greatest);
        else
            ((double *)line->gap)[from + k] = key_to_f64(((const uint64_t *)keys)[k], greatest);
    }
}

/* Finds the line, component by component. reached: n keys, each the largest key. */
static void find(struct line *line, const struct search *search, void *reached) {
    const int32_t n = line->g->n;
    for (int32_t v = 0; v < n; v++)
        line->position[v] = -1;
    for (int32_t v = 0, placed = 0; v < n && progress_goes_on(search->progress); v++) {
        if (line->position[v] >= 0)
            continue;
        const int32_t first = placed;
        const int32_t count = search_tree(search, v, reached, line->vertex + first, line->parent);
        store_gaps(line, first, count, search->length);
        line->end[first] = first + count;
        for (; placed < first + count; placed++) {
            line->position[line->vertex[placed]] = placed;
            line->first[line->vertex[placed]] = first;
        }
    }
}

enum status line_make(struct line *line, const struct graph *g, const struct progress *progress,
                      struct error *err) {
    const size_t n = (size_t)g->n, key = key_size(g->type);
    struct search_graph graph = {0};
    struct search search = {0};
    void *memory = NULL, *reached = NULL;
    enum status status;
    *line = (struct line){.g = g};
    TRY(memory_alloc(&memory, 5 * n, sizeof(int32_t), "the spanning tree", err));
    line->vertex = memory;
    line->position = line->vertex + n;
    line->parent = line->position + n;
    line->first = line->parent + n;
    line->end = line->first + n;
    TRY(memory_alloc(&line->gap, n, number_size(g->type), "the spanning tree", err));
    TRY(memory_alloc(&reached, n, key, "the spanning tree", err));
    memset(reached, 0xff, n * key);
    TRY(search_graph_open(&graph, g, err));
    TRY(search_alloc(&search, &graph, progress, err));
    find(line, &search, reached);
    if (!progress_goes_on(progress)) /* the line may be garbage */
        TRY(progress_cancelled(err));
cleanup:
    search_free(&search);
    search_graph_close(&graph);
    memory_free(reached);
    return status;
}

void line_free(struct line *line) {
    memory_free(line->vertex); /* the block also holds the other numbers */
    memory_free(line->gap);
    *line = (struct line){0};
}

/* Writes the lengths between the vertex at position `at` and those at first .. last - 1, its
 * component. */
#define WRITE(NAME, TYPE)                                                                          \
    static inline __attribute__((always_inline)) void NAME(const struct line *line, int32_t at,    \
                                                           int32_t first, int32_t last,            \
                                                           bool greatest, TYPE *dist) {            \
        const TYPE *const gap = line->gap;                                                         \
        const TYPE to_itself = (TYPE)semiring_to_itself(line->g->semiring, line->g->type);         \
        TYPE worst = to_itself;                                                                    \
        dist[line->vertex[at]] = to_itself;                                                        \
        for (int32_t k = at + 1; k < last; k++) {                                                  \
            worst = (greatest ? gap[k] < worst : gap[k] > worst) ? gap[k] : worst;                 \
            dist[line->vertex[k]] = worst;                                                         \
        }                                                                                          \
        worst = to_itself;                                                                         \
        for (int32_t k = at; k > first; k--) {                                                     \
            worst = (greatest ? gap[k] < worst : gap[k] > worst) ? gap[k] : worst;                 \
            dist[line->vertex[k - 1]] = worst;                                                     \
        }                                                                                          \
    }                                                                                              \
    static void NAME##_row(const struct line *line, int32_t at, int32_t first, int32_t last,       \
                           TYPE *dist) {                                                           \
        const TYPE no_path = (TYPE)semiring_no_path(line->g->semiring, line->g->type);             \
        for (int32_t v = 0; v < line->g->n && last - first < line->g->n; v++)                      \
            dist[v] = no_path;                                                                     \
        if (semiring_wants_greatest(line->g->semiring))                                            \
            NAME(line, at, first, last, true, dist);                                               \
        else                                                                                       \
            NAME(line, at, first, last, false, dist);                                              \
    }
WRITE(write_i32, int32_t)
WRITE(write_f32, float)
WRITE(write_f64, double)
#undef WRITE

/* Writes the tree with the source as its root: edges on the path from the source to the tree's
 * first vertex are reversed. */
static void write_pred(const struct line *line, int32_t source, int32_t *pred) {
    const int32_t *const parent = line->parent, *const first = line->first;
    const int32_t own = first[source];
    for (int32_t v = 0; v < line->g->n; v++)
        pred[v] = first[v] == own ? parent[v] : -1;
    for (int32_t v = source, before = -1; v >= 0; v = parent[v]) {
        pred[v] = before;
        before = v;
    }
}

void line_row(const struct line *line, int32_t source, void *dist, int32_t *pred) {
    const int32_t at = line->position[source], first = line->first[source];
    const int32_t last = line->end[first];
    if (line->g->type == NUMBER_INT32)
        write_i32_row(line, at, first, last, dist);
    else if (line->g->type == NUMBER_FLOAT32)
        write_f32_row(line, at, first, last, dist);
    else
        write_f64_row(line, at, first, last, dist);
    if (pred != NULL)
        write_pred(line, source, pred);
}
