// SPDX-License-Identifier: MIT
#include "elimination/tree_parents.h"

#include "common/base/atomics.h"     // atomic_lower
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // chunk_begin
#include "elimination/tree_parts.h"  // tree_fetch_ahead

#include <stdbool.h>

/* Has the caches fetch the nodes that a node is joined to. */
static inline void fetch_nodes(const struct tree_building *b, int32_t at, int32_t high) {
    const struct pattern *p = b->pattern;
    if (at >= high)
        return;
    const int32_t v = b->vertex[at];
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        const int32_t below = b->tree->position[p->neighbour[e]];
        if (below < at)
            __builtin_prefetch(&b->node[below], 1);
    }
}

/* Finds the parents of the nodes joined to a run's nodes from below, and the sizes of the subtrees
 * of a run's nodes. */
static void find_parents(const struct tree_building *b, int32_t run) {
    const struct pattern *p = b->pattern;
    const int32_t *const position = b->tree->position;
    struct node *const node = b->node;
    const int32_t low = b->runs->first[run], high = b->runs->first[run + 1];
    for (int32_t at = low; at < high; at++) {
        const int32_t v = b->vertex[at];
        int32_t size = 1, child = -1;
        tree_fetch_ahead(p, position, b->vertex, at, high);
        fetch_nodes(b, at + 2, high);
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            int32_t below = position[p->neighbour[e]];
            while (below < at) {
                struct node *const from = &node[below];
                const int32_t above = from->ancestor;
                from->ancestor = at; /* shortcut for later visits */
                if (above == at)
                    break;
                if (above >= 0) {
                    below = above;
                    continue;
                }
                from->parent = at;
                size += from->size;
                if (below < low) {
                    from->next = child;
                    child = below;
                }
                break;
            }
        }
        node[at] = (struct node){{-1}, -1, size, {-1}};
        b->child[at] = child;
    }
}

/* The last run, which is often the longest, on several threads. Each takes a part of it, a range of
 * nodes, and finds the parents that are in the same part as their whole subtrees. A node is late if
 * its subtree has nodes of other parts of the run. In an order like a postorder, few nodes are. One
 * thread takes these in the end. */
struct last_run {
    const struct tree_building *b;
    int32_t low, high;
};

/* Values of b->room of the run's nodes. Before the run, a root's value is its parent. */
enum { IN_TIME, LATE };

/* Returns the root of the tree of a node before the run. Several threads may ask at the same time.
 */
static int32_t root_before(struct node *node, int32_t at) {
    int32_t root = at, above;
    while ((above = __atomic_load_n(&node[root].ancestor, __ATOMIC_RELAXED)) >= 0)
        root = above;
    while (at != root) {
        above = __atomic_load_n(&node[at].ancestor, __ATOMIC_RELAXED);
        __atomic_store_n(&node[at].ancestor, root, __ATOMIC_RELAXED); /* shortcut */
        at = above;
    }
    return root;
}

/* Lets the roots before the run that a node is joined to have it as their parent, unless a lower
 * node is. */
static void claim_roots(const struct last_run *r, int32_t at) {
    const struct tree_building *const b = r->b;
    const struct pattern *const p = b->pattern;
    const int32_t v = b->vertex[at];
    tree_fetch_ahead(p, b->tree->position, b->vertex, at, r->high);
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        const int32_t below = b->tree->position[p->neighbour[e]];
        if (below >= r->low)
            continue;
        atomic_lower(&b->room[root_before(b->node, below)], at);
    }
}

/* Makes `at` the parent of a root. */
static void adopt(const struct tree_building *b, int32_t at, int32_t root) {
    b->node[root].parent = at;
    b->node[at].size += b->node[root].size;
}

/* Makes `at` the parent of the root of the tree that has the node `below` of the run, unless that
 * root is late and `all` false. Returns whether it is the root's parent or above it. */
static bool adopt_root_of(const struct last_run *r, int32_t at, int32_t below, bool all) {
    const struct tree_building *const b = r->b;
    struct node *const node = b->node;
    int32_t root = below;
    while (root < at && node[root].ancestor >= 0)
        root = node[root].ancestor;
    const bool is_late = root < at && b->room[root] == LATE && !all;
    if (root < at && !is_late)
        adopt(b, at, root);
    for (const int32_t end = is_late ? root : at; below >= 0 && below < end;) {
        const int32_t above = node[below].ancestor;
        node[below].ancestor = end; /* shortcut for later visits */
        below = above;
    }
    return !is_late;
}

/* Joins a node to those in low .. at - 1. all: late roots become its children, too. Returns whether
 * it is joined to others of the run. */
static bool join(const struct last_run *r, int32_t at, int32_t low, bool all) {
    const struct tree_building *const b = r->b;
    const struct pattern *const p = b->pattern;
    const int32_t v = b->vertex[at];
    bool is_late = false;
    for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
        int32_t below = b->tree->position[p->neighbour[e]];
        if (below >= at)
            continue;
        if (below < r->low) {
            const int32_t root = root_before(b->node, below);
            below = b->room[root];
            if (below == at && b->node[root].parent != at) {
                adopt(b, at, root);
                b->node[root].next = b->child[at];
                b->child[at] = root;
            }
        }
        if (below < low || !adopt_root_of(r, at, below, all))
            is_late = true;
    }
    return is_late;
}

static void find_last_parents(const struct tree_building *b, int32_t run) {
    const int32_t low = b->runs->first[run], high = b->runs->first[run + 1];
    const struct last_run r = {b, low, high};
    const int parts = chunks_for(b->threads);
#pragma omp parallel num_threads(b->threads)
    {
#pragma omp for schedule(static)
        for (int32_t at = 0; at < low; at++)
            b->room[at] = INT32_MAX;
#pragma omp for schedule(dynamic, 1024)
        for (int32_t at = low; at < high; at++) {
            b->node[at] = (struct node){{-1}, -1, 1, {-1}};
            b->child[at] = -1;
            claim_roots(&r, at);
        }
#pragma omp for schedule(dynamic, 1)
        for (int part = 0; part < parts; part++) {
            const int32_t begin = low + (int32_t)chunk_begin(high - low, parts, part),
                          end = low + (int32_t)chunk_begin(high - low, parts, part + 1);
            for (int32_t at = begin; at < end; at++) {
                tree_fetch_ahead(b->pattern, b->tree->position, b->vertex, at, end);
                fetch_nodes(b, at + 2, end);
                b->room[at] = join(&r, at, begin, false) ? LATE : IN_TIME;
            }
        }
    }
    for (int32_t at = low; at < high; at++) {
        if (b->room[at] == LATE)
            join(&r, at, low, true);
    }
}

void tree_find_parents(const struct tree_building *b) {
    const struct order_runs *const r = b->runs;
    const int32_t last = r->layer[r->layers] - 1;
    const bool is_long = r->first[last + 1] - r->first[last] > block_sizes.chunk_positions;
    for (int32_t l = 0; l < r->layers; l++) {
        const int32_t first = r->layer[l], end = r->layer[l + 1];
        if (first == last && end > last && is_long && b->threads > 1) {
            find_last_parents(b, last);
            continue;
        }
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
        for (int32_t run = first; run < end; run++)
            find_parents(b, run);
    }
}
