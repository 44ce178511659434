// SPDX-License-Identifier: MIT
#include "elimination/flatten.h"

#include "common/base/memory.h" // memory_alloc

#include <stdbool.h>
#include <string.h>

/* Positions with more higher neighbours than this, and those above them, stay where they are,
 * because their separators would be large. */
enum { NARROW = 4 };

/* A part of a tree that is being ordered: the nodes at and below `top` that can be reached from it
 * without passing nodes that were cut out. */
struct component {
    int32_t top;   /* node of the part from which all its other nodes descend */
    int32_t depth; /* number of vertices of the separators around the part */
};

struct flattening {
    const struct tree *tree;
    const struct structure *structure;
    /* first child of each position, and the next child of its parent: child, next[child], ... */
    int32_t *child, *next;
    int32_t *key;    /* by position: most higher neighbours of a position at or below it */
    int32_t *weight; /* by node of the part: number of vertices at or below it, within the part,
                        that have no place yet */
    int32_t *queue;  /* nodes of the part, each after its parent */
    bool *is_cut;    /* by node: the node has parted a part */
    bool *is_placed; /* by node: its vertex has a place in the new order */
    struct component *stack;
    int32_t *order; /* positions in the new order, the one eliminated last first */
    int32_t placed, pieces;
    int32_t root; /* root of the subtree that is being ordered */
};

static bool is_narrow(const struct flattening *f, int32_t at) {
    return f->key[at] <= NARROW;
}

/* Finds the weights of the nodes of a part. */
static void weigh_piece(struct flattening *f, int32_t top) {
    int32_t count = 0;
    f->queue[count++] = top;
    for (int32_t k = 0; k < count; k++) {
        const int32_t at = f->queue[k];
        f->weight[at] = !f->is_placed[at];
        for (int32_t below = f->child[at]; below >= 0; below = f->next[below]) {
            if (!f->is_cut[below])
                f->queue[count++] = below;
        }
    }
    for (int32_t k = count - 1; k > 0; k--)
        f->weight[f->tree->parent[f->queue[k]]] += f->weight[f->queue[k]];
}

/* Returns the lowest node of a part with at least half of the part's weight at or below it. */
static int32_t find_middle(const struct flattening *f, int32_t top) {
    const int32_t all = f->weight[top];
    for (int32_t at = top;;) {
        int32_t heavy = -1;
        for (int32_t below = f->child[at]; below >= 0 && heavy < 0; below = f->next[below]) {
            if (!f->is_cut[below] && 2 * f->weight[below] > all)
                heavy = below;
        }
        if (heavy < 0)
            return at;
        at = heavy;
    }
}

static int place(struct flattening *f, int32_t at) {
    if (at > f->root || f->is_placed[at])
        return 0;
    f->is_placed[at] = true;
    f->order[f->placed++] = at;
    return 1;
}

/* Places a node's vertex and the vertices that the subtrees below it are joined to. Returns the
 * number of vertices placed. */
static int32_t place_separator(struct flattening *f, int32_t node) {
    const struct structure *const s = f->structure;
    int32_t count = 0;
    for (int32_t below = f->child[node]; below >= 0; below = f->next[below]) {
        for (int64_t e = s->first[below + 1]; e > s->first[below] && !f->is_cut[below]; e--)
            count += place(f, s->higher[e - 1]);
    }
    return count + place(f, node);
}

static void push(struct flattening *f, int32_t top, int32_t depth) {
    f->stack[f->pieces++] = (struct component){top, depth};
}

/* Orders the subtree of `root`. Returns an upper bound of the sum of the depths in it, counted from
 * 1 at its root. */
static int64_t order_subtree(struct flattening *f, int32_t root) {
    int64_t depths = 0;
    f->root = root;
    push(f, root, 0);
    while (f->pieces > 0) {
        const struct component piece = f->stack[--f->pieces];
        const int32_t top = piece.top;
        weigh_piece(f, top);
        if (f->weight[top] == 0)
            continue;
        const int32_t middle = find_middle(f, top), separator = place_separator(f, middle);
        depths += (int64_t)separator * piece.depth + (int64_t)separator * (separator + 1) / 2;
        f->is_cut[middle] = true;
        if (middle != top)
            push(f, top, piece.depth + separator);
        for (int32_t below = f->child[middle]; below >= 0; below = f->next[below]) {
            if (!f->is_cut[below])
                push(f, below, piece.depth + separator);
        }
    }
    return depths;
}

/* Gives the subtree of `root`, positions lowest .. root, a new order if that makes the sum of its
 * depths smaller; otherwise keeps the old order. Returns by how much the sum has become smaller. */
static int64_t try_subtree(struct flattening *f, int32_t root, int32_t lowest) {
    const int32_t first = f->placed, *const depth = f->tree->depth;
    int64_t before = 0;
    for (int32_t at = lowest; at <= root; at++)
        before += depth[at] - depth[root] + 1;
    const int64_t after = order_subtree(f, root);
    if (after < before)
        return before - after;
    f->placed = first;
    for (int32_t at = root; at >= lowest; at--)
        f->order[f->placed++] = at;
    return 0;
}

/* Finds the children and the keys of all positions. */
static void begin(struct flattening *f) {
    const struct tree *const tree = f->tree;
    for (int32_t at = 0; at < tree->n; at++) {
        f->key[at] = tree->count[at];
        f->child[at] = -1;
        f->is_cut[at] = f->is_placed[at] = false;
    }
    for (int32_t at = 0; at < tree->n; at++) {
        const int32_t parent = tree->parent[at];
        if (parent < 0)
            continue;
        f->next[at] = f->child[parent];
        f->child[parent] = at;
        if (f->key[parent] < f->key[at])
            f->key[parent] = f->key[at];
    }
}

enum status flatten_order(const struct tree *tree, const struct structure *structure,
                          int32_t *vertex, int64_t *saved, struct error *err) {
    const size_t n = (size_t)tree->n;
    struct flattening f = {.tree = tree, .structure = structure};
    void *memory;
    *saved = 0;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, n, 6 * sizeof(int32_t) + sizeof(struct component) + 2 * sizeof(bool),
                     "the order of elimination", err));
    f.stack = memory;
    f.child = (int32_t *)(f.stack + n);
    f.next = f.child + n;
    f.key = f.next + n;
    f.weight = f.key + n;
    f.queue = f.weight + n;
    f.order = f.queue + n;
    f.is_cut = (bool *)(f.order + n);
    f.is_placed = f.is_cut + n;
    begin(&f);
    for (int32_t at = tree->n - 1; at >= 0;) {
        if (!is_narrow(&f, at)) {
            f.order[f.placed++] = at--;
            continue;
        }
        int32_t lowest = at; /* a subtree is the range of positions directly below its root */
        while (lowest > 0 && tree->depth[lowest - 1] > tree->depth[at])
            lowest--;
        *saved += try_subtree(&f, at, lowest);
        at = lowest - 1;
    }
    for (int32_t k = 0; k < tree->n; k++)
        vertex[tree->n - 1 - k] = tree->vertex[f.order[k]];
    memory_free(memory);
    return STATUS_OK;
}
