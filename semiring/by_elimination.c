// SPDX-License-Identifier: MIT
#define LENGTH_MAX /* length.h: what follows calls the functions for such paths */
#include "semiring/by_elimination.h"

#include "common/base/isa.h"          // isa_choose
#include "common/base/memory.h"       // memory_alloc
#include "elimination/order.h"        // order_is_available
#include "elimination/tree_sources.h" // tree_sources_list
#include "semiring/keys.h"            // key_at

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an entry of the eliminated graph: its position and two lengths, and what a schedule
 * keeps of it. */
enum { ENTRY_BYTES = 4 * sizeof(int32_t) };

static bool wants_greatest(const struct eliminated_edges *edges) {
    return semiring_wants_greatest(edges->g->semiring);
}

/* Moves the different keys of an ascending array to its front. Returns how many there are. */
static int64_t unite(uint64_t *key, int64_t count) {
    int64_t kinds = 0;
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || key[k] != key[k - 1])
            key[kinds++] = key[k];
    }
    return kinds;
}

/* Stores the number that each length stands for. key: the different keys of weights, ascending. */
static void store_numbers(struct eliminated_edges *edges, const uint64_t *key) {
    const bool greatest = wants_greatest(edges);
    const enum number_type type = edges->g->type;
    for (int32_t k = 0; k < edges->kinds + 2; k++) {
        const bool is_path = k <= edges->kinds;
        if (type == NUMBER_FLOAT64)
            ((double *)edges->number)[k] = key_to_f64(k == 0    ? 0
                                                      : is_path ? key[k - 1]
                                                                : UINT64_MAX,
                                                      greatest);
        else
            ((float *)edges->number)[k] = key_to_f32(k == 0    ? 0
                                                     : is_path ? (uint32_t)key[k - 1]
                                                               : UINT32_MAX,
                                                     greatest);
    }
}

/* Numbers the different weights of a real type from 1 on. *key: them, ascending; the caller frees
 * it. */
static enum status number_weights(struct eliminated_edges *edges, const struct search_graph *graph,
                                  uint64_t **key, struct error *err) {
    const int64_t m = graph->first[graph->g->n];
    void *keys;
    RETURN_ON_FAILURE(memory_alloc(&keys, (size_t)m, sizeof **key, "the order of weights", err));
    *key = keys;
    for (int64_t e = 0; e < m; e++)
        (*key)[e] = key_at(graph->key, graph->g->type, e);
    qsort(keys, (size_t)m, sizeof **key, compare_keys);
    const int64_t kinds = unite(keys, m);
    if (kinds >= INF)
        return STATUS_OK;
    edges->kinds = (int32_t)kinds;
    RETURN_ON_FAILURE(
        memory_alloc(&edges->number, (size_t)kinds + 2,
                     graph->g->type == NUMBER_FLOAT64 ? sizeof(double) : sizeof(float),
                     "the order of weights", err));
    store_numbers(edges, keys);
    return STATUS_OK;
}

/* Finds `base` for weights of int32. */
static void find_base(struct eliminated_edges *edges, const struct search_graph *graph) {
    const uint32_t *const key = graph->key;
    uint32_t least = UINT32_MAX, most = 0;
    for (int64_t e = 0; e < graph->first[graph->g->n]; e++) {
        least = key[e] < least ? key[e] : least;
        most = key[e] > most ? key[e] : most;
    }
    edges->base = least - 1; /* no weight has key 0 */
    if (most >= least && most - least < INF - 1)
        edges->kinds = (int32_t)(most - least) + 1;
}

/* Returns the length of an edge with this key. key: all different keys; NULL: those of int32. */
static int32_t length_of(const struct eliminated_edges *edges, const uint64_t *key, uint64_t own) {
    int64_t low = 0, high = edges->kinds;
    if (key == NULL)
        return (int32_t)((uint32_t)own - edges->base);
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (key[middle] <= own)
            low = middle;
        else
            high = middle;
    }
    return (int32_t)low + 1;
}

/* Makes a graph whose weights are lengths. kinds stays 0 if there are no edges, or lengths do not
 * fit. The caller frees the graph. */
static enum status make_graph(struct eliminated_edges *edges, const struct search_graph *graph,
                              const struct progress *progress, struct graph *to,
                              struct error *err) {
    const int32_t n = graph->g->n;
    const int64_t m = graph->first[n];
    uint64_t *key = NULL;
    void *memory = NULL;
    enum status status = STATUS_OK;
    if (graph->g->type == NUMBER_INT32)
        find_base(edges, graph);
    else
        TRY(number_weights(edges, graph, &key, err));
    if (edges->kinds == 0)
        goto cleanup;
    TRY(memory_alloc(&memory, (size_t)m, sizeof(struct edge), "the edges", err));
    struct edge *const list = memory;
    for (int32_t u = 0; u < n; u++) {
        for (int64_t e = graph->first[u]; e < graph->first[u + 1]; e++)
            list[e] = (struct edge){u, graph->head[e],
                                    length_of(edges, key, key_at(graph->key, graph->g->type, e))};
    }
    status = graph_build_stoppable(to, n, list, m, progress, err);

cleanup:
    memory_free(key);
    memory_free(memory);
    return status;
}

/* Orders the sources as they are eliminated. */
static enum status arrange(struct eliminated_edges *edges, const struct row_sources *sources,
                           int threads, struct error *err) {
    void *order;
    RETURN_ON_FAILURE(
        memory_alloc(&order, (size_t)sources->count, sizeof(int32_t), "the sources", err));
    edges->order = order;
    return tree_sources_list(&edges->d.tree, sources, threads, NULL, edges->order, err);
}

/* Returns the bytes of everything that does not depend on what the elimination leaves. A
 * workspace's size depends on the tree's height; a quarter of its largest size is planned. */
static uint64_t fixed_memory(const struct graph *g, int64_t m, int lanes, int threads) {
    enum { FLAT = 4 };
    const uint64_t edge = sizeof(struct edge) + sizeof(uint64_t);
    const uint64_t graph =
        memory_add(graph_memory_of(NUMBER_INT32, g->n, m), memory_times((uint64_t)m, edge));
    const uint64_t thread = dissection_workspace_memory(g->n) / FLAT +
                            (uint64_t)g->n * (uint64_t)lanes * sizeof(path_length);
    return memory_add(memory_add(graph, look_memory(g->n, m)),
                      memory_times((uint64_t)threads, thread));
}

/* Returns whether all vertices are eliminated, and rows are found sooner than in the other way. */
static bool is_worth(const struct look *look, const struct elimination_wish *wish) {
    return look->pays && look->tree.fringe == look->tree.n &&
           look->found.shared_s / wish->threads < wish->other_s;
}

/* Looks at the graph of lengths, and eliminates all vertices if that pays and leaves no more than
 * `entries` entries. */
static enum status eliminate_all(struct eliminated_edges *edges, const struct graph *lengths,
                                 const struct elimination_wish *wish, enum isa isa, int64_t entries,
                                 bool *pays, struct error *err) {
    struct core_costs costs = core_costs;
    struct dissection_options options = {
        .threads = wish->threads, .isa = isa, .costs = &costs, .look = &edges->look, .most = -1};
    const struct look_limits limits = {
        .other_s = wish->other_s, .slowness = 1.0 / wish->threads, .threads = wish->threads};
    costs.core = 0;
    costs.rows = wish->sources.count;
    costs.entries = entries;
    RETURN_ON_FAILURE(
        look_at(lengths, isinf(wish->other_s) ? NULL : &costs, &limits, &edges->look, err));
    if (!is_worth(&edges->look, wish) || edges->look.tree.entries > entries)
        return STATUS_OK;
    RETURN_ON_FAILURE(dissection_prepare(&edges->d, lengths, &options, wish->progress, err));
    RETURN_ON_FAILURE(dissection_finish(&edges->d, NULL, err));
    edges->kernels = rows_kernels(isa);
    *pays = true;
    return arrange(edges, &wish->sources, wish->threads, err);
}

enum status eliminated_edges_make(struct eliminated_edges *edges, const struct search_graph *graph,
                                  const struct elimination_wish *wish, bool *pays,
                                  struct error *err) {
    struct graph lengths = {0};
    enum isa isa;
    enum status status;
    *edges = (struct eliminated_edges){.g = graph->g};
    *pays = false;
    TRY(isa_choose(&isa, err));
    const uint64_t fixed =
        fixed_memory(graph->g, graph->first[graph->g->n], sweep_kernels(isa)->lanes, wish->threads);
    if (!order_is_available() || fixed > wish->room)
        goto cleanup;
    TRY(make_graph(edges, graph, wish->progress, &lengths, err));
    if (edges->kinds > 0)
        TRY(eliminate_all(edges, &lengths, wish, isa, (int64_t)((wish->room - fixed) / ENTRY_BYTES),
                          pays, err));

cleanup:
    graph_free(&lengths);
    return status;
}

void eliminated_edges_free(struct eliminated_edges *edges) {
    dissection_free(&edges->d);
    look_free(&edges->look);
    memory_free(edges->number);
    memory_free(edges->order);
    *edges = (struct eliminated_edges){0};
}

enum status eliminated_rows_alloc(struct eliminated_rows *rows,
                                  const struct eliminated_edges *edges, struct error *err) {
    const size_t cells = (size_t)edges->g->n * (size_t)dissection_lanes(&edges->d);
    *rows = (struct eliminated_rows){.edges = edges};
    RETURN_ON_FAILURE(dissection_workspace_alloc(&rows->workspace, &edges->d, err));
    return memory_alloc(&rows->label, cells, sizeof(path_length), "the labels", err);
}

void eliminated_rows_free(struct eliminated_rows *rows) {
    dissection_workspace_free(&rows->workspace);
    memory_free(rows->label);
    *rows = (struct eliminated_rows){0};
}

int32_t eliminated_rows_at_a_time(const struct eliminated_edges *edges) {
    return dissection_lanes(&edges->d);
}

/* Replaces the lengths in a row of int32 by what they stand for. */
static void take_numbers_i32(const struct eliminated_edges *edges, int32_t *row) {
    const bool greatest = wants_greatest(edges);
    const int32_t best = key_to_i32(0, greatest), none = key_to_i32(UINT32_MAX, greatest);
    const int32_t sign = greatest ? -1 : 0; /* all bits of a length are reversed if it falls */
    const int32_t origin = key_to_i32(edges->base + 1, greatest) - (1 ^ sign);
    for (int32_t v = 0; v < edges->g->n; v++) {
        const int32_t length = row[v], number = (length ^ sign) + origin;
        row[v] = length == 0 ? best : length == LENGTH_INF ? none : number;
    }
}

/* Replaces the lengths in a row, int32 numbers from its beginning on, by what they stand for. Goes
 * backwards, because a number of float64 takes the place of two lengths. */
#define TAKE_NUMBERS(NAME, TYPE)                                                                   \
    static void NAME(const struct eliminated_edges *edges, TYPE *row) {                            \
        const TYPE *const number = edges->number;                                                  \
        for (int32_t v = edges->g->n - 1; v >= 0; v--) {                                           \
            int32_t length;                                                                        \
            memcpy(&length, (const char *)row + (size_t)v * sizeof length, sizeof length);         \
            row[v] = number[length == LENGTH_INF ? edges->kinds + 1 : length];                     \
        }                                                                                          \
    }
TAKE_NUMBERS(take_numbers_f32, float)
TAKE_NUMBERS(take_numbers_f64, double)
#undef TAKE_NUMBERS

void eliminated_rows_find(struct eliminated_rows *rows, const struct row_block *block) {
    const struct eliminated_edges *const edges = rows->edges;
    const struct dissection *const d = &edges->d;
    dissection_strip(&rows->workspace, block->source, block->count, rows->label);
    edges->kernels->write(rows->label, dissection_lanes(d), d->place, edges->g->n, block->count,
                          false, 1, block->cells);
    for (int32_t r = 0; r < block->count; r++) {
        if (edges->g->type == NUMBER_INT32)
            take_numbers_i32(edges, block->dist[r]);
        else if (edges->g->type == NUMBER_FLOAT32)
            take_numbers_f32(edges, block->dist_f32[r]);
        else
            take_numbers_f64(edges, block->dist_f64[r]);
    }
}
