// SPDX-License-Identifier: MIT
#include "elimination/pieces.h"

#include "common/base/memory.h" // memory_alloc

/* While pieces are found; arrays by position. */
struct cutting {
    const struct tree *tree;
    const struct structure *structure;
    const struct lengths *lengths;
    int32_t leaf, middle;
    int32_t *size;    /* of the subtree */
    int32_t *own;     /* the piece that a position belongs to; -1: the top */
    int32_t *of_root; /* the middle piece, or the leaf piece, whose subtree has this root */
    struct pieces *p;
};

static void find_sizes(const struct cutting *c) {
    const struct tree *tree = c->tree;
    for (int32_t at = 0; at < tree->n; at++)
        c->size[at] = 1;
    for (int32_t at = 0; at < tree->fringe; at++) {
        if (tree->parent[at] >= 0)
            c->size[tree->parent[at]] += c->size[at];
    }
}

/* Whether the subtree of a position is the largest one of up to `most` positions around it. */
static bool is_root(const struct cutting *c, int32_t at, int32_t most) {
    const int32_t parent = c->tree->parent[at];
    return c->size[at] <= most && (parent < 0 || c->size[parent] > most);
}

static bool is_top(const struct cutting *c, int32_t at) {
    return at >= c->tree->fringe || c->size[at] > c->middle;
}

/* Counts the pieces, or, if the array is there, fills in what the tree tells of them. */
static void list_pieces(const struct cutting *c) {
    struct pieces *const p = c->p;
    int32_t count = 0;
    for (int kind = 0; kind < 2; kind++) {
        for (int32_t at = 0; at < c->tree->fringe; at++) {
            const bool is_leaf = c->size[at] <= c->leaf;
            if (is_leaf != (kind == 0) || !is_root(c, at, is_leaf ? c->leaf : c->middle))
                continue;
            if (p->piece != NULL) {
                p->piece[count] = (struct piece){
                    .low = at + 1 - c->size[at], .high = at + 1, .width = c->tree->count[at]};
                c->of_root[at] = count;
            }
            count++;
        }
        if (kind == 0)
            p->leaves = count;
    }
    p->count = count;
}

/* From the roots down: whose each position is, and what is around it. */
static void find_owners(const struct cutting *c) {
    struct pieces *const p = c->p;
    for (int32_t at = c->tree->n - 1; at >= 0; at--) {
        const int32_t parent = at < c->tree->fringe ? c->tree->parent[at] : -1;
        if (is_top(c, at)) {
            c->own[at] = p->outermost[at] = -1;
            continue;
        }
        const bool is_leaf = c->size[at] <= c->leaf;
        const bool begins = is_root(c, at, is_leaf ? c->leaf : c->middle);
        c->own[at] = begins ? c->of_root[at] : c->own[parent];
        const bool is_around = is_root(c, at, c->middle);
        p->outermost[at] = is_around ? c->own[at] : p->outermost[parent];
        if (is_leaf && begins)
            p->piece[c->own[at]].above = is_around ? -1 : p->outermost[parent];
        else if (begins)
            p->piece[c->own[at]].above = -1;
    }
}

/* Counts own vertices, and gives out places. */
static void find_places(const struct cutting *c) {
    struct pieces *const p = c->p;
    int32_t next = 0;
    p->top = p->middle = 0;
    for (int32_t at = 0; at < p->n; at++) {
        if (c->own[at] < 0) {
            p->place[at] = p->top++;
        } else {
            p->place[at] = p->piece[c->own[at]].own++; /* among its piece's */
            p->middle += c->own[at] >= p->leaves;
        }
    }
    next = p->top;
    for (int32_t k = p->leaves; k < p->count; next += p->piece[k++].own)
        p->piece[k].place = next;
    for (int32_t k = 0; k < p->leaves; next += p->piece[k++].own)
        p->piece[k].place = next;
    for (int32_t at = 0; at < p->n; at++) {
        if (c->own[at] >= 0)
            p->place[at] += p->piece[c->own[at]].place;
        p->vertex[p->place[at]] = c->tree->vertex[at];
        p->position[p->place[at]] = at;
    }
}

/* Where boundaries and entries begin. */
static void find_extents(const struct cutting *c) {
    struct pieces *const p = c->p;
    for (int32_t at = 0; at < c->tree->fringe; at++) {
        if (c->own[at] >= 0)
            p->piece[c->own[at]].entries += c->tree->count[at];
    }
    for (int32_t k = 0; k < p->count; k++) {
        struct piece *const piece = &p->piece[k];
        piece->boundary = p->boundaries;
        piece->entry = p->entries;
        p->boundaries += piece->width;
        p->entries += piece->entries;
    }
}

/* The number in a piece of a position that is above one in it. `seek`: a boundary vertex not behind
 * it; the one it is, if it is one. */
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

static void fill_entries(const struct cutting *c, int64_t *next) {
    const struct structure *const s = c->structure;
    for (int32_t k = 0; k < c->p->count; k++)
        next[k] = c->p->piece[k].entry;
    for (int32_t at = 0; at < c->tree->fringe; at++) {
        const int32_t k = c->own[at];
        int32_t seek = 0;
        for (int64_t e = s->first[at]; e < s->first[at + 1] && k >= 0; e++)
            c->p->entry[next[k]++] = (struct piece_entry){
                .from = c->p->place[at] - c->p->piece[k].place,
                .to = number_in(c, k, s->higher[e], &seek),
                .up = c->lengths->up[e],
                .down = c->lengths->down[e],
            };
    }
}

enum { ARRAYS = 4, SCRATCH = 3 }; /* of n numbers each */

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
                        struct pieces *p, struct error *err) {
    const size_t n = (size_t)tree->n;
    void *scratch = NULL, *next = NULL, *memory;
    enum status status;
    *p = (struct pieces){.n = tree->n};
    TRY(memory_alloc(&memory, n, ARRAYS * sizeof(int32_t), "the pieces", err));
    p->place = memory;
    p->vertex = p->place + n;
    p->position = p->vertex + n;
    p->outermost = p->position + n;
    TRY(memory_alloc(&scratch, n, SCRATCH * sizeof(int32_t), "the pieces", err));
    int32_t *const numbers = scratch;
    const struct cutting c = {tree,          structure,       lengths,
                              options->leaf, options->middle, numbers,
                              numbers + n,   numbers + 2 * n, p};
    find_sizes(&c);
    list_pieces(&c);
    TRY(memory_alloc(&memory, (size_t)p->count, sizeof *p->piece, "the pieces", err));
    p->piece = memory;
    list_pieces(&c);
    find_owners(&c);
    find_places(&c);
    find_extents(&c);
    TRY(memory_alloc(&memory, (size_t)p->boundaries, 2 * sizeof(int32_t), "boundaries", err));
    p->boundary = memory;
    p->inner = p->boundary + p->boundaries;
    TRY(memory_alloc(&memory, (size_t)p->entries, sizeof *p->entry, "the pieces' entries", err));
    p->entry = memory;
    TRY(memory_alloc(&next, (size_t)p->count, sizeof(int64_t), "the pieces", err));
    fill_boundaries(&c);
    fill_entries(&c, next);

cleanup:
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
                            const struct lengths *lengths, const struct pieces *p,
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
    int64_t next = 0;
    for (int32_t place = 0; place < p->top; place++) {
        const int32_t at = p->position[place], parent = tree->parent[at];
        top->tree.vertex[place] = top->tree.position[place] = place;
        top->tree.parent[place] = at < tree->fringe && parent >= 0 ? p->place[parent] : -1;
        top->tree.count[place] = tree->count[at];
        top->tree.depth[place] = 0;
        if (at >= tree->fringe && top->tree.fringe == p->top)
            top->tree.fringe = place;
        top->structure.first[place] = next;
        for (int64_t e = structure->first[at]; e < structure->first[at + 1]; e++, next++) {
            top->structure.higher[next] = p->place[structure->higher[e]];
            top->lengths.up[next] = lengths->up[e];
            top->lengths.down[next] = lengths->down[e];
        }
        top->tree.entries = place < top->tree.fringe ? next : top->tree.entries;
    }
    top->structure.first[p->top] = next;
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
