// SPDX-License-Identifier: MIT
#include "index/index_query.h"       // struct index_targets
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "common/base/threads.h"     // threads_worth
#include "index/index_cells.h"
#include "index/index_fill.h"
#include "index/index_kernels.h"
#include "index/index_label.h"
#include "index/index_parts.h"

#include <string.h>

/* Compiled for both types of cells (common/base/length.h). */

enum { OUT, IN };

/* Returns the distance for a sum of two cells. */
static inline path_length distance_of(const struct distance_index *x, path_length sum) {
#ifdef LENGTH_F64
    (void)x;
    return sum;
#else
    return sum > x->header.largest ? INF : sum;
#endif
}

static inline path_length sum_of(path_length a, path_length b) {
#ifdef LENGTH_F64
    return a + b;
#else
    return (int32_t)((uint32_t)a + (uint32_t)b); /* may wrap, because a damaged file may hold any
                                                    numbers */
#endif
}

/* Stores the distance for a sum of cells, a number of spacings, in the index's type. */
static inline void store(const struct distance_index *x, void *distances, int64_t at,
                         path_length cells) {
#ifndef LENGTH_F64
    if (x->header.type == INDEX_INT32) {
        ((int32_t *)distances)[at] = cells;
        return;
    }
#endif
    ((double *)distances)[at] = index_real(x, cells);
}

/* Returns the least sum over `common` common ancestors of a vertex with a label out and one with a
 * label in. */
static inline path_length meet(const struct distance_index *x, const struct index_vertex *from,
                               const struct index_vertex *to, uint32_t common) {
    if (!index_has_label(x, OUT, from) || !index_has_label(x, IN, to))
        return LENGTH_INF;
    const struct index_label a = index_label_of(x, OUT, from), b = index_label_of(x, IN, to);
    const uint32_t stored = index_lesser(common, index_lesser(a.cells, b.cells));
    const struct index_kernels *const kernels = x->kernels;
    path_length least = kernels->meet(&a, &b, stored);
    if (stored < common) /* one of the two is the last common ancestor */
        least = min_length(least, sum_of(index_cell_at(&a, stored), index_cell_at(&b, stored)));
    return distance_of(x, least);
}

static inline path_length cells_between(const struct distance_index *x, int32_t from, int32_t to) {
    const struct index_vertex *const s = &x->vertex[OUT][from], *const t = &x->vertex[IN][to];
    return meet(x, s, t, index_common(x, s, t));
}

static double distance(const struct distance_index *x, int32_t from, int32_t to) {
    const path_length cells = cells_between(x, from, to);
#ifndef LENGTH_F64
    if (x->header.type == INDEX_INT32)
        return cells;
#endif
    return index_real(x, cells);
}

static inline void fetch(const void *from, size_t bytes) {
    enum { LINE = 64 };
    for (size_t k = 0; k < bytes; k += LINE)
        __builtin_prefetch((const char *)from + k);
}

/* Has the caches fetch the first `count` cells of a label. */
static inline void fetch_label(const struct distance_index *x, int direction,
                               const struct index_vertex *v, uint32_t count) {
    if (!index_has_label(x, direction, v))
        return;
    const struct index_label label = index_label_of(x, direction, v);
#ifdef LENGTH_F64
    fetch(label.cell, count * sizeof *label.cell);
#else
    fetch(label.difference, count * sizeof *label.difference);
    fetch(label.row, count * sizeof *label.row);
#endif
}

/* Finds the distances of pairs first .. end - 1 on one thread. The caches fetch vertices FAR pairs
 * ahead and labels NEAR pairs ahead. */
static void some_distances(const struct distance_index *x, const int32_t *from, const int32_t *to,
                           int64_t first, int64_t end, void *distance) {
    enum { FAR = 24, NEAR = 8 };
    const struct index_vertex *const out = x->vertex[OUT], *const in = x->vertex[IN];
    uint32_t common[NEAR];
    for (int64_t p = first - FAR; p < end; p++) {
        if (p + FAR < end) {
            __builtin_prefetch(&out[from[p + FAR]]);
            __builtin_prefetch(&in[to[p + FAR]]);
        }
        if (p >= first)
            store(x, distance, p, meet(x, &out[from[p]], &in[to[p]], common[p % NEAR]));
        if (p + NEAR >= first && p + NEAR < end) {
            const struct index_vertex *const s = &out[from[p + NEAR]], *const t = &in[to[p + NEAR]];
            const uint32_t count = common[(p + NEAR) % NEAR] = index_common(x, s, t);
            fetch_label(x, OUT, s, count);
            fetch_label(x, IN, t, count);
        }
    }
}

static void distances(const struct distance_index *x, const int32_t *from, const int32_t *to,
                      int64_t count, void *distance, int threads) {
    enum { STEPS = 128, PAIRS = 4096 };
    threads = threads_worth(threads, (double)count * STEPS);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t first = 0; first < count; first += PAIRS)
        some_distances(x, from, to, first, count - first < PAIRS ? count : first + PAIRS, distance);
}

/* Up to INDEX_LANES sources side by side, which visit the targets one after the other.
 * lane[k * INDEX_LANES + s] is cell k of the label of source s if the ancestor at depth k is also
 * one of the target, otherwise LENGTH_INF. */
struct lanes {
    const struct distance_index *x;
    const struct index_vertex *source[INDEX_LANES];
    int count;
    uint32_t common[INDEX_LANES], longest; /* number of ancestors that each source has in common
                                              with the target, and the largest of these numbers */
    path_length *lane;
    const path_length *label[INDEX_LANES]; /* label of each source */
};

/* Sets the number of ancestors that source s has in common with the target, and its lane
 * accordingly. */
static void set_common(struct lanes *l, int s, uint32_t common) {
    const path_length *const label = l->label[s];
    for (uint32_t k = common; k < l->common[s]; k++)
        l->lane[(size_t)k * INDEX_LANES + (size_t)s] = LENGTH_INF;
    for (uint32_t k = l->common[s]; k < common; k++)
        l->lane[(size_t)k * INDEX_LANES + (size_t)s] = label[k];
    l->common[s] = common;
}

/* Goes on to the next target, which has `common` ancestors in common with the one before. A source
 * that had fewer in common with that one has as many with this one; a source that had more has
 * `common`. */
static void go_on(struct lanes *l, const struct index_vertex *target, uint32_t common) {
    l->longest = 0;
    for (int s = 0; s < l->count; s++) {
        if (l->common[s] > common)
            set_common(l, s, common);
        else if (l->common[s] == common)
            set_common(l, s, index_common(l->x, l->source[s], target));
        l->longest = l->common[s] > l->longest ? l->common[s] : l->longest;
    }
}

/* Begins with a target. cells: most cells of a label for which there are lanes. */
static void start(struct lanes *l, size_t cells, const struct index_vertex *target) {
    for (size_t k = 0; k < cells * INDEX_LANES; k++)
        l->lane[k] = LENGTH_INF;
    l->longest = 0;
    for (int s = 0; s < l->count; s++) {
        l->common[s] = 0;
        set_common(l, s, index_common(l->x, l->source[s], target));
        l->longest = l->common[s] > l->longest ? l->common[s] : l->longest;
    }
}

/* Up to INDEX_QUAD consecutive targets with the same `longest`, which wait to be done together. */
struct waiting {
    path_length *cells; /* memory for INDEX_QUAD labels */
    size_t pitch;       /* number of cells from one label to the next */
    const path_length *label[INDEX_QUAD];
    size_t first; /* column of the first of these targets in the rows */
    int count;
};

static void meet_waiting(const struct lanes *l, struct waiting *w, path_length *const *row) {
    path_length least[INDEX_QUAD * INDEX_LANES] __attribute__((aligned(64)));
    if (w->count == 0)
        return;
    for (int q = w->count; q < INDEX_QUAD; q++)
        w->label[q] = w->label[0];
    const struct index_kernels *const kernels = l->x->kernels;
    kernels->meet_lanes(l->lane, w->label, l->longest, l->x->header.largest, least);
    for (int s = 0; s < l->count; s++) {
        for (int q = 0; q < w->count; q++)
            row[s][w->first + (size_t)q] = least[q * INDEX_LANES + s];
    }
    w->first += (size_t)w->count;
    w->count = 0;
}

void index_expand(const struct distance_index *x, int direction, const struct index_vertex *v,
                  uint32_t count, path_length *to) {
    const struct index_label label = index_label_of(x, direction, v);
    const uint32_t stored = index_lesser(count, label.cells);
    const struct index_kernels *const kernels = x->kernels;
    kernels->expand(&label, stored, to);
    if (stored < count)
        to[stored] = 0; /* the vertex itself */
}

/* Finds the cells of targets[first .. first + count - 1], in their order, in the rows of the
 * sources of *l. scratch: memory for INDEX_QUAD labels of `cells` cells and INDEX_PAD more. The
 * sources' labels must lie inside their section. */
static void meet_all(struct lanes *l, size_t cells, path_length *scratch,
                     const struct index_targets *targets, int32_t first, int32_t count,
                     path_length *const *row) {
    enum { FAR = 64, NEAR = 16 };
    const struct distance_index *const x = l->x;
    const struct index_target *const target = targets->target + first;
    struct waiting w = {.cells = scratch, .pitch = cells + INDEX_PAD, .first = (size_t)first};
    for (int32_t c = 0; c < count; c++) {
        const struct index_vertex *const t = &x->vertex[IN][target[c].vertex];
        if (c + FAR < count)
            __builtin_prefetch(&x->vertex[IN][target[c + FAR].vertex]);
        if (c + NEAR < count)
            fetch_label(x, IN, &x->vertex[IN][target[c + NEAR].vertex], l->longest);
        if (c == 0) {
            start(l, cells, t);
        } else if (target[c].common <= l->longest) {
            meet_waiting(l, &w, row);
            go_on(l, t, target[c].common);
        }
        if (!index_has_label(x, IN, t) || l->longest > t->labels) { /* damaged index */
            meet_waiting(l, &w, row);
            for (int s = 0; s < l->count; s++)
                row[s][w.first] = LENGTH_INF;
            w.first++;
            continue;
        }
        path_length *const label = w.cells + (size_t)w.count * w.pitch;
        index_expand(x, IN, t, l->longest, label);
        w.label[w.count++] = label;
        if (w.count == INDEX_QUAD)
            meet_waiting(l, &w, row);
    }
    meet_waiting(l, &w, row);
}

/* Finds the longest label of some sources. */
static enum status find_longest(const struct distance_index *x, const int32_t *source,
                                int32_t count, size_t *cells, struct error *err) {
    *cells = 0;
    for (int32_t s = 0; s < count; s++) {
        const struct index_vertex *const v = &x->vertex[OUT][source[s]];
        if (!index_has_label(x, OUT, v))
            return index_damaged(err);
        *cells = v->labels > *cells ? v->labels : *cells;
    }
    return STATUS_OK;
}

static enum status find_rows(const struct distance_index *x, const struct index_targets *targets,
                             const int32_t *source, int32_t count, void *const *row,
                             struct error *err) {
    const int32_t most = block_sizes.index_targets;
    struct lanes l = {.x = x};
    void *memory;
    size_t cells;
    RETURN_ON_FAILURE(find_longest(x, source, count, &cells, err));
    const size_t lanes = cells * INDEX_LANES, pitch = cells + INDEX_PAD;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, lanes + pitch * (INDEX_LANES + INDEX_QUAD) + (size_t)targets->count,
                     sizeof(path_length), "some rows", err));
    l.lane = memory;
    path_length *const label = l.lane + lanes, *const scratch = label + pitch * INDEX_LANES;
    path_length *const ordered = scratch + pitch * INDEX_QUAD, *cells_of[INDEX_LANES];
    for (int32_t first = 0; first < targets->count; first += most) {
        const int32_t rest = targets->count - first;
        for (int32_t s = 0; s < count; s += INDEX_LANES) {
            l.count = count - s < INDEX_LANES ? count - s : INDEX_LANES;
            for (int lane = 0; lane < l.count; lane++) {
                path_length *const own = label + (size_t)lane * pitch;
                l.source[lane] = &x->vertex[OUT][source[s + lane]];
                l.label[lane] = own;
                index_expand(x, OUT, l.source[lane], l.source[lane]->labels, own);
                cells_of[lane] = row[s + lane]; /* cells are no wider than distances, so they are
                                                   stored in the rows' memory */
            }
            meet_all(&l, cells, scratch, targets, first, rest < most ? rest : most, cells_of);
        }
    }
    for (int32_t s = 0; s < count; s++) {
        memcpy(ordered, row[s], (size_t)targets->count * sizeof *ordered);
        for (int32_t c = 0; c < targets->count; c++)
            store(x, row[s], targets->target[c].column, ordered[c]);
    }
    memory_free(memory);
    return STATUS_OK;
}

#ifdef LENGTH_F64
#define IS_REAL(x) true
#else
#define IS_REAL(x) ((x)->header.type != INDEX_INT32)
#endif

/* Merged edges that become a graph; none yet at first. */
struct merging {
    struct edge *edges;           /* edges of a graph of integers; otherwise NULL */
    struct real_edge *real_edges; /* edges of a graph of real lengths; otherwise NULL */
    int64_t count;
};

static void merge_edge(const struct distance_index *x, struct merging *m, int32_t tail,
                       int32_t head, path_length length) {
    if (!(length < LENGTH_INF))
        return;
    if (IS_REAL(x))
        m->real_edges[m->count++] = (struct real_edge){tail, head, index_real(x, length)};
#ifndef LENGTH_F64
    else
        m->edges[m->count++] = (struct edge){tail, head, length};
#endif
}

static enum status merged_graph(const struct distance_index *x, struct graph *g,
                                struct error *err) {
    const size_t size = IS_REAL(x) ? sizeof(struct real_edge) : sizeof(struct edge);
    struct merging m = {0};
    enum status status = STATUS_OK;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)x->header.entries, 2 * size, "the merged edges", err));
    m.edges = memory;
    m.real_edges = memory;
    for (int32_t v = 0; v < x->header.vertices; v++) {
        const struct index_vertex *const own = &x->vertex[OUT][v];
        const uint64_t first = index_first_entry(own);
        for (uint32_t e = 0; index_has_entries(x, own) && e < index_entry_count(own); e++) {
            const int32_t to = x->higher[first + e];
            if (m.count + 2 > 2 * (int64_t)x->header.entries || !index_has_vertex(x, to)) {
                status = index_damaged(err);
                goto cleanup;
            }
            merge_edge(x, &m, v, to, x->entry[OUT][first + e].length);
            merge_edge(x, &m, to, v, x->entry[IN][first + e].length);
        }
    }
    status = IS_REAL(x) ? graph_build_real(g, x->header.vertices, NUMBER_FLOAT64, m.real_edges,
                                           m.count, NULL, err)
                        : graph_build(g, x->header.vertices, m.edges, m.count, err);
    g->naming = naming_share(&x->naming);
    g->integral = x->header.type == INDEX_INT64;
cleanup:
    memory_free(memory);
    return status;
}

/* Paths. */

/* An edge of the eliminated graph; it is an entry of its lower end. */
struct merged {
    int32_t lower;
    const struct index_entry *entry;
    int direction;
};

/* The path that is being written, and a stack of its parts that are still merged, the next part on
 * top. */
struct unpacking {
    const struct distance_index *x;
    int32_t *path, length;
    int32_t *place;   /* place on the path of each vertex that is on it; NULL: no vertex can come
                         twice */
    uint64_t appends; /* number of vertices that may still be appended */
    struct merged *stack;
    uint32_t count, room;
};

const struct index_entry *index_find_entry(const struct distance_index *x, int32_t lower,
                                           int direction, int32_t to) {
    const struct index_vertex *const v = &x->vertex[OUT][lower];
    if (!index_has_entries(x, v))
        return NULL;
    for (uint64_t e = index_first_entry(v), end = e + index_entry_count(v); e < end; e++) {
        if (x->higher[e] == to)
            return &x->entry[direction][e];
    }
    return NULL;
}

static bool push(struct unpacking *u, int32_t lower, const struct index_entry *entry,
                 int direction) {
    if (entry == NULL || u->count == u->room)
        return false;
    u->stack[u->count++] = (struct merged){lower, entry, direction};
    return true;
}

/* Appends a vertex, or removes the loop that it closes, whose length is 0. Each merged edge of the
 * two ways up the tree is a path without loops, but a loop may lead through several merged
 * edges. */
static bool append(struct unpacking *u, int32_t v) {
    const int32_t n = u->x->header.vertices;
    if (!index_has_vertex(u->x, v) || u->appends-- == 0)
        return false;
    if (u->place != NULL && u->place[v] < u->length && u->path[u->place[v]] == v) {
        u->length = u->place[v] + 1;
        return true;
    }
    if (u->length == n)
        return false;
    if (u->place != NULL)
        u->place[v] = u->length;
    u->path[u->length++] = v;
    return true;
}

/* Appends the vertices of all edges on the stack, except the first vertex. Returns false if the
 * index is damaged. */
static bool unpack(struct unpacking *u) {
    const struct distance_index *const x = u->x;
    while (u->count > 0) {
        const struct merged m = u->stack[--u->count];
        const int32_t higher = index_entry_to(x, m.direction, m.entry);
        const int32_t from = m.direction == OUT ? m.lower : higher;
        const int32_t to = m.direction == OUT ? higher : m.lower;
        const int32_t middle = m.entry->middle;
        if (middle == INDEX_EDGE) {
            if (!append(u, to))
                return false;
            continue;
        }
        if (!index_has_vertex(x, middle) || !index_has_vertex(x, higher) ||
            x->vertex[OUT][middle].labels <= x->vertex[OUT][m.lower].labels)
            return false;
        if (!push(u, middle, index_find_entry(x, middle, OUT, to), OUT) ||
            !push(u, middle, index_find_entry(x, middle, IN, from), IN))
            return false;
    }
    return true;
}

const struct index_entry *index_next_up(const struct distance_index *x, int32_t at, int direction,
                                        uint32_t depth) {
    const struct index_vertex *const v = &x->vertex[direction][at];
    if (!index_has_label(x, direction, v) || !index_has_entries(x, v))
        return NULL;
    const struct index_label own = index_label_of(x, direction, v);
    const path_length distance_up = index_cell_at(&own, depth);
    const uint64_t first = index_first_entry(v);
    for (uint64_t e = first + index_entry_count(v); e > first; e--) {
        const struct index_entry *const entry = &x->entry[direction][e - 1];
        const int32_t higher = x->higher[e - 1];
        if (!index_has_vertex(x, higher))
            return NULL;
        const struct index_vertex *const to = &x->vertex[direction][higher];
        if (to->labels <= depth || to->labels >= v->labels || !index_has_label(x, direction, to))
            continue;
        const struct index_label label = index_label_of(x, direction, to);
        if (sum_of(entry->length, index_cell_at(&label, depth)) == distance_up)
            return entry;
    }
    return NULL;
}

/* Returns the length of a shortest path. *depth: depth of the lowest common ancestor on one. */
static path_length meeting(const struct distance_index *x, const struct index_vertex *s,
                           const struct index_vertex *t, uint32_t *depth) {
    const uint32_t common = index_common(x, s, t);
    const path_length least = meet(x, s, t, common);
    *depth = common;
    if (!(least < LENGTH_INF) || common == 0)
        return LENGTH_INF;
    const struct index_label up = index_label_of(x, OUT, s), down = index_label_of(x, IN, t);
    while (--*depth > 0 &&
           sum_of(index_cell_at(&up, *depth), index_cell_at(&down, *depth)) != least)
        ;
    return least;
}

/* Pushes the parts of the path from `from` up to the ancestor at `depth` and from there down to
 * `to`, and unpacks them. Returns false if the index is damaged. */
static bool follow(struct unpacking *u, int32_t from, int32_t to, uint32_t depth) {
    const struct distance_index *const x = u->x;
    uint32_t ups = 0;
    int32_t top = to;
    u->path[0] = from;
    u->length = 1;
    while (x->vertex[OUT][top].labels > depth + 1) { /* the last part is pushed first, so it is at
                                                   the bottom */
        const struct index_entry *const entry = index_next_up(x, top, IN, depth);
        if (!push(u, top, entry, IN))
            return false;
        top = index_entry_to(x, IN, entry);
    }
    const uint32_t downs = u->count;
    for (int32_t at = from; x->vertex[OUT][at].labels > depth + 1; ups++) {
        const struct index_entry *const entry = index_next_up(x, at, OUT, depth);
        if (!push(u, at, entry, OUT))
            return false;
        at = index_entry_to(x, OUT, entry);
    }
    for (uint32_t k = 0; k < ups / 2; k++) { /* reverses the parts up, so that the first one is on
                                                top */
        const struct merged first = u->stack[downs + k];
        u->stack[downs + k] = u->stack[u->count - 1 - k];
        u->stack[u->count - 1 - k] = first;
    }
    u->appends = (uint64_t)u->count * (uint64_t)x->header.vertices;
    return unpack(u) && u->path[u->length - 1] == to;
}

static enum status find_path(const struct distance_index *x, int32_t from, int32_t to,
                             int32_t *path, int32_t *length, struct error *err) {
    struct merged some[BLOCK_STACK_MAX];
    const uint32_t few = (uint32_t)block_sizes.index_stack;
    struct unpacking u = {.x = x, .path = path, .stack = some, .room = few};
    void *stack = NULL, *place = NULL;
    uint32_t depth;
    enum status status = STATUS_OK;
    *length = 0;
    if (from == to) {
        path[0] = from;
        *length = 1;
        return STATUS_OK;
    }
    if (!(meeting(x, &x->vertex[OUT][from], &x->vertex[IN][to], &depth) < LENGTH_INF))
        return STATUS_OK;
    /* Room for both ways up the tree, and for each edge that is opened on the way down the tree. */
    const uint64_t room = 3 * ((uint64_t)x->header.height + 1);
    if (room > few) {
        TRY(memory_alloc(&stack, room, sizeof *u.stack, "the path", err));
        u.stack = stack;
        u.room = (uint32_t)(room < UINT32_MAX ? room : UINT32_MAX);
    }
    if (x->header.loops != 0) {
        const size_t n = (size_t)x->header.vertices;
        TRY(memory_alloc(&place, n, sizeof *u.place, "the path", err));
        memset(place, 0, n * sizeof *u.place);
        u.place = place;
    }
    if (follow(&u, from, to, depth))
        *length = u.length;
    else
        status = index_damaged(err);
cleanup:
    memory_free(stack);
    memory_free(place);
    return status;
}

static const void *kernels_for(enum isa isa) {
    return index_kernels(isa);
}

const struct index_cells index_cells_here = {
    .kernels = kernels_for,
    .fill = index_fill,
    .distance = distance,
    .distances = distances,
    .find_rows = find_rows,
    .graph = merged_graph,
    .path = find_path,
    .check_vertex = index_check_vertex,
};
