// SPDX-License-Identifier: MIT
#include "semiring/reachability.h"

#include "common/base/memory.h" // memory_alloc
#include "semiring/keys.h"      // key_to_i32

#include <stdlib.h>
#include <string.h>

/* An edge while edges are sorted. */
struct weighed_edge {
    uint64_t key;
    int32_t tail, head;
};

uint64_t joining_edges_memory(enum number_type type, int32_t n, int64_t m) {
    const uint64_t edge = sizeof(struct weighed_edge) + 2 * sizeof(int32_t) + key_size(type);
    return memory_add(memory_times((uint64_t)m, edge), ((uint64_t)n + 1) * sizeof(int64_t));
}

static int compare_edges(const void *a, const void *b) {
    const struct weighed_edge *const x = a, *const y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void list_edges(const struct search_graph *graph, struct weighed_edge *list) {
    for (int32_t u = 0; u < graph->g->n; u++) {
        for (int64_t e = graph->first[u]; e < graph->first[u + 1]; e++)
            list[e] =
                (struct weighed_edge){key_at(graph->key, graph->g->type, e), u, graph->head[e]};
    }
}

/* Stores sorted edges. Each head goes to the next place of its tail, so first[v] ends where it
 * belongs to v + 1, and all move by one. */
static void store_edges(struct joining_edges *edges, const struct weighed_edge *list) {
    const int32_t n = edges->g->n;
    for (int64_t e = 0; e < edges->m; e++) {
        if (edges->g->type == NUMBER_FLOAT64)
            ((uint64_t *)edges->key)[e] = list[e].key;
        else
            ((uint32_t *)edges->key)[e] = (uint32_t)list[e].key;
        edges->tail[e] = list[e].tail;
        edges->head[edges->first[list[e].tail]++] = list[e].head;
    }
    memmove(edges->first + 1, edges->first, (size_t)(n - 1) * sizeof *edges->first);
    edges->first[0] = 0;
}

enum status joining_edges_make(struct joining_edges *edges, const struct search_graph *graph,
                               struct error *err) {
    const size_t n = (size_t)graph->g->n, m = (size_t)graph->first[n];
    void *list = NULL, *ends, *first;
    enum status status;
    *edges = (struct joining_edges){.g = graph->g, .m = (int64_t)m};
    TRY(memory_alloc(&edges->key, m, key_size(graph->g->type), "the order of the edges", err));
    TRY(memory_alloc(&ends, 2 * m, sizeof(int32_t), "the order of the edges", err));
    edges->tail = ends;
    edges->head = edges->tail + m;
    TRY(memory_alloc(&first, n, sizeof(int64_t), "the order of the edges", err));
    edges->first = memcpy(first, graph->first, n * sizeof(int64_t));
    TRY(memory_alloc(&list, m, sizeof(struct weighed_edge), "the order of the edges", err));
    list_edges(graph, list);
    qsort(list, m, sizeof(struct weighed_edge), compare_edges);
    store_edges(edges, list);
cleanup:
    memory_free(list);
    return status;
}

void joining_edges_free(struct joining_edges *edges) {
    memory_free(edges->key);
    memory_free(edges->tail); /* the block also holds the heads */
    memory_free(edges->first);
    *edges = (struct joining_edges){0};
}

uint64_t reachability_memory(int32_t n) {
    return (uint64_t)n * (2 * sizeof(uint64_t) + 2 * sizeof(int32_t));
}

enum status reachability_alloc(struct reachability *s, const struct joining_edges *edges,
                               const struct progress *progress, struct error *err) {
    const size_t n = (size_t)edges->g->n;
    void *sets;
    *s = (struct reachability){.edges = edges, .progress = progress};
    RETURN_ON_FAILURE(memory_alloc(&sets, 1, reachability_memory(edges->g->n), "the sets", err));
    s->reached = sets;
    s->news = s->reached + n;
    s->queue = (int32_t *)(s->news + n);
    s->joined = s->queue + n;
    memset(s->news, 0, n * sizeof *s->news);
    return STATUS_OK;
}

void reachability_free(struct reachability *s) {
    memory_free(s->reached); /* the block also holds the rest */
    *s = (struct reachability){0};
}

/* Vertices with news: `count` entries of the ring from place `at` on. */
struct news_ring {
    int32_t at, count;
};

/* Passes sources from u to v; those that are news for v have u as their predecessor there. */
static inline void pass(const struct reachability *s, struct news_ring *ring, uint64_t sources,
                        int32_t u, int32_t v, int32_t *const *pred) {
    const int32_t n = s->edges->g->n;
    const uint64_t fresh = sources & ~s->reached[v];
    if (fresh == 0)
        return;
    if (s->news[v] == 0) {
        const int32_t end = ring->at + ring->count++ - n;
        s->queue[end < 0 ? end + n : end] = v;
    }
    s->reached[v] |= fresh;
    s->news[v] |= fresh;
    for (uint64_t left = fresh; left != 0 && pred != NULL; left &= left - 1)
        pred[__builtin_ctzll(left)][v] = u;
}

/* Lets edge e, whose turn it is, join the graph. */
static inline void join(const struct reachability *s, struct news_ring *ring, int64_t e,
                        int32_t *const *pred) {
    const struct joining_edges *const edges = s->edges;
    const int32_t u = edges->tail[e];
    const int32_t v = edges->head[edges->first[u] + s->joined[u]++];
    pass(s, ring, s->reached[u], u, v, pred);
}

/* Takes the next vertex with news, and passes these on along its edges. Stores the news in *news.
 */
static inline int32_t spread(const struct reachability *s, struct news_ring *ring,
                             int32_t *const *pred, uint64_t *news) {
    const struct joining_edges *const edges = s->edges;
    const int32_t u = s->queue[ring->at];
    const int32_t *const head = edges->head + edges->first[u];
    ring->at = ring->at + 1 < edges->g->n ? ring->at + 1 : 0;
    ring->count--;
    *news = s->news[u];
    s->news[u] = 0;
    for (int32_t k = 0; k < s->joined[u]; k++)
        pass(s, ring, *news, u, head[k], pred);
    return u;
}

/* Lets all edges join, those of equal weight together, and writes what sources reach by them. */
#define GROW(NAME, TYPE, KEY, NUMBER)                                                              \
    static void NAME(const struct reachability *s, TYPE *const *dist, int32_t *const *pred) {      \
        const KEY *const key = s->edges->key;                                                      \
        const bool greatest = semiring_wants_greatest(s->edges->g->semiring);                      \
        struct news_ring ring = {0};                                                               \
        for (int64_t e = 0; e < s->edges->m && progress_goes_on(s->progress);) {                   \
            const int64_t first = e;                                                               \
            const TYPE length = NUMBER(key[first], greatest);                                      \
            while (e < s->edges->m && key[e] == key[first])                                        \
                join(s, &ring, e++, pred);                                                         \
            while (ring.count > 0) {                                                               \
                uint64_t news;                                                                     \
                const int32_t v = spread(s, &ring, pred, &news);                                   \
                for (; news != 0; news &= news - 1)                                                \
                    dist[__builtin_ctzll(news)][v] = length;                                       \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void NAME##_rows(const struct reachability *s, TYPE *const *dist,                       \
                            const struct row_block *block) {                                       \
        const struct graph *const g = s->edges->g;                                                 \
        const TYPE no_path = (TYPE)semiring_no_path(g->semiring, g->type);                         \
        for (int32_t r = 0; r < block->count; r++) {                                               \
            for (int32_t v = 0; v < g->n; v++)                                                     \
                dist[r][v] = no_path;                                                              \
            dist[r][block->source[r]] = (TYPE)semiring_to_itself(g->semiring, g->type);            \
        }                                                                                          \
        NAME(s, dist, block->pred);                                                                \
    }
GROW(grow_i32, int32_t, uint32_t, key_to_i32)
GROW(grow_f32, float, uint32_t, key_to_f32)
GROW(grow_f64, double, uint64_t, key_to_f64)
#undef GROW

void reachability_rows(const struct reachability *s, const struct row_block *block) {
    const struct graph *const g = s->edges->g;
    const size_t n = (size_t)g->n;
    memset(s->reached, 0, n * sizeof *s->reached);
    memset(s->joined, 0, n * sizeof *s->joined);
    for (int32_t r = 0; r < block->count; r++) {
        s->reached[block->source[r]] = UINT64_C(1) << r;
        if (block->pred != NULL)
            memset(block->pred[r], 0xff, n * sizeof **block->pred); /* sets all to -1 */
    }
    if (g->type == NUMBER_INT32)
        grow_i32_rows(s, block->dist, block);
    else if (g->type == NUMBER_FLOAT32)
        grow_f32_rows(s, block->dist_f32, block);
    else
        grow_f64_rows(s, block->dist_f64, block);
}
