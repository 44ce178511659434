// SPDX-License-Identifier: MIT
#include "common/base/chunks.h"       // prefix_sums
#include "common/base/memory.h"       // memory_alloc
#include "common/base/sort_numbers.h" // sort_numbers
#include "elimination/symbolic.h"     // structure_find
#include "elimination/tree_chunks.h"  // struct tree_chunks
#include "elimination/tree_parts.h"   // tree_fetch_ahead

#include <stdbool.h>
#include <string.h>

/* For each vertex of the core, the roots of the pieces whose boundaries it is in. */
struct core_neighbours {
    int64_t *first; /* index in `root` at which each vertex's roots begin, core + 1 entries */
    int32_t *root;  /* first[core] entries */
};

static bool is_piece(const struct tree *tree, int32_t at) {
    return tree->parent[at] < 0 && tree->count[at] > 0;
}

static enum status pieces_find(const struct tree *tree, const struct structure *s,
                               struct core_neighbours *pieces, struct error *err) {
    const size_t core = (size_t)(tree->n - tree->fringe);
    int64_t length = 0;
    void *first = NULL, *root = NULL;
    enum status status;
    *pieces = (struct core_neighbours){0};
    TRY(memory_alloc(&first, core + 1, sizeof(int64_t), "the pieces", err));
    memset(first, 0, (core + 1) * sizeof(int64_t));
    pieces->first = first;
    for (int32_t at = 0; at < tree->fringe; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1] && is_piece(tree, at); e++)
            pieces->first[s->higher[e] - tree->fringe]++;
    }
    for (size_t c = 0; c <= core; c++) {
        const int64_t count = pieces->first[c];
        pieces->first[c] = length;
        length += count;
    }
    TRY(memory_alloc(&root, (size_t)length, sizeof(int32_t), "the pieces", err));
    pieces->root = root;
    for (int32_t at = 0; at < tree->fringe; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1] && is_piece(tree, at); e++)
            pieces->root[pieces->first[s->higher[e] - tree->fringe]++] = at;
    }
    for (size_t c = core; c > 0; c--)
        pieces->first[c] = pieces->first[c - 1];
    pieces->first[0] = 0;
    first = NULL;

cleanup:
    memory_free(first);
    if (status != STATUS_OK)
        *pieces = (struct core_neighbours){0};
    return status;
}

/* Appends `above` to the list of each lower core position to which it is joined; only counts if
 * higher is NULL. By core position, end: end of its list so far; mark: last position appended to
 * it. */
static void join_core(const struct pattern *p, const struct tree *tree, const struct structure *s,
                      const struct core_neighbours *pieces, int32_t above, int32_t *mark,
                      int64_t *end, int32_t *higher) {
    const int32_t v = tree->vertex[above], core = above - tree->fringe;
    mark[core] = above;
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        const int32_t at = tree->position[p->neighbour[e]] - tree->fringe;
        if (at < 0 || at > core || mark[at] == above)
            continue;
        mark[at] = above;
        if (higher != NULL)
            higher[end[at]] = above;
        end[at]++;
    }
    for (int64_t k = pieces->first[core]; k < pieces->first[core + 1]; k++) {
        const int32_t root = pieces->root[k];
        for (int64_t e = s->first[root]; s->higher[e] < above; e++) {
            const int32_t at = s->higher[e] - tree->fringe;
            if (mark[at] == above)
                continue;
            mark[at] = above;
            if (higher != NULL)
                higher[end[at]] = above;
            end[at]++;
        }
    }
}

/* State while the lists of the fringe are found. The list of a position joins the lists of its
 * children, without their first entries, and the position's higher neighbours in the pattern. */
struct structure_finding {
    const struct pattern *pattern;
    const struct tree *tree;
    struct tree_chunks chunks; /* chunks of the fringe's positions */
    struct structure *structure;
    int32_t *before; /* by fringe position: the position before its subtree */
};

/* An ascending list that is being put together. */
struct list {
    int32_t *entry;
    int32_t length;
    int32_t whole;                               /* final number of entries */
    int32_t fresh[BLOCK_FRESH_MAX], fresh_count; /* of a long list: new entries that are not in
                                                    order yet; one may occur twice */
};

/* Merges the new entries into the list. */
static void settle(struct list *l) {
    int32_t more = 0;
    sort_numbers(l->fresh, l->fresh_count);
    for (int32_t k = 0; k < l->fresh_count; k++) {
        if (k == 0 || l->fresh[k] != l->fresh[k - 1])
            l->fresh[more++] = l->fresh[k];
    }
    int32_t old = l->length, to = l->length + more;
    l->length = to;
    while (more > 0) {
        const bool is_old = old > 0 && l->entry[old - 1] > l->fresh[more - 1];
        l->entry[--to] = is_old ? l->entry[--old] : l->fresh[--more];
    }
    l->fresh_count = 0;
}

/* Returns the first index from `from` on whose entry is not less than `entry`; every entry before
 * `from` is less. */
static int32_t seek(const struct list *l, int32_t from, int32_t entry) {
    int32_t step = 1, high = from;
    while (high < l->length && l->entry[high] < entry) {
        from = high + 1;
        high += step;
        step *= 2;
    }
    high = high < l->length ? high : l->length;
    while (from < high) {
        const int32_t middle = from + (high - from) / 2;
        if (l->entry[middle] < entry)
            from = middle + 1;
        else
            high = middle;
    }
    return from;
}

/* Adds an entry to a long list. Returns the index from which higher entries are to be looked
 * for. */
static int32_t join_long(struct list *l, int32_t from, int32_t entry) {
    const int32_t at = seek(l, from, entry);
    if (at < l->length && l->entry[at] == entry)
        return at;
    l->fresh[l->fresh_count++] = entry;
    if (l->fresh_count < block_sizes.fresh_entries && l->length + l->fresh_count < l->whole)
        return at;
    settle(l);
    return 0;
}

/* Adds an entry to a short list unless it is there. Returns the list's length. */
static inline int32_t join_short(int32_t *list, int32_t length, int32_t entry) {
    int32_t to = length;
    while (to > 0 && list[to - 1] > entry)
        to--;
    if (to > 0 && list[to - 1] == entry)
        return length;
    for (int32_t k = length; k > to; k--)
        list[k] = list[k - 1];
    list[to] = entry;
    return length + 1;
}

static void join_child(struct list *l, const int32_t *entry, int32_t count) {
    if (l->whole <= block_sizes.short_entries) {
        int32_t *const list = l->entry, length = l->length;
        const int32_t whole = l->whole;
        for (int32_t k = 0; k < count && length < whole; k++)
            length = join_short(list, length, entry[k]);
        l->length = length;
        return;
    }
    for (int32_t k = 0, from = 0; k < count && l->length < l->whole; k++)
        from = join_long(l, from, entry[k]);
}

static inline void join_neighbours(const struct structure_finding *f, struct list *l, int32_t at) {
    const struct pattern *p = f->pattern;
    const int32_t *const position = f->tree->position;
    const int32_t v = f->tree->vertex[at], whole = l->whole;
    const int64_t end = p->first[v + 1];
    if (whole <= block_sizes.short_entries) {
        int32_t *const list = l->entry, length = l->length;
        for (int64_t e = p->first[v]; e < end && length < whole; e++) {
            const int32_t above = position[p->neighbour[e]];
            if (above > at)
                length = join_short(list, length, above);
        }
        l->length = length;
        return;
    }
    for (int64_t e = p->first[v]; e < end && l->length < whole; e++) {
        const int32_t above = position[p->neighbour[e]];
        if (above > at)
            join_long(l, 0, above);
    }
}

/* Finds the list of a position whose children's lists are known: the longest child's list, and
 * entries of the others until the list has tree->count entries. No new entries wait then. */
static void find_list(const struct structure_finding *f, int32_t at) {
    const struct tree *tree = f->tree;
    const struct structure *s = f->structure;
    int32_t longest = -1, child = at - 1;
    struct list l;
    l.entry = s->higher + s->first[at];
    l.whole = tree->count[at];
    l.length = l.fresh_count = 0;
    for (; child >= 0 && tree->parent[child] == at; child = f->before[child])
        longest = longest < 0 || tree->count[child] > tree->count[longest] ? child : longest;
    f->before[at] = child;
    if (longest >= 0) {
        const int32_t *const entry = s->higher + s->first[longest] + 1;
        const int32_t length = tree->count[longest] - 1;
        for (int32_t k = 0; k < length; k++)
            l.entry[k] = entry[k];
        l.length = length;
    }
    for (child = at - 1; child > f->before[at] && l.length < l.whole; child = f->before[child]) {
        if (child != longest)
            join_child(&l, s->higher + s->first[child] + 1, tree->count[child] - 1);
    }
    if (l.length < l.whole)
        join_neighbours(f, &l, at);
}

static void find_chunk(const struct structure_finding *f, int32_t chunk, int64_t length) {
    const struct tree *tree = f->tree;
    const int32_t high = tree_chunk_high(&f->chunks, chunk);
    int32_t top = tree_chunk_first_top(&f->chunks, chunk);
    for (int32_t at = tree_chunk_low(&f->chunks, chunk); at < high; at++) {
        f->structure->first[at] = length;
        length += tree->count[at];
        tree_fetch_ahead(f->pattern, tree->position, tree->vertex, at, tree->n);
        if (at == top)
            top = tree_chunk_next_top(&f->chunks, chunk, at);
        else
            find_list(f, at);
    }
}

/* Finds the lists in a chunk that the smaller chunks have left. */
static void find_left(const struct structure_finding *f, const struct tree_chunks *smaller,
                      const struct tree_chunks *chunks, int32_t chunk) {
    const int32_t from = tree_chunk_low(chunks, chunk) / smaller->size;
    const int32_t to = (tree_chunk_high(chunks, chunk) - 1) / smaller->size + 1;
    int32_t top = tree_chunk_first_top(chunks, chunk);
    for (int32_t part = from; part < to; part++) {
        for (int32_t at = tree_chunk_first_top(smaller, part); at >= 0;
             at = tree_chunk_next_top(smaller, part, at)) {
            if (at == top)
                top = tree_chunk_next_top(chunks, chunk, at);
            else
                find_list(f, at);
        }
    }
}

static void join_fringe(const struct structure_finding *f) {
    const struct tree_chunks *chunks = &f->chunks;
    int64_t first[CHUNKS_MAX + 1];
#pragma omp parallel for schedule(static) num_threads(chunks->threads)
    for (int32_t chunk = 0; chunk < chunks->count; chunk++) {
        first[chunk] = 0;
        for (int32_t at = tree_chunk_low(chunks, chunk); at < tree_chunk_high(chunks, chunk); at++)
            first[chunk] += f->tree->count[at];
    }
    prefix_sums(first, chunks->count, 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(chunks->threads)
    for (int32_t chunk = 0; chunk < chunks->count; chunk++)
        find_chunk(f, chunk, first[chunk]);
    for (struct tree_chunks smaller = *chunks; smaller.count > 1;) {
        const struct tree_chunks larger = tree_chunks_larger(&smaller);
#pragma omp parallel for schedule(dynamic, 1) num_threads(larger.threads)
        for (int32_t chunk = 0; chunk < larger.count; chunk++)
            find_left(f, &smaller, &larger, chunk);
        smaller = larger;
    }
}

void structure_free(struct structure *structure) {
    memory_free(structure->first);
    memory_free(structure->higher);
    *structure = (struct structure){0};
}

/* Finds the lists of the core, behind those of the fringe. */
static enum status find_core(const struct pattern *pattern, const struct tree *tree,
                             struct structure *structure, struct error *err) {
    const int32_t fringe = tree->fringe, core = tree->n - fringe;
    int64_t length = tree->entries;
    struct core_neighbours pieces = {0};
    void *end_memory = NULL, *mark_memory = NULL, *higher = NULL;
    enum status status;
    TRY(memory_alloc(&end_memory, (size_t)core, sizeof(int64_t), "the core", err));
    TRY(memory_alloc(&mark_memory, (size_t)core, sizeof(int32_t), "the core", err));
    int64_t *const end = end_memory;
    int32_t *const mark = mark_memory;
    for (int32_t at = 0; at <= core; at++)
        structure->first[fringe + at] = length;
    TRY(pieces_find(tree, structure, &pieces, err));
    for (int32_t at = 0; at < core; at++) {
        end[at] = 0;
        mark[at] = -1;
    }
    for (int32_t at = fringe; at < tree->n; at++)
        join_core(pattern, tree, structure, &pieces, at, mark, end, NULL);
    for (int32_t at = 0; at < core; at++) {
        const int64_t count = end[at];
        structure->first[fringe + at] = end[at] = length;
        tree->count[fringe + at] = (int32_t)count;
        length += count;
        mark[at] = -1;
    }
    structure->first[tree->n] = length;
    higher = structure->higher;
    status = memory_resize(&higher, (size_t)length, sizeof(int32_t), "the core", err);
    structure->higher = higher;
    if (status != STATUS_OK)
        goto cleanup;
    for (int32_t at = fringe; at < tree->n; at++)
        join_core(pattern, tree, structure, &pieces, at, mark, end, structure->higher);

cleanup:
    memory_free(end_memory);
    memory_free(mark_memory);
    memory_free(pieces.first);
    memory_free(pieces.root);
    return status;
}

enum status structure_find(const struct pattern *pattern, const struct tree *tree, int threads,
                           struct structure *structure, struct error *err) {
    const size_t n = (size_t)tree->n;
    void *first = NULL, *before = NULL, *higher = NULL;
    enum status status;
    *structure = (struct structure){0};
    TRY(memory_alloc(&first, n + 1, sizeof(int64_t), "the eliminated graph", err));
    structure->first = first;
    TRY(memory_alloc(&higher, (size_t)tree->entries, sizeof(int32_t), "the eliminated graph", err));
    structure->higher = higher;
    TRY(memory_alloc(&before, (size_t)tree->fringe, sizeof(int32_t), "the eliminated graph", err));
    join_fringe(
        &(struct structure_finding){.pattern = pattern,
                                    .tree = tree,
                                    .chunks = tree_chunks_of(tree->parent, tree->fringe, threads),
                                    .structure = structure,
                                    .before = before});
    structure->first[n] = tree->entries;
    if (tree->fringe < tree->n)
        status = find_core(pattern, tree, structure, err);

cleanup:
    memory_free(before);
    if (status != STATUS_OK)
        structure_free(structure);
    return status;
}
