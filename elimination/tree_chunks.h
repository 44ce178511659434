// SPDX-License-Identifier: MIT
/* Chunks of the positions of an elimination tree, which threads look at at the same time.
 *
 * Positions are a postorder, so a subtree is a range. It lies inside its root's chunk, or it begins
 * before the chunk: then it holds the position before the chunk, and its root is an ancestor of
 * that. So the positions of a chunk are inside, with all of their descendants, but for a path, the
 * chunk's top. Ancestors of the top are in the top of a chunk, too.
 *
 * What is in the top waits for larger chunks, of which it is inside one in the end. */
#ifndef ELIMINATION_TREE_CHUNKS_H
#define ELIMINATION_TREE_CHUNKS_H

#include "common/base/block_sizes.h" // block_sizes

#include <stdint.h>

enum { CHUNKS_MAX = 1024 };

struct tree_chunks {
    const int32_t *parent; /* n, of positions that are a postorder; -1 at a root */
    int32_t n;
    int32_t size;  /* positions of a chunk; the last one may have fewer */
    int32_t count; /* up to CHUNKS_MAX */
    int threads;   /* as many for chunks of all sizes, because a team that changes its size starts
                      threads; but 1 for one chunk */
};

static inline struct tree_chunks tree_chunks_of(const int32_t *parent, int32_t n, int threads) {
    enum { EACH = 4 }; /* chunks for a thread */
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

/* Larger chunks, each of a few of these. */
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

/* The first position of the chunk's top, -1 if there is none; and the one after `at`. */
static inline int32_t tree_chunk_next_top(const struct tree_chunks *c, int32_t chunk, int32_t at) {
    const int32_t next = at < 0 ? -1 : c->parent[at];
    return next < tree_chunk_high(c, chunk) ? next : -1;
}

static inline int32_t tree_chunk_first_top(const struct tree_chunks *c, int32_t chunk) {
    return tree_chunk_next_top(c, chunk, tree_chunk_low(c, chunk) - 1);
}

#endif
