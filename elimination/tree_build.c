// SPDX-License-Identifier: MIT
#include "common/base/memory.h"       // memory_alloc, memory_prefer_huge_pages
#include "common/base/sort_numbers.h" // sort_numbers
#include "elimination/symbolic.h"     // tree_build
#include "elimination/tree_chunks.h"  // struct tree_chunks
#include "elimination/tree_parents.h" // tree_find_parents
#include "elimination/tree_parts.h"   // TREE_ARRAYS, tree_fetch_ahead

#include <stdbool.h>

/* Fills b->end if there are several runs. */
static void find_ends(const struct tree_building *b, int32_t runs) {
    int32_t end = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
    for (int32_t run = 0; run < runs; run++) {
        int32_t own = 0;
        for (int32_t at = b->runs->first[run]; at < b->runs->first[run + 1]; at++)
            own += b->node[at].parent < 0 ? b->node[at].size : 0;
        b->end[run] = own;
    }
    for (int32_t run = 0; run < runs; run++)
        b->end[run] = end += b->end[run];
}

/* Places the children from other runs, which come before the node's other children. low: first
 * place of the node's subtree, and index in b->room of the memory for these children. */
static void place_children(const struct tree_building *b, int32_t at, int32_t low) {
    int32_t *const child = b->room + low;
    int32_t count = 0;
    for (int32_t c = b->child[at]; c >= 0; c = b->node[c].next)
        child[count++] = c;
    sort_numbers(child, count);
    for (int32_t k = 0; k < count; k++) {
        struct node *const c = &b->node[child[k]];
        low += c->size;
        c->place = low - 1;
    }
}

/* Finds the places of a run's nodes in a postorder that keeps the order of children. Nodes of later
 * runs have their places. */
static void place(const struct tree_building *b, int32_t run) {
    struct tree *const tree = b->tree;
    struct node *const node = b->node;
    const int32_t low = b->runs->first[run], high = b->runs->first[run + 1];
    int32_t root_end = b->end[run];
    for (int32_t at = high - 1; at >= low; at--) {
        struct node *const n = &node[at];
        const int32_t parent = n->parent;
        if (parent < high) { /* otherwise the parent's run has placed it */
            int32_t *const end = parent < 0 ? &root_end : &node[parent].end;
            n->place = *end - 1;
            *end -= n->size;
        }
        n->end = n->place;
        if (b->child[at] >= 0)
            place_children(b, at, n->place - n->size + 1);
        tree->vertex[n->place] = b->vertex[at];
        tree->position[b->vertex[at]] = n->place;
        tree->parent[n->place] = parent < 0 ? -1 : node[parent].place;
    }
}

/* Finds the parents, and positions that are a postorder. */
static void find_tree(const struct tree_building *b) {
    const struct order_runs *r = b->runs;
    const int32_t n = b->tree->n, runs = r->layer[r->layers];
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (int32_t at = 0; at < n; at++)
        b->tree->position[b->vertex[at]] = at;
    tree_find_parents(b);
    if (runs > 1)
        find_ends(b, runs);
    else
        b->end[0] = n;
    for (int32_t l = r->layers - 1; l >= 0; l--) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
        for (int32_t run = r->layer[l]; run < r->layer[l + 1]; run++)
            place(b, run);
    }
}

/* Counts higher neighbours. The entries of a row are the vertices of paths in the tree from the
 * leaves of the row's subtree upwards. Each path but the first ends where it meets the one before,
 * and the first one ends at the row's own position. So a position's count is the sum of its
 * children's counts, plus the number of rows of which it is a leaf, minus the number of rows whose
 * paths meet in it, minus the number of its children, at each of which a path of the child's own
 * row ends.
 *
 * A chunk counts for the rows inside it, whose leaves are inside, too. Vertices joined to a row in
 * the top are left to larger chunks. */
struct row_counting {
    const struct pattern *pattern;
    struct tree *tree;
    struct tree_chunks chunks; /* smallest chunks */
    int32_t *previous;         /* by row, n entries: previous leaf; NONE, WAITS or as_top() of a
                                  leaf (see the enum) */
    int32_t *before;           /* by position, n entries: the position before its subtree */
    int32_t *shortcut;         /* by position, n entries: the parent, or an ancestor as a shortcut
                                  on the way up */
    int32_t *left;             /* vertices that chunks leave to larger ones, ascending by position,
                                  from the beginning of their chunk on, n entries */
    int32_t *lefts;            /* number of vertices that each chunk leaves, stored for the first
                                  smallest chunk in it */
};

/* Values of `previous`. NONE: no leaf so far; WAITS: a row in the top of its chunk. A row from the
 * top of a smallest chunk has as_top(leaf), below NONE, while a larger chunk counts for it. */
enum { NONE = -1, WAITS = INT32_MIN };

static int32_t as_top(int32_t leaf) {
    return 2 * NONE - 1 - leaf;
}

static bool is_top(const struct row_counting *c, int32_t at) {
    return c->previous[at] < NONE;
}

/* Returns the lowest common ancestor of `leaf` and `at`, which is not below `at`. Shortcuts lead
 * past positions below `at`, which later calls do not ask for. */
static int32_t find_meeting(int32_t *shortcut, int32_t leaf, int32_t at) {
    int32_t last = leaf;
    while (shortcut[last] < at)
        last = shortcut[last];
    while (leaf != last) {
        const int32_t above = shortcut[leaf];
        shortcut[leaf] = last;
        leaf = above;
    }
    return shortcut[last];
}

/* Finds where the subtree of `at` begins. Counts the path that begins at a leaf, or those of the
 * children that end. */
static void count_children(const struct row_counting *c, int32_t at) {
    const int32_t *const parent = c->tree->parent;
    int32_t children = 0, child = at - 1;
    for (; child >= 0 && parent[child] == at; child = c->before[child])
        children++;
    c->before[at] = child;
    c->tree->count[at] += children == 0 ? 1 : -children;
}

/* Counts `at` for a higher row if `at` is a leaf of its subtree. Returns the row's previous leaf
 * for the next call. */
static int32_t count_row(const struct row_counting *c, int32_t previous, int32_t at) {
    int32_t *const count = c->tree->count;
    if (c->before[at] < previous)
        return previous;
    count[at]++;
    if (previous != NONE)
        count[find_meeting(c->shortcut, previous, at)]--;
    return at;
}

/* Counts `at` for the rows inside a chunk that ends at `high`, without the rows inside smaller
 * chunks. Returns whether `at` is joined to rows of larger chunks. */
static inline bool count_rows(const struct row_counting *c, int32_t at, int32_t high,
                              bool smallest) {
    const struct pattern *p = c->pattern;
    const int32_t v = c->tree->vertex[at];
    bool leaves = false;
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        const int32_t row = c->tree->position[p->neighbour[e]];
        if (row <= at)
            continue;
        if (row >= high || c->previous[row] == WAITS)
            leaves = true;
        else if (smallest)
            c->previous[row] = count_row(c, c->previous[row], at);
        else if (is_top(c, row))
            c->previous[row] = as_top(count_row(c, as_top(c->previous[row]), at));
    }
    return leaves;
}

static void begin_shortcuts(const struct row_counting *c) {
#pragma omp parallel for schedule(static) num_threads(c->chunks.threads)
    for (int32_t at = 0; at < c->tree->n; at++)
        c->shortcut[at] = c->tree->parent[at];
}

/* Counts for the rows inside one of the smallest chunks. */
static void count_chunk(const struct row_counting *c, int32_t chunk) {
    struct tree *const tree = c->tree;
    const int32_t low = tree_chunk_low(&c->chunks, chunk),
                  high = tree_chunk_high(&c->chunks, chunk);
    int32_t *const left = c->left + low, lefts = 0;
    for (int32_t at = low; at < high; at++) {
        c->previous[at] = NONE;
        tree->count[at] = 0;
    }
    for (int32_t at = tree_chunk_first_top(&c->chunks, chunk); at >= 0;
         at = tree_chunk_next_top(&c->chunks, chunk, at))
        c->previous[at] = WAITS;
    for (int32_t at = low; at < high; at++) {
        tree_fetch_ahead(c->pattern, tree->position, tree->vertex, at, high);
        if (!is_top(c, at))
            count_children(c, at);
        if (is_top(c, at) || count_rows(c, at, high, true))
            left[lefts++] = tree->vertex[at];
    }
    c->lefts[chunk] = lefts;
}

/* Counts in a chunk for the rows that smaller chunks have left. */
static void count_left(const struct row_counting *c, const struct tree_chunks *smaller,
                       const struct tree_chunks *chunks, int32_t chunk) {
    const struct tree *tree = c->tree;
    const int32_t low = tree_chunk_low(chunks, chunk), high = tree_chunk_high(chunks, chunk);
    const int32_t from = low / smaller->size, to = (high - 1) / smaller->size + 1;
    int32_t *const left = c->left + low, lefts = 0;
    int32_t top = tree_chunk_first_top(chunks, chunk);
    for (int32_t part = from; part < to; part++) {
        for (int32_t at = tree_chunk_first_top(smaller, part); at >= 0;
             at = tree_chunk_next_top(smaller, part, at)) {
            if (at == top) {
                top = tree_chunk_next_top(chunks, chunk, at);
                continue;
            }
            c->previous[at] = as_top(NONE);
            count_children(c, at);
        }
    }
    for (int32_t part = from; part < to; part++) {
        const int32_t begin = tree_chunk_low(smaller, part);
        const int32_t count = c->lefts[begin / c->chunks.size];
        for (int32_t k = 0; k < count; k++) {
            const int32_t v = c->left[begin + k], at = tree->position[v];
            tree_fetch_ahead(c->pattern, tree->position, c->left + begin, k, count);
            if (c->previous[at] == WAITS || count_rows(c, at, high, false))
                left[lefts++] = v;
        }
    }
    c->lefts[low / c->chunks.size] = lefts;
}

static int32_t depth_of(const struct tree *tree, int32_t at) {
    return tree->parent[at] < 0 ? 0 : tree->depth[tree->parent[at]] + 1;
}

static void find_top_depths(const struct row_counting *c) {
    const struct tree_chunks *const chunks = &c->chunks;
    for (int32_t chunk = chunks->count - 1; chunk >= 0; chunk--) {
        const int32_t first = tree_chunk_first_top(chunks, chunk);
        int32_t last = -1, below = -1;
        for (int32_t at = first; at >= 0; at = tree_chunk_next_top(chunks, chunk, at), below++)
            last = at;
        int32_t depth = last < 0 ? 0 : depth_of(c->tree, last) + below;
        for (int32_t at = first; at >= 0; at = tree_chunk_next_top(chunks, chunk, at))
            c->tree->depth[at] = depth--;
    }
}

struct chunk_totals {
    int64_t entries;
    int32_t height;
};

/* Sums up the counts inside a chunk, and finds the depths there. */
static struct chunk_totals sum_chunk(const struct row_counting *c, int32_t chunk) {
    const struct tree *tree = c->tree;
    const int32_t low = tree_chunk_low(&c->chunks, chunk),
                  high = tree_chunk_high(&c->chunks, chunk);
    struct chunk_totals sum = {0, 0};
    for (int32_t at = low; at < high; at++) {
        const int32_t parent = tree->parent[at];
        if (is_top(c, at))
            continue;
        if (parent >= 0 && parent < high && !is_top(c, parent))
            tree->count[parent] += tree->count[at];
        sum.entries += --tree->count[at]; /* without the position itself */
    }
    for (int32_t at = high - 1; at >= low; at--) {
        if (!is_top(c, at))
            tree->depth[at] = depth_of(tree, at);
        sum.height = tree->depth[at] < sum.height ? sum.height : tree->depth[at] + 1;
    }
    return sum;
}

static void sum_top(const struct row_counting *c, int32_t at) {
    struct tree *const tree = c->tree;
    for (int32_t child = at - 1; child > c->before[at]; child = c->before[child])
        tree->count[at] += tree->count[child] + 1;
    tree->entries += --tree->count[at];
}

/* Finds the counts, the depths, and their totals. */
static void find_counts(const struct row_counting *c) {
    struct tree *const tree = c->tree;
    const struct tree_chunks *const chunks = &c->chunks;
    int64_t entries = 0;
    int32_t height = 0;
    begin_shortcuts(c);
#pragma omp parallel for schedule(dynamic, 1) num_threads(chunks->threads)
    for (int32_t chunk = 0; chunk < chunks->count; chunk++)
        count_chunk(c, chunk);
    for (struct tree_chunks smaller = *chunks; smaller.count > 1;) {
        const struct tree_chunks larger = tree_chunks_larger(&smaller);
        begin_shortcuts(c); /* shortcuts of smaller chunks lead too far up */
#pragma omp parallel for schedule(dynamic, 1) num_threads(larger.threads)
        for (int32_t chunk = 0; chunk < larger.count; chunk++)
            count_left(c, &smaller, &larger, chunk);
        smaller = larger;
    }
    find_top_depths(c);
#pragma omp parallel for schedule(dynamic, 1) num_threads(chunks->threads)                         \
    reduction(+ : entries) reduction(max : height)
    for (int32_t chunk = 0; chunk < chunks->count; chunk++) {
        const struct chunk_totals sum = sum_chunk(c, chunk);
        entries += sum.entries;
        height = sum.height > height ? sum.height : height;
    }
    tree->height = height;
    tree->entries = entries;
    for (int32_t chunk = 0; chunk < chunks->count; chunk++) {
        for (int32_t at = tree_chunk_first_top(chunks, chunk); at >= 0;
             at = tree_chunk_next_top(chunks, chunk, at))
            sum_top(c, at);
    }
}

enum status tree_build(const struct pattern *pattern, const int32_t *vertex,
                       const struct order_runs *runs, int threads, struct tree *tree,
                       struct error *err) {
    const int32_t n = pattern->n;
    enum { LARGE = 1 << 17 }; /* in a graph with fewer vertices, caches hold all neighbours */
    int32_t one_layer[] = {0, 1}, one_run[] = {0, n}, lefts[CHUNKS_MAX];
    const struct order_runs one = {1, one_layer, one_run};
    void *memory = NULL;
    enum status status;
    _Static_assert((int)TREE_SCRATCH_ARRAYS > (int)NODE_ARRAYS, "room for a number of each run");
    TRY(tree_alloc(tree, n, err));
    TRY(memory_alloc(&memory, (size_t)n, TREE_SCRATCH_ARRAYS * sizeof(int32_t),
                     "the elimination tree", err));
    if (n >= LARGE) {
        memory_prefer_huge_pages(tree->all, (size_t)n * TREE_ARRAYS * sizeof(int32_t));
        memory_prefer_huge_pages(memory, (size_t)n * TREE_SCRATCH_ARRAYS * sizeof(int32_t));
    }
    int32_t *const scratch = memory;
    const struct tree_chunks chunks = tree_chunks_of(tree->parent, n, threads);
    const struct tree_building b = {.pattern = pattern,
                                    .vertex = vertex,
                                    .runs = runs == NULL || chunks.threads == 1 ? &one : runs,
                                    .threads = chunks.threads,
                                    .tree = tree,
                                    .node = memory,
                                    .end = scratch + (size_t)NODE_ARRAYS * (size_t)n,
                                    .child = tree->count,
                                    .room = tree->depth};
    find_tree(&b);
    find_counts(&(struct row_counting){.pattern = pattern,
                                       .tree = tree,
                                       .chunks = chunks,
                                       .previous = scratch,
                                       .before = scratch + n,
                                       .shortcut = scratch + 2 * (size_t)n,
                                       .left = scratch + 3 * (size_t)n,
                                       .lefts = lefts});

cleanup:
    memory_free(memory);
    if (status != STATUS_OK)
        tree_free(tree);
    return status;
}
