// SPDX-License-Identifier: MIT
#include "solve/bellman_ford.h"

#include "common/base/memory.h" // memory_alloc

#include <stdlib.h>
#include <string.h>

/* The tree of paths: a ring of its vertices in preorder through the source, which is vertex n.
 * Vertices outside the tree have depth APART. */
enum { APART = -1 };

struct tree_lists {
    int32_t *next, *before, *depth; /* n + 1 */
};

/* A queue: first in, first out. */
struct vertex_queue {
    int32_t *vertex;
    bool *holds;
    int32_t size, first, count;
};

static void join(struct tree_lists *t, int32_t u, int32_t v) {
    t->next[u] = v;
    t->before[v] = u;
}

/* Gives every vertex distance 0, makes it a child of the source in the tree, and puts it into the
 * queue. */
static void begin(struct bellman_ford *find, struct tree_lists *t, struct vertex_queue *q) {
    const int32_t n = find->g->n;
    for (int32_t v = 0; v < n; v++) {
        join(t, v, v + 1);
        t->depth[v] = 1;
        q->vertex[v] = v;
        q->holds[v] = true;
        find->parent[v] = -1;
        find->distance[v] = 0;
    }
    join(t, n, 0);
    t->depth[n] = 0;
    q->size = q->count = n;
    q->first = 0;
}

static void push(struct vertex_queue *q, int32_t v) {
    if (q->holds[v])
        return;
    /* number of places from `first` to the end of the array */
    const int32_t left = q->size - q->first;
    q->vertex[q->count < left ? q->first + q->count : q->count - left] = v;
    q->holds[v] = true;
    q->count++;
}

static int32_t pop(struct vertex_queue *q) {
    const int32_t v = q->vertex[q->first];
    q->first = q->first + 1 < q->size ? q->first + 1 : 0;
    q->count--;
    q->holds[v] = false;
    return v;
}

/* Removes v and its descendants from the tree and returns their number; returns -1 if u is among
 * them. */
static int64_t take_apart(struct tree_lists *t, int32_t v, int32_t u) {
    int64_t count = 1;
    int32_t after = t->next[v];
    if (u == v)
        return -1;
    if (t->depth[v] == APART)
        return 0;
    for (; t->depth[after] > t->depth[v]; after = t->next[after], count++) {
        if (after == u)
            return -1;
        t->depth[after] = APART;
    }
    t->depth[v] = APART;
    join(t, t->before[v], after);
    return count;
}

/* Relaxes the edges of u. Adds the number of vertices and edges visited to *steps. */
static enum status scan(struct bellman_ford *find, struct tree_lists *t, struct vertex_queue *q,
                        int32_t u, int64_t *steps) {
    const struct graph *g = find->g;
    const int64_t from = find->distance[u];
    for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
        const int32_t v = g->head[e];
        if (from + g->weight[e] >= find->distance[v])
            continue;
        const int64_t taken = take_apart(t, v, u);
        find->distance[v] = from + g->weight[e];
        find->parent[v] = u;
        if (taken < 0) {
            find->cycle_vertex = v;
            return STATUS_NEGATIVE_CYCLE;
        }
        *steps += taken;
        t->depth[v] = t->depth[u] + 1;
        join(t, v, t->next[u]);
        join(t, u, v);
        push(q, v);
    }
    *steps += 1 + g->first[u + 1] - g->first[u];
    return STATUS_OK;
}

enum status bellman_ford_find(struct bellman_ford *find, struct error *err) {
    const size_t length = (size_t)find->g->n + 1;
    void *scratch = NULL, *holds = NULL;
    enum status status;
    TRY(memory_alloc(&scratch, 4 * length, sizeof(int32_t), "Bellman-Ford", err));
    TRY(memory_alloc(&holds, length, sizeof(bool), "Bellman-Ford", err));
    int32_t *next = scratch;
    struct tree_lists tree = {next, next + length, next + 2 * length};
    struct vertex_queue queue = {.vertex = next + 3 * length, .holds = holds};
    int64_t done = 0;
    begin(find, &tree, &queue);
    while (queue.count > 0 && done <= find->most) {
        const int32_t u = pop(&queue);
        int64_t steps = 1;
        if (tree.depth[u] != APART)
            TRY(scan(find, &tree, &queue, u, &steps));
        done += steps;
        TRY(edge_watch(find->watch, steps));
    }
    find->gave_up = queue.count > 0;
cleanup:
    memory_free(scratch);
    memory_free(holds);
    return status;
}
