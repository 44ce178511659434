// SPDX-License-Identifier: MIT
#include "solve/fewest_edges.h"

#include "common/base/chunks.h"  // threads_paid
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_or_default

static const uint64_t unmet = UINT64_MAX;

enum { LENGTH_BITS = 32 };

/* A search by levels. A vertex has a key: in the upper half the number of edges to it, and in the
 * lower half the length of its path, so that the least key is the best, whatever the order in which
 * threads find them. */
struct fewest_edges {
    const struct graph *g;
    uint64_t *key;      /* n keys, `unmet` at first */
    int32_t *queue;     /* vertices that the search has met, by levels */
    int32_t begin, end; /* part of the queue that holds the level that is visited */
    int32_t met;        /* number of vertices in the queue */
    int32_t limit;
    bool below;   /* the paths to all vertices that have been visited are below the limit */
    bool goes_on; /* the level is to be visited */
};

enum { FRESH = 256 };

/* Vertices that a thread has met and not put into the queue yet. */
struct fresh {
    int32_t count, vertex[FRESH];
};

static void put(struct fewest_edges *s, struct fresh *fresh) {
    int32_t at;
#pragma omp atomic capture
    {
        at = s->met;
        s->met += fresh->count;
    }
    for (int32_t k = 0; k < fresh->count; k++)
        s->queue[at + k] = fresh->vertex[k];
    fresh->count = 0;
}

/* Lowers a key; returns whether its vertex was unmet. */
static bool lower(uint64_t *key, uint64_t to) {
    uint64_t before = __atomic_load_n(key, __ATOMIC_RELAXED);
    while (to < before &&
           !__atomic_compare_exchange_n(key, &before, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return before == unmet;
}

/* Visits the vertex at place `at` of the queue: offers its path, one edge longer, to the heads of
 * its edges. No thread may still lower the key of that vertex. */
static void visit(struct fewest_edges *s, int32_t at, struct fresh *fresh) {
    enum {
        AHEAD = 8
    }; /* number of places between the vertex that is visited and the one whose
          edges are prefetched */
    const struct graph *const g = s->g;
    const int32_t u = s->queue[at];
    if (at + 2 * AHEAD < s->end)
        __builtin_prefetch(&g->first[s->queue[at + 2 * AHEAD]]);
    if (at + AHEAD < s->end) {
        const int64_t first = g->first[s->queue[at + AHEAD]];
        __builtin_prefetch(&g->head[first]);
        __builtin_prefetch(&g->weight[first]);
    }
    const uint64_t key = s->key[u];
    if ((key & UINT32_MAX) >= (uint64_t)s->limit) {
#pragma omp atomic write
        s->below = false;
        return;
    }
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        const int32_t v = g->head[e];
        if (!lower(&s->key[v], key + (UINT64_C(1) << LENGTH_BITS) + (uint64_t)g->weight[e]))
            continue;
        fresh->vertex[fresh->count++] = v;
        if (fresh->count == FRESH)
            put(s, fresh);
    }
}

static void go_to_next_level(struct fewest_edges *s) {
    s->begin = s->end;
    s->end = s->met;
    s->goes_on = s->below && s->begin < s->end;
}

/* Visits all levels, one after the other. Threads share those of `many` vertices and more. */
static void search(struct fewest_edges *s, int threads, int32_t many) {
#pragma omp parallel num_threads(threads)
    {
        struct fresh fresh = {.count = 0};
        bool goes_on;
        do {
#pragma omp single
            for (go_to_next_level(s); s->goes_on && s->end - s->begin < many; go_to_next_level(s)) {
                for (int32_t k = s->begin; k < s->end; k++)
                    visit(s, k, &fresh);
                put(s, &fresh);
            }
            goes_on = s->goes_on; /* until the barrier, nobody changes it */
            if (goes_on) {
#pragma omp for schedule(static) nowait
                for (int32_t k = s->begin; k < s->end; k++)
                    visit(s, k, &fresh);
                put(s, &fresh);
            }
#pragma omp barrier
        } while (goes_on);
    }
}

enum status fewest_edges_are_below(const struct graph *g, int32_t from, int32_t limit, int threads,
                                   bool *below, struct error *err) {
    void *memory;
    threads = threads_paid(threads_or_default(threads), g->n + g->m, block_sizes.thread_cells);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)g->n, sizeof(uint64_t) + sizeof(int32_t),
                                   "a look at the distances", err));
    struct fewest_edges s = {.g = g, .key = memory, .met = 1, .limit = limit, .below = true};
    s.queue = (int32_t *)(s.key + g->n);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < g->n; v++)
        s.key[v] = unmet;
    s.key[from] = 0;
    s.queue[0] = from;
    search(&s, threads, threads > 1 ? block_sizes.level_vertices : INT32_MAX);
    memory_free(memory);
    *below = s.below;
    return STATUS_OK;
}
