// SPDX-License-Identifier: MIT
#include "index/index_order.h"

#include "common/base/memory.h" // memory_alloc
#include "index/index_parts.h"

#include <string.h>

/* Returns the entry of an edge, which is an entry of the edge's lower end; -1: there is none.
 * *direction: 0 if the lower end is the tail, 1 if it is the head. */
static int64_t entry_of(const struct distance_index *x, int32_t tail, int32_t head,
                        int *direction) {
    const bool is_up = x->vertex[0][tail].labels > x->vertex[0][head].labels;
    const struct index_vertex *const lower = &x->vertex[0][is_up ? tail : head];
    const int32_t higher = is_up ? head : tail;
    *direction = is_up ? 0 : 1;
    for (uint32_t e = 0; index_has_entries(x, lower) && e < index_entry_count(lower); e++) {
        if (x->higher[index_first_entry(lower) + e] == higher)
            return (int64_t)(index_first_entry(lower) + e);
    }
    return -1;
}

static inline bool is_edge(const struct distance_index *x, int direction, uint64_t entry) {
    return (x->edge[direction][entry / 8] >> entry % 8 & 1) != 0;
}

static bool has_edge(const struct distance_index *x, int32_t tail, int32_t head) {
    int direction;
    const int64_t entry = entry_of(x, tail, head, &direction);
    return entry >= 0 && is_edge(x, direction, (uint64_t)entry);
}

/* Returns the number of bits that are set, in both directions. */
static int64_t edges_of(const struct distance_index *x) {
    const uint64_t bytes = index_edge_bytes(&x->header);
    int64_t edges = 0;
    for (int d = 0; d < 2; d++) {
        for (uint64_t k = 0; k < bytes; k++)
            edges += __builtin_popcount(x->edge[d][k]);
    }
    return edges;
}

static void note(struct index_difference *first, int32_t tail, int32_t head, bool is_missing) {
    if (tail < first->tail || (tail == first->tail && head < first->head))
        *first = (struct index_difference){tail, head, is_missing};
}

bool index_differs(const struct distance_index *x, const struct graph *g, int threads,
                   struct index_difference *first) {
    int64_t found = 0;
    *first = (struct index_difference){INT32_MAX, INT32_MAX, false};
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096) reduction(+ : found)
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            found += has_edge(x, u, g->head[e]);
    }
    if (found == g->m && edges_of(x) == g->m)
        return false;
    for (int32_t u = 0; u < g->n && u <= first->tail; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            if (!has_edge(x, u, g->head[e]))
                note(first, u, g->head[e], false);
        }
    }
    for (int32_t v = 0; v < g->n; v++) {
        const struct index_vertex *const own = &x->vertex[0][v];
        for (uint32_t e = 0; index_has_entries(x, own) && e < index_entry_count(own); e++) {
            const int32_t to = x->higher[index_first_entry(own) + e];
            if (!index_has_vertex(x, to))
                continue;
            if (is_edge(x, 0, index_first_entry(own) + e) && graph_find_edge(g, v, to) < 0)
                note(first, v, to, true);
            if (is_edge(x, 1, index_first_entry(own) + e) && graph_find_edge(g, to, v) < 0)
                note(first, to, v, true);
        }
    }
    return true;
}

static enum status wrong_tree(const struct distance_index *x, int32_t v, struct error *err) {
    return fail(err, STATUS_REFUTED,
                "vertex %s: expected its place in the elimination tree, found another",
                naming_name(&x->naming, v).text);
}

/* Returns whether the entries of a vertex lead to its ancestors, upwards from the parent. path:
 * vertex at each depth on the way from the root. */
static bool leads_up(const struct distance_index *x, const struct index_vertex *v,
                     const int32_t *path) {
    uint32_t below = v->labels;
    if ((v->labels > 1) != (index_entry_count(v) > 0))
        return false;
    for (uint32_t e = 0; e < index_entry_count(v); e++) {
        const int32_t to = x->higher[index_first_entry(v) + e];
        if (!index_has_vertex(x, to))
            return false;
        const uint32_t labels = x->vertex[0][to].labels;
        if (labels >= below || (e == 0 && labels + 1 != below) || labels == 0 ||
            path[labels - 1] != to)
            return false;
        below = labels;
    }
    return true;
}

/* Returns whether a vertex has the place in the tree of another one, and a label that lies inside
 * its section. */
static bool is_same(const struct distance_index *x, const struct index_vertex *a,
                    const struct index_vertex *b, int direction) {
    return index_first_entry(a) == index_first_entry(b) &&
           index_entry_count(a) == index_entry_count(b) && a->labels == b->labels &&
           a->branch == b->branch && a->ascending == b->ascending &&
           index_has_label(x, direction, b);
}

enum status index_check_tree(const struct distance_index *x, struct error *err) {
    const size_t n = (size_t)x->header.vertices;
    void *copy = NULL, *path = NULL, *head = NULL;
    uint64_t label = 0, entry = 0;
    uint32_t depth = 0, height = 0;
    enum status status;
    TRY(memory_alloc(&copy, n, sizeof(struct index_vertex), "the check of the tree", err));
    TRY(memory_alloc(&path, n, sizeof(int32_t), "the check of the tree", err));
    TRY(memory_alloc(&head, n + 1, sizeof(uint32_t), "the check of the tree", err));
    struct index_vertex *const vertex = copy;
    int32_t *const at_depth = path;
    memset(copy, 0, n * sizeof *vertex);
    for (size_t k = 0; k < n; k++) {
        const int32_t v = x->order[k];
        if (!index_has_vertex(x, v) || vertex[v].labels != 0) {
            status = fail(err, STATUS_REFUTED,
                          "order: expected every vertex once, found %d at place %zu", v, k);
            goto cleanup;
        }
        const struct index_vertex *const own = &x->vertex[0][v];
        if (index_first_entry(own) != entry || own->labels == 0 || own->labels > depth + 1 ||
            !index_has_entries(x, own)) {
            status = wrong_tree(x, v, err);
            goto cleanup;
        }
        vertex[v] = *own;
        depth = own->labels;
        at_depth[depth - 1] = v;
        height = depth > height ? depth : height;
        label += own->labels;
        entry += index_entry_count(own);
        if (!leads_up(x, own, at_depth)) {
            status = wrong_tree(x, v, err);
            goto cleanup;
        }
    }
    if (label != x->header.labels || entry != x->header.entries || height != x->header.height) {
        status = fail(err, STATUS_REFUTED, "header: expected the sizes of the tree, found others");
        goto cleanup;
    }
    TRY(index_find_branches(x->order, x->header.vertices, vertex, head, err));
    for (size_t v = 0; v < n; v++) {
        if (!is_same(x, &vertex[v], &x->vertex[0][v], 0) ||
            !is_same(x, &vertex[v], &x->vertex[1][v], 1)) {
            status = wrong_tree(x, (int32_t)v, err);
            goto cleanup;
        }
    }
    if (memcmp(head, x->head, (n + 1) * sizeof(uint32_t)) != 0)
        status = fail(err, STATUS_REFUTED, "heads: expected those of the tree, found others");
cleanup:
    memory_free(copy);
    memory_free(path);
    memory_free(head);
    return status;
}

/* Returns whether all higher neighbours of a vertex except its parent are also the parent's. Then
 * an elimination makes no other edges. */
static bool is_closed(const struct distance_index *x, const struct index_vertex *v) {
    if (index_entry_count(v) == 0)
        return true;
    const struct index_vertex *const parent = &x->vertex[0][x->higher[index_first_entry(v)]];
    const int32_t *own = x->higher + index_first_entry(v) + 1;
    const int32_t *above = x->higher + index_first_entry(parent);
    const int32_t *const end = own + index_entry_count(v) - 1;
    const int32_t *const last = above + index_entry_count(parent);
    for (; own < end; own++, above++) {
        while (above < last && *above != *own)
            above++;
        if (above == last)
            return false;
    }
    return true;
}

/* The vertex at place k of the order has position n - 1 - k. */
enum status index_order(const struct distance_index *x, struct tree *tree,
                        struct structure *structure, struct error *err) {
    const int32_t n = x->header.vertices;
    void *first, *higher;
    struct error reason;
    const enum status right = index_check_tree(x, &reason);
    if (right == STATUS_REFUTED)
        return fail(err, STATUS_BAD_INPUT, "the index is damaged: %.400s", reason.text);
    if (right != STATUS_OK) {
        *err = reason;
        return right;
    }
    RETURN_ON_FAILURE(tree_alloc(tree, n, err));
    RETURN_ON_FAILURE(memory_alloc(&first, (size_t)n + 1, sizeof(int64_t), "the structure", err));
    structure->first = first;
    RETURN_ON_FAILURE(
        memory_alloc(&higher, (size_t)x->header.entries, sizeof(int32_t), "the structure", err));
    structure->higher = higher;
    tree->height = (int32_t)x->header.height;
    tree->entries = (int64_t)x->header.entries;
    for (int32_t at = 0; at < n; at++) {
        tree->vertex[at] = x->order[n - 1 - at];
        tree->position[tree->vertex[at]] = at;
    }
    int64_t entry = 0;
    for (int32_t at = 0; at < n; at++) {
        const struct index_vertex *const v = &x->vertex[0][tree->vertex[at]];
        if (!is_closed(x, v))
            return index_damaged(err);
        structure->first[at] = entry;
        tree->count[at] = (int32_t)index_entry_count(v);
        tree->depth[at] = (int32_t)v->labels - 1;
        for (uint32_t e = 0; e < index_entry_count(v); e++)
            structure->higher[entry++] = tree->position[x->higher[index_first_entry(v) + e]];
        tree->parent[at] = index_entry_count(v) > 0 ? structure->higher[structure->first[at]] : -1;
    }
    structure->first[n] = entry;
    return STATUS_OK;
}

bool index_live_is_of(const struct index_live *live, const struct graph *g) {
    return live != NULL && live->first != NULL && live->tree.n == g->n &&
           memcmp(live->first, g->first, ((size_t)g->n + 1) * sizeof *g->first) == 0 &&
           memcmp(live->head, g->head, (size_t)g->m * sizeof *g->head) == 0;
}

/* Finds the entry of each edge of a graph. */
static enum status find_entries(const struct distance_index *x, const struct graph *g, int threads,
                                struct index_live *live, struct error *err) {
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    const uint64_t entries = x->header.entries;
    memory_free(live->edges);
    live->edges = NULL;
    live->first = NULL;
    RETURN_ON_FAILURE(memory_alloc(&live->edges,
                                   (n + 1) * sizeof(int64_t) +
                                       m * (sizeof(edge_entry) + sizeof(int64_t) + sizeof(int32_t)),
                                   1, "the edges of the index", err));
    live->first = live->edges;
    live->entry = live->first + n + 1;
    live->back = live->entry + m;
    live->head = (int32_t *)(live->back + m);
    memcpy(live->first, g->first, (n + 1) * sizeof *g->first);
    memcpy(live->head, g->head, m * sizeof *g->head);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096)
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            int direction;
            const uint64_t entry = (uint64_t)entry_of(x, u, g->head[e], &direction);
            const int32_t low = direction == 0 ? u : g->head[e];
            /* The structure lists entries by position, that is from the last vertex of the order to
             * the first. */
            const struct index_vertex *const v = &x->vertex[0][low];
            const uint64_t own = index_first_entry(v);
            live->entry[e] =
                2 * (int64_t)(entries - own - index_entry_count(v) + (entry - own)) + direction;
            live->back[e] = graph_find_edge(g, g->head[e], u);
        }
    }
    return STATUS_OK;
}

enum status index_live_find(const struct distance_index *x, const struct graph *g, int threads,
                            struct index_live *live, struct error *err) {
    if (live->tree.n == 0) {
        const enum status status = index_order(x, &live->tree, &live->structure, err);
        if (status != STATUS_OK) {
            tree_free(&live->tree);
            structure_free(&live->structure);
            return status;
        }
    }
    return index_live_is_of(live, g) ? STATUS_OK : find_entries(x, g, threads, live, err);
}

void index_live_free(struct index_live *live) {
    if (live == NULL)
        return;
    tree_free(&live->tree);
    structure_free(&live->structure);
    memory_free(live->edges);
    memory_free(live->spare);
    memory_free(live);
}
