// SPDX-License-Identifier: MIT
/* For cells of either type (common/base/length.h). */
#include "index/index_fill.h"

#include "common/base/memory.h"    // memory_alloc
#include "elimination/eliminate.h" // eliminate
#include "index/index_kernels.h"
#include "index/index_parts.h"

#include <string.h>

/* Middles before they are known. */
#define UNKNOWN (-2)

/* What is being filled, and where. */
struct filling {
    const struct index_filling *f;
    struct progress *progress; /* NULL if it is too late to stop */
    int directions; /* that are kept */
    struct lengths lengths;
    path_length *label[2];
    struct index_entry *entry[2];
    uint8_t *edge[2];
    int32_t *size, *root; /* n each: vertices of the subtree of each position; see label_all */
};

static int32_t vertex_at(const struct filling *b, int32_t position) {
    return b->f->tree->vertex[position];
}

static inline uint64_t first_entry(const struct filling *b, int32_t position) {
    return b->f->x->vertex[vertex_at(b, position)].entry;
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
                b->entry[d][to + (uint64_t)(e - from)] =
                    (struct index_entry){.length = length[d],
                                         .middle = length[d] < LENGTH_INF ? UNKNOWN : INDEX_EDGE};
        }
    }
}

/* Marks the entries that the graph has an edge for, and those that are as short as it. */
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
            const int32_t to = position[g->head[e]];
            const int32_t low = from < to ? from : to, d = from == low ? 0 : 1;
            if (d >= b->directions)
                continue;
            const uint64_t entry =
                first_entry(b, low) +
                (uint64_t)(structure_seek(s->higher, s->first[low], s->first[low + 1],
                                          from < to ? to : from) -
                           s->first[low]);
            __atomic_fetch_or(&b->edge[d][entry / 8], 1 << entry % 8, __ATOMIC_RELAXED);
            if (b->entry[d][entry].length == edge_length(g, e))
                b->entry[d][entry].middle = INDEX_EDGE;
        }
    }
}

/* The lower neighbours of each position: entries that lead to it, ascending. */
struct lower {
    int64_t *first; /* n + 1 */
    int64_t *entry; /* of the structure */
    int32_t *from;  /* whose entry it is */
};

static enum status find_lower(const struct structure *s, int32_t n, struct lower *lower,
                              struct error *err) {
    const size_t count = (size_t)n, entries = (size_t)s->first[n];
    void *first = NULL, *entry = NULL, *from = NULL;
    enum status status;
    TRY(memory_alloc(&first, count + 2, sizeof(int64_t), "the lower neighbours", err));
    TRY(memory_alloc(&entry, entries, sizeof(int64_t), "the lower neighbours", err));
    TRY(memory_alloc(&from, entries, sizeof(int32_t), "the lower neighbours", err));
    *lower = (struct lower){first, entry, from};
    memset(first, 0, (count + 2) * sizeof(int64_t));
    for (size_t e = 0; e < entries; e++)
        lower->first[s->higher[e] + 2]++;
    for (size_t v = 2; v <= count + 1; v++)
        lower->first[v] += lower->first[v - 1];
    for (int32_t at = 0; at < n; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const int64_t place = lower->first[s->higher[e] + 1]++;
            lower->entry[place] = e;
            lower->from[place] = at;
        }
    }
    first = entry = from = NULL;
cleanup:
    memory_free(first);
    memory_free(entry);
    memory_free(from);
    return status;
}

/* The middles of all entries of a position: the lowest that make their lengths. */
static void find_middles_of(const struct filling *b, const struct lower *lower, int32_t at) {
    const struct structure *s = b->f->structure;
    const path_length *const up = b->lengths.up, *const down = b->lengths.down;
    const uint64_t own = first_entry(b, at);
    for (int64_t l = lower->first[at]; l < lower->first[at + 1]; l++) {
        const int64_t x = lower->entry[l], end = s->first[lower->from[l] + 1];
        const int32_t middle = vertex_at(b, lower->from[l]);
        int64_t e = s->first[at];
        for (int64_t z = x + 1; z < end; z++, e++) {
            while (s->higher[e] < s->higher[z])
                e++;
            const path_length sum[2] = {down[x] + up[z], down[z] + up[x]};
            for (int d = 0; d < b->directions; d++) {
                struct index_entry *const entry = &b->entry[d][own + (uint64_t)(e - s->first[at])];
                if (entry->middle == UNKNOWN && entry->length == sum[d])
                    entry->middle = middle;
            }
        }
    }
}

static void find_middles(const struct filling *b, const struct lower *lower) {
    find_edges(b);
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic, 256)
    for (int32_t at = 0; at < b->f->tree->n; at++) {
        if (progress_goes_on(b->progress))
            find_middles_of(b, lower, at);
    }
}

/* The label of the vertex at a position, from those of its higher neighbours. */
static void label_vertex(const struct filling *b, const struct index_kernels *kernels,
                         int32_t at) {
    const struct distance_index *const x = b->f->x;
    const struct index_vertex *const own = &x->vertex[vertex_at(b, at)];
    const bool is_signed = b->f->g->min_weight < 0;
    for (int d = 0; d < b->directions; d++) {
        path_length *const label = b->label[d] + own->label;
        for (uint32_t k = 0; k + 1 < own->labels; k++)
            label[k] = LENGTH_INF;
        label[own->labels - 1] = 0;
        for (uint32_t e = 0; e < own->entries; e++) {
            const struct index_entry *const entry = &b->entry[d][own->entry + e];
            const struct index_vertex *const to = &x->vertex[x->higher[own->entry + e]];
            if (entry->length < LENGTH_INF)
                kernels->extend(label, b->label[d] + to->label, entry->length, to->labels);
        }
        for (uint32_t k = 0; k < own->labels && is_signed; k++)
            label[k] = label[k] > LENGTH_INF / 2 ? LENGTH_INF : label[k]; /* and a length below 0 */
    }
}

/* Labels what is above small subtrees, then these on all threads. */
static void label_all(const struct filling *b) {
    const struct index_kernels *const kernels = index_kernels(b->f->isa);
    const int32_t n = b->f->tree->n, *const parent = b->f->tree->parent;
    const int32_t small = n / (b->f->threads * 16) + 1;
    int32_t roots = 0, *const size = b->size, *const root = b->root;
    for (int32_t at = 0; at < n; at++)
        size[at] = 1;
    for (int32_t at = 0; at < n; at++) {
        if (parent[at] >= 0)
            size[parent[at]] += size[at];
    }
    for (int32_t at = n - 1; at >= 0; at--) {
        if (size[at] > small)
            label_vertex(b, kernels, at);
        else if (parent[at] < 0 || size[parent[at]] > small)
            root[roots++] = at;
    }
#pragma omp parallel for num_threads(b->f->threads) schedule(dynamic)
    for (int32_t r = 0; r < roots; r++) {
        for (int32_t at = root[r]; at > root[r] - size[root[r]]; at--)
            label_vertex(b, kernels, at);
    }
}

static enum status check_progress(const struct filling *b, int done, struct error *err) {
    return progress_report(b->progress, done, INDEX_STEPS) ? STATUS_OK : progress_cancelled(err);
}

enum status index_fill(const struct index_filling *f, struct error *err) {
    const struct distance_index *const x = f->x;
    struct filling b = {
        .f = f, .progress = f->progress, .directions = (int)x->header.directions};
    struct lower lower = {0};
    void *memory = NULL;
    enum status status;
    TRY(eliminate(f->g, f->tree, f->structure, f->threads, f->isa, f->progress, &b.lengths, err));
    TRY(check_progress(&b, 2, err));
    TRY(find_lower(f->structure, f->tree->n, &lower, err));
    TRY(memory_alloc(&memory, (size_t)f->tree->n, 2 * sizeof(int32_t), "the labels", err));
    b.size = memory;
    b.root = b.size + f->tree->n;
    b.progress = f->is_in_use ? NULL : f->progress;
    for (int d = 0; d < b.directions; d++) {
        b.label[d] = (path_length *)x->label[d];
        b.entry[d] = (struct index_entry *)x->entry[d];
        b.edge[d] = (uint8_t *)x->edge[d];
        memset(b.label[d] + x->header.labels, 0, INDEX_PAD * sizeof(path_length));
    }
    fill_entries(&b);
    find_middles(&b, &lower);
    TRY(check_progress(&b, 3, err));
    label_all(&b);
    TRY(check_progress(&b, 4, err));
cleanup:
    lengths_free(&b.lengths);
    memory_free(lower.first);
    memory_free(lower.entry);
    memory_free(lower.from);
    memory_free(memory);
    return status;
}
