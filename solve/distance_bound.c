// SPDX-License-Identifier: MIT
#include "solve/distance_bound.h"

#include "common/base/memory.h" // memory_alloc
#include "solve/dijkstra.h"     // dijkstra_run_f64
#include "solve/range.h"        // range_is_below

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    PASSES = 8,           /* number of passes over the vertices that have no path to the hub yet */
    SWEEPS = 4,           /* number of passes over all edges that shorten paths */
    NEAR_EDGES = 1 << 16, /* most edges of the vertices near the hub that may refute a bound */
    NEAR_SWEEPS = 64,     /* most passes over the edges near the hub that shorten paths */
};

static const int64_t unreached = INT64_MAX;

/* Lengths of some paths from and to the hub; `unreached`: no path is known. */
struct paths {
    const struct graph *g;
    int64_t *from_hub, *to_hub;
};

/* Gives the vertices that have no path yet the one through u, and appends them to the queue of
 * `met` vertices. Returns how many there are then. */
static int32_t visit(const struct graph *g, int32_t u, int64_t *length, int32_t *queue,
                     int32_t met) {
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        int64_t *to = &length[g->head[e]];
        if (*to != unreached)
            continue;
        *to = length[u] + g->weight[e];
        queue[met++] = g->head[e];
    }
    return met;
}

/* Searches g breadth first until every vertex that the hub reaches has a path from it; in dense
 * graphs that is soon. */
static void search_from(const struct graph *g, int32_t hub, int64_t *length, int32_t *queue) {
    int32_t met = 0;
    queue[met++] = hub;
    for (int32_t done = 0; done < met && met < g->n; done++)
        met = visit(g, queue[done], length, queue, met);
}

/* Shortens paths by the edges of queue[0 .. near - 1], until none gets shorter or `sweeps` are
 * over. Returns whether none does. */
static bool shorten_near(const struct graph *g, int64_t *length, const int32_t *queue, int32_t near,
                         int sweeps) {
    bool shorter = true;
    for (int sweep = 0; sweep < sweeps && shorter; sweep++) {
        shorter = false;
        for (int32_t k = 0; k < near; k++) {
            const int32_t u = queue[k];
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const int64_t through = length[u] + g->weight[e];
                shorter |= through < length[g->head[e]];
                if (through < length[g->head[e]])
                    length[g->head[e]] = through;
            }
        }
    }
    return !shorter;
}

/* Returns whether a vertex is certainly `limit` or more away from the hub: of those around the
 * hub whose edges lead to all others, none that these edges lead to first is nearer. All lengths
 * are `unreached`, before and after. */
static bool is_refuted_near(const struct graph *g, int32_t hub, int32_t limit, int64_t *length,
                            int32_t *queue) {
    int32_t near = 0, met = 0;
    int64_t edges = 0, nearest = unreached;
    queue[met++] = hub;
    length[hub] = 0;
    for (; near < met && edges < NEAR_EDGES; near++) {
        edges += g->first[queue[near] + 1] - g->first[queue[near]];
        met = visit(g, queue[near], length, queue, met);
    }
    const bool shortest = shorten_near(g, length, queue, near, NEAR_SWEEPS);
    for (int32_t k = near; k < met; k++)
        nearest = length[queue[k]] < nearest ? length[queue[k]] : nearest;
    for (int32_t k = 0; k < met; k++)
        length[queue[k]] = unreached;
    return shortest && near < met && nearest >= limit;
}

/* Gives u the path along its first edge to a vertex with a known path to the hub; returns false if
 * there is none. */
static bool search_to(const struct paths *p, int32_t u) {
    const struct graph *g = p->g;
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        if (p->to_hub[g->head[e]] == unreached)
            continue;
        p->to_hub[u] = p->to_hub[g->head[e]] + g->weight[e];
        return true;
    }
    return false;
}

/* Returns the hub, the vertex with the most edges; all others have no path yet. */
static int32_t begin(const struct paths *p) {
    const struct graph *g = p->g;
    int32_t hub = 0;
    for (int32_t v = 0; v < g->n; v++) {
        p->from_hub[v] = p->to_hub[v] = unreached;
        if (g->first[v + 1] - g->first[v] > g->first[hub + 1] - g->first[hub])
            hub = v;
    }
    return hub;
}

static void search(const struct paths *p, int32_t hub, int32_t *queue) {
    const struct graph *g = p->g;
    p->from_hub[hub] = p->to_hub[hub] = 0;
    search_from(g, hub, p->from_hub, queue);
    bool found = true;
    for (int pass = 0; pass < PASSES && found; pass++) {
        found = false;
        for (int32_t u = 0; u < g->n; u++)
            found |= p->to_hub[u] == unreached && search_to(p, u);
    }
}

/* Relaxes every edge once, as Bellman and Ford do, for paths from and to the hub. */
static void shorten(const struct paths *p) {
    const struct graph *g = p->g;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e], weight = g->weight[e];
            if (p->from_hub[u] != unreached && p->from_hub[u] + weight < p->from_hub[v])
                p->from_hub[v] = p->from_hub[u] + weight;
            if (p->to_hub[v] != unreached && p->to_hub[v] + weight < p->to_hub[u])
                p->to_hub[u] = p->to_hub[v] + weight;
        }
    }
}

/* Returns the length of the longest known path to the hub plus that of the longest known path from
 * it. */
static int64_t longest(const struct paths *p) {
    int64_t from = 0, to = 0;
    for (int32_t v = 0; v < p->g->n; v++) {
        if (p->from_hub[v] != unreached && p->from_hub[v] > from)
            from = p->from_hub[v];
        if (p->to_hub[v] != unreached && p->to_hub[v] > to)
            to = p->to_hub[v];
    }
    return from + to;
}

/* Returns whether the sum of longest() is below the limit, or is once paths are shortened. */
static bool is_below(const struct paths *p, int32_t limit) {
    for (int sweep = 0; sweep < SWEEPS && longest(p) >= limit; sweep++)
        shorten(p);
    return longest(p) < limit;
}

/* Allocates paths and a queue; returns false if memory is short. The caller frees p->from_hub. */
static bool alloc_paths(const struct graph *g, struct paths *p, int32_t **queue) {
    const size_t n = (size_t)g->n;
    void *memory;
    struct error ignored;
    if (memory_alloc(&memory, n, DISTANCE_BOUND_MEMORY, "a look at the graph", &ignored) !=
        STATUS_OK)
        return false;
    int64_t *const lengths = memory;
    *p = (struct paths){g, lengths, lengths + n};
    *queue = (int32_t *)(lengths + 2 * n);
    return true;
}

bool distance_bound_seems_below(const struct graph *g, int32_t limit) {
    struct paths p;
    int32_t *queue;
    if ((int64_t)g->max_weight * (g->n - 1) < limit)
        return true;
    if (!alloc_paths(g, &p, &queue))
        return false;
    const int32_t hub = begin(&p);
    bool below = !is_refuted_near(g, hub, limit, p.from_hub, queue);
    if (below) {
        search(&p, hub, queue);
        below = is_below(&p, limit);
    }
    memory_free(p.from_hub);
    return below;
}

/* Returns whether v is in the core, the hub's strongly connected component. */
static bool is_in_core(const struct paths *p, int32_t v) {
    return p->from_hub[v] != unreached && p->to_hub[v] != unreached;
}

/* Returns whether paths that avoid the core are below the limit: by the heaviest edge into each
 * vertex. */
static bool is_below_outside(const struct paths *p, int32_t *heaviest, int32_t limit) {
    const struct graph *const g = p->g;
    int64_t sum = 0;
    memset(heaviest, 0, (size_t)g->n * sizeof *heaviest);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1] && !is_in_core(p, u); e++) {
            int32_t *const into = &heaviest[g->head[e]];
            *into = g->weight[e] > *into ? g->weight[e] : *into;
        }
    }
    for (int32_t v = 0; v < g->n; v++)
        sum += is_in_core(p, v) ? 0 : heaviest[v];
    return sum < limit;
}

bool distance_bound_is_below(const struct graph *g, int32_t limit) {
    struct graph in = {0};
    struct paths p;
    int32_t *queue;
    struct error ignored;
    if (range_is_below(g, limit, 1))
        return true;
    if (g->zones > 0) /* paths through the hub may lead through zones */
        return false;
    if (!alloc_paths(g, &p, &queue))
        return false;
    const int32_t hub = begin(&p);
    const bool directed = graph_is_directed(g, 1);
    bool below = !directed || graph_reverse(g, &in, &ignored) == STATUS_OK;
    if (below) {
        p.from_hub[hub] = p.to_hub[hub] = 0;
        search_from(g, hub, p.from_hub, queue);
        if (directed)
            search_from(&in, hub, p.to_hub, queue);
        else /* paths back have the same lengths */
            memcpy(p.to_hub, p.from_hub, (size_t)g->n * sizeof *p.to_hub);
        below = is_below_outside(&p, queue, limit) && is_below(&p, limit);
    }
    graph_free(&in);
    memory_free(p.from_hub);
    return below;
}

// Real weights ------------------------------------------------------------------------------------

/* Distances from and to a hub, and the vertices that are in no hub's component yet. */
struct hubs {
    const struct graph *g, *in; /* the graph and its reverse */
    struct dijkstra queue;
    double *from, *to; /* n distances each, from and to the hub */
    bool is_symmetric; /* every edge has a reverse of its weight */
    bool *is_outside;
};

/* Returns the vertex with the most edges outside of all hubs' components; -1 if there is none. */
static int32_t next_hub(const struct hubs *h) {
    const struct graph *const g = h->g;
    int32_t hub = -1;
    for (int32_t v = 0; v < g->n; v++) {
        if (h->is_outside[v] &&
            (hub < 0 || g->first[v + 1] - g->first[v] > g->first[hub + 1] - g->first[hub]))
            hub = v;
    }
    return hub;
}

/* Returns the longest distance to the hub from its component plus the longest distance from the hub
 * to it: no path that meets this component is longer. Marks the component's vertices as not
 * outside. */
static double longest_through(struct hubs *h, int32_t hub) {
    double from = 0, to = 0;
    dijkstra_run_f64(&h->queue, h->g, hub, INFINITY, h->from, NULL);
    if (h->is_symmetric)
        memcpy(h->to, h->from, (size_t)h->g->n * sizeof *h->to);
    else
        dijkstra_run_f64(&h->queue, h->in, hub, INFINITY, h->to, NULL);
    for (int32_t v = 0; v < h->g->n; v++) {
        from = h->from[v] < INFINITY ? fmax(from, h->from[v]) : from;
        to = h->to[v] < INFINITY ? fmax(to, h->to[v]) : to;
        if (h->from[v] < INFINITY && h->to[v] < INFINITY)
            h->is_outside[v] = false;
    }
    return from + to;
}

/* No path that meets no hub's component is longer than the number returned, since it enters each
 * vertex outside once at most. */
static double longest_outside(struct hubs *h) {
    double sum = 0;
    for (int32_t v = 0; v < h->g->n; v++) {
        double heaviest = 0;
        for (int64_t e = h->in->first[v]; e < h->in->first[v + 1] && h->is_outside[v]; e++) {
            if (h->is_outside[h->in->head[e]])
                heaviest = fmax(heaviest, h->in->real_weight[e]);
        }
        sum += heaviest;
    }
    return sum;
}

int64_t distance_bound_of_integers(const struct graph *g, double limit) {
    static const int32_t shorter[] = {UINT8_MAX, UINT16_MAX};
    if (g->integral && g->min_weight < 0)
        return INTEGERS_MOST;
    if (g->integral)
        return (int64_t)fmin(fmin(limit, INTEGERS_MOST),
                             g->spacing > 0 ? g->farthest : INTEGERS_MOST);
    const int32_t most = limit < INF ? (int32_t)limit : INF - 1;
    for (size_t k = 0; k < sizeof shorter / sizeof *shorter && g->min_weight >= 0; k++) {
        if (most >= shorter[k] && distance_bound_is_below(g, shorter[k]))
            return shorter[k] - 1;
    }
    return most;
}

enum status distance_bound_find(const struct graph *g, double *bound,
                                const struct progress *progress, struct error *err) {
    enum { HUBS = 8 };
    const double rounding = 1 + 0x1p-30; /* at least that of a sum of up to 2^31 numbers */
    const double crude = g->max_weight * (g->n - 1.0) * rounding;
    const size_t n = (size_t)g->n;
    struct graph in = {0};
    struct hubs h = {.g = g, .in = &in};
    void *memory = NULL, *marks = NULL;
    double through = 0, outside;
    enum status status;
    TRY(graph_reverse(g, &in, err));
    h.is_symmetric =
        memcmp(g->first, in.first, (n + 1) * sizeof *g->first) == 0 &&
        memcmp(g->head, in.head, (size_t)g->m * sizeof *g->head) == 0 &&
        memcmp(g->real_weight, in.real_weight, (size_t)g->m * sizeof *g->real_weight) == 0;
    TRY(dijkstra_alloc(&h.queue, g->n, true, err));
    h.queue.progress = progress;
    TRY(memory_alloc(&memory, 2 * n, sizeof(double), "a bound of distances", err));
    TRY(memory_alloc(&marks, n, sizeof(bool), "a bound of distances", err));
    h.from = memory;
    h.to = h.from + n;
    h.is_outside = marks;
    memset(marks, true, n);
    outside = longest_outside(&h);
    for (int k = 0; k < HUBS && outside > through && outside > 0; k++) {
        through = fmax(through, longest_through(&h, next_hub(&h)));
        outside = longest_outside(&h);
        if (!progress_goes_on(progress))
            TRY(progress_cancelled(err));
    }
    *bound = fmin(crude, fmax(through, outside) * rounding);
cleanup:
    dijkstra_free(&h.queue);
    graph_free(&in);
    memory_free(memory);
    memory_free(marks);
    return status;
}
