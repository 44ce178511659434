// SPDX-License-Identifier: MIT
#include "solve/scaling.h"

#include "common/base/memory.h" // memory_alloc

#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* At each step the weights are ceil(w / 2^shift), and their reduced weights are >= -1. This file
 * calls edges of reduced weight <= 0 light. Inside a strongly connected component of light edges,
 * all light edges weigh 0 unless there is a negative cycle. Light edges between components lead
 * from higher to lower numbers. */
struct scaling {
    const struct graph *g;
    bool boldly;
    int64_t *potential;
    int shift;
    struct closed_walk *negative; /* has room for walk_room() vertices */
    struct edge_watch *watch;

    int32_t count;      /* number of components */
    int32_t *component; /* n: component of each vertex */
    int32_t *member;    /* vertices, component by component */
    int32_t *start;     /* n + 1: index in `member` of each component's first vertex */

    /* The following arrays have an entry for each component. */
    int32_t *level;     /* the most edges of -1 on a light path to the component */
    int32_t *came_from; /* the vertex from which such a path enters the component, or NONE */
    int32_t *came_to;   /* the vertex of the component at which that path enters */
    int32_t *chained;   /* place of the component on the chain, or NONE */
    bool *to_mend;      /* an edge of -1 leads to the component */
    int32_t *chain;     /* components along a light path to the highest level */
    int32_t top;        /* the highest level of a component */

    /* n + 1 numbers each, scratch for one function at a time; mend() keeps `parent` during a walk.
     */
    int32_t *a, *b, *c, *d, *parent;
    int64_t *edge;
};

static inline int64_t reduced(const struct scaling *s, int32_t u, int64_t e) {
    return -(-(int64_t)s->g->weight[e] >> s->shift) + s->potential[u] - s->potential[s->g->head[e]];
}

/* Finds strongly connected components of light edges by Tarjan's algorithm (1972), without
 * recursion. */
static enum status find_components(struct scaling *s) {
    const struct graph *g = s->g;
    int32_t *number = s->component, *low = s->a, *stack = s->b, *path = s->c;
    int32_t numbered = 0, stacked = 0, members = 0;
    enum { UNSEEN = -1 };
    /* A number -2 - c means that the vertex is in component c, which is complete. */
    for (int32_t v = 0; v < g->n; v++)
        number[v] = UNSEEN;
    s->count = 0;
    for (int32_t root = 0; root < g->n; root++) {
        int32_t depth = 0;
        if (number[root] != UNSEEN)
            continue;
        path[0] = stack[stacked++] = root;
        number[root] = low[root] = numbered++;
        s->edge[root] = g->first[root];
        while (depth >= 0) {
            const int32_t u = path[depth];
            int64_t e = s->edge[u];
            int32_t next = NONE;
            for (; e < g->first[u + 1] && next == NONE; e++) {
                const int32_t v = g->head[e];
                if (number[v] <= -2 || reduced(s, u, e) > 0)
                    continue;
                if (number[v] == UNSEEN)
                    next = v;
                else if (number[v] < low[u])
                    low[u] = number[v];
            }
            RETURN_ON_FAILURE(edge_watch(s->watch, e - s->edge[u]));
            s->edge[u] = e;
            if (next != NONE) {
                path[++depth] = stack[stacked++] = next;
                number[next] = low[next] = numbered++;
                s->edge[next] = g->first[next];
                continue;
            }
            if (low[u] == number[u]) {
                s->start[s->count] = members;
                do {
                    s->member[members] = stack[--stacked];
                    number[s->member[members]] = -2 - s->count;
                } while (s->member[members++] != u);
                s->count++;
            }
            if (--depth >= 0 && low[u] < low[path[depth]])
                low[path[depth]] = low[u];
        }
    }
    s->start[s->count] = members;
    for (int32_t v = 0; v < g->n; v++)
        s->component[v] = -2 - number[v];
    return STATUS_OK;
}

static void walk_on(struct scaling *s, int32_t v) {
    s->negative->vertex[s->negative->length++] = v;
}

/* Appends to the walk the vertices after `from` on a light path to `to`, within their component. */
static void walk_within(struct scaling *s, int32_t from, int32_t to) {
    const struct graph *g = s->g;
    int32_t *before = s->a, *queue = s->b, *way = s->c;
    const int32_t component = s->component[from];
    for (int32_t k = s->start[component]; k < s->start[component + 1]; k++)
        before[s->member[k]] = NONE;
    int32_t taken = 0, queued = 0, length = 0;
    queue[queued++] = from;
    before[from] = from;
    while (before[to] == NONE) {
        const int32_t u = queue[taken++];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (s->component[v] == component && before[v] == NONE && reduced(s, u, e) <= 0) {
                before[v] = u;
                queue[queued++] = v;
            }
        }
    }
    for (int32_t v = to; v != from; v = before[v])
        way[length++] = v;
    while (length > 0)
        walk_on(s, way[--length]);
}

/* Finds the levels of components in the order of light edges between them. Fails if an edge of -1
 * is inside a component, because it is on a negative cycle. */
static enum status find_levels(struct scaling *s) {
    const struct graph *g = s->g;
    for (int32_t c = 0; c < s->count; c++) {
        s->level[c] = 0;
        s->came_from[c] = s->chained[c] = NONE;
        s->to_mend[c] = false;
    }
    for (int32_t c = s->count - 1; c >= 0; c--) {
        for (int32_t k = s->start[c]; k < s->start[c + 1]; k++) {
            const int32_t u = s->member[k];
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const int64_t weight = reduced(s, u, e);
                if (weight > 0)
                    continue;
                const int32_t v = g->head[e], to = s->component[v];
                if (weight < 0 && to == c) {
                    walk_on(s, u);
                    if (u != v) {
                        walk_on(s, v);
                        walk_within(s, v, u);
                        s->negative->length--; /* u is at the start of the walk already */
                    }
                    return STATUS_NEGATIVE_CYCLE;
                }
                s->to_mend[to] = s->to_mend[to] || weight < 0;
                if (s->level[c] + (weight < 0) > s->level[to]) {
                    s->level[to] = s->level[c] + (weight < 0);
                    s->came_from[to] = u;
                    s->came_to[to] = v;
                }
            }
            RETURN_ON_FAILURE(edge_watch(s->watch, g->first[u + 1] - g->first[u]));
        }
    }
    return STATUS_OK;
}

/* Finds the chain to the first component of the highest level. */
static void find_chain(struct scaling *s) {
    int32_t c = 0, length = 0;
    for (int32_t other = 1; other < s->count; other++)
        c = s->level[other] > s->level[c] ? other : c;
    s->top = s->level[c];
    for (;;) {
        s->chain[length++] = c;
        if (s->came_from[c] == NONE)
            break;
        c = s->component[s->came_from[c]];
    }
    for (int32_t k = 0; k < length / 2; k++) {
        const int32_t other = s->chain[length - 1 - k];
        s->chain[length - 1 - k] = s->chain[k];
        s->chain[k] = other;
    }
    for (int32_t k = 0; k < length; k++)
        s->chained[s->chain[k]] = k;
}

/* Finds the level, from 1 on, with the most components to mend, and stores the number of these in
 * *most. */
static int32_t find_layer(struct scaling *s, int32_t *most) {
    int32_t *mended = s->a, best = 1;
    memset(mended, 0, ((size_t)s->top + 1) * sizeof *mended);
    for (int32_t c = 0; c < s->count; c++)
        mended[s->level[c]] += s->to_mend[c];
    for (int32_t l = 1; l <= s->top; l++)
        best = mended[l] > mended[best] ? l : best;
    *most = mended[best];
    return best;
}

/* Lowers the potentials of components at that level and above. Light edges do not lead to lower
 * levels, so this mends all edges of -1 into the level and makes no new ones. */
static void cut(struct scaling *s, int32_t layer) {
    for (int32_t v = 0; v < s->g->n; v++)
        s->potential[v] -= s->level[s->component[v]] >= layer;
}

/* Lists of vertices by distance, 0 .. top. */
struct distance_buckets {
    int32_t *first, *next, *before;
};

static void put_in(struct distance_buckets *b, int32_t bucket, int32_t v) {
    b->before[v] = NONE;
    b->next[v] = b->first[bucket];
    if (b->first[bucket] != NONE)
        b->before[b->first[bucket]] = v;
    b->first[bucket] = v;
}

static void take_out(struct distance_buckets *b, int32_t bucket, int32_t v) {
    if (b->before[v] == NONE)
        b->first[bucket] = b->next[v];
    else
        b->next[b->before[v]] = b->next[v];
    if (b->next[v] != NONE)
        b->before[b->next[v]] = b->before[v];
}

/* Stores a closed walk: the edge of -1 from u to v on the chain, the chain from v to the root of u
 * in the forest of shortest paths, and the path in that forest to u. */
static void walk_round(struct scaling *s, const int32_t *parent, int32_t u, int32_t v) {
    int32_t root = u;
    while (parent[root] != NONE)
        root = parent[root];
    walk_on(s, v);
    int32_t at = v;
    for (int32_t k = s->chained[s->component[v]]; k < s->chained[s->component[root]]; k++) {
        const int32_t next = s->chain[k + 1];
        walk_within(s, at, s->came_from[next]);
        at = s->came_to[next];
        walk_on(s, at);
    }
    walk_within(s, at, root);
    const int64_t first = s->negative->length;
    for (at = u; at != root; at = parent[at])
        walk_on(s, at);
    for (int64_t low = first, high = s->negative->length - 1; low < high; low++, high--) {
        const int32_t other = s->negative->vertex[low];
        s->negative->vertex[low] = s->negative->vertex[high];
        s->negative->vertex[high] = other;
    }
}

/* Finds distances for the weights max(reduced weight, 0). Components start at top - level: all of
 * them, or only those of the chain, and the others at top. These distances as potentials make no
 * edge negative. If only the chain starts below top, this mends all edges of -1 to the chain, or
 * finds a negative cycle: an edge of -1 from a vertex that is as near as the edge's head on the
 * chain. If all components start there, this usually mends most edges, but perhaps none. (Dial
 * 1969.) */
static enum status mend(struct scaling *s, bool all) {
    const struct graph *g = s->g;
    int32_t *distance = s->d, *parent = s->parent;
    struct distance_buckets queue = {.first = s->a, .next = s->b, .before = s->c};
    enum status status = STATUS_OK;
    for (int32_t bucket = 0; bucket < s->top; bucket++)
        queue.first[bucket] = NONE;
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t c = s->component[v];
        parent[v] = NONE;
        distance[v] = all || s->chained[c] != NONE ? s->top - s->level[c] : s->top;
        if (distance[v] < s->top)
            put_in(&queue, distance[v], v);
    }
    for (int32_t at = 0; at < s->top && status == STATUS_OK; at++) {
        while (queue.first[at] != NONE && status == STATUS_OK) {
            const int32_t u = queue.first[at];
            take_out(&queue, at, u);
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
                const int64_t weight = reduced(s, u, e);
                const int32_t v = g->head[e], c = s->component[v];
                if (weight < 0 && !all && s->chained[c] != NONE && at <= s->top - s->level[c]) {
                    walk_round(s, parent, u, v);
                    return STATUS_NEGATIVE_CYCLE;
                }
                const int64_t far = at + (weight > 0 ? weight : 0);
                if (far >= distance[v])
                    continue;
                if (distance[v] < s->top)
                    take_out(&queue, distance[v], v);
                distance[v] = (int32_t)far;
                parent[v] = u;
                put_in(&queue, distance[v], v);
            }
            status = edge_watch(s->watch, g->first[u + 1] - g->first[u]);
        }
    }
    for (int32_t v = 0; v < g->n; v++)
        s->potential[v] += distance[v] - s->top;
    return status;
}

/* Makes reduced weights of -1 or more non-negative. If k components have to be mended, a level or
 * the chain has at least sqrt(k) of them, so every round that is not bold mends at least sqrt(k).
 */
static enum status mend_bit(struct scaling *s) {
    for (int64_t round = 0;; round++) {
        int32_t in_layer = 0;
        RETURN_ON_FAILURE(find_components(s));
        RETURN_ON_FAILURE(find_levels(s));
        find_chain(s);
        if (s->top == 0)
            return STATUS_OK;
        const int32_t layer = find_layer(s, &in_layer);
        if (s->boldly && round % 2 == 0)
            RETURN_ON_FAILURE(mend(s, true));
        else if (in_layer < s->top)
            RETURN_ON_FAILURE(mend(s, false));
        else
            cut(s, layer);
    }
}

int scaling_bits(const struct graph *g) {
    int bits = 0;
    while (-(int64_t)g->min_weight >> bits > 0)
        bits++;
    return bits;
}

/* Returns the most vertices of a walk: once along the chain and the tree, and inside the components
 * of the chain. */
static size_t walk_room(const struct graph *g) {
    return 4 * (size_t)g->n + 4;
}

static enum status allocate(struct scaling *s, void **scratch, struct error *err) {
    enum { ARRAYS = 13 };
    const size_t length = (size_t)s->g->n + 1;
    void *edge, *walk, *flags;
    RETURN_ON_FAILURE(memory_alloc(scratch, ARRAYS * length, sizeof(int32_t), "scaling", err));
    RETURN_ON_FAILURE(memory_alloc(&edge, length, sizeof(int64_t), "scaling", err));
    s->edge = edge;
    RETURN_ON_FAILURE(memory_alloc(&flags, length, sizeof(bool), "scaling", err));
    s->to_mend = flags;
    RETURN_ON_FAILURE(memory_alloc(&walk, walk_room(s->g), sizeof(int32_t), "scaling", err));
    s->negative->vertex = walk;
    int32_t **const arrays[ARRAYS] = {
        &s->component, &s->member, &s->start, &s->level, &s->came_from, &s->came_to, &s->chained,
        &s->chain,     &s->a,      &s->b,     &s->c,     &s->d,         &s->parent};
    for (int k = 0; k < ARRAYS; k++)
        *arrays[k] = (int32_t *)*scratch + (size_t)k * length;
    return STATUS_OK;
}

/* No step lowers a potential more than necessary: the doubled potentials are at least the final
 * potentials of the next bit, and a step lowers a vertex after l edges of -1 by at most l minus the
 * length of the path to it. So the potentials are the distances. */
enum status scaling_find(const struct graph *g, bool boldly, int64_t *potential,
                         struct closed_walk *negative, struct edge_watch *watch,
                         struct error *err) {
    struct scaling s = {
        .g = g, .boldly = boldly, .potential = potential, .negative = negative, .watch = watch};
    void *scratch = NULL;
    *negative = (struct closed_walk){NULL, 0};
    memset(potential, 0, (size_t)g->n * sizeof *potential);
    enum status status = allocate(&s, &scratch, err);
    for (s.shift = scaling_bits(g); s.shift > 0 && status == STATUS_OK;) {
        s.shift--;
        for (int32_t v = 0; v < g->n; v++)
            potential[v] *= 2;
        status = mend_bit(&s);
        watch->done++;
    }
    memory_free(scratch);
    memory_free(s.edge);
    memory_free(s.to_mend);
    return status;
}
