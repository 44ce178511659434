// SPDX-License-Identifier: MIT
#include "cpu/parts/distance_bound.h"

#include "common/base/memory.h" // memory_alloc

#include <stdint.h>

enum {
    PASSES = 8, /* over the vertices that have no path to the hub yet */
    SWEEPS = 4, /* over all edges, to shorten paths */
};

static const int64_t unreached = INT64_MAX;

/* Lengths of some paths, or `unreached`. */
struct reach {
    const struct graph *g;
    int64_t *from_hub, *to_hub;
};

/* Breadth first; ends where every vertex has a path, which in dense graphs is soon. */
static void search_from(const struct reach *r, int32_t hub, int32_t *queue) {
    const struct graph *g = r->g;
    int32_t met = 0;
    queue[met++] = hub;
    for (int32_t done = 0; done < met && met < g->n; done++) {
        const int32_t u = queue[done];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int64_t *to = &r->from_hub[g->head[e]];
            if (*to != unreached)
                continue;
            *to = r->from_hub[u] + g->weight[e];
            queue[met++] = g->head[e];
        }
    }
}

/* The first edge of u that leads to where a path to the hub is known. */
static bool search_to(const struct reach *r, int32_t u) {
    const struct graph *g = r->g;
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        if (r->to_hub[g->head[e]] == unreached)
            continue;
        r->to_hub[u] = r->to_hub[g->head[e]] + g->weight[e];
        return true;
    }
    return false;
}

static void search(const struct reach *r, int32_t *queue) {
    const struct graph *g = r->g;
    int32_t hub = 0;
    for (int32_t v = 0; v < g->n; v++) {
        r->from_hub[v] = r->to_hub[v] = unreached;
        if (g->first[v + 1] - g->first[v] > g->first[hub + 1] - g->first[hub])
            hub = v;
    }
    r->from_hub[hub] = r->to_hub[hub] = 0;
    search_from(r, hub, queue);
    bool found = true;
    for (int pass = 0; pass < PASSES && found; pass++) {
        found = false;
        for (int32_t u = 0; u < g->n; u++)
            found |= r->to_hub[u] == unreached && search_to(r, u);
    }
}

/* One sweep of Bellman and Ford. */
static void shorten(const struct reach *r) {
    const struct graph *g = r->g;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e], weight = g->weight[e];
            if (r->from_hub[u] != unreached && r->from_hub[u] + weight < r->from_hub[v])
                r->from_hub[v] = r->from_hub[u] + weight;
            if (r->to_hub[v] != unreached && r->to_hub[v] + weight < r->to_hub[u])
                r->to_hub[u] = r->to_hub[v] + weight;
        }
    }
}

/* The longest path to the hub and from there. */
static int64_t longest(const struct reach *r) {
    int64_t from = 0, to = 0;
    for (int32_t v = 0; v < r->g->n; v++) {
        if (r->from_hub[v] != unreached && r->from_hub[v] > from)
            from = r->from_hub[v];
        if (r->to_hub[v] != unreached && r->to_hub[v] > to)
            to = r->to_hub[v];
    }
    return from + to;
}

bool reach_seems_below(const struct graph *g, int32_t limit) {
    if ((int64_t)g->max_weight * (g->n - 1) < limit)
        return true;
    const size_t n = (size_t)g->n;
    void *memory;
    struct error ignored;
    if (memory_alloc(&memory, n, REACH_MEMORY, "a look at the graph", &ignored) != STATUS_OK)
        return false;
    int64_t *lengths = memory;
    const struct reach r = {g, lengths, lengths + n};
    search(&r, (int32_t *)(lengths + 2 * n));
    for (int sweep = 0; sweep < SWEEPS && longest(&r) >= limit; sweep++)
        shorten(&r);
    const bool below = longest(&r) < limit;
    memory_free(memory);
    return below;
}
