// SPDX-License-Identifier: MIT
#include "measures/components.h"

#include "common/base/memory.h" // memory_alloc
#include "common/graph/zones.h" // struct zone_split

#include <string.h>

/* State of a vertex in the search. */
struct visit {
    int64_t edge;  /* index of the next edge of the vertex to follow */
    int32_t order; /* number of the vertex in the order of reaching, from 1; 0: not reached yet */
    int32_t low;   /* the least order of the vertices on the stack that it reaches; INT32_MAX: its
                      component is complete */
    int32_t above; /* the vertex from which it was reached; -1: it is a root */
    int32_t stacked;
};

struct component_search {
    const struct graph *g;
    struct visit *visit;
    int32_t reached, stacked; /* numbers of vertices reached so far, and on the stack */
    int32_t count, largest;
    int32_t *component; /* component of each vertex, n entries; NULL: not wanted */
};

uint64_t components_memory(int32_t n) {
    return memory_times((uint64_t)n, sizeof(struct visit));
}

static void reach(struct component_search *s, int32_t v, int32_t above) {
    s->visit[v].order = s->visit[v].low = ++s->reached;
    s->visit[v].edge = s->g->first[v];
    s->visit[v].above = above;
    s->visit[s->stacked++].stacked = v;
}

/* Follows an edge of v to a new vertex and returns that; returns v when all edges have been
 * followed. */
static int32_t follow(struct component_search *s, int32_t v) {
    struct visit *of = &s->visit[v];
    while (of->edge < s->g->first[v + 1]) {
        const int32_t head = s->g->head[of->edge++];
        const struct visit *to = &s->visit[head];
        if (to->order == 0) {
            reach(s, head, v);
            return head;
        }
        if (to->low != INT32_MAX && to->order < of->low)
            of->low = to->order;
    }
    return v;
}

/* Makes v and all vertices above it on the stack a component. */
static void complete(struct component_search *s, int32_t v) {
    int32_t size = 0, top;
    do {
        top = s->visit[--s->stacked].stacked;
        s->visit[top].low = INT32_MAX;
        if (s->component != NULL)
            s->component[top] = s->count;
        size++;
    } while (top != v);
    s->count++;
    s->largest = size > s->largest ? size : s->largest;
}

static void search_from(struct component_search *s, int32_t root) {
    int32_t v = root;
    reach(s, root, -1);
    while (v >= 0) {
        const int32_t next = follow(s, v);
        if (next != v) {
            v = next;
            continue;
        }
        const int32_t above = s->visit[v].above, low = s->visit[v].low;
        if (low == s->visit[v].order)
            complete(s, v);
        else if (above >= 0 && low < s->visit[above].low)
            s->visit[above].low = low;
        v = above;
    }
}

/* Finds the components of the graph in which zones are split. There each zone is two vertices
 * in different components. */
static enum status find_with_zones(const struct graph *g, int32_t *count, int32_t *largest,
                                   struct error *err) {
    struct zone_split split = {0};
    enum status status = zone_split_make(g, &split, err);
    if (status == STATUS_OK)
        status = components_find(&split.graph, count, largest, err);
    if (status == STATUS_OK)
        *count -= g->zones;
    zone_split_free(&split);
    return status;
}

static enum status find(const struct graph *g, int32_t *component, int32_t *count, int32_t *largest,
                        struct error *err) {
    void *memory;
    const size_t n = (size_t)g->n;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(struct visit), "components", err));
    memset(memory, 0, n * sizeof(struct visit));
    struct component_search s = {.g = g, .visit = memory, .component = component};
    for (int32_t v = 0; v < g->n; v++) {
        if (s.visit[v].order == 0)
            search_from(&s, v);
    }
    memory_free(memory);
    *count = s.count;
    *largest = s.largest;
    return STATUS_OK;
}

enum status components_find(const struct graph *g, int32_t *count, int32_t *largest,
                            struct error *err) {
    return g->zones > 0 ? find_with_zones(g, count, largest, err)
                        : find(g, NULL, count, largest, err);
}

enum status components_number(const struct graph *g, int32_t *component, int32_t *count,
                              struct error *err) {
    int32_t largest;
    return find(g, component, count, &largest, err);
}
