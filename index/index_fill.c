// SPDX-License-Identifier: MIT
/* Compiled for both types of cells (common/base/length.h). */
#include "index/index_fill.h"

#include "common/base/memory.h"    // memory_alloc
#include "elimination/eliminate.h" // eliminate
#include "index/index_kernels.h"
#include "index/index_parts.h"
#include "solve/distance_bound.h" // distance_bound_is_below

#include <omp.h>

#include <string.h>

/* Value of an entry's middle that is not found yet. */
#define UNKNOWN (-2)

/* State of filling an index. */
struct filling {
    const struct index_filling *f;
    struct progress *progress; /* NULL: the work cannot be stopped any more */
    int directions;            /* number of directions that are kept */
    struct lengths lengths;
    path_length *label[2];
    struct index_entry *entry[2];
    uint8_t *edge[2];
    int32_t *size;               /* by position, n entries: number of vertices of its subtree */
    int32_t small;               /* a subtree with up to this number of vertices is done by one
                                    thread */
    int32_t *root;               /* roots of the largest such subtrees */
    int32_t roots;               /* number of these roots */
    int32_t *unknown;            /* by position, n entries: number of its entries whose middle is
                                    not found yet */
    struct labelling *labelling; /* by thread: memory for making labels */
    void *labels_memory;
};

static int32_t vertex_at(const struct filling *b, int32_t position) {
    return b->f->tree->vertex[position];
}

/* Returns the number of the first entry of a position. Entries are in the order of positions
 * backwards. */
static inline uint64_t first_entry(const struct filling *b, int32_t position) {
    const struct structure *const s = b->f->structure;
    return (uint64_t)(s->first[b->f->tree->n] - s->first[position + 1]);
}

static void fill_entries(struct filling *b) {
    const int32_t n = b->f->tree->n;
#pragma omp parallel for num_threads(b->f->threads) schedule(static)
    for (int32_t at = 0; at < n; at++) {
        const uint64_t to = first_entry(b, at);
        const int64_t from = b->f->structure->first[at];
        for (int64_t e = from; e < b->f->structure->first[at + 1]; e++) {
            const path_length length[2] = {b->lengths.up[e], b->lengths.down[e]};
            for (int d = 0; d < b->directions; d++)
                b->entry[d][to + (uint64_t)(e - from)] = (struct index_entry){
                    .length = length[d], .middle = length[d] < LENGTH_INF ? UNKNOWN : INDEX_EDGE};
        }
    }
}

/* Marks the entry of an edge as an edge and, if the entry is as short as the edge, sets its middle
 * to INDEX_EDGE. entry: number in the structure. */
static inline void mark_edge(const struct filling *b, int32_t low, int64_t entry, int direction,
                             path_length length) {
    if (direction >= b->directions)
        return;
    const uint64_t own = first_entry(b, low) + (uint64_t)(entry - b->f->structure->first[low]);
    __atomic_fetch_or(&b->edge[direction][own / 8], (uint8_t)(1 << own % 8), __ATOMIC_RELAXED);
    if (b->entry[direction][own].length == length)
        b->entry[direction][own].middle = INDEX_EDGE;
}

/* Marks the entries that are edges of the graph, and those that are as short as their edges. */
static void find_edges(const struct filling *b) {
    const struct graph *const g = b->f->g;
    const struct structure *const s = b->f->structure;
    const int32_t *const position = b->f->tree->position;
    for (int d = 0; d < b->directions; d++)
        memset(b->edge[d], 0, index_edge_bytes(&b->f->x->header));
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic, 1024)
    for (int32_t u = 0; u < g->n; u++) {
        const int32_t from = position[u];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t to = position[g->head[e]], low = from < to ? from : to;
            const int64_t entry =
                b->f->entry_of != NULL
                    ? b->f->entry_of[e] / 2
                    : structure_seek(s->higher, s->first[low], s->first[low + 1], from + to - low);
            mark_edge(b, low, entry, from == low ? 0 : 1, edge_length(g, e));
        }
    }
}

/* For positions above all small subtrees: the entries that lead to each, in the order of the
 * positions that they lead from. */
struct lower {
    int64_t *first; /* index in `entry` and `from` at which each position's list begins, n + 2
                       entries */
    int64_t *entry; /* number of each entry in the structure */
    int32_t *from;  /* position that each entry leads from */
};

static void lower_free(struct lower *lower) {
    memory_free(lower->first);
    memory_free(lower->entry);
    memory_free(lower->from);
}

/* Returns whether a position is above all small subtrees. */
static inline bool is_top(const struct filling *b, int32_t at) {
    return b->size[at] > b->small;
}

static enum status find_lower(const struct filling *b, struct lower *lower, struct error *err) {
    const struct structure *const s = b->f->structure;
    const int32_t n = b->f->tree->n;
    void *first, *entry, *from;
    RETURN_ON_FAILURE(
        memory_alloc(&first, (size_t)n + 2, sizeof(int64_t), "the lower neighbours", err));
    lower->first = memset(first, 0, ((size_t)n + 2) * sizeof(int64_t));
    for (int64_t e = 0; e < s->first[n]; e++) {
        if (is_top(b, s->higher[e]))
            lower->first[s->higher[e] + 2]++;
    }
    for (int32_t at = 2; at <= n + 1; at++)
        lower->first[at] += lower->first[at - 1];
    const size_t entries = (size_t)lower->first[n + 1];
    RETURN_ON_FAILURE(memory_alloc(&entry, entries, sizeof(int64_t), "the lower neighbours", err));
    lower->entry = entry;
    RETURN_ON_FAILURE(memory_alloc(&from, entries, sizeof(int32_t), "the lower neighbours", err));
    lower->from = from;
    for (int32_t at = 0; at < n; at++) {
        for (int64_t e = s->first[at + 1]; e > s->first[at] && is_top(b, s->higher[e - 1]); e--) {
            const int64_t place = lower->first[s->higher[e - 1] + 1]++;
            lower->entry[place] = e - 1;
            lower->from[place] = at;
        }
    }
    return STATUS_OK;
}

/* Sets the middle of an entry of position `at` to `middle`, unless its middle is found already. */
static inline void set_middle(const struct filling *b, int32_t at, struct index_entry *entry,
                              int32_t middle) {
    if (entry->middle != UNKNOWN)
        return;
    entry->middle = vertex_at(b, middle);
    b->unknown[at]--;
}

/* Counts the entries of each position whose middles are not found yet. */
static void count_unknown(const struct filling *b) {
    const struct structure *const s = b->f->structure;
#pragma omp parallel for num_threads(b->f->threads) schedule(static)
    for (int32_t at = 0; at < b->f->tree->n; at++) {
        const uint64_t own = first_entry(b, at);
        b->unknown[at] = 0;
        for (int d = 0; d < b->directions; d++) {
            for (int64_t k = 0; k < s->first[at + 1] - s->first[at]; k++)
                b->unknown[at] += b->entry[d][own + (uint64_t)k].middle == UNKNOWN;
        }
    }
}

/* Tries a position as the middle of entries of the higher neighbour to which its entry x leads;
 * entries that have a lower middle keep it. */
static inline void try_middle(const struct filling *b, int32_t middle, int64_t x) {
    const struct structure *const s = b->f->structure;
    const int32_t to = s->higher[x];
    if (b->unknown[to] == 0)
        return;
    const path_length *const up = b->lengths.up, *const down = b->lengths.down;
    const int64_t end = s->first[middle + 1], begin = s->first[to];
    const bool is_same = s->first[to + 1] - begin == end - x - 1; /* both lists have the same
                                                                     positions */
    const path_length from_x = down[x], to_x = up[x];
    const uint64_t own = first_entry(b, to);
    int64_t e = begin;
    for (int64_t z = x + 1; z < end; z++, e++) {
        while (!is_same && s->higher[e] < s->higher[z])
            e++;
        if (up[e] == from_x + up[z])
            set_middle(b, to, &b->entry[0][own + (uint64_t)(e - begin)], middle);
        if (b->directions == 2 && down[e] == down[z] + to_x)
            set_middle(b, to, &b->entry[1][own + (uint64_t)(e - begin)], middle);
    }
}

/* Finds the middles of all entries: for each, the lowest position by which two entries add up to
 * its length. */
static void find_middles(const struct filling *b, const struct lower *lower) {
    const struct structure *const s = b->f->structure;
    count_unknown(b);
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic)
    for (int32_t r = 0; r < b->roots; r++) {
        const int32_t root = b->root[r];
        for (int32_t at = root - b->size[root] + 1; at <= root && progress_goes_on(b->progress);
             at++) {
            for (int64_t x = s->first[at]; x < s->first[at + 1] && s->higher[x] <= root; x++)
                try_middle(b, at, x);
        }
    }
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic, 64)
    for (int32_t at = 0; at < b->f->tree->n; at++) {
        for (int64_t l = is_top(b, at) ? lower->first[at] : lower->first[at + 1];
             l < lower->first[at + 1] && progress_goes_on(b->progress); l++)
            try_middle(b, lower->from[l], lower->entry[l]);
    }
}

/* Memory for making labels in one thread. */
struct labelling {
    const struct index_kernels *kernels;
    struct index_source *source; /* a source for each higher neighbour of a vertex, at most */
    path_length *cells;          /* cells of the longest label, and INDEX_BLOCK more */
};

/* Makes the label of the vertex at a position, from the labels of its higher neighbours. */
static void label_vertex(const struct filling *b, const struct labelling *l, int32_t at) {
    const struct distance_index *const x = b->f->x;
    const struct index_vertex *const own = &x->vertex[vertex_at(b, at)];
    const uint32_t above = own->labels - 1;
    for (int d = 0; d < b->directions; d++) {
        path_length *const label = b->label[d] + own->label;
        int sources = 0;
        for (uint32_t e = 0; e < own->entries; e++) {
            const path_length length = b->entry[d][own->entry + e].length;
            const struct index_vertex *const to = &x->vertex[x->higher[own->entry + e]];
            if (length < LENGTH_INF)
                l->source[sources++] =
                    (struct index_source){b->label[d] + to->label, to->labels, length};
        }
        l->kernels->label(l->cells, above, l->source, sources);
        for (uint32_t k = 0; k < above && b->f->g->min_weight < 0; k++)
            l->cells[k] = l->cells[k] > LENGTH_INF / 2 ? LENGTH_INF : l->cells[k];
        memcpy(label, l->cells, above * sizeof *label);
        label[above] = 0;
    }
}

/* Splits the tree into small subtrees, each for one thread, and the positions above them. */
static void find_subtrees(struct filling *b) {
    const int32_t n = b->f->tree->n, *const parent = b->f->tree->parent;
    int32_t *const size = b->size;
    b->small = n / (b->f->threads * 16) + 1;
    b->roots = 0;
    for (int32_t at = 0; at < n; at++)
        size[at] = 1;
    for (int32_t at = 0; at < n; at++) {
        if (parent[at] >= 0)
            size[parent[at]] += size[at];
    }
    for (int32_t at = n - 1; at >= 0; at--) {
        if (!is_top(b, at) && (parent[at] < 0 || is_top(b, parent[at])))
            b->root[b->roots++] = at;
    }
}

/* Makes the labels above the small subtrees, then those of the subtrees on all threads. */
static void label_all(const struct filling *b) {
    for (int32_t at = b->f->tree->n - 1; at >= 0; at--) {
        if (is_top(b, at))
            label_vertex(b, &b->labelling[0], at);
    }
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic)
    for (int32_t r = 0; r < b->roots; r++) {
        const struct labelling *const own = &b->labelling[omp_get_thread_num()];
        for (int32_t at = b->root[r]; at > b->root[r] - b->size[b->root[r]]; at--)
            label_vertex(b, own, at);
    }
}

/* Allocates each thread's memory for making labels. */
static enum status begin_labels(struct filling *b, struct error *err) {
    const struct tree *const tree = b->f->tree;
    const size_t threads = (size_t)b->f->threads;
    const size_t height = ((size_t)tree->height + INDEX_BLOCK + 15) / 16 * 16;
    int32_t most = 0;
    void *memory;
    for (int32_t at = 0; at < tree->n; at++)
        most = tree->count[at] > most ? tree->count[at] : most;
    const size_t cells = height * sizeof(path_length);
    const size_t each = sizeof *b->labelling + cells + (size_t)most * sizeof(struct index_source);
    RETURN_ON_FAILURE(memory_alloc(&memory, threads, each, "the labels", err));
    path_length *const cell = memory;
    struct index_source *const source = (struct index_source *)(cell + threads * height);
    b->labelling = (struct labelling *)(source + threads * (size_t)most);
    b->labels_memory = memory;
    for (size_t t = 0; t < threads; t++)
        b->labelling[t] = (struct labelling){.kernels = index_kernels(b->f->isa),
                                             .source = source + t * (size_t)most,
                                             .cells = cell + t * height};
    return STATUS_OK;
}

#ifndef LENGTH_F64

/* Returns whether all distances of integers are certainly below INF. They are if all paths over the
 * roots of the tree are short enough; if not, or if some vertex has no such path,
 * distance_bound_is_below() decides. cells: scratch, n entries. */
static bool all_fit(const struct filling *b, int32_t *cells) {
    const struct structure *const s = b->f->structure;
    const int32_t n = b->f->tree->n;
    int32_t farthest[2] = {0, 0};
    if (b->f->x->header.type != INDEX_INT32 || b->f->g->min_weight < 0)
        return true;
    for (int d = 0; d < 2; d++) {
        const int32_t *const length = d == 0 ? b->lengths.up : b->lengths.down;
        for (int32_t at = n - 1; at >= 0; at--) {
            cells[at] = s->first[at] == s->first[at + 1] ? 0 : INF;
            for (int64_t e = s->first[at]; e < s->first[at + 1]; e++)
                cells[at] = min_length(cells[at], length[e] + cells[s->higher[e]]);
            farthest[d] = cells[at] > farthest[d] ? cells[at] : farthest[d];
        }
    }
    return farthest[0] + farthest[1] < INF || distance_bound_is_below(b->f->g, INF);
}

static enum status check_range(const struct filling *b, struct error *err) {
    return all_fit(b, b->size) ? STATUS_OK : index_beyond_range(b->f->g, err);
}

#else

/* Refuses distances of integers that do not fit into int32; on a grid all fit. */
static enum status check_range(const struct filling *b, struct error *err) {
    (void)b, (void)err;
    return STATUS_OK;
}

#endif

static enum status check_progress(const struct filling *b, int done, struct error *err) {
    return progress_report(b->progress, done, INDEX_STEPS) ? STATUS_OK : progress_cancelled(err);
}

enum status index_fill(const struct index_filling *f, struct error *err) {
    const struct distance_index *const x = f->x;
    struct filling b = {.f = f, .progress = f->progress, .directions = (int)x->header.directions};
    struct lower lower = {0};
    void *memory = NULL;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)f->tree->n, 3 * sizeof(int32_t), "the labels", err));
    b.size = memory;
    b.root = b.size + f->tree->n;
    b.unknown = b.root + f->tree->n;
    TRY(eliminate_known(f->g, f->tree, f->structure, f->entry_of, f->threads, f->isa, f->progress,
                        &b.lengths, err));
    TRY(check_progress(&b, 2, err));
    TRY(check_range(&b, err));
    find_subtrees(&b);
    TRY(find_lower(&b, &lower, err));
    TRY(begin_labels(&b, err));
    b.progress = f->is_in_use ? NULL : f->progress;
    for (int d = 0; d < b.directions; d++) {
        b.label[d] = (path_length *)x->label[d];
        b.entry[d] = (struct index_entry *)x->entry[d];
        b.edge[d] = (uint8_t *)x->edge[d];
        memset(b.label[d] + x->header.labels, 0, INDEX_PAD * sizeof(path_length));
    }
    fill_entries(&b);
    find_edges(&b);
    find_middles(&b, &lower);
    TRY(check_progress(&b, 3, err));
    label_all(&b);
    TRY(check_progress(&b, 4, err));
cleanup:
    lengths_free(&b.lengths);
    lower_free(&lower);
    memory_free(b.labels_memory);
    memory_free(memory);
    return status;
}
