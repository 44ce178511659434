// SPDX-License-Identifier: MIT
#include "index/index_query.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/lowest_failure.h"
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "index/index_parts.h"

#include <stdlib.h>
#include <string.h>

enum { OUT, IN };

/* The distance that a sum of two cells stands for. */
static inline int32_t distance_of(const struct distance_index *x, int32_t sum) {
    return sum > x->header.largest ? INF : sum;
}

/* The least sum over the common ancestors, of which there are as many as index_common says. */
static inline int32_t meet(const struct distance_index *x, const struct index_vertex *from,
                           const struct index_vertex *to, uint32_t common) {
    if (!index_has_label(x, from) || !index_has_label(x, to))
        return INF;
    return distance_of(
        x, x->kernels->meet(x->label[OUT] + from->label, x->label[IN] + to->label, common));
}

int32_t index_distance(const struct distance_index *x, int32_t from, int32_t to) {
    const struct index_vertex *const s = &x->vertex[from], *const t = &x->vertex[to];
    return meet(x, s, t, index_common(x, s, t));
}

/* Has the caches fetch a label, whose beginning is needed for sure. */
static inline void fetch_label(const struct distance_index *x, int direction, int32_t v) {
    enum { LINES = 6, LINE = 64 / sizeof(int32_t) };
    const struct index_vertex *const vertex = &x->vertex[v];
    if (!index_has_label(x, vertex))
        return;
    for (uint32_t k = 0; k < LINES * LINE && k < vertex->labels; k += LINE)
        __builtin_prefetch(x->label[direction] + vertex->label + k);
}

void index_distances(const struct distance_index *x, const int32_t *from, const int32_t *to,
                     int64_t count, int32_t *distance, int threads) {
    enum { STEPS = 128, FAR = 24, NEAR = 8 };
    threads = threads_worth(threads, (double)count * STEPS);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096)
    for (int64_t p = 0; p < count; p++) {
        if (p + FAR < count) {
            __builtin_prefetch(&x->vertex[from[p + FAR]]);
            __builtin_prefetch(&x->vertex[to[p + FAR]]);
        }
        if (p + NEAR < count) {
            fetch_label(x, OUT, from[p + NEAR]);
            fetch_label(x, IN, to[p + NEAR]);
        }
        distance[p] = index_distance(x, from[p], to[p]);
    }
}

/* By labels, of vertices; struct index_target begins with its vertex. */
static int compare_places(const void *a, const void *b, void *of) {
    const struct distance_index *const x = of;
    const uint64_t p = x->vertex[*(const int32_t *)a].label;
    const uint64_t q = x->vertex[*(const int32_t *)b].label;
    return (p > q) - (p < q);
}

enum status index_targets_find(const struct distance_index *x, const int32_t *target, int32_t count,
                               struct index_targets *targets, struct error *err) {
    void *memory;
    *targets = (struct index_targets){.count = count};
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)count, sizeof *targets->target, "the targets", err));
    struct index_target *const t = targets->target = memory;
    for (int32_t c = 0; c < count; c++) {
        const int32_t v = target != NULL ? target[c] : x->order[c];
        if (!index_has_vertex(x, v))
            return index_damaged(err);
        t[c] = (struct index_target){.vertex = v, .column = target != NULL ? c : v};
    }
    if (target != NULL)
        qsort_r(t, (size_t)count, sizeof *t, compare_places, (void *)x);
    for (int32_t c = 1; c < count; c++)
        t[c].common = index_common(x, &x->vertex[t[c - 1].vertex], &x->vertex[t[c].vertex]);
    return STATUS_OK;
}

void index_targets_free(struct index_targets *targets) {
    memory_free(targets->target);
    *targets = (struct index_targets){0};
}

/* Up to INDEX_LANES sources side by side, on their way along the targets. lane[k * INDEX_LANES + s]
 * is cell k of the label of source s while that is a distance to an ancestor of the target as well,
 * otherwise INF. */
struct lanes {
    const struct distance_index *x;
    const struct index_vertex *source[INDEX_LANES];
    int count;
    uint32_t common[INDEX_LANES], longest; /* with the target; the largest of them */
    int32_t *lane;
};

/* Sets how many ancestors source s has in common with the target. */
static void set_common(struct lanes *l, int s, uint32_t common) {
    const int32_t *const label = l->x->label[OUT] + l->source[s]->label;
    for (uint32_t k = common; k < l->common[s]; k++)
        l->lane[(size_t)k * INDEX_LANES + (size_t)s] = INF;
    for (uint32_t k = l->common[s]; k < common; k++)
        l->lane[(size_t)k * INDEX_LANES + (size_t)s] = label[k];
    l->common[s] = common;
}

/* Goes on to a target that has so many ancestors in common with the one before: a source that had
 * fewer in common with that one has the same with this one, and one that had more has these. */
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

/* Begins at a target, with lanes for labels of up to `cells` cells. */
static void start(struct lanes *l, size_t cells, const struct index_vertex *target) {
    for (size_t k = 0; k < cells * INDEX_LANES; k++)
        l->lane[k] = INF;
    l->longest = 0;
    for (int s = 0; s < l->count; s++) {
        l->common[s] = 0;
        set_common(l, s, index_common(l->x, l->source[s], target));
        l->longest = l->common[s] > l->longest ? l->common[s] : l->longest;
    }
}

/* Targets that are waiting to be met, up to INDEX_QUAD of the same `longest`, one after the other.
 */
struct waiting {
    const int32_t *label[INDEX_QUAD];
    size_t first; /* where in the rows the first one goes */
    int count;
};

static void meet_waiting(const struct lanes *l, struct waiting *w, int32_t *const *row) {
    int32_t least[INDEX_QUAD * INDEX_LANES] __attribute__((aligned(64)));
    if (w->count == 0)
        return;
    for (int q = w->count; q < INDEX_QUAD; q++)
        w->label[q] = w->label[0];
    l->x->kernels->meet_lanes(l->lane, w->label, l->longest, l->x->header.largest, least);
    for (int s = 0; s < l->count; s++) {
        for (int q = 0; q < w->count; q++)
            row[s][w->first + (size_t)q] = least[q * INDEX_LANES + s];
    }
    w->first += (size_t)w->count;
    w->count = 0;
}

/* The cells of targets[first .. first + count - 1] in the rows of the sources of *l, whose labels
 * are in their section; in the order of the targets. */
static void meet_all(struct lanes *l, size_t cells, const struct index_targets *targets,
                     int32_t first, int32_t count, int32_t *const *row) {
    enum { FAR = 64, NEAR = 16 };
    const struct distance_index *const x = l->x;
    const struct index_target *const target = targets->target + first;
    struct waiting w = {.first = (size_t)first};
    for (int32_t c = 0; c < count; c++) {
        const struct index_vertex *const t = &x->vertex[target[c].vertex];
        if (c + FAR < count)
            __builtin_prefetch(&x->vertex[target[c + FAR].vertex]);
        if (c + NEAR < count)
            fetch_label(x, IN, target[c + NEAR].vertex);
        if (c == 0) {
            start(l, cells, t);
        } else if (target[c].common <= l->longest) {
            meet_waiting(l, &w, row);
            go_on(l, t, target[c].common);
        }
        if (!index_has_label(x, t) || l->longest > t->labels) { /* damaged */
            meet_waiting(l, &w, row);
            for (int s = 0; s < l->count; s++)
                row[s][w.first] = INF;
            w.first++;
            continue;
        }
        w.label[w.count++] = x->label[IN] + t->label;
        if (w.count == INDEX_QUAD)
            meet_waiting(l, &w, row);
    }
    meet_waiting(l, &w, row);
}

/* The longest label of some sources. */
static enum status find_longest(const struct distance_index *x, const int32_t *source,
                                int32_t count, size_t *cells, struct error *err) {
    *cells = 0;
    for (int32_t s = 0; s < count; s++) {
        const struct index_vertex *const v = &x->vertex[source[s]];
        if (!index_has_label(x, v))
            return index_damaged(err);
        *cells = v->labels > *cells ? v->labels : *cells;
    }
    return STATUS_OK;
}

enum status index_find_rows(const struct distance_index *x, const struct index_targets *targets,
                            const int32_t *source, int32_t count, int32_t *const *row,
                            struct error *err) {
    const int32_t most = block_sizes.index_targets;
    struct lanes l = {.x = x};
    void *memory;
    size_t cells;
    RETURN_ON_FAILURE(find_longest(x, source, count, &cells, err));
    const size_t lanes = cells * INDEX_LANES;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, lanes + (size_t)targets->count, sizeof(int32_t), "some rows", err));
    l.lane = memory;
    int32_t *const ordered = l.lane + lanes;
    for (int32_t first = 0; first < targets->count; first += most) {
        const int32_t rest = targets->count - first;
        for (int32_t s = 0; s < count; s += INDEX_LANES) {
            l.count = count - s < INDEX_LANES ? count - s : INDEX_LANES;
            for (int lane = 0; lane < l.count; lane++)
                l.source[lane] = &x->vertex[source[s + lane]];
            meet_all(&l, cells, targets, first, rest < most ? rest : most, row + s);
        }
    }
    for (int32_t s = 0; s < count; s++) {
        memcpy(ordered, row[s], (size_t)targets->count * sizeof *ordered);
        for (int32_t c = 0; c < targets->count; c++)
            row[s][targets->target[c].column] = ordered[c];
    }
    memory_free(memory);
    return STATUS_OK;
}

/* Sources of a table that are taken together, at most. */
enum { GROUP = 16 * INDEX_LANES };

/* A group of sources of a table: rows in the order of labels. */
static enum status table_group(const struct distance_index *x, const struct index_targets *targets,
                               const struct index_target *source, int32_t count, int32_t *distance,
                               size_t leading, struct error *err) {
    int32_t vertex[GROUP], *row[GROUP];
    for (int32_t s = 0; s < count; s++) {
        vertex[s] = source[s].vertex;
        row[s] = distance + (size_t)source[s].column * leading;
    }
    return index_find_rows(x, targets, vertex, count, row, err);
}

enum status index_table(const struct distance_index *x, const int32_t *source, int32_t source_count,
                        const int32_t *target, int32_t target_count, int32_t *distance,
                        size_t leading, int threads, const struct progress *progress,
                        struct error *err) {
    enum { STEPS = 16, SHARES = 4 };
    struct index_targets sources = {0}, targets = {0};
    struct lowest_failure failed;
    enum status status;
    lowest_failure_begin(&failed);
    TRY(index_targets_find(x, source, source_count, &sources, err));
    TRY(index_targets_find(x, target, target_count, &targets, err));
    threads = threads_worth(threads, (double)source_count * target_count * STEPS);
    const int32_t share = source_count / (threads * SHARES) / INDEX_LANES * INDEX_LANES;
    const int32_t group = share < INDEX_LANES ? INDEX_LANES : share < GROUP ? share : GROUP;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t first = 0; first < source_count; first += group) {
        const int32_t rest = source_count - first;
        struct error mine;
        if (!progress_goes_on(progress))
            continue;
        const enum status one = table_group(x, &targets, sources.target + first,
                                            rest < group ? rest : group, distance, leading, &mine);
        if (one != STATUS_OK)
            lowest_failure_note(&failed, first, one, &mine);
    }
    status =
        progress_goes_on(progress) ? lowest_failure_end(&failed, err) : progress_cancelled(err);
cleanup:
    index_targets_free(&sources);
    index_targets_free(&targets);
    return status;
}

/* A block of rows of one thread, and the rows of the vertices from order[first] on. */
static enum status give_block(const struct distance_index *x, const struct index_targets *targets,
                              int32_t *cells, size_t leading, int32_t first, struct row_sink *sink,
                              struct error *err) {
    const int32_t rest = x->header.vertices - first;
    struct row_block block = {.n = x->header.vertices,
                              .count = rest < INDEX_LANES ? rest : INDEX_LANES,
                              .type = NUMBER_INT32};
    for (int32_t r = 0; r < block.count; r++) {
        block.position[r] = block.source[r] = x->order[first + r];
        if (!index_has_vertex(x, block.source[r]))
            return index_damaged(err);
        block.dist[r] = cells + (size_t)r * leading;
    }
    RETURN_ON_FAILURE(index_find_rows(x, targets, block.source, block.count, block.dist, err));
    return sink->take(sink, &block, err);
}

enum status index_give_rows(const struct distance_index *x, struct row_sink *sink, int threads,
                            struct progress *progress, struct error *err) {
    const int32_t n = x->header.vertices;
    const size_t leading = ((size_t)n + 15) / 16 * 16;
    const struct row_sources all = {NULL, n};
    struct index_targets targets = {0};
    struct lowest_failure failed;
    int32_t done = 0;
    enum status status;
    lowest_failure_begin(&failed);
    threads = threads_worth(threads, (double)n * n);
    TRY(index_targets_find(x, NULL, n, &targets, err));
    TRY(sink->begin(sink, n, NUMBER_INT32, &all, false, threads, err));
#pragma omp parallel num_threads(threads)
    {
        struct error mine;
        void *cells;
        enum status here =
            memory_alloc(&cells, leading * INDEX_LANES, sizeof(int32_t), "some rows", &mine);
        if (here != STATUS_OK)
            lowest_failure_note(&failed, 0, here, &mine);
#pragma omp for schedule(dynamic)
        for (int32_t first = 0; first < n; first += INDEX_LANES) {
            int32_t now;
            if (here != STATUS_OK || !progress_goes_on(progress))
                continue;
            here = give_block(x, &targets, cells, leading, first, sink, &mine);
            if (here != STATUS_OK)
                lowest_failure_note(&failed, first, here, &mine);
#pragma omp atomic capture
            now = done += INDEX_LANES;
            if (omp_get_thread_num() == 0)
                progress_report(progress, now < n ? now : n, n);
        }
        memory_free(cells);
    }
    status =
        progress_goes_on(progress) ? lowest_failure_end(&failed, err) : progress_cancelled(err);
cleanup:
    index_targets_free(&targets);
    return status;
}

enum status index_graph(const struct distance_index *x, struct graph *g, struct error *err) {
    int64_t count = 0;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)x->header.entries, 2 * sizeof(struct edge),
                                   "the merged edges", err));
    struct edge *const edges = memory;
    for (int32_t v = 0; v < x->header.vertices; v++) {
        const struct index_vertex *const own = &x->vertex[v];
        for (uint32_t e = 0; index_has_entries(x, own) && e < own->entries; e++) {
            const struct index_entry *const out = &x->entry[OUT][own->entry + e];
            const struct index_entry *const in = &x->entry[IN][own->entry + e];
            const int32_t to = x->higher[own->entry + e];
            if (count + 2 > 2 * (int64_t)x->header.entries || !index_has_vertex(x, to)) {
                memory_free(memory);
                return index_damaged(err);
            }
            if (out->length < INF)
                edges[count++] = (struct edge){v, to, out->length};
            if (in->length < INF)
                edges[count++] = (struct edge){to, v, in->length};
        }
    }
    const enum status status = graph_build(g, x->header.vertices, edges, count, err);
    g->naming = naming_share(&x->naming);
    memory_free(memory);
    return status;
}

/* Paths. */

/* An edge of the eliminated graph, which the lower one of its ends has. */
struct merged {
    int32_t lower;
    const struct index_entry *entry;
    int direction;
};

/* Where a path is written, and what of it is still merged: the next part on top. */
struct unpacking {
    const struct distance_index *x;
    int32_t *path, length;
    int32_t *place;   /* of each vertex on the path, if it is there; NULL if none can come twice */
    uint64_t appends; /* how many more there may be */
    struct merged *stack;
    uint32_t count, room;
};

const struct index_entry *index_find_entry(const struct distance_index *x, int32_t lower,
                                           int direction, int32_t to) {
    const struct index_vertex *const v = &x->vertex[lower];
    if (!index_has_entries(x, v))
        return NULL;
    for (uint32_t e = 0; e < v->entries; e++) {
        if (x->higher[v->entry + e] == to)
            return &x->entry[direction][v->entry + e];
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

/* Appends a vertex, or cuts off the loop that it closes, whose length is 0. Each merged edge of the
 * two ways up the tree is a path without loops, but a loop may lead through several. */
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

/* Appends the vertices of the edges on the stack but the first one; whether there are such. */
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
            x->vertex[middle].labels <= x->vertex[m.lower].labels)
            return false;
        if (!push(u, middle, index_find_entry(x, middle, OUT, to), OUT) ||
            !push(u, middle, index_find_entry(x, middle, IN, from), IN))
            return false;
    }
    return true;
}

const struct index_entry *index_next_up(const struct distance_index *x, int32_t at, int direction,
                                        uint32_t depth) {
    const struct index_vertex *const v = &x->vertex[at];
    if (!index_has_label(x, v) || !index_has_entries(x, v))
        return NULL;
    const int32_t distance = x->label[direction][v->label + depth];
    for (uint32_t e = v->entries; e > 0; e--) {
        const struct index_entry *const entry = &x->entry[direction][v->entry + e - 1];
        const int32_t higher = x->higher[v->entry + e - 1];
        if (!index_has_vertex(x, higher))
            return NULL;
        const struct index_vertex *const to = &x->vertex[higher];
        if (to->labels <= depth || to->labels >= v->labels || !index_has_label(x, to))
            continue;
        const uint32_t sum =
            (uint32_t)entry->length + (uint32_t)x->label[direction][to->label + depth];
        if ((int32_t)sum == distance)
            return entry;
    }
    return NULL;
}

/* The depth of the lowest common ancestor on a shortest path, and its distance. */
static int32_t meeting(const struct distance_index *x, const struct index_vertex *s,
                       const struct index_vertex *t, uint32_t *depth) {
    const uint32_t common = index_common(x, s, t);
    const int32_t least = meet(x, s, t, common);
    *depth = common;
    if (least == INF)
        return INF;
    const int32_t *const up = x->label[OUT] + s->label, *const down = x->label[IN] + t->label;
    while (--*depth > 0 && (int32_t)((uint32_t)up[*depth] + (uint32_t)down[*depth]) != least)
        ;
    return least;
}

/* Has the parts of the way from `from` up to the ancestor, and from there down to `to`. */
static bool follow(struct unpacking *u, int32_t from, int32_t to, uint32_t depth) {
    const struct distance_index *const x = u->x;
    uint32_t ups = 0;
    int32_t top = to;
    u->path[0] = from;
    u->length = 1;
    while (x->vertex[top].labels > depth + 1) { /* the last part first: that is on the bottom */
        const struct index_entry *const entry = index_next_up(x, top, IN, depth);
        if (!push(u, top, entry, IN))
            return false;
        top = index_entry_to(x, IN, entry);
    }
    const uint32_t downs = u->count;
    for (int32_t at = from; x->vertex[at].labels > depth + 1; ups++) {
        const struct index_entry *const entry = index_next_up(x, at, OUT, depth);
        if (!push(u, at, entry, OUT))
            return false;
        at = index_entry_to(x, OUT, entry);
    }
    for (uint32_t k = 0; k < ups / 2; k++) { /* and the first part on top */
        const struct merged first = u->stack[downs + k];
        u->stack[downs + k] = u->stack[u->count - 1 - k];
        u->stack[u->count - 1 - k] = first;
    }
    u->appends = (uint64_t)u->count * (uint64_t)x->header.vertices;
    return unpack(u) && u->path[u->length - 1] == to;
}

enum status index_path(const struct distance_index *x, int32_t from, int32_t to, int32_t *path,
                       int32_t *length, struct error *err) {
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
    if (meeting(x, &x->vertex[from], &x->vertex[to], &depth) == INF)
        return STATUS_OK;
    /* Both ways up, and each edge opened on the way down the tree. */
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

/* Rows for the certificate. */

static enum status reader_begin(struct row_reader *self, int threads, int32_t most,
                                struct error *err) {
    struct index_reader *const reader = (struct index_reader *)self;
    const size_t cells = ((size_t)self->n + 15) / 16 * 16;
    void *block;
    RETURN_ON_FAILURE(memory_alloc(&block, (size_t)threads, sizeof *reader->block, "rows", err));
    reader->block = block;
    reader->threads = threads;
    reader->most = most;
    for (int k = 0; k < threads; k++)
        reader->block[k] = NULL;
    for (int k = 0; k < threads; k++)
        RETURN_ON_FAILURE(memory_alloc(&reader->block[k], cells * (size_t)most, sizeof(int32_t),
                                       "some rows", err));
    return STATUS_OK;
}

static enum status reader_read(struct row_reader *self, int32_t first, int32_t count,
                               struct row_block *block, int32_t **pred_rows, struct error *err) {
    struct index_reader *const reader = (struct index_reader *)self;
    int32_t *const cell = reader->block[omp_get_thread_num()];
    const size_t leading = ((size_t)self->n + 15) / 16 * 16;
    (void)pred_rows;
    *block = (struct row_block){.n = self->n, .count = count, .type = self->type};
    for (int32_t r = 0; r < count; r++) {
        block->position[r] = first + r;
        block->source[r] = row_source(&self->sources, first + r);
        block->dist[r] = cell + (size_t)r * leading;
    }
    return index_find_rows(reader->x, &reader->targets, block->source, count, block->dist, err);
}

enum status index_reader_open(struct index_reader *reader, const struct distance_index *x,
                              const struct row_sources *sources, struct error *err) {
    *reader = (struct index_reader){
        .reader = {.n = x->header.vertices,
                   .type = NUMBER_INT32,
                   .sources = {x->order, x->header.vertices},
                   .read = reader_read,
                   .begin = reader_begin},
        .x = x,
    };
    if (sources != NULL)
        reader->reader.sources = *sources;
    return index_targets_find(x, NULL, x->header.vertices, &reader->targets, err);
}

void index_reader_close(struct index_reader *reader) {
    for (int k = 0; k < reader->threads; k++)
        memory_free(reader->block[k]);
    memory_free(reader->block);
    index_targets_free(&reader->targets);
    *reader = (struct index_reader){0};
}
