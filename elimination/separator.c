// SPDX-License-Identifier: MIT
#include "elimination/separator.h"

#include "common/base/memory.h"     // memory_alloc
#include "common/base/splitmix64.h" // splitmix64_next

#include <stdbool.h>
#include <string.h>

enum {
    COARSEST = 24,  /* graphs with up to this number of vertices are not merged */
    PARTINGS = 4,   /* number of regions that are grown on the coarsest graph */
    FEW = 2000,     /* a graph with up to this number of vertices gets more than one separator */
    PASSES = 8,     /* most passes that improve the separator of each graph */
    PATIENCE = 120, /* a pass stops after this number of moves without improvement */
};

/* Largest share that one side may have of the weight of the graph. */
static const double max_side = 0.8;

/* A separator whose sides have shares of 1/2 + d and 1/2 - d counts as heavier, by this times d^2.
 * If the labels of n vertices have n^1.3 cells, unequal sides alone make them longer by what twice
 * d^2 of the separator's weight costs; with 6 times labels of New York, Colorado and generated
 * graphs are the shortest. */
static const double unequal_cost = 6;

void merged_graph_free(struct merged_graph *l) {
    memory_free(l->numbers);
    memory_free(l->edges);
    *l = (struct merged_graph){0};
}

enum status merged_graph_alloc(struct merged_graph *l, int32_t n, int64_t entries,
                               struct error *err) {
    const size_t count = (size_t)n + 1;
    *l = (struct merged_graph){.n = n};
    RETURN_ON_FAILURE(memory_alloc(&l->numbers, count, sizeof(int64_t) + 2 * sizeof(int32_t) + 1,
                                   "a separator", err));
    l->first = l->numbers;
    l->size = (int32_t *)(l->first + count);
    l->coarse = l->size + count;
    l->side = (uint8_t *)(l->coarse + count);
    const enum status status =
        memory_alloc(&l->edges, (size_t)entries, 2 * sizeof(int32_t), "a separator", err);
    if (status != STATUS_OK)
        return status;
    l->to = l->edges;
    l->merged = l->to + entries;
    return STATUS_OK;
}

enum status merged_graph_of(const struct pattern *pattern, int threads, struct merged_graph *g,
                            struct error *err) {
    const int32_t n = pattern->n;
    const int64_t entries = pattern->first[n];
    RETURN_ON_FAILURE(merged_graph_alloc(g, n, entries, err));
    g->weight = n;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static) nowait
        for (int32_t v = 0; v < n; v++) {
            g->first[v] = pattern->first[v];
            g->size[v] = 1;
        }
#pragma omp for schedule(static) nowait
        for (int64_t e = 0; e < entries; e++) {
            g->to[e] = pattern->neighbour[e];
            g->merged[e] = 1;
        }
    }
    g->first[n] = entries;
    return STATUS_OK;
}

enum status merged_graph_side(const struct merged_graph *g, uint8_t side, int32_t count,
                              const int32_t *name, struct merged_graph *sub, int32_t *sub_name,
                              struct error *err) {
    int64_t entries = 0;
    RETURN_ON_FAILURE(merged_graph_alloc(sub, count, g->first[g->n], err));
    for (int32_t v = 0; v < g->n; v++) {
        const int32_t at = g->coarse[v];
        if (g->side[v] != side)
            continue;
        sub_name[at] = name[v];
        sub->first[at] = entries;
        sub->size[at] = g->size[v];
        sub->weight += g->size[v];
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            if (g->side[g->to[e]] != side)
                continue;
            sub->to[entries] = g->coarse[g->to[e]];
            sub->merged[entries++] = g->merged[e];
        }
    }
    sub->first[count] = entries;
    return STATUS_OK;
}

/* Returns a random number of 0 .. count - 1 without a division. */
static int32_t random_below(uint64_t *random, int32_t count) {
    return (int32_t)((splitmix64_next(random) >> 32) * (uint64_t)count >> 32);
}

/* Matches each vertex with the neighbour to which most edges lead, visiting vertices in random
 * order; numbers the pairs in l->coarse. Returns the number of pairs. other, visit: n numbers of
 * scratch each. */
static int32_t match(struct merged_graph *l, uint64_t *random, int32_t *other, int32_t *visit) {
    const int64_t most = 3 * l->weight / (2 * COARSEST) + 1;
    for (int32_t v = 0; v < l->n; v++) {
        const int32_t with = random_below(random, v + 1);
        visit[v] = visit[with];
        visit[with] = v;
        other[v] = -1;
    }
    for (int32_t k = 0; k < l->n; k++) {
        const int32_t v = visit[k];
        int32_t best = v, edges = 0;
        if (other[v] >= 0)
            continue;
        for (int64_t e = l->first[v]; e < l->first[v + 1]; e++) {
            const int32_t u = l->to[e];
            if (other[u] < 0 && l->merged[e] > edges && l->size[u] + l->size[v] <= most) {
                best = u;
                edges = l->merged[e];
            }
        }
        other[v] = best;
        other[best] = v;
    }
    int32_t pairs = 0;
    for (int32_t v = 0; v < l->n; v++)
        l->coarse[v] = other[v] >= v ? pairs++ : l->coarse[other[v]];
    return pairs;
}

/* A coarser graph. Its memory is used again for the next coarser graph of the same level. */
struct level {
    struct merged_graph graph;
    int32_t vertices_room; /* number of vertices that there is memory for */
    int64_t entries_room;  /* number of entries that there is memory for */
    struct level *above;   /* the next coarser graph; NULL: there has been none */
};

/* Makes room in *level, which is allocated if it is NULL, for n vertices and that many entries. The
 * numbers in it are garbage. */
static enum status level_reserve(struct level **level, int32_t n, int64_t entries,
                                 struct error *err) {
    void *memory = *level;
    if (memory == NULL) {
        RETURN_ON_FAILURE(memory_alloc(&memory, 1, sizeof **level, "a separator", err));
        *level = memory;
        **level = (struct level){.above = NULL};
    }
    struct level *const l = *level;
    if (l->graph.first == NULL || n > l->vertices_room || entries > l->entries_room) {
        const int32_t vertices_room = n + n / 8;
        const int64_t entries_room = entries + entries / 8;
        merged_graph_free(&l->graph);
        RETURN_ON_FAILURE(merged_graph_alloc(&l->graph, vertices_room, entries_room, err));
        l->vertices_room = vertices_room;
        l->entries_room = entries_room;
    }
    l->graph.n = n;
    return STATUS_OK;
}

static void levels_free(struct level *level) {
    while (level != NULL) {
        struct level *const above = level->above;
        merged_graph_free(&level->graph);
        memory_free(level);
        level = above;
    }
}

/* Makes the coarser graph, whose vertices are the matched pairs. scratch: 3 n numbers. */
static enum status merge(struct merged_graph *l, uint64_t *random, struct level **level,
                         int32_t *scratch, struct error *err) {
    int32_t *const other = scratch, *const slot = scratch + l->n;
    const int32_t pairs = match(l, random, other, slot);
    RETURN_ON_FAILURE(level_reserve(level, pairs, l->first[l->n], err));
    struct merged_graph *const up = &(*level)->graph;
    /* Only the compiler cannot see that the two graphs have nothing in common. */
    const int64_t *const restrict first = l->first;
    const int32_t *const restrict to = l->to, *const restrict merged = l->merged,
                                  *const restrict coarse = l->coarse;
    int32_t *const restrict up_to = up->to, *const restrict up_merged = up->merged;
    int64_t entries = 0;
    up->weight = l->weight;
    for (int32_t c = 0; c < pairs; c++)
        slot[c] = -1;
    for (int32_t v = 0; v < l->n; v++) {
        const int32_t c = coarse[v], both[2] = {v, other[v]};
        if (other[v] < v)
            continue;
        const int64_t begin = up->first[c] = entries;
        up->size[c] = 0;
        for (int h = 0; h < (both[0] == both[1] ? 1 : 2); h++) {
            up->size[c] += l->size[both[h]];
            for (int64_t e = first[both[h]]; e < first[both[h] + 1]; e++) {
                const int32_t pair = coarse[to[e]];
                if (pair == c)
                    continue;
                if (slot[pair] < 0) {
                    slot[pair] = (int32_t)(entries - begin);
                    up_to[entries] = pair;
                    up_merged[entries++] = merged[e];
                } else {
                    up_merged[begin + slot[pair]] += merged[e];
                }
            }
        }
        for (int64_t e = begin; e < entries; e++)
            slot[up_to[e]] = -1;
    }
    up->first[pairs] = entries;
    return STATUS_OK;
}

/* A move of a vertex out of the separator. */
struct move {
    int64_t gain; /* by how much the separator gets lighter */
    int32_t vertex;
    uint8_t to;
};

/* State of a vertex in a pass. Between passes all vertices are free. */
enum lock { FREE, LOCKED, LISTED };

/* A separator that is being improved, and room to improve that of any graph of no more vertices. */
struct improving {
    struct merged_graph *l;
    int64_t weight[3]; /* weight of the left side, of the right side and of the separator */
    int64_t *
        gain[2]; /* gain of moving each vertex of the separator to the left [0] or right [1] side */
    uint8_t *locked;    /* enum lock of each vertex */
    int32_t *separator; /* vertices of the separator before a pass, in any order */
    int32_t separator_count;
    struct move *heap;
    int64_t heap_count, heap_room;
    void *heap_memory;
    int32_t *changed; /* vertices whose side has changed, in order; was[k] is the side of changed[k]
                         before */
    uint8_t *was;
    int64_t changes;
    void *memory; /* memory of all arrays but the heap */
};

/* Makes room for graphs of up to n vertices. The caller frees with improving_free, also after a
 * failure. */
static enum status improving_alloc(struct improving *i, int32_t n, struct error *err) {
    const size_t count = (size_t)n;
    *i = (struct improving){.l = NULL};
    RETURN_ON_FAILURE(memory_alloc(
        &i->memory, count, 2 * sizeof(int64_t) + 5 * sizeof(int32_t) + 4 + 1, "a separator", err));
    i->gain[LEFT] = i->memory;
    i->gain[RIGHT] = i->gain[LEFT] + count;
    i->changed = (int32_t *)(i->gain[RIGHT] + count);
    i->separator = i->changed + 4 * count;
    i->was = (uint8_t *)(i->separator + count);
    i->locked = i->was + 4 * count;
    memset(i->locked, FREE, count);
    return STATUS_OK;
}

static void improving_free(struct improving *i) {
    memory_free(i->memory);
    memory_free(i->heap_memory);
    *i = (struct improving){.l = NULL};
}

static bool before(const struct move *a, const struct move *b) {
    if (a->gain != b->gain)
        return a->gain > b->gain;
    return a->vertex != b->vertex ? a->vertex < b->vertex : a->to < b->to;
}

static enum status push(struct improving *i, int32_t v, uint8_t to, struct error *err) {
    if (i->heap_count == i->heap_room) {
        const int64_t room = i->heap_room * 2 + 256;
        RETURN_ON_FAILURE(
            memory_resize(&i->heap_memory, (size_t)room, sizeof *i->heap, "a separator", err));
        i->heap = i->heap_memory;
        i->heap_room = room;
    }
    const struct move move = {i->gain[to][v], v, to};
    int64_t at = i->heap_count++;
    for (; at > 0 && before(&move, &i->heap[(at - 1) / 2]); at = (at - 1) / 2)
        i->heap[at] = i->heap[(at - 1) / 2];
    i->heap[at] = move;
    return STATUS_OK;
}

static struct move pop(struct improving *i) {
    const struct move best = i->heap[0], last = i->heap[--i->heap_count];
    int64_t at = 0;
    for (int64_t child = 1; child < i->heap_count; child = 2 * at + 1) {
        if (child + 1 < i->heap_count && before(&i->heap[child + 1], &i->heap[child]))
            child++;
        if (!before(&i->heap[child], &last))
            break;
        i->heap[at] = i->heap[child];
        at = child;
    }
    i->heap[at] = last;
    return best;
}

static void change(struct improving *i, int32_t v, uint8_t to) {
    struct merged_graph *const l = i->l;
    i->changed[i->changes] = v;
    i->was[i->changes++] = l->side[v];
    i->weight[l->side[v]] -= l->size[v];
    i->weight[to] += l->size[v];
    l->side[v] = to;
}

static void find_gains(struct improving *i, int32_t v) {
    const struct merged_graph *const l = i->l;
    i->gain[LEFT][v] = i->gain[RIGHT][v] = l->size[v];
    for (int64_t e = l->first[v]; e < l->first[v + 1]; e++) {
        const uint8_t side = l->side[l->to[e]];
        if (side != SEPARATOR)
            i->gain[1 - side][v] -= l->size[l->to[e]];
    }
}

/* Moves a vertex out of the separator; its neighbours on the other side come into it. */
static enum status make_move(struct improving *i, int32_t v, uint8_t to, struct error *err) {
    const struct merged_graph *const l = i->l;
    const uint8_t from = (uint8_t)(1 - to);
    change(i, v, to);
    i->locked[v] = LOCKED;
    for (int64_t e = l->first[v]; e < l->first[v + 1]; e++) {
        const int32_t u = l->to[e];
        if (l->side[u] == SEPARATOR && !i->locked[u]) {
            i->gain[from][u] -= l->size[v];
            RETURN_ON_FAILURE(push(i, u, from, err));
        }
        if (l->side[u] != from)
            continue;
        change(i, u, SEPARATOR);
        find_gains(i, u);
        if (!i->locked[u]) {
            RETURN_ON_FAILURE(push(i, u, LEFT, err));
            RETURN_ON_FAILURE(push(i, u, RIGHT, err));
        }
        for (int64_t f = l->first[u]; f < l->first[u + 1]; f++) {
            const int32_t x = l->to[f];
            if (l->side[x] != SEPARATOR || i->locked[x] || x == u)
                continue;
            i->gain[to][x] += l->size[u];
            RETURN_ON_FAILURE(push(i, x, to, err));
        }
    }
    return STATUS_OK;
}

/* Returns how bad a separator is: its weight, and more if the sides are unequal. weight: weights of
 * the left side, of the right side and of the separator. */
static double badness(const int64_t *weight) {
    const double left = (double)weight[LEFT], right = (double)weight[RIGHT];
    const double all = left + right + (double)weight[SEPARATOR];
    const double unequal = (left - right) / (2 * all);
    const double beyond = (left > right ? left : right) - max_side * all;
    return ((double)weight[SEPARATOR] + 0.5) * (1 + unequal_cost * unequal * unequal) +
           (beyond > 0 ? beyond : 0);
}

/* Undoes changes until `kept` are left. The list of the separator's vertices is right then, and all
 * are free. */
static void keep_changes(struct improving *i, int64_t kept) {
    struct merged_graph *const l = i->l;
    const int64_t all = i->changes;
    int32_t count = 0;
    while (i->changes > kept) {
        const int32_t v = i->changed[--i->changes];
        const uint8_t was = i->was[i->changes];
        i->weight[l->side[v]] -= l->size[v];
        i->weight[was] += l->size[v];
        l->side[v] = was;
    }
    for (int32_t k = 0; k < i->separator_count; k++) {
        const int32_t v = i->separator[k];
        i->locked[v] = FREE;
        if (l->side[v] != SEPARATOR)
            continue;
        i->separator[count++] = v;
        i->locked[v] = LISTED;
    }
    for (int64_t k = 0; k < kept; k++) {
        const int32_t v = i->changed[k];
        if (l->side[v] != SEPARATOR || i->locked[v] == LISTED)
            continue;
        i->separator[count++] = v;
        i->locked[v] = LISTED;
    }
    for (int64_t k = 0; k < all; k++)
        i->locked[i->changed[k]] = FREE;
    for (int32_t k = 0; k < count; k++)
        i->locked[i->separator[k]] = FREE;
    i->separator_count = count;
}

/* One pass; *better tells whether it found a better separator. The order of moves does not depend
 * on that of the list. */
static enum status pass(struct improving *i, bool *better, struct error *err) {
    struct merged_graph *const l = i->l;
    const int64_t most = (int64_t)(max_side * (double)l->weight) + 1;
    double best = badness(i->weight);
    int64_t kept = 0;
    int waited = 0;
    i->heap_count = i->changes = 0;
    *better = false;
    for (int32_t k = 0; k < i->separator_count; k++) {
        const int32_t v = i->separator[k];
        find_gains(i, v);
        RETURN_ON_FAILURE(push(i, v, LEFT, err));
        RETURN_ON_FAILURE(push(i, v, RIGHT, err));
    }
    while (i->heap_count > 0 && waited < PATIENCE) {
        const struct move m = pop(i);
        const int32_t v = m.vertex;
        if (l->side[v] != SEPARATOR || i->locked[v] || i->gain[m.to][v] != m.gain ||
            i->weight[m.to] + l->size[v] > most)
            continue;
        /* Every vertex leaves the separator once at most, and comes into it twice. */
        RETURN_ON_FAILURE(make_move(i, v, m.to, err));
        waited++;
        const double here = badness(i->weight);
        if (here < best) {
            best = here;
            kept = i->changes;
            waited = 0;
            *better = true;
        }
    }
    keep_changes(i, kept);
    return STATUS_OK;
}

/* Improves the separator of a graph. */
static enum status improve(struct improving *i, struct merged_graph *l, struct error *err) {
    bool better = true;
    i->l = l;
    i->separator_count = 0;
    i->weight[LEFT] = i->weight[RIGHT] = i->weight[SEPARATOR] = 0;
    for (int32_t v = 0; v < l->n; v++) {
        i->weight[l->side[v]] += l->size[v];
        if (l->side[v] == SEPARATOR)
            i->separator[i->separator_count++] = v;
    }
    for (int p = 0; p < PASSES && better; p++)
        RETURN_ON_FAILURE(pass(i, &better, err));
    return STATUS_OK;
}

/* Splits the coarsest graph: a region that grows from a random vertex is one side; its vertices
 * that have neighbours outside are the separator. queue: n numbers of scratch. */
static void grow(struct merged_graph *l, uint64_t *random, int32_t *queue) {
    int64_t weight = 0;
    int32_t count = 0, next = 0;
    const int32_t start = random_below(random, l->n);
    memset(l->side, RIGHT, (size_t)l->n);
    for (int32_t k = 0; k < l->n && 2 * weight < l->weight; k++) {
        const int32_t from = (int32_t)(((int64_t)start + k) % l->n);
        if (l->side[from] != RIGHT)
            continue;
        l->side[from] = LEFT;
        weight += l->size[from];
        queue[count++] = from;
        for (; next < count && 2 * weight < l->weight; next++) {
            const int32_t v = queue[next];
            for (int64_t e = l->first[v]; e < l->first[v + 1] && 2 * weight < l->weight; e++) {
                const int32_t u = l->to[e];
                if (l->side[u] != RIGHT)
                    continue;
                l->side[u] = LEFT;
                weight += l->size[u];
                queue[count++] = u;
            }
        }
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t v = queue[k];
        for (int64_t e = l->first[v]; e < l->first[v + 1]; e++) {
            if (l->side[l->to[e]] == RIGHT)
                l->side[v] = SEPARATOR;
        }
    }
}

/* State of a search for a separator: random numbers and memory. */
struct finding {
    uint64_t *random;
    int32_t *scratch; /* 3 n numbers */
    struct improving improving;
};

static enum status part_coarsest(struct finding *f, struct merged_graph *l, struct error *err) {
    uint8_t *const best = (uint8_t *)(f->scratch + l->n);
    double least = 0;
    for (int p = 0; p < PARTINGS; p++) {
        grow(l, f->random, f->scratch);
        RETURN_ON_FAILURE(improve(&f->improving, l, err));
        const double here = badness(f->improving.weight);
        if (p > 0 && here >= least)
            continue;
        least = here;
        memcpy(best, l->side, (size_t)l->n);
    }
    memcpy(l->side, best, (size_t)l->n);
    return STATUS_OK;
}

/* Brings the separator of the coarser graph down to this one, and improves it. */
static enum status project(struct finding *f, struct merged_graph *l, const struct merged_graph *up,
                           struct error *err) {
    for (int32_t v = 0; v < l->n; v++)
        l->side[v] = up->side[l->coarse[v]];
    return improve(&f->improving, l, err);
}

static enum status part(struct finding *f, struct merged_graph *l, struct level **above, int tries,
                        struct error *err);

/* Merges vertices, parts what is left, and comes back. */
static enum status part_above(struct finding *f, struct merged_graph *l, struct level **above,
                              int tries, struct error *err) {
    RETURN_ON_FAILURE(merge(l, f->random, above, f->scratch, err));
    struct merged_graph *const up = &(*above)->graph;
    if (up->n > l->n - l->n / 20)
        RETURN_ON_FAILURE(part_coarsest(f, up, err));
    else
        RETURN_ON_FAILURE(part(f, up, &(*above)->above, tries, err));
    return project(f, l, up, err);
}

/* Finds a separator: the best of some that are looked for from the level on that has up to FEW
 * vertices. *above: the next coarser level, if there has been one. */
static enum status part(struct finding *f, struct merged_graph *l, struct level **above, int tries,
                        struct error *err) {
    double least = 0;
    void *best = NULL;
    enum status status = STATUS_OK;
    if (l->n <= COARSEST)
        return part_coarsest(f, l, err);
    if (l->n > FEW || tries == 1)
        return part_above(f, l, above, tries, err);
    RETURN_ON_FAILURE(memory_alloc(&best, (size_t)l->n, 1, "a separator", err));
    for (int k = 0; k < tries; k++) {
        TRY(part_above(f, l, above, 1, err));
        const double here = badness(f->improving.weight);
        if (k > 0 && here >= least)
            continue;
        least = here;
        memcpy(best, l->side, (size_t)l->n);
    }
    memcpy(l->side, best, (size_t)l->n);
cleanup:
    memory_free(best);
    return status;
}

enum status separator_find(struct merged_graph *g, int tries, uint64_t *random, struct error *err) {
    struct finding f = {.random = random};
    struct level *above = NULL;
    void *scratch = NULL;
    enum status status;
    TRY(memory_alloc(&scratch, (size_t)g->n, 3 * sizeof(int32_t), "a separator", err));
    f.scratch = scratch;
    TRY(improving_alloc(&f.improving, g->n, err));
    status = part(&f, g, &above, tries, err);

cleanup:
    levels_free(above);
    improving_free(&f.improving);
    memory_free(scratch);
    return status;
}
