// SPDX-License-Identifier: MIT
#include "elimination/pieces.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // chunk_begin
#include "common/base/memory.h"      // memory_alloc

/* Counts in a chunk of positions; once all chunks are counted, sums over the chunks before it. */
struct chunk_counts {
    int32_t roots;     /* number of positions whose parent is in a later chunk */
    int32_t pieces[2]; /* number of leaf pieces [0] and of middle pieces [1] whose roots are in the
                          chunk */
    int32_t top;       /* number of positions in the top */
};

/* State while pieces are found; arrays by position. Threads take chunks of positions, and the
 * pieces whose outermost roots are in the chunk. */
struct cutting {
    const struct tree *tree;
    const struct structure *structure;
    const struct lengths *lengths;
    int32_t leaf, middle;
    int threads, chunks;
    struct chunk_counts *counts; /* counts of each chunk, `chunks` entries */
    int32_t *size;               /* number of positions of the subtree of each position */
    int32_t *own;                /* number of the piece that each position belongs to; -1: the
                                    top */
    int32_t *of_root;            /* number of the middle piece or leaf piece whose subtree has this
                                    root */
    struct pieces *p;
};

static int32_t chunk_first(const struct cutting *c, int chunk) {
    return (int32_t)chunk_begin(c->tree->n, c->chunks, chunk);
}

/* Extends the subtree of `parent` as far down as that of `child` reaches. Returns whether that is
 * farther than before. */
static bool reach(const struct cutting *c, int32_t parent, int32_t child) {
    const int32_t size = parent - child + c->size[child];
    const bool farther = size > c->size[parent];
    c->size[parent] = farther ? size : c->size[parent];
    return farther;
}

/* Finds the sizes of subtrees within a chunk, and lists in `own` the positions whose parent is in a
 * later chunk. */
static void find_sizes_in(const struct cutting *c, int chunk) {
    const int32_t begin = chunk_first(c, chunk), end = chunk_first(c, chunk + 1);
    int32_t *const root = c->own + begin;
    int32_t roots = 0;
    for (int32_t at = begin; at < end; at++)
        c->size[at] = 1;
    for (int32_t at = begin; at < end && at < c->tree->fringe; at++) {
        const int32_t parent = c->tree->parent[at];
        if (parent >= end)
            root[roots++] = at;
        else if (parent >= 0)
            reach(c, parent, at);
    }
    c->counts[chunk].roots = roots;
}

/* Finds the sizes of all subtrees from those within chunks, chunk after chunk. Among the roots that
 * a chunk has below a position, the lowest one comes first and tells where the subtree begins. */
static void find_sizes(const struct cutting *c) {
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (int chunk = 0; chunk < c->chunks; chunk++)
        find_sizes_in(c, chunk);
    for (int chunk = 0; chunk < c->chunks; chunk++) {
        for (int32_t k = 0; k < c->counts[chunk].roots; k++) {
            int32_t at = c->own[chunk_first(c, chunk) + k];
            for (int32_t parent = c->tree->parent[at]; parent >= 0 && reach(c, parent, at);
                 parent = c->tree->parent[at])
                at = parent;
        }
    }
}

/* Returns whether the subtree of a position is the largest one with up to `most` positions that
 * contains it. */
static bool is_root(const struct cutting *c, int32_t at, int32_t most) {
    const int32_t parent = c->tree->parent[at];
    return c->size[at] <= most && (parent < 0 || c->size[parent] > most);
}

static bool is_top(const struct cutting *c, int32_t at) {
    return at >= c->tree->fringe || c->size[at] > c->middle;
}

/* Returns whether a position is the root of a leaf piece (kind 0) or of a middle piece (kind 1). */
static bool begins_piece(const struct cutting *c, int32_t at, int *kind) {
    const bool is_leaf = c->size[at] <= c->leaf;
    *kind = is_leaf ? 0 : 1;
    return at < c->tree->fringe && is_root(c, at, is_leaf ? c->leaf : c->middle);
}

static void count_pieces(const struct cutting *c, int chunk) {
    struct chunk_counts *const counts = &c->counts[chunk];
    int kind;
    *counts = (struct chunk_counts){0};
    for (int32_t at = chunk_first(c, chunk); at < chunk_first(c, chunk + 1); at++) {
        if (begins_piece(c, at, &kind))
            counts->pieces[kind]++;
        counts->top += is_top(c, at);
    }
}

/* Turns the counts of each chunk into sums over the chunks before it, and counts all pieces and the
 * top. */
static void add_counts(const struct cutting *c) {
    struct pieces *const p = c->p;
    p->top = p->count = 0;
    for (int kind = 0; kind < 2; kind++) {
        for (int chunk = 0; chunk < c->chunks; chunk++) {
            const int32_t own = c->counts[chunk].pieces[kind];
            c->counts[chunk].pieces[kind] = p->count;
            p->count += own;
        }
        p->leaves = kind == 0 ? p->count : p->leaves;
    }
    for (int chunk = 0; chunk < c->chunks; chunk++) {
        const int32_t own = c->counts[chunk].top;
        c->counts[chunk].top = p->top;
        p->top += own;
    }
}

/* Finds the range of positions and the width of each of a chunk's pieces. */
static void list_pieces(const struct cutting *c, int chunk) {
    int32_t *const next = c->counts[chunk].pieces;
    int kind;
    for (int32_t at = chunk_first(c, chunk); at < chunk_first(c, chunk + 1); at++) {
        if (!begins_piece(c, at, &kind))
            continue;
        c->of_root[at] = next[kind]++;
        c->p->piece[c->of_root[at]] = (struct piece){
            .low = at + 1 - c->size[at], .high = at + 1, .width = c->tree->count[at]};
    }
}

/* Finds the piece of each position in the subtree of an outermost piece, and the piece around each
 * piece; counts own vertices and entries. Returns the number of vertices in middle pieces. */
static int32_t find_owners(const struct cutting *c, int32_t root) {
    struct pieces *const p = c->p;
    int32_t middle = 0;
    for (int32_t at = root; at > root - c->size[root]; at--) {
        const int32_t parent = c->tree->parent[at];
        int kind;
        const bool begins = begins_piece(c, at, &kind);
        c->own[at] = begins ? c->of_root[at] : c->own[parent];
        p->outermost[at] = at == root ? c->own[at] : p->outermost[parent];
        if (begins)
            p->piece[c->own[at]].above = at == root || kind == 1 ? -1 : p->outermost[parent];
    }
    for (int32_t at = root + 1 - c->size[root]; at <= root; at++) {
        struct piece *const piece = &p->piece[c->own[at]];
        p->place[at] = piece->own++; /* number of the vertex in its piece */
        piece->entries += c->tree->count[at];
        middle += c->own[at] >= p->leaves;
    }
    return middle;
}

static bool is_outermost(const struct cutting *c, int32_t at) {
    return at < c->tree->fringe && is_root(c, at, c->middle);
}

static void find_all_owners(const struct cutting *c) {
    int32_t middle = 0;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic) reduction(+ : middle)
    for (int chunk = 0; chunk < c->chunks; chunk++) {
        int32_t top = c->counts[chunk].top;
        for (int32_t at = chunk_first(c, chunk); at < chunk_first(c, chunk + 1); at++) {
            if (is_outermost(c, at)) {
                middle += find_owners(c, at);
            } else if (is_top(c, at)) {
                c->own[at] = c->p->outermost[at] = -1;
                c->p->place[at] = top++;
            }
        }
    }
    c->p->middle = middle;
}

/* Finds the places of all positions. */
static void find_places(const struct cutting *c) {
    struct pieces *const p = c->p;
    int32_t next = p->top;
    for (int32_t k = p->leaves; k < p->count; next += p->piece[k++].own)
        p->piece[k].place = next;
    for (int32_t k = 0; k < p->leaves; next += p->piece[k++].own)
        p->piece[k].place = next;
#pragma omp parallel for num_threads(c->threads)
    for (int32_t at = 0; at < p->n; at++) {
        if (c->own[at] >= 0)
            p->place[at] += p->piece[c->own[at]].place;
        p->vertex[p->place[at]] = c->tree->vertex[at];
        p->position[p->place[at]] = at;
    }
}

/* Finds where the boundary and the entries of each piece begin. */
static void find_extents(const struct cutting *c) {
    struct pieces *const p = c->p;
    for (int32_t k = 0; k < p->count; k++) {
        struct piece *const piece = &p->piece[k];
        piece->boundary = p->boundaries;
        piece->entry = p->entries;
        p->boundaries += piece->width;
        p->entries += piece->entries;
    }
}

/* Returns the number in piece k of a higher position than one of the piece's. *seek: index of a
 * boundary vertex that is not behind it; becomes its own index if it is on the boundary. */
static int32_t number_in(const struct cutting *c, int32_t k, int32_t position, int32_t *seek) {
    const struct piece *const piece = &c->p->piece[k];
    const int32_t root = piece->high - 1;
    if (position <= root)
        return c->p->place[position] - piece->place;
    const int32_t *const higher = c->structure->higher + c->structure->first[root];
    while (higher[*seek] != position)
        ++*seek;
    return piece->own + *seek;
}

static void fill_boundaries(const struct cutting *c) {
    const struct structure *const s = c->structure;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, 64)
    for (int32_t k = 0; k < c->p->count; k++) {
        const struct piece *const piece = &c->p->piece[k];
        const int64_t first = s->first[piece->high - 1];
        int32_t seek = 0;
        for (int32_t b = 0; b < piece->width; b++) {
            const int32_t position = s->higher[first + b];
            c->p->boundary[piece->boundary + b] = c->p->place[position];
            c->p->inner[piece->boundary + b] =
                piece->above >= 0 ? number_in(c, piece->above, position, &seek) : -1;
        }
    }
}

/* Fills in the entries of the pieces in a subtree. next: by piece, where its next entry is
 * stored. */
static void fill_entries(const struct cutting *c, int32_t root, int64_t *next) {
    const struct structure *const s = c->structure;
    for (int32_t at = root + 1 - c->size[root]; at <= root; at++) {
        const int32_t k = c->own[at];
        int32_t seek = 0;
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++)
            c->p->entry[next[k]++] = (struct piece_entry){
                .from = c->p->place[at] - c->p->piece[k].place,
                .to = number_in(c, k, s->higher[e], &seek),
                .up = c->lengths->up[e],
                .down = c->lengths->down[e],
            };
    }
}

static void fill_all_entries(const struct cutting *c, int64_t *next) {
    for (int32_t k = 0; k < c->p->count; k++)
        next[k] = c->p->piece[k].entry;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (int chunk = 0; chunk < c->chunks; chunk++) {
        for (int32_t at = chunk_first(c, chunk); at < chunk_first(c, chunk + 1); at++) {
            if (is_outermost(c, at))
                fill_entries(c, at, next);
        }
    }
}

enum { ARRAYS = 4, SCRATCH = 3 }; /* number of arrays of n numbers: kept ones, and scratch */

uint64_t pieces_memory(int32_t n, int64_t entries) {
    const uint64_t vertex =
        (ARRAYS + SCRATCH) * sizeof(int32_t) + sizeof(struct piece) + sizeof(int64_t);
    const uint64_t entry = 2 * sizeof(int32_t) + sizeof(struct piece_entry);
    return memory_add(
        memory_times((uint64_t)n, vertex),
        memory_add(memory_times((uint64_t)entries, entry), graph_memory_to_build(n, 2 * entries)));
}

enum status pieces_find(const struct tree *tree, const struct structure *structure,
                        const struct lengths *lengths, const struct pieces_options *options,
                        int threads, struct pieces *p, struct error *err) {
    const size_t n = (size_t)tree->n;
    void *scratch = NULL, *counts = NULL, *next = NULL, *memory;
    enum status status;
    *p = (struct pieces){.n = tree->n};
    TRY(memory_alloc(&memory, n, ARRAYS * sizeof(int32_t), "the pieces", err));
    p->place = memory;
    p->vertex = p->place + n;
    p->position = p->vertex + n;
    p->outermost = p->position + n;
    TRY(memory_alloc(&scratch, n, SCRATCH * sizeof(int32_t), "the pieces", err));
    int32_t *const numbers = scratch;
    const int used = threads_paid(threads, tree->n + tree->entries, block_sizes.thread_entries);
    TRY(memory_alloc(&counts, (size_t)chunks_for(used), sizeof(struct chunk_counts), "the pieces",
                     err));
    const struct cutting c = {.tree = tree,
                              .structure = structure,
                              .lengths = lengths,
                              .leaf = options->leaf,
                              .middle = options->middle,
                              .threads = used,
                              .chunks = chunks_for(used),
                              .counts = counts,
                              .size = numbers,
                              .own = numbers + n,
                              .of_root = numbers + 2 * n,
                              .p = p};
    find_sizes(&c);
#pragma omp parallel for num_threads(c.threads) schedule(dynamic)
    for (int chunk = 0; chunk < c.chunks; chunk++)
        count_pieces(&c, chunk);
    add_counts(&c);
    TRY(memory_alloc(&memory, (size_t)p->count, sizeof *p->piece, "the pieces", err));
    p->piece = memory;
#pragma omp parallel for num_threads(c.threads) schedule(dynamic)
    for (int chunk = 0; chunk < c.chunks; chunk++)
        list_pieces(&c, chunk);
    find_all_owners(&c);
    find_places(&c);
    find_extents(&c);
    TRY(memory_alloc(&memory, (size_t)p->boundaries, 2 * sizeof(int32_t), "boundaries", err));
    p->boundary = memory;
    p->inner = p->boundary + p->boundaries;
    TRY(memory_alloc(&memory, (size_t)p->entries, sizeof *p->entry, "the pieces' entries", err));
    p->entry = memory;
    TRY(memory_alloc(&next, (size_t)p->count, sizeof(int64_t), "the pieces", err));
    fill_boundaries(&c);
    fill_all_entries(&c, next);

cleanup:
    memory_free(counts);
    memory_free(scratch);
    memory_free(next);
    if (status != STATUS_OK)
        pieces_free(p);
    return status;
}

void pieces_free(struct pieces *p) {
    memory_free(p->place);
    memory_free(p->piece);
    memory_free(p->boundary);
    memory_free(p->entry);
    *p = (struct pieces){0};
}

static enum status top_alloc(struct pieces_top *top, size_t n, size_t entries, struct error *err) {
    enum { TREE_ARRAYS = 5 };
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&top->tree.all, n, TREE_ARRAYS * sizeof(int32_t), "the top", err));
    top->tree.vertex = top->tree.all;
    top->tree.position = top->tree.vertex + n;
    top->tree.parent = top->tree.position + n;
    top->tree.count = top->tree.parent + n;
    top->tree.depth = top->tree.count + n;
    RETURN_ON_FAILURE(memory_alloc(&memory, n + 1, sizeof(int64_t), "the top", err));
    top->structure.first = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, entries, sizeof(int32_t), "the top", err));
    top->structure.higher = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, entries, sizeof(path_length), "the top", err));
    top->lengths.up = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, entries, sizeof(path_length), "the top", err));
    top->lengths.down = memory;
    return STATUS_OK;
}

enum status pieces_top_find(const struct tree *tree, const struct structure *structure,
                            const struct lengths *lengths, const struct pieces *p, int threads,
                            struct pieces_top *top, struct error *err) {
    int64_t entries = 0;
    *top = (struct pieces_top){.tree = {.n = p->top, .fringe = p->top}};
    for (int32_t place = 0; place < p->top; place++) {
        const int32_t at = p->position[place];
        entries += structure->first[at + 1] - structure->first[at];
    }
    const enum status status = top_alloc(top, (size_t)p->top, (size_t)entries, err);
    if (status != STATUS_OK) {
        pieces_top_free(top);
        return status;
    }
    for (int32_t place = 0; place < p->top; place++) {
        const int32_t at = p->position[place];
        top->structure.first[place] = structure->first[at + 1] - structure->first[at];
        if (at >= tree->fringe && top->tree.fringe == p->top)
            top->tree.fringe = place;
    }
    prefix_sums(top->structure.first, p->top, 1);
    top->tree.entries = top->structure.first[top->tree.fringe];
    const int used = threads_paid(threads, p->top + entries, block_sizes.thread_entries);
#pragma omp parallel for num_threads(used) schedule(dynamic, 64)
    for (int32_t place = 0; place < p->top; place++) {
        const int32_t at = p->position[place], parent = tree->parent[at];
        int64_t next = top->structure.first[place];
        top->tree.vertex[place] = top->tree.position[place] = place;
        top->tree.parent[place] = at < tree->fringe && parent >= 0 ? p->place[parent] : -1;
        top->tree.count[place] = tree->count[at];
        top->tree.depth[place] = 0;
        for (int64_t e = structure->first[at]; e < structure->first[at + 1]; e++, next++) {
            top->structure.higher[next] = p->place[structure->higher[e]];
            top->lengths.up[next] = lengths->up[e];
            top->lengths.down[next] = lengths->down[e];
        }
    }
    return STATUS_OK;
}

#ifndef LENGTH_F64

enum status pieces_top_graph(const struct pieces_top *top, struct graph *g, struct error *err) {
    const struct structure *const s = &top->structure;
    const int32_t n = top->tree.n;
    int64_t count = 0;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)s->first[n], 2 * sizeof(struct edge), "the top", err));
    struct edge *const edges = memory;
    for (int32_t low = 0; low < n; low++) {
        for (int64_t e = s->first[low]; e < s->first[low + 1]; e++) {
            if (top->lengths.up[e] < INF)
                edges[count++] = (struct edge){low, s->higher[e], top->lengths.up[e]};
            if (top->lengths.down[e] < INF)
                edges[count++] = (struct edge){s->higher[e], low, top->lengths.down[e]};
        }
    }
    const enum status status = graph_build(g, n, edges, count, err);
    memory_free(memory);
    return status;
}

#endif

void pieces_top_free(struct pieces_top *top) {
    tree_free(&top->tree);
    structure_free(&top->structure);
    lengths_free(&top->lengths);
}
