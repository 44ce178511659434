// SPDX-License-Identifier: MIT
/* Chunks of the positions of an elimination tree, which threads look at at the same time.
 *
 * Positions are a postorder, so a subtree is a range of positions. A subtree lies inside its root's
 * chunk, or it begins before the chunk; then it holds the last position before the chunk, and its
 * root is an ancestor of that position. So in each chunk, all positions are inside with all of
 * their descendants, except those on one path, the chunk's top. Ancestors of a position in a top
 * are in the top of a chunk, too.
 *
 * The positions of tops are left to larger chunks, until each is inside one. */
#ifndef ELIMINATION_TREE_CHUNKS_H
#define ELIMINATION_TREE_CHUNKS_H

#include "common/base/block_sizes.h" // block_sizes

#include <stdint.h>

enum { CHUNKS_MAX = 1024 };

struct tree_chunks {
    const int32_t *parent; /* parent of each position, n entries; positions are a postorder; -1:
                              root */
    int32_t n;
    int32_t size;  /* number of positions of a chunk; the last one may have fewer */
    int32_t count; /* number of chunks, at most CHUNKS_MAX */
    int threads;   /* number of threads: equal for chunks of all sizes, because a team that changes
                      its size starts threads anew; but 1 if there is one chunk */
};

static inline struct tree_chunks tree_chunks_of(const int32_t *parent, int32_t n, int threads) {
    enum { EACH = 4 }; /* number of chunks for each thread */
    struct tree_chunks c = {.parent = parent, .n = n, .size = n, .count = n > 0, .threads = 1};
    if (threads == 1 || n <= block_sizes.chunk_positions)
        return c;
    const int32_t most = threads < CHUNKS_MAX / EACH ? threads * EACH : CHUNKS_MAX;
    c.size = (n - 1) / most + 1;
    c.size = c.size > block_sizes.chunk_positions ? c.size : block_sizes.chunk_positions;
    c.count = (n - 1) / c.size + 1;
    c.threads = threads < c.count ? threads : c.count;
    return c;
}

/* Returns larger chunks, each made of a few chunks of *c. */
static inline struct tree_chunks tree_chunks_larger(const struct tree_chunks *c) {
    enum { FEW = 4 };
    struct tree_chunks larger = *c;
    larger.size = c->size <= c->n / FEW ? c->size * FEW : c->n;
    larger.count = c->n > 0 ? (c->n - 1) / larger.size + 1 : 0;
    larger.threads = larger.count > 1 ? c->threads : 1;
    return larger;
}

static inline int32_t tree_chunk_low(const struct tree_chunks *c, int32_t chunk) {
    return chunk * c->size;
}

static inline int32_t tree_chunk_high(const struct tree_chunks *c, int32_t chunk) {
    return chunk < c->count - 1 ? (chunk + 1) * c->size : c->n;
}

/* tree_chunk_next_top returns the position after `at` in the chunk's top, tree_chunk_first_top the
 * first one; -1: there is none. */
static inline int32_t tree_chunk_next_top(const struct tree_chunks *c, int32_t chunk, int32_t at) {
    const int32_t next = at < 0 ? -1 : c->parent[at];
    return next < tree_chunk_high(c, chunk) ? next : -1;
}

static inline int32_t tree_chunk_first_top(const struct tree_chunks *c, int32_t chunk) {
    return tree_chunk_next_top(c, chunk, tree_chunk_low(c, chunk) - 1);
}

#endif
