// SPDX-License-Identifier: MIT
#include "common/solve/zero_cycles.h"

#include "common/base/memory.h" // memory_alloc

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 4 }; /* n numbers each, to keep and while it is found */

/* Tarjan's algorithm (1972) on the zero-weight edges, with its recursion on an
 * explicit stack, since paths may be as long as the graph. */
struct search {
    const struct graph *g;
    int32_t *order; /* 0: not met; otherwise a number that grows with the time of meeting */
    int32_t *low;   /* lowest order known to be reachable */
    int32_t *open;  /* vertices met, components not complete */
    int32_t *path;  /* the recursion */
    int64_t *edge;  /* next edge to look at, of each vertex on the path */
    int32_t met, opened, depth;
    const struct progress *progress;
};

static void enter(struct search *s, int32_t v) {
    s->order[v] = s->low[v] = ++s->met;
    s->open[s->opened++] = v;
    s->path[s->depth++] = v;
    s->edge[v] = s->g->first[v];
}

/* Finishes v: if nothing below it reaches further up, everything opened since
 * is its component. Completed vertices get an order above all others. */
static void leave(struct search *s, int32_t v, int32_t *component) {
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

/* component[v] becomes some vertex of v's component, the same for all; garbage where it is to
 * stop. */
static void find_components(struct search *s, int32_t *component) {
    for (int32_t start = 0; start < s->g->n; start++) {
        if (s->order[start] != 0)
            continue;
        enter(s, start);
        while (s->depth > 0) {
            if (!progress_goes_on(s->progress))
                return;
            int32_t v = s->path[s->depth - 1];
            if (s->edge[v] == s->g->first[v + 1]) {
                leave(s, v, component);
                continue;
            }
            int64_t e = s->edge[v]++;
            int32_t to = s->g->head[e];
            if (s->g->weight[e] != 0)
                continue;
            if (s->order[to] == 0)
                enter(s, to);
            else if (s->order[to] < s->low[v])
                s->low[v] = s->order[to];
        }
    }
}

/* Renumbers components 0, 1, ... by their lowest vertices, which makes
 * component[v] <= v, and makes those the hubs. Returns how many there are. */
static int32_t number_components(int32_t n, int32_t *component, int32_t *hub, int32_t *number) {
    int32_t count = 0;
    for (int32_t v = 0; v < n; v++)
        number[v] = -1;
    for (int32_t v = 0; v < n; v++) {
        int32_t representative = component[v];
        if (number[representative] < 0) {
            number[representative] = count;
            hub[count++] = v;
        }
        component[v] = number[representative];
    }
    return count;
}

/* tree[v] = the vertex from which v is first met in a search from its hub over
 * zero-weight edges of g inside the component. */
static void grow_trees(const struct graph *g, const struct contraction *c, int32_t components,
                       int32_t *tree, int32_t *queue) {
    for (int32_t v = 0; v < g->n; v++)
        tree[v] = -1;
    for (int32_t k = 0; k < components; k++) {
        int32_t head = 0, tail = 0;
        queue[tail++] = c->hub[k];
        while (head < tail) {
            int32_t u = queue[head++];
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                int32_t v = g->head[e];
                if (g->weight[e] != 0 || c->component[v] != k || tree[v] >= 0 || v == c->hub[k])
                    continue;
                tree[v] = u;
                queue[tail++] = v;
            }
        }
    }
}

/* The quotient, and for each of its edges one edge of g that is as light. */
static enum status build_quotient(const struct graph *g, struct contraction *c, int32_t components,
                                  struct error *err) {
    void *edges = NULL, *crossing = NULL, *entered_by = NULL;
    int64_t count = 0;
    enum status status = memory_alloc(&edges, (size_t)g->m, sizeof(struct edge), "the edges", err);
    if (status != STATUS_OK)
        return status;
    struct edge *list = edges;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int32_t from = c->component[u], to = c->component[g->head[e]];
            if (from != to)
                list[count++] = (struct edge){from, to, g->weight[e]};
        }
    }
    status = graph_build(&c->quotient, components, list, count, err);
    memory_free(edges);
    if (status == STATUS_OK)
        status =
            memory_alloc(&crossing, (size_t)c->quotient.m, sizeof *c->crossing, "the edges", err);
    c->crossing = crossing;
    if (status == STATUS_OK)
        status =
            memory_alloc(&entered_by, (size_t)components, sizeof *c->entered_by, "the edges", err);
    c->entered_by = entered_by;
    if (status != STATUS_OK)
        return status;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int32_t from = c->component[u], to = c->component[g->head[e]];
            if (from == to)
                continue;
            int64_t quotient_edge = graph_find_edge(&c->quotient, from, to);
            if (g->weight[e] == c->quotient.weight[quotient_edge])
                c->crossing[quotient_edge] = (struct edge){u, g->head[e], g->weight[e]};
        }
    }
    return STATUS_OK;
}

static enum status contract(const struct graph *g, struct contraction *c, int32_t *scratch,
                            struct error *err) {
    struct graph reversed = {0};
    const int32_t components = number_components(g->n, c->component, c->hub, scratch);
    if (components == g->n)
        return STATUS_OK;
    enum status status = graph_reverse(g, &reversed, err);
    if (status == STATUS_OK) {
        grow_trees(g, c, components, c->from_hub, scratch);
        grow_trees(&reversed, c, components, c->to_hub, scratch);
    }
    graph_free(&reversed);
    return status == STATUS_OK ? build_quotient(g, c, components, err) : status;
}

uint64_t contraction_memory(int32_t n) {
    return (uint64_t)n * (2 * ARRAYS * sizeof(int32_t) + sizeof(int64_t));
}

enum status contraction_find(const struct graph *g, struct contraction *c,
                             const struct progress *progress, struct error *err) {
    const size_t n = (size_t)g->n;
    void *kept = NULL, *scratch = NULL, *edges = NULL;
    *c = (struct contraction){0};
    if (g->m == 0 || g->min_weight > 0)
        return STATUS_OK;
    enum status status = memory_alloc(&kept, n * ARRAYS, sizeof(int32_t), "the contraction", err);
    if (status == STATUS_OK)
        status = memory_alloc(&scratch, n * ARRAYS, sizeof(int32_t), "the contraction", err);
    if (status == STATUS_OK)
        status = memory_alloc(&edges, n, sizeof(int64_t), "the contraction", err);
    c->component = kept;
    if (status == STATUS_OK) {
        int32_t *array = scratch;
        struct search s = {g, array, array + n, array + 2 * n, array + 3 * n, edges,
                           0, 0,     0,         progress};
        memset(s.order, 0, n * sizeof *s.order);
        c->hub = c->component + n;
        c->from_hub = c->component + 2 * n;
        c->to_hub = c->component + 3 * n;
        find_components(&s, c->component);
        status =
            progress_goes_on(progress) ? contract(g, c, scratch, err) : progress_cancelled(err);
    }
    memory_free(scratch);
    memory_free(edges);
    if (status != STATUS_OK || c->quotient.n == 0)
        contraction_free(c);
    return status;
}

/* Predecessors, in the row of one source, of the vertices of the component that
 * its shortest paths enter at `entry`: by the zero-weight paths from the hub,
 * except on the way from the entry to the hub, which comes first. */
static void set_members(const struct contraction *c, int32_t entry, int32_t before_entry,
                        int32_t *row) {
    for (int32_t v = entry; c->to_hub[v] >= 0; v = c->to_hub[v])
        row[c->to_hub[v]] = v;
    row[entry] = before_entry;
}

/* Predecessors of source i as vertices, from those of its component as
 * components. The two rows may be the same memory. */
static void expand_predecessors(const struct contraction *c, int32_t i, const int32_t *quotient_row,
                                int32_t *row, int32_t n) {
    const int64_t none = -1;
    int64_t *entered_by = c->entered_by;
    for (int32_t k = 0; k < c->quotient.n; k++)
        entered_by[k] =
            quotient_row[k] >= 0 ? graph_find_edge(&c->quotient, quotient_row[k], k) : none;
    for (int32_t v = 0; v < n; v++) {
        int32_t k = c->component[v];
        row[v] = entered_by[k] != none || k == c->component[i] ? c->from_hub[v] : -1;
    }
    for (int32_t k = 0; k < c->quotient.n; k++) {
        if (entered_by[k] != none) {
            const struct edge *edge = &c->crossing[entered_by[k]];
            set_members(c, edge->to, edge->from, row);
        }
    }
    set_members(c, i, -1, row);
}

void contraction_expand(const struct contraction *c, struct matrix *dist, struct matrix *pred,
                        const struct progress *progress) {
    /* component[v] <= v: going down, nothing is overwritten before it is read. */
    for (int32_t i = dist->n - 1; i >= 0 && progress_goes_on(progress); i--) {
        const int32_t *quotient_row = matrix_row(dist, c->component[i]);
        int32_t *row = matrix_row(dist, i);
        for (int32_t j = dist->n - 1; j >= 0; j--)
            row[j] = quotient_row[c->component[j]];
        if (pred != NULL)
            expand_predecessors(c, i, matrix_row(pred, c->component[i]), matrix_row(pred, i),
                                pred->n);
    }
}

void contraction_free(struct contraction *c) {
    graph_free(&c->quotient);
    memory_free(c->component); /* with the arrays behind it */
    memory_free(c->crossing);
    memory_free(c->entered_by);
    *c = (struct contraction){0};
}
