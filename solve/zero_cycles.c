// SPDX-License-Identifier: MIT
#include "solve/zero_cycles.h"

#include "common/base/memory.h" // memory_alloc

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 5 }; /* number of arrays of n numbers in use while components are found */

/* Tarjan's algorithm (1972) on the zero-weight edges, with its recursion on an
 * explicit stack, since paths may be as long as the graph. */
struct zero_cycle_search {
    const struct graph *g;
    int32_t *order; /* number of each vertex in the order of meeting, from 1; 0: not met */
    int32_t *low;   /* lowest `order` known to be reachable from each vertex */
    int32_t *open;  /* vertices met whose components are not complete */
    int32_t *path;  /* vertices of the recursion, from its start to the current one */
    int64_t *edge;  /* next edge of each vertex on the path */
    int32_t met, opened, depth;
    const struct progress *progress;
};

static void enter(struct zero_cycle_search *s, int32_t v) {
    s->order[v] = s->low[v] = ++s->met;
    s->open[s->opened++] = v;
    s->path[s->depth++] = v;
    s->edge[v] = s->g->first[v];
}

/* Finishes v: if nothing below it reaches further up, v and all vertices opened after it are a
 * component. Completed vertices get an order above all others. */
static void leave(struct zero_cycle_search *s, int32_t v, int32_t *component) {
    s->depth--;
    if (s->depth > 0) {
        int32_t above = s->path[s->depth - 1];
        if (s->low[v] < s->low[above])
            s->low[above] = s->low[v];
    }
    if (s->low[v] != s->order[v])
        return;
    int32_t member;
    do {
        member = s->open[--s->opened];
        component[member] = v;
        s->order[member] = INT32_MAX;
    } while (member != v);
}

/* component[v] becomes some vertex of v's component, the same for all of them; garbage if progress
 * says to stop. */
static void find_components(struct zero_cycle_search *s, int32_t *component) {
    for (int32_t start = 0; start < s->g->n; start++) {
        if (s->order[start] != 0)
            continue;
        enter(s, start);
        while (s->depth > 0) {
            if (!progress_goes_on(s->progress))
                return;
            const int32_t v = s->path[s->depth - 1];
            int64_t e = s->edge[v];
            while (e < s->g->first[v + 1] && s->g->weight[e] != 0)
                e++;
            if (e == s->g->first[v + 1]) {
                leave(s, v, component);
                continue;
            }
            const int32_t to = s->g->head[e];
            s->edge[v] = e + 1;
            if (s->order[to] == 0)
                enter(s, to);
            else if (s->order[to] < s->low[v])
                s->low[v] = s->order[to];
        }
    }
}

/* The components as Tarjan's algorithm leaves them: for each vertex, the vertex that stands for its
 * component; for that vertex, the number of vertices in the component. */
struct found {
    int32_t *component, *size;
};

/* Numbers the members: components in the order of their lowest vertices. cursor: n numbers of
 * scratch. */
static void number_members(struct zero_cycles *z, const struct found *found, int32_t n,
                           int32_t *cursor) {
    int32_t components = 0, members = 0;
    for (int32_t v = 0; v < n; v++)
        cursor[v] = -1;
    for (int32_t v = 0; v < n; v++) {
        const int32_t c = found->component[v];
        z->member[v] = -1;
        if (found->size[c] == 1)
            continue;
        if (cursor[c] < 0) {
            cursor[c] = members;
            z->first[components++] = members;
            members += found->size[c];
        }
        z->member[v] = cursor[c]++;
        z->vertex[z->member[v]] = v;
    }
    z->first[components] = members;
}

/* add_up turns counts into beginnings; move_back restores the beginnings that storing has advanced.
 */
static void add_up(int64_t *first, int32_t members) {
    for (int32_t k = 0; k < members; k++)
        first[k + 1] += first[k];
}

static void move_back(int64_t *first, int32_t members) {
    for (int32_t k = members; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
}

/* Counts the zero-weight edges inside component c at inside[member + 1] or, if `store`, stores each
 * at the next place of its tail. */
static void walk_inside(const struct graph *g, struct zero_cycles *z, int32_t c, bool store) {
    const int32_t low = z->first[c], high = z->first[c + 1];
    for (int32_t k = low; k < high; k++) {
        const int32_t v = z->vertex[k];
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            const int32_t to = g->weight[e] == 0 ? z->member[g->head[e]] : -1;
            if (to < low || to >= high)
                continue;
            if (store)
                z->inside_head[z->inside[k]++] = to;
            else
                z->inside[k + 1]++;
        }
    }
}

static enum status collect_inside(const struct graph *g, struct zero_cycles *z, struct error *err) {
    void *memory;
    memset(z->inside, 0, ((size_t)z->members + 1) * sizeof *z->inside);
    for (int32_t c = 0; c < z->components; c++)
        walk_inside(g, z, c, false);
    add_up(z->inside, z->members);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)z->inside[z->members], sizeof(int32_t),
                                   "the edges of zero-weight cycles", err));
    z->inside_head = memory;
    for (int32_t c = 0; c < z->components; c++)
        walk_inside(g, z, c, true);
    move_back(z->inside, z->members);
    return STATUS_OK;
}

/* Stores the component of each member in `of`. */
static void component_of_members(const struct zero_cycles *z, int32_t *of) {
    for (int32_t c = 0; c < z->components; c++) {
        for (int32_t k = z->first[c]; k < z->first[c + 1]; k++)
            of[k] = c;
    }
}

/* Does what walk_inside does for edges that enter components; of: the component of each member. */
static void walk_entering(const struct graph *g, struct zero_cycles *z, const int32_t *of,
                          bool store) {
    for (int32_t u = 0; u < g->n; u++) {
        const int32_t from = z->member[u];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t to = z->member[g->head[e]];
            if (to < 0 || (from >= 0 && of[from] == of[to]))
                continue;
            if (store) {
                z->entering_tail[z->entering[to]] = u;
                z->entering_weight[z->entering[to]++] = g->weight[e];
            } else {
                z->entering[to + 1]++;
            }
        }
    }
}

enum status zero_cycles_find_entries(const struct graph *g, struct zero_cycles *z,
                                     struct error *err) {
    const size_t members = (size_t)z->members;
    void *memory, *of = NULL;
    enum status status;
    if (z->components == 0 || z->entering != NULL)
        return STATUS_OK;
    TRY(memory_alloc(&of, members, sizeof(int32_t), "zero-weight cycles", err));
    TRY(memory_alloc(&memory, members + 1, sizeof *z->entering, "zero-weight cycles", err));
    z->entering = memory;
    memset(z->entering, 0, (members + 1) * sizeof *z->entering);
    component_of_members(z, of);
    walk_entering(g, z, of, false);
    add_up(z->entering, z->members);
    TRY(memory_alloc(&memory, (size_t)z->entering[members], 2 * sizeof(int32_t),
                     "the edges of zero-weight cycles", err));
    z->entering_tail = memory;
    z->entering_weight = z->entering_tail + z->entering[members];
    walk_entering(g, z, of, true);
    move_back(z->entering, z->members);

cleanup:
    memory_free(of);
    if (status != STATUS_OK) {
        memory_free(z->entering);
        z->entering = NULL;
    }
    return status;
}

/* Allocates all arrays at once; `inside` holds the allocation, because 64-bit numbers come first.
 */
static enum status arrays_alloc(struct zero_cycles *z, int32_t n, struct error *err) {
    const size_t members = (size_t)z->members, components = (size_t)z->components;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory,
                                   (members + 1) * sizeof(int64_t) +
                                       ((size_t)n + members + components + 1) * sizeof(int32_t),
                                   1, "zero-weight cycles", err));
    z->inside = memory;
    z->member = (int32_t *)(z->inside + members + 1);
    z->vertex = z->member + n;
    z->first = z->vertex + members;
    return STATUS_OK;
}

uint64_t zero_cycles_memory(int32_t n) {
    return (uint64_t)n * (ARRAYS * sizeof(int32_t) + sizeof(int64_t));
}

/* Sets size[c] for each component, and counts those of two vertices or more. */
static void count_members(struct zero_cycles *z, const struct found *found, int32_t n) {
    memset(found->size, 0, (size_t)n * sizeof *found->size);
    for (int32_t v = 0; v < n; v++)
        found->size[found->component[v]]++;
    for (int32_t v = 0; v < n; v++) {
        if (found->size[v] > 1) {
            z->components++;
            z->members += found->size[v];
        }
    }
}

enum status zero_cycles_find(const struct graph *g, struct zero_cycles *z,
                             const struct progress *progress, struct error *err) {
    const size_t n = (size_t)g->n;
    void *scratch = NULL, *edges = NULL;
    enum status status = STATUS_OK;
    *z = (struct zero_cycles){0};
    if (g->m == 0 || g->min_weight > 0)
        return STATUS_OK;
    TRY(memory_alloc(&scratch, n * ARRAYS, sizeof(int32_t), "zero-weight cycles", err));
    TRY(memory_alloc(&edges, n, sizeof(int64_t), "zero-weight cycles", err));
    int32_t *const array = scratch;
    const struct found found = {array, array + n};
    struct zero_cycle_search s = {.g = g,
                                  .order = array + n,
                                  .low = array + 2 * n,
                                  .open = array + 3 * n,
                                  .path = array + 4 * n,
                                  .edge = edges,
                                  .progress = progress};
    memset(s.order, 0, n * sizeof *s.order);
    find_components(&s, found.component);
    if (!progress_goes_on(progress)) {
        status = progress_cancelled(err);
        goto cleanup;
    }
    count_members(z, &found, g->n);
    if (z->components > 0) {
        TRY(arrays_alloc(z, g->n, err));
        number_members(z, &found, g->n, array + 2 * n);
        TRY(collect_inside(g, z, err));
    }
cleanup:
    memory_free(scratch);
    memory_free(edges);
    if (status != STATUS_OK)
        zero_cycles_free(z);
    return status;
}

/* Returns whether the predecessor of member k is in its component, which has members low .. high -
 * 1; then *next is its number. */
static bool stays_inside(const struct zero_cycles *z, const int32_t *pred, int32_t k, int32_t low,
                         int32_t high, int32_t *next) {
    const int32_t p = pred[z->vertex[k]];
    *next = p >= 0 ? z->member[p] : -1;
    return *next >= low && *next < high;
}

/* Returns whether predecessors of the members low .. high - 1 contain a cycle. walk: for each
 * member, the walk that met it. */
static bool runs_round(const struct zero_cycles *z, const int32_t *pred, int32_t low, int32_t high,
                       int32_t *walk) {
    for (int32_t k = low; k < high; k++)
        walk[k] = -1;
    for (int32_t k = low; k < high; k++) {
        int32_t at = k, next;
        while (walk[at] < 0) {
            walk[at] = k;
            if (!stays_inside(z, pred, at, low, high, &next))
                break;
            at = next;
            if (walk[at] == k)
                return true;
        }
    }
    return false;
}

/* Finds the first tight edge from outside into one of the members; there is one, since the source
 * is outside. Makes its tail the predecessor of its head, and returns the head. */
static int32_t enter_component(const struct zero_cycles *z, const int32_t *dist, int32_t *pred,
                               int32_t low, int32_t high) {
    for (int32_t k = low; k < high; k++) {
        for (int64_t e = z->entering[k]; e < z->entering[k + 1]; e++) {
            const int32_t u = z->entering_tail[e], v = z->vertex[k];
            if (dist[u] < INF && (int64_t)dist[u] + z->entering_weight[e] == dist[v]) {
                pred[v] = u;
                return k;
            }
        }
    }
    return low; /* not reached if dist holds distances */
}

/* Finds new predecessors for those members whose predecessors are inside the component. */
static void search_inside(const struct zero_cycles *z, const int32_t *dist, int32_t *pred,
                          int32_t low, int32_t high, int32_t *settled, int32_t *queue) {
    int32_t head = 0, tail = 0, next;
    for (int32_t k = low; k < high; k++) {
        settled[k] = !stays_inside(z, pred, k, low, high, &next);
        if (settled[k])
            queue[tail++] = k;
    }
    if (tail == 0) {
        queue[tail++] = enter_component(z, dist, pred, low, high);
        settled[queue[0]] = true;
    }
    while (head < tail) {
        const int32_t k = queue[head++];
        for (int64_t e = z->inside[k]; e < z->inside[k + 1]; e++) {
            const int32_t to = z->inside_head[e];
            if (settled[to])
                continue;
            settled[to] = true;
            pred[z->vertex[to]] = z->vertex[k];
            queue[tail++] = to;
        }
    }
}

void zero_cycles_mend(const struct zero_cycles *z, int32_t source, const int32_t *dist,
                      int32_t *pred, int32_t *scratch) {
    pred[source] = -1;
    for (int32_t c = 0; c < z->components; c++) {
        const int32_t low = z->first[c], high = z->first[c + 1];
        if (dist[z->vertex[low]] < INF && runs_round(z, pred, low, high, scratch))
            search_inside(z, dist, pred, low, high, scratch, scratch + z->members);
    }
}

/* The zero-weight edges inside components, sorted by their heads, and scratch memory of a search.
 */
struct backwards {
    int64_t *first; /* members + 1: index of the first edge into each member */
    int32_t *tail;
    int32_t *queue; /* members: queue of the search */
    int32_t *place; /* members: place of each member in the span; -1: none yet */
};

static void reverse_inside(const struct zero_cycles *z, const struct backwards *b) {
    memset(b->first, 0, ((size_t)z->members + 1) * sizeof *b->first);
    for (int64_t e = 0; e < z->inside[z->members]; e++)
        b->first[z->inside_head[e] + 1]++;
    add_up(b->first, z->members);
    for (int32_t k = 0; k < z->members; k++) {
        for (int64_t e = z->inside[k]; e < z->inside[k + 1]; e++)
            b->tail[b->first[z->inside_head[e]]++] = k;
    }
    move_back(b->first, z->members);
}

/* Places the members of component c in the order in which a search against the edges from the root
 * meets them. */
static void span_to_root(const struct zero_cycles *z, const struct backwards *b, int32_t c,
                         struct zero_member *span) {
    const int32_t root = z->first[c];
    int32_t end = root;
    b->place[root] = end;
    b->queue[end] = root;
    span[end++] = (struct zero_member){z->vertex[root], c, -1, -1};
    for (int32_t head = root; head < end; head++) {
        const int32_t k = b->queue[head];
        for (int64_t e = b->first[k]; e < b->first[k + 1]; e++) {
            const int32_t u = b->tail[e];
            if (b->place[u] >= 0)
                continue;
            b->place[u] = end;
            b->queue[end] = u;
            span[end++] = (struct zero_member){z->vertex[u], c, head, -1};
        }
    }
}

static void span_from_root(const struct zero_cycles *z, const struct backwards *b, int32_t c,
                           struct zero_member *span) {
    const int32_t root = z->first[c];
    int32_t end = root;
    b->queue[end++] = root;
    for (int32_t head = root; head < end; head++) {
        const int32_t k = b->queue[head];
        for (int64_t e = z->inside[k]; e < z->inside[k + 1]; e++) {
            const int32_t to = z->inside_head[e];
            struct zero_member *const member = &span[b->place[to]];
            if (to == root || member->parent >= 0)
                continue;
            member->parent = z->vertex[k];
            b->queue[end++] = to;
        }
    }
}

enum status zero_cycles_span(const struct zero_cycles *z, struct zero_member *span,
                             struct error *err) {
    const size_t members = (size_t)z->members;
    void *memory = NULL;
    struct backwards b;
    if (z->components == 0)
        return STATUS_OK;
    const size_t inside = (size_t)z->inside[z->members];
    RETURN_ON_FAILURE(memory_alloc(
        &memory, (members + 1) * sizeof *b.first + (inside + 2 * members) * sizeof(int32_t), 1,
        "zero-weight cycles", err));
    b.first = memory;
    b.tail = (int32_t *)(b.first + members + 1);
    b.queue = b.tail + inside;
    b.place = b.queue + members;
    for (size_t k = 0; k < members; k++)
        b.place[k] = -1;
    reverse_inside(z, &b);
    for (int32_t c = 0; c < z->components; c++) {
        span_to_root(z, &b, c, span);
        span_from_root(z, &b, c, span);
    }
    memory_free(memory);
    return STATUS_OK;
}

void zero_cycles_free(struct zero_cycles *z) {
    memory_free(z->inside); /* also frees the arrays behind it */
    memory_free(z->inside_head);
    memory_free(z->entering);
    memory_free(z->entering_tail); /* also frees the weights behind it */
    *z = (struct zero_cycles){0};
}
