// SPDX-License-Identifier: MIT
#include "semiring/search.h"

#include "common/base/memory.h"  // memory_alloc
#include "measures/components.h" // components_number
#include "semiring/keys.h"       // key_of_i32

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARITY = 4 };

__extension__ typedef unsigned __int128 uint128;

#define ENTRY                   uint64_t
#define KEY                     uint32_t
#define LENGTH                  uint32_t
#define NO_PATH                 UINT32_MAX
#define TO_ITSELF               0
#define BITS(length)            (length)
#define IS_BETTER(a, b)         ((a) < (b))
#define ALONE(key, e)           (key)[e]
#define JOIN(g, key, length, e) ((length) > (key)[e] ? (length) : (key)[e])
#define WIDTH(name)             name##_32
#include "semiring/search_width.h"
#undef ENTRY
#undef KEY
#undef LENGTH
#undef NO_PATH
#undef WIDTH

#define ENTRY       uint128
#define KEY         uint64_t
#define LENGTH      uint64_t
#define NO_PATH     UINT64_MAX
#define WIDTH(name) name##_64
#include "semiring/search_width.h"
#undef LENGTH
#undef NO_PATH
#undef TO_ITSELF
#undef BITS
#undef IS_BETTER
#undef ALONE
#undef JOIN
#undef WIDTH

/* The product of two float32 numbers in float64, rounded to float32, is their product in float32.
 */
#undef KEY
#define KEY                     double
#define LENGTH                  double
#define NO_PATH                 0.0
#define TO_ITSELF               1.0
#define BITS(length)            key_of_f64(length, true)
#define IS_BETTER(a, b)         ((a) > (b))
#define ALONE(key, e)           0.0
#define JOIN(g, key, length, e) number_rounded((g)->type, (length) * (key)[e])
#define WIDTH(name)             name##_product
#include "semiring/search_width.h"

static bool is_product(const struct graph *g) {
    return g->semiring == SEMIRING_MAX_PRODUCT;
}

uint64_t search_graph_memory(enum number_type type, int32_t n, int64_t m) {
    const uint64_t rows = ((uint64_t)n + 1) * sizeof(int64_t);
    const uint64_t edges = memory_times((uint64_t)m, key_size(type) + sizeof(int32_t));
    const uint64_t thin =
        memory_add(graph_memory_of(NUMBER_FLOAT64, n, m), components_memory(n) + search_memory(n));
    return memory_add(memory_add(rows, edges), memory_add(thin, (uint64_t)n * sizeof(int32_t)));
}

/* A search of max-product takes the most memory. */
uint64_t search_memory(int32_t n) {
    return (uint64_t)n * (sizeof(uint128) + 2 * sizeof(int32_t) + sizeof(uint64_t));
}

/* Stores the keys of all weights. */
static void find_keys(const struct graph *g, void *keys) {
    const bool greatest = semiring_wants_greatest(g->semiring);
    for (int64_t e = 0; e < g->m; e++) {
        if (g->type == NUMBER_INT32)
            ((uint32_t *)keys)[e] = key_of_i32(g->weight[e], greatest);
        else if (g->type == NUMBER_FLOAT32)
            ((uint32_t *)keys)[e] = key_of_f32((float)g->real_weight[e], greatest);
        else
            ((uint64_t *)keys)[e] = key_of_f64(g->real_weight[e], greatest);
    }
}

enum status search_graph_open(struct search_graph *graph, const struct graph *g,
                              struct error *err) {
    void *rows, *heads;
    *graph =
        (struct search_graph){.g = g, .first = g->first, .head = g->head, .key = g->real_weight};
    if (is_product(g))
        return STATUS_OK;
    *graph = (struct search_graph){.g = g, .has_own_edges = true};
    RETURN_ON_FAILURE(
        memory_alloc(&graph->key, (size_t)g->m, key_size(g->type), "the keys of weights", err));
    RETURN_ON_FAILURE(memory_alloc(&rows, (size_t)g->n + 1, sizeof(int64_t), "the edges", err));
    graph->first = memcpy(rows, g->first, ((size_t)g->n + 1) * sizeof(int64_t));
    RETURN_ON_FAILURE(memory_alloc(&heads, (size_t)g->m, sizeof(int32_t), "the edges", err));
    graph->head = memcpy(heads, g->head, (size_t)g->m * sizeof(int32_t));
    find_keys(g, graph->key);
    return STATUS_OK;
}

/* Returns a key that about `count` of the edges do not exceed. */
static uint64_t some_key(const struct search_graph *graph, int64_t count) {
    enum { SAMPLES = 1024 };
    const int64_t m = graph->first[graph->g->n], step = m / SAMPLES + 1;
    uint64_t sample[SAMPLES] = {0};
    int64_t taken = 0;
    for (int64_t e = 0; e < m; e += step)
        sample[taken++] = key_at(graph->key, graph->g->type, e);
    qsort(sample, (size_t)taken, sizeof *sample, compare_keys);
    return sample[count / step < taken ? count / step : taken - 1];
}

/* Numbers the strongly connected components that the edges with keys up to `most` form. */
static enum status find_components(const struct search_graph *graph, uint64_t most,
                                   int32_t *component, struct error *err) {
    const int32_t n = graph->g->n;
    struct graph some = {.n = n};
    int64_t kept = 0;
    int32_t count;
    void *rows, *heads = NULL;
    enum status status;
    TRY(memory_alloc(&rows, (size_t)n + 1, sizeof(int64_t), "the edges", err));
    some.first = rows;
    TRY(memory_alloc(&heads, (size_t)graph->first[n], sizeof(int32_t), "the edges", err));
    some.head = heads;
    for (int32_t v = 0; v < n; v++) {
        some.first[v] = kept;
        for (int64_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            some.head[kept] = graph->head[e];
            kept += key_at(graph->key, graph->g->type, e) <= most;
        }
    }
    some.first[n] = some.m = kept;
    status = components_number(&some, component, &count, err);
cleanup:
    memory_free(some.first);
    memory_free(heads);
    return status;
}

/* Leaves out edges with keys above `most` that lead from a component to itself. */
static void leave_out(struct search_graph *graph, uint64_t most, const int32_t *component) {
    const int32_t n = graph->g->n;
    int64_t kept = 0, e = 0;
    for (int32_t v = 0; v < n; v++) {
        const int64_t end = graph->first[v + 1];
        graph->first[v] = kept;
        for (; e < end; e++) {
            if (key_at(graph->key, graph->g->type, e) > most &&
                component[graph->head[e]] == component[v])
                continue;
            graph->head[kept] = graph->head[e];
            if (graph->g->type == NUMBER_FLOAT64)
                ((uint64_t *)graph->key)[kept++] = ((const uint64_t *)graph->key)[e];
            else
                ((uint32_t *)graph->key)[kept++] = ((const uint32_t *)graph->key)[e];
        }
    }
    graph->first[n] = kept;
}

/* Leaves out edges that no search of min-max or max-min needs. */
static enum status thin_by_components(struct search_graph *graph, struct error *err) {
    const int32_t n = graph->g->n;
    void *component = NULL;
    enum status status = STATUS_OK;
    TRY(memory_alloc(&component, (size_t)n, sizeof(int32_t), "the components", err));
    for (int64_t count = 2 * (int64_t)n; count < graph->first[n] / 2; count *= 2) {
        const uint64_t most = some_key(graph, count);
        TRY(find_components(graph, most, component, err));
        leave_out(graph, most, component);
    }
cleanup:
    memory_free(component);
    return status;
}

/* Finds the least length of max-product from a vertex; 0 if a vertex is not reached. */
static enum status find_least(const struct graph *g, int32_t from, double *least,
                              const struct progress *progress, struct error *err) {
    struct search_graph graph;
    struct search search = {0};
    enum status status;
    TRY(search_graph_open(&graph, g, err));
    TRY(search_alloc(&search, &graph, progress, err));
    search_product(&search, from, NULL);
    if (!progress_goes_on(progress)) /* the lengths may be garbage */
        TRY(progress_cancelled(err));
    *least = 1;
    for (int32_t v = 0; v < g->n; v++)
        *least = fmin(*least, ((const double *)search.length)[v]);
cleanup:
    search_free(&search);
    search_graph_close(&graph);
    return status;
}

/* Finds a weight below which no edge is needed, because every two vertices have a longer path by
 * way of the hub. It allows for rounding along a path of 2 n edges and in the search that found it.
 * 0: there is no such weight, or products could leave the range in which these rounding errors are
 * valid. */
static enum status find_bound(const struct graph *g, double *bound, const struct progress *progress,
                              struct error *err) {
    const bool narrow = g->type == NUMBER_FLOAT32;
    const double lost = 8.0 * ((double)g->n + 1) * (narrow ? 0x1p-24 : 0x1p-53);
    const int32_t hub = graph_hub(g);
    struct graph in = {0};
    double from_hub, to_hub;
    enum status status;
    *bound = 0;
    TRY(find_least(g, hub, &from_hub, progress, err));
    if (from_hub == 0)
        goto cleanup;
    TRY(graph_reverse(g, &in, err));
    TRY(find_least(&in, hub, &to_hub, progress, err));
    *bound = from_hub * to_hub * (1 - lost);
    if (lost > 0.5 || *bound < (narrow ? 1e-15 : 1e-100))
        *bound = 0;
cleanup:
    graph_free(&in);
    return status;
}

/* Makes rows of the `kept` edges of max-product that weigh at least `bound`. */
static enum status copy_from(struct search_graph *graph, double bound, int64_t kept,
                             struct error *err) {
    const struct graph *const g = graph->g;
    void *rows = NULL, *heads = NULL, *weights = NULL;
    enum status status;
    TRY(memory_alloc(&rows, (size_t)g->n + 1, sizeof(int64_t), "the edges", err));
    TRY(memory_alloc(&heads, (size_t)kept, sizeof(int32_t), "the edges", err));
    TRY(memory_alloc(&weights, (size_t)kept, sizeof(double), "the edges", err));
    *graph = (struct search_graph){
        .g = g, .first = rows, .head = heads, .key = weights, .has_own_edges = true};
    kept = 0;
    for (int32_t v = 0; v < g->n; v++) {
        graph->first[v] = kept;
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            if (g->real_weight[e] < bound)
                continue;
            graph->head[kept] = g->head[e];
            ((double *)graph->key)[kept++] = g->real_weight[e];
        }
    }
    graph->first[g->n] = kept;
    return STATUS_OK;
cleanup:
    memory_free(rows);
    memory_free(heads);
    memory_free(weights);
    return status;
}

/* Leaves out edges that no search of max-product needs. */
static enum status thin_by_bound(struct search_graph *graph, const struct progress *progress,
                                 struct error *err) {
    enum { MANY = 8 }; /* number of edges for each vertex from which on two more searches pay */
    const struct graph *const g = graph->g;
    double bound;
    int64_t kept = 0;
    if (g->m / MANY < g->n)
        return STATUS_OK;
    RETURN_ON_FAILURE(find_bound(g, &bound, progress, err));
    for (int64_t e = 0; e < g->m; e++)
        kept += g->real_weight[e] >= bound;
    return kept < g->m / 2 ? copy_from(graph, bound, kept, err) : STATUS_OK;
}

enum status search_graph_thin(struct search_graph *graph, const struct progress *progress,
                              struct error *err) {
    return is_product(graph->g) ? thin_by_bound(graph, progress, err)
                                : thin_by_components(graph, err);
}

void search_graph_close(struct search_graph *graph) {
    if (graph->has_own_edges) {
        memory_free(graph->first);
        memory_free(graph->head);
        memory_free(graph->key);
    }
    *graph = (struct search_graph){0};
}

/* Returns whether keys and lengths have 64 bits. */
static bool is_wide(const struct graph *g) {
    return g->type == NUMBER_FLOAT64 || is_product(g);
}

enum status search_alloc(struct search *search, const struct search_graph *graph,
                         const struct progress *progress, struct error *err) {
    const size_t n = (size_t)graph->g->n;
    const bool wide = is_wide(graph->g);
    void *position, *stack;
    *search = (struct search){.graph = graph, .progress = progress};
    RETURN_ON_FAILURE(memory_alloc(&search->heap, n, wide ? sizeof(uint128) : sizeof(uint64_t),
                                   "the queue", err));
    RETURN_ON_FAILURE(memory_alloc(&position, n, sizeof(int32_t), "the queue", err));
    search->position = position;
    RETURN_ON_FAILURE(memory_alloc(&stack, n, sizeof(int32_t), "the queue", err));
    search->stack = stack;
    return memory_alloc(&search->length, n, wide ? sizeof(uint64_t) : sizeof(uint32_t),
                        "the lengths", err);
}

void search_free(struct search *search) {
    memory_free(search->heap);
    memory_free(search->position);
    memory_free(search->stack);
    memory_free(search->length);
    *search = (struct search){0};
}

/* Writes lengths as numbers of the graph's type. */
static void write_lengths(const struct search *search, void *dist) {
    const struct graph *const g = search->graph->g;
    const bool greatest = semiring_wants_greatest(g->semiring);
    const uint32_t *const narrow = search->length;
    const uint64_t *const wide = search->length;
    const double *const product = search->length;
    for (int32_t v = 0; v < g->n; v++) {
        if (g->type == NUMBER_INT32)
            ((int32_t *)dist)[v] = key_to_i32(narrow[v], greatest);
        else if (g->type == NUMBER_FLOAT32)
            ((float *)dist)[v] =
                is_product(g) ? (float)product[v] : key_to_f32(narrow[v], greatest);
        else
            ((double *)dist)[v] = is_product(g) ? product[v] : key_to_f64(wide[v], greatest);
    }
}

void search_row(const struct search *search, int32_t source, void *dist, int32_t *pred) {
    const struct graph *const g = search->graph->g;
    for (int32_t v = 0; v < g->n && pred != NULL; v++)
        pred[v] = -1;
    if (is_product(g))
        search_product(search, source, pred);
    else if (is_wide(g))
        search_64(search, source, pred);
    else
        search_32(search, source, pred);
    write_lengths(search, dist);
}

int32_t search_tree(const struct search *search, int32_t first, void *reached, int32_t *vertex,
                    int32_t *parent) {
    parent[first] = -1;
    return is_wide(search->graph->g)
               ? settle_64(search, first, reached, parent, true, vertex, search->length)
               : settle_32(search, first, reached, parent, true, vertex, search->length);
}
