// SPDX-License-Identifier: MIT
#include "elimination/cluster_order.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/lowest_failure.h" // lowest_failure_note
#include "common/base/memory.h"         // memory_alloc
#include "common/base/sort_numbers.h"   // sort_numbers
#include "elimination/clusters.h"       // clusters_find
#include "elimination/minimum_degree.h" // minimum_degree_begin
#include "elimination/order.h"          // order_left
#include "elimination/quotient_order.h" // quotient_order_find
#include "elimination/remainder.h"      // remainder_find

#include <string.h>

enum {
    START = 3,        /* most neighbours of a vertex that minimum degree orders before all
                         others */
    MOST = 12,        /* most higher neighbours that a vertex eliminated in its cluster may have */
    HEAVY = MOST + 1, /* number of vertices that a cluster's graph adds as neighbours of all its
                         held-back vertices */
    WANTED = 32, /* number of clusters that is aimed at, as long as clusters are neither too small
                    nor too large */
    HELD = 3,    /* reciprocal of the largest share of vertices that may be held back */
    VERTICES = 1 << 14, /* least number of vertices in a part that a thread takes */
    PARTS = 256         /* most parts that all vertices are split into */
};

struct ordering {
    const struct pattern *pattern;
    int threads;
    int32_t clusters;
    int32_t *cluster; /* n: the cluster of each vertex */
    int32_t *local;   /* by vertex, n entries: number among the members of the vertex's
                         cluster */
    int32_t *member;  /* members of each cluster, which are the vertices not held back, n
                         entries. First ascending; after a cluster is ordered, its eliminated
                         members come first, in their order */
    uint8_t *is_left; /* by vertex, n entries: the vertex is held back, or its cluster has not
                         eliminated it */
    int32_t *start;   /* index in `member` at which each cluster's members begin, clusters + 1
                         entries */
    struct cluster_result *found; /* result of each cluster, `clusters` entries */
};

bool cluster_order_can_pay(int32_t n) {
    return n > 2 * block_sizes.order_cluster;
}

/* Returns the largest number of vertices of a cluster. Small graphs have smaller clusters, so that
 * there are some for each thread. */
static int32_t largest_cluster(int32_t n) {
    const int32_t most = block_sizes.order_cluster, least = (most + 1) / 2, share = n / WANTED;
    return share < least ? least : share > most ? most : share;
}

/* Holds back the vertices that have neighbours in clusters of higher numbers. Returns their number.
 */
static int32_t hold_back(struct ordering *o) {
    const struct pattern *const p = o->pattern;
    int32_t held = 0;
#pragma omp parallel for num_threads(o->threads) schedule(static) reduction(+ : held)
    for (int32_t v = 0; v < p->n; v++) {
        bool is_held = false;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++)
            is_held |= o->cluster[p->neighbour[e]] > o->cluster[v];
        o->is_left[v] = is_held;
        held += is_held;
    }
    return held;
}

/* Finds the members of each cluster: counts them in each part of the vertices, then stores each
 * member where the counts say. */
static enum status find_members(struct ordering *o, struct error *err) {
    const int32_t n = o->pattern->n;
    const int32_t size = n / PARTS < VERTICES ? VERTICES : n / PARTS + 1;
    const int32_t parts = (n - 1) / size + 1;
    const size_t clusters = (size_t)o->clusters;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)parts * clusters, sizeof(int32_t), "the clusters", err));
    int32_t *const place = memory;
#pragma omp parallel for num_threads(o->threads) schedule(static, 1)
    for (int32_t part = 0; part < parts; part++) {
        int32_t *const count = place + (size_t)part * clusters;
        const int32_t end = n - part * size < size ? n : (part + 1) * size;
        memset(count, 0, clusters * sizeof *count);
        for (int32_t v = part * size; v < end; v++)
            count[o->cluster[v]] += !o->is_left[v];
    }
    int32_t sum = 0;
    for (size_t c = 0; c < clusters; c++) {
        o->start[c] = sum;
        for (int32_t part = 0; part < parts; part++) {
            const int32_t count = place[(size_t)part * clusters + c];
            place[(size_t)part * clusters + c] = sum;
            sum += count;
        }
    }
    o->start[clusters] = sum;
#pragma omp parallel for num_threads(o->threads) schedule(static, 1)
    for (int32_t part = 0; part < parts; part++) {
        int32_t *const next = place + (size_t)part * clusters;
        const int32_t end = n - part * size < size ? n : (part + 1) * size;
        for (int32_t v = part * size; v < end; v++) {
            if (o->is_left[v])
                continue;
            o->local[v] = next[o->cluster[v]] - o->start[o->cluster[v]];
            o->member[next[o->cluster[v]]++] = v;
        }
    }
    memory_free(memory);
    return STATUS_OK;
}

/* A cluster as a graph of its own: its members, then the held-back vertices next to them, then
 * HEAVY further vertices that are joined to each other and to all held-back ones. So held-back
 * vertices have higher degrees than members. The lists of held-back and further vertices leave out
 * their edges to members. */
struct cluster_graph {
    const int32_t *member;
    int32_t members, held;
    int32_t *held_vertex; /* held-back vertices next to the cluster, ascending, `held` entries */
    struct pattern pattern;
};

/* Returns the index of v in held_vertex. */
static int32_t find_held(const struct cluster_graph *r, int32_t v) {
    int32_t low = 0, high = r->held - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (r->held_vertex[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void region_free(struct cluster_graph *r) {
    memory_free(r->held_vertex);
    pattern_free(&r->pattern);
}

/* Collects the held-back vertices next to the members. *entries: number of edges of all members;
 * *outside: number of these that lead to held-back vertices. */
static enum status find_held_vertices(const struct ordering *o, struct cluster_graph *r,
                                      int64_t *entries, int64_t *outside, struct error *err) {
    const struct pattern *const p = o->pattern;
    void *memory;
    *entries = *outside = 0;
    for (int32_t k = 0; k < r->members; k++) {
        const int32_t v = r->member[k];
        *entries += p->first[v + 1] - p->first[v];
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++)
            *outside += o->is_left[p->neighbour[e]] != 0;
    }
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)*outside, sizeof(int32_t), "the order of elimination", err));
    r->held_vertex = memory;
    int64_t count = 0;
    for (int32_t k = 0; k < r->members; k++) {
        const int32_t v = r->member[k];
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            if (o->is_left[p->neighbour[e]])
                r->held_vertex[count++] = p->neighbour[e];
        }
    }
    sort_numbers(r->held_vertex, count);
    for (int64_t k = 0; k < count; k++) {
        if (r->held == 0 || r->held_vertex[r->held - 1] != r->held_vertex[k])
            r->held_vertex[r->held++] = r->held_vertex[k];
    }
    return STATUS_OK;
}

/* Fills the pattern of a cluster's graph. `is_left` must be as hold_back() has left it. */
static enum status find_region(const struct ordering *o, struct cluster_graph *r,
                               struct error *err) {
    const struct pattern *const p = o->pattern;
    int64_t entries, outside;
    void *first, *neighbour, *end_memory = NULL;
    enum status status;
    RETURN_ON_FAILURE(find_held_vertices(o, r, &entries, &outside, err));
    const int32_t heavy = r->held > 0 ? HEAVY : 0, inside = r->members + r->held;
    const int32_t n = inside + heavy;
    const int64_t added = (int64_t)heavy * (2 * (int64_t)r->held + heavy - 1);
    TRY(memory_alloc(&first, (size_t)n + 1, sizeof(int64_t), "the order of elimination", err));
    r->pattern = (struct pattern){.n = n, .first = first};
    TRY(memory_alloc(&neighbour, (size_t)(entries + outside + added), sizeof(int32_t),
                     "the order of elimination", err));
    r->pattern.neighbour = neighbour;
    TRY(memory_alloc(&end_memory, (size_t)r->held, sizeof(int64_t), "the order of elimination",
                     err));
    int64_t at = 0, *const end = end_memory;
    memset(end, 0, (size_t)r->held * sizeof *end);
    for (int32_t k = 0; k < r->members; k++) {
        const int32_t v = r->member[k];
        r->pattern.first[k] = at;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            const int32_t u = p->neighbour[e];
            const int32_t h = o->is_left[u] ? find_held(r, u) : -1;
            r->pattern.neighbour[at++] = h < 0 ? o->local[u] : r->members + h;
            if (h >= 0)
                end[h]++;
        }
    }
    r->pattern.first[r->members] = at;
    for (int32_t h = 0; h < r->held; h++) {
        const int64_t members = end[h];
        r->pattern.first[r->members + h] = end[h] = at;
        at += members;
        for (int32_t x = 0; x < heavy; x++)
            r->pattern.neighbour[at++] = inside + x;
    }
    for (int32_t k = 0; k < r->members; k++) {
        for (int64_t e = r->pattern.first[k]; e < r->pattern.first[k + 1]; e++) {
            const int32_t u = r->pattern.neighbour[e];
            if (u >= r->members)
                r->pattern.neighbour[end[u - r->members]++] = k;
        }
    }
    for (int32_t x = 0; x < heavy; x++) {
        r->pattern.first[inside + x] = at;
        for (int32_t h = r->members; h < n; h++) {
            if (h != inside + x)
                r->pattern.neighbour[at++] = h;
        }
    }
    r->pattern.first[n] = at;

cleanup:
    memory_free(end_memory);
    return status;
}

/* Lists of higher neighbours, by which a cluster's members are eliminated symbolically in their
 * order, as long as they have up to MOST higher neighbours. In lists, members appear as positions
 * in this order, other vertices as their numbers in the cluster's graph. */
struct lists {
    int32_t members;
    const struct pattern *pattern;
    int32_t *vertex, *position; /* vertex[at]: member at each position; position[v]: position of
                                   each member; `members` entries */
    int32_t *child, *next;      /* lists of the children of each position whose own lists are known:
                                   child[at] is the first, next[c] the one after c; -1: no more;
                                   `members` entries */
    int32_t *mark;              /* members + held entries: last position to whose list each position
                                   or vertex was added */
    int32_t *length;            /* by position, `members` entries: length of its list */
    int64_t *first;             /* by position, `members` entries: index in `list` at which its list
                                   begins */
    uint8_t *is_late;           /* by position, `members` entries: the member is not eliminated,
                                   because it or a descendant has too many higher neighbours */
    int32_t *list;
    int64_t end, room; /* entries of `list` in use, and entries allocated */
    void *memory;
};

static enum status lists_alloc(struct lists *l, const struct cluster_graph *r, struct error *err) {
    const size_t members = (size_t)r->members, held = (size_t)r->held;
    *l = (struct lists){.members = r->members, .pattern = &r->pattern};
    RETURN_ON_FAILURE(
        memory_alloc(&l->memory, 1,
                     members * (sizeof(int64_t) + 6 * sizeof(int32_t) + 1) + held * sizeof(int32_t),
                     "the order of elimination", err));
    l->first = l->memory;
    l->vertex = (int32_t *)(l->first + members);
    l->position = l->vertex + members;
    l->child = l->position + members;
    l->next = l->child + members;
    l->length = l->next + members;
    l->mark = l->length + members;
    l->is_late = (uint8_t *)(l->mark + members + held);
    memset(l->child, -1, members * sizeof(int32_t));
    memset(l->mark, -1, (members + held) * sizeof(int32_t));
    memset(l->is_late, 0, members);
    return STATUS_OK;
}

static void lists_free(struct lists *l) {
    memory_free(l->memory);
    memory_free(l->list);
}

static int32_t key_of(const struct lists *l, int32_t neighbour) {
    return neighbour < l->members ? l->position[neighbour] : neighbour;
}

/* Adds a key to the list of position `at`, unless it is there or not above `at`. */
static void add(struct lists *l, int32_t at, int32_t key) {
    if (key <= at || l->mark[key] == at)
        return;
    l->mark[key] = at;
    if (l->length[at]++ < MOST)
        l->list[l->first[at] + l->length[at] - 1] = key;
}

/* Finds the list of a position; it stops when the list is longer than MOST. */
static void gather(struct lists *l, int32_t at) {
    const struct pattern *const p = l->pattern;
    const int32_t v = l->vertex[at];
    for (int64_t e = p->first[v]; e < p->first[v + 1] && l->length[at] <= MOST; e++)
        add(l, at, key_of(l, p->neighbour[e]));
    for (int32_t c = l->child[at]; c >= 0 && l->length[at] <= MOST; c = l->next[c]) {
        for (int32_t k = 0; k < l->length[c]; k++)
            add(l, at, l->list[l->first[c] + k]);
    }
}

/* Marks a position as not eliminated, and with it its ancestors among the members, which are in its
 * neighbours and in its children's lists; children that are not eliminated have marked theirs. */
static void leave(struct lists *l, int32_t at) {
    const struct pattern *const p = l->pattern;
    const int32_t v = l->vertex[at];
    l->is_late[at] = 1;
    l->length[at] = 0;
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        if (p->neighbour[e] < l->members && l->position[p->neighbour[e]] > at)
            l->is_late[l->position[p->neighbour[e]]] = 1;
    }
    for (int32_t c = l->child[at]; c >= 0; c = l->next[c]) {
        for (int32_t k = 0; k < l->length[c]; k++) {
            if (l->list[l->first[c] + k] < l->members)
                l->is_late[l->list[l->first[c] + k]] = 1;
        }
    }
    l->is_late[at] = 1;
}

static int32_t parent_of(const struct lists *l, int32_t at) {
    int32_t parent = INT32_MAX;
    for (int32_t k = 0; k < l->length[at]; k++) {
        const int32_t key = l->list[l->first[at] + k];
        parent = key < parent ? key : parent;
    }
    return parent;
}

static enum status find_lists(struct lists *l, struct error *err) {
    for (int32_t at = 0; at < l->members; at++) {
        if (l->room - l->end < MOST) {
            const int64_t room = l->room + l->room / 2 + 8 * (int64_t)l->members + MOST;
            void *memory = l->list;
            RETURN_ON_FAILURE(memory_resize(&memory, (size_t)room, sizeof(int32_t),
                                            "the order of elimination", err));
            l->list = memory;
            l->room = room;
        }
        l->first[at] = l->end;
        l->length[at] = 0;
        if (!l->is_late[at])
            gather(l, at);
        if (l->is_late[at] || l->length[at] > MOST) {
            leave(l, at);
            continue;
        }
        l->end += l->length[at];
        const int32_t parent = parent_of(l, at);
        if (parent >= l->members)
            continue;
        l->next[at] = l->child[parent];
        l->child[parent] = at;
    }
    return STATUS_OK;
}

/* Returns whether the list of a position is a clique that has to be kept: the list of no other
 * eliminated position contains all of it. */
static bool leaves_clique(const struct lists *l, int32_t at) {
    if (l->is_late[at] || l->length[at] < 2)
        return false;
    const int32_t parent = parent_of(l, at);
    return parent >= l->members || l->is_late[parent];
}

/* Stores the result of a cluster. Moves its eliminated members to the front of `member`. */
static enum status take(const struct cluster_graph *r, const struct lists *l, int32_t *member,
                        struct cluster_result *cluster, int32_t *scratch, struct error *err) {
    int64_t length = 0;
    void *memory;
    for (int32_t at = 0; at < l->members; at++)
        length += leaves_clique(l, at) ? 1 + l->length[at] : 0;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)length, sizeof(int32_t), "the order of elimination", err));
    cluster->clique = memory;
    cluster->cliques_length = 0;
    for (int32_t at = 0; at < l->members; at++) {
        if (!leaves_clique(l, at))
            continue;
        cluster->clique[cluster->cliques_length++] = l->length[at];
        for (int32_t k = 0; k < l->length[at]; k++) {
            const int32_t key = l->list[l->first[at] + k];
            cluster->clique[cluster->cliques_length++] =
                key < l->members ? member[l->vertex[key]] : r->held_vertex[key - l->members];
        }
    }
    cluster->eliminated = 0;
    for (int32_t at = 0; at < l->members; at++) {
        if (!l->is_late[at])
            scratch[cluster->eliminated++] = member[l->vertex[at]];
    }
    int32_t end = cluster->eliminated;
    for (int32_t at = 0; at < l->members; at++) {
        if (l->is_late[at])
            scratch[end++] = member[l->vertex[at]];
    }
    memcpy(member, scratch, (size_t)l->members * sizeof *member);
    return STATUS_OK;
}

/* Orders a graph: vertices with few neighbours as minimum_degree.h does, which keeps the trees of
 * chains low, the rest by order.h. */
static enum status order_graph(const struct pattern *pattern, int32_t *order, struct error *err) {
    struct minimum_degree *md = NULL;
    int64_t entries;
    enum status status;
    TRY(minimum_degree_begin(pattern, 1, &md, err));
    TRY(minimum_degree_go_on(md, START, INT64_MAX, err));
    minimum_degree_order(md, order);
    if (minimum_degree_eliminated(md) < pattern->n)
        status = order_left(md, order + minimum_degree_eliminated(md), &entries, err);

cleanup:
    minimum_degree_free(md);
    return status;
}

/* Orders the members of a cluster. */
static enum status order_cluster(struct ordering *o, int32_t c, struct error *err) {
    int32_t *const member = o->member + o->start[c];
    struct cluster_graph r = {.member = member, .members = o->start[c + 1] - o->start[c]};
    struct lists l = {0};
    void *order = NULL;
    enum status status;
    if (r.members == 0)
        return STATUS_OK;
    TRY(find_region(o, &r, err));
    TRY(memory_alloc(&order, (size_t)r.pattern.n, sizeof(int32_t), "the order of elimination",
                     err));
    TRY(order_graph(&r.pattern, order, err));
    TRY(lists_alloc(&l, &r, err));
    int32_t members = 0;
    for (int32_t at = 0; at < r.pattern.n; at++) {
        const int32_t v = ((int32_t *)order)[at];
        if (v >= r.members)
            continue;
        l.position[v] = members;
        l.vertex[members++] = v;
    }
    TRY(find_lists(&l, err));
    TRY(take(&r, &l, member, &o->found[c], order, err));

cleanup:
    memory_free(order);
    lists_free(&l);
    region_free(&r);
    return status;
}

static enum status order_clusters(struct ordering *o, struct error *err) {
    struct lowest_failure failed;
    lowest_failure_begin(&failed);
#pragma omp parallel for num_threads(o->threads) schedule(dynamic, 1)
    for (int32_t c = 0; c < o->clusters; c++) {
        struct error own;
        const enum status found = order_cluster(o, c, &own);
        if (found != STATUS_OK)
            lowest_failure_note(&failed, c, found, &own);
    }
#pragma omp parallel for num_threads(o->threads) schedule(dynamic, 1)
    for (int32_t c = 0; c < o->clusters; c++) {
        for (int32_t k = o->start[c] + o->found[c].eliminated; k < o->start[c + 1]; k++)
            o->is_left[o->member[k]] = 1;
    }
    return lowest_failure_end(&failed, err);
}

/* Orders the vertices that all clusters have left, and puts the whole order together. */
static enum status finish(struct ordering *o, int32_t *vertex, int32_t *first, struct error *err) {
    struct remainder r = {0};
    void *order = NULL;
    int32_t at = 0;
    enum status status = STATUS_OK;
    for (int32_t c = 0; c < o->clusters; c++) {
        first[c] = at;
        memcpy(vertex + at, o->member + o->start[c],
               (size_t)o->found[c].eliminated * sizeof *vertex);
        at += o->found[c].eliminated;
    }
    first[o->clusters] = at;
    if (at == o->pattern->n)
        return STATUS_OK;
    const struct remainder_request request = {.pattern = o->pattern,
                                              .threads = o->threads,
                                              .clusters = o->clusters,
                                              .found = o->found,
                                              .is_left = o->is_left};
    TRY(remainder_find(&request, at, &r, err));
    TRY(memory_alloc(&order, (size_t)r.graph.n, sizeof(int32_t), "the order of elimination", err));
    TRY(quotient_order_find(&r.graph, o->threads, order, err));
    for (int32_t k = 0; k < r.graph.n; k++)
        vertex[at + k] = r.vertex[((int32_t *)order)[k]];

cleanup:
    memory_free(order);
    remainder_free(&r);
    return status;
}

enum { VERTEX_BYTES = 3 * sizeof(int32_t) + 1 }; /* bytes of an ordering for each vertex */

static enum status ordering_alloc(struct ordering *o, void **memory, struct error *err) {
    const size_t n = (size_t)o->pattern->n;
    RETURN_ON_FAILURE(memory_alloc(memory, n, VERTEX_BYTES, "the order of elimination", err));
    o->cluster = *memory;
    o->local = o->cluster + n;
    o->member = o->local + n;
    o->is_left = (uint8_t *)(o->member + n);
    return STATUS_OK;
}

/* Allocates the arrays by cluster, and *first. */
static enum status clusters_alloc(struct ordering *o, void **memory, int32_t **first,
                                  struct error *err) {
    const size_t clusters = (size_t)o->clusters;
    void *starts;
    RETURN_ON_FAILURE(memory_alloc(memory, clusters + 1,
                                   sizeof(struct cluster_result) + sizeof(int32_t),
                                   "the order of elimination", err));
    o->found = *memory;
    o->start = (int32_t *)(o->found + clusters + 1);
    memset(o->found, 0, clusters * sizeof *o->found);
    RETURN_ON_FAILURE(
        memory_alloc(&starts, clusters + 1, sizeof(int32_t), "the order of elimination", err));
    *first = starts;
    return STATUS_OK;
}

enum status cluster_order_find(const struct pattern *pattern, int threads, int32_t *vertex,
                               int32_t *clusters, int32_t **first, struct error *err) {
    struct ordering o = {.pattern = pattern, .threads = threads};
    void *by_vertex = NULL, *by_cluster = NULL;
    enum status status;
    *clusters = 0;
    *first = NULL;
    TRY(ordering_alloc(&o, &by_vertex, err));
    TRY(clusters_find(pattern, largest_cluster(pattern->n), threads, o.cluster, &o.clusters, err));
    if (o.clusters < 2 || hold_back(&o) > pattern->n / HELD)
        goto cleanup;
    TRY(clusters_alloc(&o, &by_cluster, first, err));
    TRY(find_members(&o, err));
    TRY(order_clusters(&o, err));
    TRY(finish(&o, vertex, *first, err));
    *clusters = o.clusters;

cleanup:
    for (int32_t c = 0; c < o.clusters && by_cluster != NULL; c++)
        memory_free(o.found[c].clique);
    memory_free(by_cluster);
    memory_free(by_vertex);
    if (status != STATUS_OK) {
        memory_free(*first);
        *first = NULL;
    }
    return status;
}

uint64_t cluster_order_memory(int32_t n, int64_t entries) {
    return memory_add(clusters_memory(n, entries), (uint64_t)n * VERTEX_BYTES);
}
