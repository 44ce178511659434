// SPDX-License-Identifier: MIT
#include "elimination/eliminate.h"

#include "common/base/atomics.h"           // atomic_lower
#include "common/base/block_sizes.h"       // block_sizes
#include "common/base/chunks.h"            // clear_together
#include "common/base/memory.h"            // memory_alloc
#include "elimination/eliminate_kernels.h" // elimination_kernels
#include "elimination/tree_chunks.h"       // struct tree_chunks

#include <sched.h>
#include <string.h>

struct elimination {
    const struct tree *tree;
    const struct structure *structure;
    path_length *length[2];   /* by entry: lengths up [0] and down [1]; one array if the graph is
                                 symmetric */
    length_number *middle[2]; /* by entry: middles up [0] and down [1]; NULL: they are not found */
    int directions;           /* number of directions whose lengths are found: 1 if the graph is
                                 symmetric, else 2 */
    const struct progress *progress;
    const struct elimination_kernels *kernels;
    int32_t *subtree; /* roots of the subtrees that one thread takes whole */
    int32_t subtrees;
    int32_t *pending; /* for each position above these subtrees: number of children that are not
                         done yet */
    int32_t *lowest;  /* by position: lowest position of its subtree */
    char *lock;       /* by position: lock of its entries */
    bool is_signed;   /* some weight is below 0 */
    bool *has_cycle;  /* set when a negative cycle is found */
};

bool eliminate_takes(const struct graph *g) {
    const int64_t lowest = -(int64_t)g->min_weight, highest = (int64_t)g->max_weight;
    return g->min_weight >= 0 || (lowest > highest ? lowest : highest) * g->n < INF / 4;
}

static inline int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Stores the length of an edge at an entry. */
static inline void load_edge(const struct elimination *el, int direction, int64_t entry,
                             path_length length) {
    el->length[direction][entry] = length;
    if (el->middle[direction] != NULL)
        el->middle[direction][entry] = MIDDLE_EDGE;
}

static void load_edges(const struct graph *g, const struct elimination *el, int threads) {
    const struct tree *tree = el->tree;
    const struct structure *s = el->structure;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (int32_t u = 0; u < g->n; u++) {
        const int32_t from = tree->position[u];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t to = tree->position[g->head[e]];
            const int32_t low = min_of(from, to), high = from + to - low;
            if (low == high) { /* graphs keep a loop only if its weight is below 0 */
                __atomic_store_n(el->has_cycle, true, __ATOMIC_RELAXED);
                continue;
            }
            if (from == low || el->directions == 2)
                load_edge(el, from == low ? 0 : 1,
                          structure_seek(s->higher, s->first[low], s->first[low + 1], high),
                          edge_length(g, e));
        }
    }
}

/* Stores the lengths of all edges at their entries, which are known: entry_of[e] is that of edge
 * e. */
static void load_known(const struct graph *g, const struct elimination *el,
                       const edge_entry *entry_of, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t e = 0; e < g->m; e++) {
        const int direction = (int)(entry_of[e] % 2);
        if (direction < el->directions)
            load_edge(el, direction, entry_of[e] / 2, edge_length(g, e));
    }
}

/* Lowers the length of an entry, by the middle `by` if middles are found. */
static inline void lower_entry(const struct elimination *el, int direction, int64_t entry,
                               path_length length, length_number by, bool finds_middles) {
    path_length *const own = &el->length[direction][entry];
    if (finds_middles)
        lower_length(own, &el->middle[direction][entry], length, by);
    else
        *own = min_length(*own, length);
}

/* Lowers the entries of the position that entry x leads to, by the paths through position `at`, to
 * which x belongs, from and to all entries behind x. */
static inline void relax(const struct elimination *el, int32_t at, int64_t x, int64_t end,
                         int directions, bool finds_middles) {
    const int32_t *const higher = el->structure->higher;
    int64_t to = el->structure->first[higher[x]];
    const int64_t to_end = el->structure->first[higher[x] + 1];
    if (to_end - to == end - x - 1) { /* both lists have the same positions */
        for (int d = 0; d < directions; d++) {
            const path_length along = el->length[1 - d][x];
            path_length *const own = el->length[d];
            if (finds_middles)
                el->kernels->lower_by(own + to, el->middle[d] + to, own + x + 1, along, NULL, at,
                                      (int32_t)(to_end - to));
            else
                el->kernels->lower(own + to, own + x + 1, along, (int32_t)(to_end - to));
        }
        return;
    }
    const path_length along[2] = {el->length[1][x], el->length[0][x]};
    for (int64_t z = x + 1; z < end; z++) {
        to = structure_seek(higher, to, to_end, higher[z]);
        for (int d = 0; d < directions; d++)
            lower_entry(el, d, to, join_lengths(along[d], el->length[d][z]), at, finds_middles);
    }
}

/* Does as relax() for all rows of a group at once; x is an entry of the last row. The entries of
 * the position that x leads to are looked for once for all rows. */
static inline void relax_group(const struct elimination *el, const struct elimination_rows *rows,
                               int64_t x, int directions, bool finds_middles) {
    path_length least[2][BLOCK_ENTRIES_MAX];
    length_number by[2][BLOCK_ENTRIES_MAX];
    const int32_t *const higher = el->structure->higher;
    int64_t to = el->structure->first[higher[x]];
    const int64_t to_end = el->structure->first[higher[x] + 1];
    const int32_t before_end = (int32_t)(rows->end[rows->rows - 1] - x), all = before_end - 1;
    const bool is_same = to_end - to == all;
    for (int32_t first = 0; first < all; first += block_sizes.entries) {
        const int32_t count = all - first < block_sizes.entries ? all - first : block_sizes.entries;
        const int32_t *const wanted = higher + x + 1 + first;
        for (int d = 0; d < directions; d++) {
            const path_length *const own = el->length[d], *const back = el->length[1 - d];
            el->kernels->join(rows, own, back, before_end, first, count, least[d],
                              finds_middles ? by[d] : NULL);
        }
        for (int d = 0; d < directions && is_same; d++) {
            path_length *const lowered = el->length[d] + to + first;
            if (finds_middles)
                el->kernels->lower_by(lowered, el->middle[d] + to + first, least[d], 0, by[d], 0,
                                      count);
            else
                el->kernels->lower(lowered, least[d], 0, count);
        }
        for (int32_t k = 0; k < count && !is_same; k++) {
            to = structure_seek(higher, to, to_end, wanted[k]);
            for (int d = 0; d < directions; d++)
                lower_entry(el, d, to, least[d][k], finds_middles ? by[d][k] : 0, finds_middles);
        }
    }
}

static void lock(const struct elimination *el, int32_t at) {
    while (__atomic_exchange_n(&el->lock[at], 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static void unlock(const struct elimination *el, int32_t at) {
    __atomic_store_n(&el->lock[at], 0, __ATOMIC_RELEASE);
}

/* Returns INF for a sum of INF and a length below 0. */
static inline path_length real_length(path_length found) {
    return found > LENGTH_INF / 2 ? LENGTH_INF : found;
}

/* Sets the lengths at a position's entries to INF where there is no path, once they are final.
 * Returns whether a length up and the one back make a negative cycle. */
static bool settle(const struct elimination *el, int32_t at) {
    bool has_cycle = false;
    for (int64_t e = el->structure->first[at]; e < el->structure->first[at + 1]; e++) {
        path_length *const up = &el->length[0][e], *const down = &el->length[1][e];
        *up = real_length(*up);
        *down = real_length(*down);
        has_cycle = has_cycle || *up + *down < 0;
    }
    if (has_cycle)
        __atomic_store_n(el->has_cycle, true, __ATOMIC_RELAXED);
    return has_cycle;
}

/* Returns whether the next position is the parent and has all other higher neighbours of this
 * one. */
static inline bool goes_on(const struct elimination *el, int32_t at) {
    const struct tree *tree = el->tree;
    return tree->parent[at] == at + 1 && tree->count[at + 1] == tree->count[at] - 1;
}

/* Does as eliminate_group() for constants that a compiler knows. */
static inline __attribute__((always_inline)) void eliminate_rows(const struct elimination *el,
                                                                 int32_t first, int32_t last,
                                                                 int32_t own, int directions,
                                                                 bool finds_middles) {
    const int64_t *const start = el->structure->first;
    const struct elimination_rows rows = {start + first + 1, first, last - first + 1};
    for (int32_t at = first; at <= last; at++) {
        if (el->is_signed && settle(el, at))
            return; /* lengths around the cycle would fall without end */
        for (int32_t k = 0; k < last - at; k++)
            relax(el, at, start[at] + k, start[at + 1], directions, finds_middles);
    }
    for (int64_t x = start[last]; x + 1 < start[last + 1]; x++) {
        const int32_t to = el->structure->higher[x];
        if (to > own)
            lock(el, to);
        if (first == last)
            relax(el, first, x, start[last + 1], directions, finds_middles);
        else
            relax_group(el, &rows, x, directions, finds_middles);
        if (to > own)
            unlock(el, to);
    }
}

/* Eliminates the positions `first` to `last`, which are one position or a group of rows. Other
 * threads may work on positions above `own` at the same time. */
static void eliminate_group(const struct elimination *el, int32_t first, int32_t last,
                            int32_t own) {
    const bool finds_middles = el->middle[0] != NULL;
    if (el->directions == 1 && finds_middles)
        eliminate_rows(el, first, last, own, 1, true);
    else if (el->directions == 1)
        eliminate_rows(el, first, last, own, 1, false);
    else if (finds_middles)
        eliminate_rows(el, first, last, own, 2, true);
    else
        eliminate_rows(el, first, last, own, 2, false);
}

/* Eliminates a subtree, then on the way up each ancestor whose other children are done. */
static void eliminate_subtree(const struct elimination *el, int32_t root) {
    for (int32_t at = el->lowest[root], last; at <= root; at = last + 1) {
        for (last = at; last < root && goes_on(el, last);)
            last++;
        if (progress_goes_on(el->progress))
            eliminate_group(el, at, last, root);
    }
    for (int32_t at = el->tree->parent[root], last; at >= 0; at = el->tree->parent[last]) {
        if (__atomic_sub_fetch(&el->pending[at], 1, __ATOMIC_ACQ_REL) > 0)
            return;
        for (last = at;
             goes_on(el, last) && __atomic_load_n(&el->pending[last + 1], __ATOMIC_ACQUIRE) == 1;)
            last++; /* whose other children are done */
        if (progress_goes_on(el->progress))
            eliminate_group(el, at, last, last);
    }
}

/* Work on the subtrees of the fringe. */
struct subtree_work {
    struct elimination *el;
    struct tree_chunks chunks; /* parts of the fringe */
    double *work; /* by position: work on its subtree, whole numbers, so that sums are exact */
    char *is_top; /* by position: it is in the top of a chunk; all 0 before and after */
};

/* Adds what is known of a position's subtree to its parent's. shares: other threads may add to the
 * same parent. */
static void add_to_parent(const struct subtree_work *w, int32_t at, int32_t parent, bool shares) {
    struct elimination *const el = w->el;
    if (!shares) {
        w->work[parent] += w->work[at];
        el->lowest[parent] = min_of(el->lowest[parent], el->lowest[at]);
        el->pending[parent]++;
        return;
    }
#pragma omp atomic
    w->work[parent] += w->work[at];
#pragma omp atomic
    el->pending[parent]++;
    atomic_lower(&el->lowest[parent], el->lowest[at]);
}

/* Adds up the subtrees inside a chunk. */
static void add_up_chunk(const struct subtree_work *w, int32_t chunk) {
    const int32_t high = tree_chunk_high(&w->chunks, chunk);
    for (int32_t at = tree_chunk_low(&w->chunks, chunk); at < high; at++) {
        const int32_t parent = w->chunks.parent[at];
        if (parent >= 0 && !w->is_top[at])
            add_to_parent(w, at, parent, parent >= high || w->is_top[parent]);
    }
}

/* Sums up the work of elimination over each subtree of the fringe; returns the sum over the whole
 * fringe. */
static double add_up(const struct subtree_work *w) {
    const struct tree *const tree = w->el->tree;
    const struct tree_chunks *const c = &w->chunks;
    double all = 0;
#pragma omp parallel for schedule(static) num_threads(c->threads) reduction(+ : all)
    for (int32_t at = 0; at < tree->fringe; at++) {
        w->work[at] = 1 + (double)tree->count[at] * tree->count[at];
        w->el->lowest[at] = at;
        w->el->pending[at] = 0;
        all += w->work[at];
    }
    for (int32_t chunk = 0; chunk < c->count; chunk++) {
        for (int32_t at = tree_chunk_first_top(c, chunk); at >= 0;
             at = tree_chunk_next_top(c, chunk, at))
            w->is_top[at] = true;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(c->threads)
    for (int32_t chunk = 0; chunk < c->count; chunk++)
        add_up_chunk(w, chunk);
    for (int32_t chunk = 0; chunk < c->count; chunk++) {
        for (int32_t at = tree_chunk_first_top(c, chunk); at >= 0;
             at = tree_chunk_next_top(c, chunk, at)) {
            w->is_top[at] = false;
            if (tree->parent[at] >= 0)
                add_to_parent(w, at, tree->parent[at], false);
        }
    }
    return all;
}

/* Splits the fringe into subtrees, each with no more than a share of the work, and the positions
 * above them. */
static void find_subtrees(const struct subtree_work *w, int threads) {
    enum { SHARES = 16 }; /* number of shares of the work for each thread */
    struct elimination *const el = w->el;
    const struct tree_chunks *const c = &w->chunks;
    const double all = add_up(w), most = threads > 1 ? all / (threads * SHARES) : all;
    int32_t roots[CHUNKS_MAX]; /* number of roots in each chunk, which are stored from its first
                                  position on */
#pragma omp parallel for schedule(dynamic, 1) num_threads(c->threads)
    for (int32_t chunk = 0; chunk < c->count; chunk++) {
        const int32_t low = tree_chunk_low(c, chunk), high = tree_chunk_high(c, chunk);
        roots[chunk] = 0;
        for (int32_t at = low; at < high; at++) {
            const int32_t parent = c->parent[at];
            if ((parent < 0 || w->work[parent] > most) &&
                (w->work[at] <= most || el->lowest[at] == at))
                el->subtree[low + roots[chunk]++] = at;
        }
    }
    for (int32_t chunk = 0; chunk < c->count; chunk++) {
        memmove(el->subtree + el->subtrees, el->subtree + tree_chunk_low(c, chunk),
                (size_t)roots[chunk] * sizeof *el->subtree);
        el->subtrees += roots[chunk];
    }
}

void lengths_free(struct lengths *lengths) {
    if (lengths->down != lengths->up)
        memory_free(lengths->down);
    memory_free(lengths->up);
    *lengths = (struct lengths){0};
}

void middles_free(struct middles *middles) {
    if (middles->down != middles->up)
        memory_free(middles->down);
    memory_free(middles->up);
    *middles = (struct middles){0};
}

/* Allocates the lengths of all entries, and the middles if they are wanted. */
static enum status alloc_entries(struct elimination *el, const struct elimination_options *options,
                                 size_t entries, struct lengths *lengths, struct error *err) {
    struct middles *const middles = options->middles;
    void *memory;
    for (int d = 0; d < el->directions; d++) {
        RETURN_ON_FAILURE(
            memory_alloc(&memory, entries, sizeof(path_length), "the eliminated graph", err));
        *(d == 0 ? &lengths->up : &lengths->down) = memory;
        if (middles == NULL)
            continue;
        RETURN_ON_FAILURE(
            memory_alloc(&memory, entries, sizeof(length_number), "the eliminated graph", err));
        *(d == 0 ? &middles->up : &middles->down) = memory;
    }
    if (el->directions == 1) {
        lengths->down = lengths->up;
        if (middles != NULL)
            middles->down = middles->up;
    }
    el->length[0] = lengths->up;
    el->length[1] = lengths->down;
    el->middle[0] = middles != NULL ? middles->up : NULL;
    el->middle[1] = middles != NULL ? middles->down : NULL;
    return STATUS_OK;
}

/* Sets all lengths to INF. */
static void clear_lengths(const struct elimination *el, size_t entries, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t e = 0; e < entries; e++) {
        for (int d = 0; d < el->directions; d++) {
            el->length[d][e] = LENGTH_INF;
            if (el->middle[d] != NULL)
                el->middle[d][e] = MIDDLE_EDGE;
        }
    }
}

enum status eliminate(const struct graph *g, const struct tree *tree,
                      const struct structure *structure, const struct elimination_options *options,
                      struct lengths *lengths, struct error *err) {
    const size_t n = (size_t)tree->n, entries = (size_t)structure->first[n];
    const int threads = options->threads;
    bool has_cycle = false;
    struct elimination el = {.tree = tree,
                             .structure = structure,
                             .directions = options->is_symmetric ? 1 : 2,
                             .progress = options->progress,
                             .kernels = elimination_kernels(options->isa),
                             .is_signed = g->min_weight < 0,
                             .has_cycle = &has_cycle};
    void *scratch = NULL, *work = NULL;
    enum status status;
    *lengths = (struct lengths){0};
    if (options->middles != NULL)
        *options->middles = (struct middles){0};
    TRY(alloc_entries(&el, options, entries, lengths, err));
    TRY(memory_alloc(&scratch, n, 3 * sizeof(int32_t) + 1, "the elimination", err));
    TRY(memory_alloc(&work, n, sizeof(double), "the elimination", err));
    el.subtree = scratch;
    el.pending = el.subtree + n;
    el.lowest = el.pending + n;
    el.lock = (char *)(el.lowest + n);
    clear_together(el.lock, n, threads);
    clear_lengths(&el, entries, threads);
    if (options->entry_of != NULL)
        load_known(g, &el, options->entry_of, threads);
    else
        load_edges(g, &el, threads);
    find_subtrees(
        &(struct subtree_work){.el = &el,
                               .chunks = tree_chunks_of(tree->parent, tree->fringe, threads),
                               .work = work,
                               .is_top = el.lock},
        threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t k = 0; k < el.subtrees; k++)
        eliminate_subtree(&el, el.subtree[k]);
    for (int32_t at = tree->fringe; at < tree->n && el.is_signed; at++)
        settle(&el, at);
    if (has_cycle)
        status = fail(err, STATUS_NEGATIVE_CYCLE, "there is a negative cycle");

cleanup:
    if (status != STATUS_OK) {
        lengths_free(lengths);
        if (options->middles != NULL)
            middles_free(options->middles);
    }
    memory_free(scratch);
    memory_free(work);
    return status;
}
