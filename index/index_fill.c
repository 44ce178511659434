// SPDX-License-Identifier: MIT
/* Compiled for both types of cells (common/base/length.h). */
#include "index/index_fill.h"

#include "common/base/memory.h"    // memory_alloc
#include "elimination/eliminate.h" // eliminate
#include "index/index_labels.h"
#include "index/index_parts.h"
#include "solve/distance_bound.h" // distance_bound_is_below

/* State of filling an index. */
struct filling {
    const struct index_filling *f;
    int directions; /* number of directions that are kept */
    struct lengths lengths;
    struct middles middles;
    struct index_subtrees subtrees;
};

/* Stores the lengths and middles of all entries of one direction. */
static void fill_entries(const struct filling *b, int direction) {
    const int32_t n = b->f->tree->n, *const vertex = b->f->tree->vertex;
    const path_length *const length = direction == 0 ? b->lengths.up : b->lengths.down;
    const length_number *const middle = direction == 0 ? b->middles.up : b->middles.down;
    struct index_entry *const entry = (struct index_entry *)b->f->x->entry[direction];
#pragma omp parallel for num_threads(b->f->threads) schedule(static)
    for (int32_t at = 0; at < n; at++) {
        const int64_t from = b->f->structure->first[at], end = b->f->structure->first[at + 1];
        struct index_entry *own = entry + index_first_entry_at(b->f->tree, b->f->structure, at);
        for (int64_t e = from; e < end; e++) {
            const bool is_edge = middle[e] == MIDDLE_EDGE || !(length[e] < LENGTH_INF);
            *own++ = (struct index_entry){.length = length[e],
                                          .middle = is_edge ? INDEX_EDGE : vertex[middle[e]]};
        }
    }
}

/* Splits the tree into small subtrees, each for one thread, and the positions above them. */
static void find_subtrees(const struct tree *tree, struct index_subtrees *s) {
    enum {
        PARTS = 256,      /* about the number of subtrees of a tree that is not large; fewer of them
                             would keep threads waiting */
        LARGEST = 1 << 11 /* most vertices of a subtree; each thread has memory for the labels of
                             one, which caches are to hold */
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

static enum status check_progress(const struct filling *b, int done, struct error *err) {
    return progress_report(b->f->progress, done, INDEX_STEPS) ? STATUS_OK : progress_cancelled(err);
}

/* Refuses distances of integers that may not fit into int32. They fit if all paths over the roots
 * of the tree are short enough; if not, or if some vertex has no such path,
 * distance_bound_is_below() decides. On a grid all fit. */
static enum status check_range(const struct filling *b, const struct index_made *made,
                               struct error *err) {
    const struct graph *const g = b->f->g;
    const double farthest = made->farthest[0] + made->farthest[b->directions - 1];
    if (b->f->x->header.type != INDEX_INT32 || g->min_weight < 0 || farthest < INF)
        return STATUS_OK;
    return distance_bound_is_below(g, INF) ? STATUS_OK : index_beyond_range(g, err);
}

enum status index_fill(const struct index_filling *f, struct index_made *made, struct error *err) {
    const struct index_header *const h = &f->x->header;
    struct filling b = {.f = f, .directions = (int)h->directions};
    const struct elimination_options how = {.threads = f->threads,
                                            .isa = f->isa,
                                            .progress = f->progress,
                                            .entry_of = f->entry_of,
                                            .is_symmetric =
                                                h->directed == 0 && f->g->min_weight >= 0,
                                            .middles = &b.middles};
    void *memory = NULL;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)f->tree->n, 2 * sizeof(int32_t), "the labels", err));
    b.subtrees.size = memory;
    b.subtrees.root = b.subtrees.size + f->tree->n;
    TRY(eliminate(f->g, f->tree, f->structure, &how, &b.lengths, err));
    TRY(check_progress(&b, 2, err));
    for (int d = 0; d < b.directions; d++)
        fill_entries(&b, d);
    TRY(check_progress(&b, 3, err));
    find_subtrees(f->tree, &b.subtrees);
    for (int d = 0; d < b.directions; d++) {
        void *const to = d == 0 ? f->labels : index_labels_after(h, f->labels, made);
        TRY(index_labels_make(f, &b.subtrees, d, to, made, err));
    }
    TRY(check_range(&b, made, err));
    TRY(check_progress(&b, 4, err));
cleanup:
    lengths_free(&b.lengths);
    middles_free(&b.middles);
    memory_free(memory);
    return status;
}
