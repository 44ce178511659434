// SPDX-License-Identifier: MIT
/* Compiled for both types of cells (common/base/length.h). */
#include "index/index_fill.h"

#include "common/base/memory.h"    // memory_alloc
#include "elimination/eliminate.h" // eliminate
#include "index/index_labels.h"
#include "index/index_parts.h"
#include "solve/distance_bound.h" // distance_bound_is_below

#include <string.h>

/* Value of an entry's middle that is not found yet. */
#define UNKNOWN (-2)

/* State of filling an index. */
struct filling {
    const struct index_filling *f;
    int directions; /* number of directions that are kept */
    struct lengths lengths;
    struct index_entry *entry[2];
    uint8_t *edge[2];
    struct index_subtrees subtrees;
    int32_t *unknown; /* by position, n entries: number of its entries whose middle is not found
                         yet */
};

static int32_t vertex_at(const struct filling *b, int32_t position) {
    return b->f->tree->vertex[position];
}

static void fill_entries(struct filling *b) {
    const int32_t n = b->f->tree->n;
#pragma omp parallel for num_threads(b->f->threads) schedule(static)
    for (int32_t at = 0; at < n; at++) {
        const uint64_t to = index_first_entry_at(b->f, at);
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
    const uint64_t own =
        index_first_entry_at(b->f, low) + (uint64_t)(entry - b->f->structure->first[low]);
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

static enum status find_lower(const struct filling *b, struct lower *lower, struct error *err) {
    const struct structure *const s = b->f->structure;
    const int32_t n = b->f->tree->n;
    void *first, *entry, *from;
    RETURN_ON_FAILURE(
        memory_alloc(&first, (size_t)n + 2, sizeof(int64_t), "the lower neighbours", err));
    lower->first = memset(first, 0, ((size_t)n + 2) * sizeof(int64_t));
    for (int64_t e = 0; e < s->first[n]; e++) {
        if (index_is_top(&b->subtrees, s->higher[e]))
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
        for (int64_t e = s->first[at + 1];
             e > s->first[at] && index_is_top(&b->subtrees, s->higher[e - 1]); e--) {
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
        const uint64_t own = index_first_entry_at(b->f, at);
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
    const uint64_t own = index_first_entry_at(b->f, to);
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
    for (int32_t r = 0; r < b->subtrees.count; r++) {
        const int32_t root = b->subtrees.root[r];
        for (int32_t at = root - b->subtrees.size[root] + 1;
             at <= root && progress_goes_on(b->f->progress); at++) {
            for (int64_t x = s->first[at]; x < s->first[at + 1] && s->higher[x] <= root; x++)
                try_middle(b, at, x);
        }
    }
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic, 64)
    for (int32_t at = 0; at < b->f->tree->n; at++) {
        for (int64_t l = index_is_top(&b->subtrees, at) ? lower->first[at] : lower->first[at + 1];
             l < lower->first[at + 1] && progress_goes_on(b->f->progress); l++)
            try_middle(b, lower->from[l], lower->entry[l]);
    }
}

/* Splits the tree into small subtrees, each for one thread, and the positions above them. */
static void find_subtrees(const struct tree *tree, struct index_subtrees *s) {
    enum {
        PARTS = 64,       /* about the number of subtrees of a tree that is not large; more of them
                             would leave more of the tree to one thread */
        LARGEST = 1 << 13 /* most vertices of a subtree; each thread has memory for the labels of
                             one */
    };
    const int32_t n = tree->n, *const parent = tree->parent;
    s->small = n / PARTS < LARGEST ? n / PARTS + 1 : LARGEST;
    s->count = 0;
    for (int32_t at = 0; at < n; at++)
        s->size[at] = 1;
    for (int32_t at = 0; at < n; at++) {
        if (parent[at] >= 0)
            s->size[parent[at]] += s->size[at];
    }
    for (int32_t at = n - 1; at >= 0; at--) {
        if (!index_is_top(s, at) && (parent[at] < 0 || index_is_top(s, parent[at])))
            s->root[s->count++] = at;
    }
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
    return all_fit(b, b->subtrees.size) ? STATUS_OK : index_beyond_range(b->f->g, err);
}

#else

/* Refuses distances of integers that do not fit into int32; on a grid all fit. */
static enum status check_range(const struct filling *b, struct error *err) {
    (void)b, (void)err;
    return STATUS_OK;
}

#endif

static enum status check_progress(const struct filling *b, int done, struct error *err) {
    return progress_report(b->f->progress, done, INDEX_STEPS) ? STATUS_OK : progress_cancelled(err);
}

enum status index_fill(const struct index_filling *f, struct index_made *made, struct error *err) {
    const struct distance_index *const x = f->x;
    struct filling b = {.f = f, .directions = (int)x->header.directions};
    struct lower lower = {0};
    void *memory = NULL;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)f->tree->n, 3 * sizeof(int32_t), "the labels", err));
    b.subtrees.size = memory;
    b.subtrees.root = b.subtrees.size + f->tree->n;
    b.unknown = b.subtrees.root + f->tree->n;
    TRY(eliminate_known(f->g, f->tree, f->structure, f->entry_of, f->threads, f->isa, f->progress,
                        &b.lengths, err));
    TRY(check_progress(&b, 2, err));
    TRY(check_range(&b, err));
    find_subtrees(f->tree, &b.subtrees);
    TRY(find_lower(&b, &lower, err));
    for (int d = 0; d < b.directions; d++) {
        b.entry[d] = (struct index_entry *)x->entry[d];
        b.edge[d] = (uint8_t *)x->edge[d];
    }
    fill_entries(&b);
    find_edges(&b);
    find_middles(&b, &lower);
    TRY(check_progress(&b, 3, err));
    for (int d = 0; d < b.directions; d++) {
        void *const to = d == 0 ? f->labels : index_labels_after(&x->header, f->labels, made);
        TRY(index_labels_make(f, &b.subtrees, d, to, made, err));
    }
    TRY(check_progress(&b, 4, err));
cleanup:
    lengths_free(&b.lengths);
    lower_free(&lower);
    memory_free(memory);
    return status;
}
