// SPDX-License-Identifier: MIT
/* Common parts of the sources of symbolic.h. */
#ifndef ELIMINATION_TREE_PARTS_H
#define ELIMINATION_TREE_PARTS_H

#include "elimination/pattern.h" // struct pattern

/* TREE_ARRAYS: numbers for each position of a tree; TREE_SCRATCH_ARRAYS: further ones while it is
 * built. */
enum { TREE_ARRAYS = 5, TREE_SCRATCH_ARRAYS = 5 };

/* Has the caches fetch the positions of the neighbours of vertices that will soon be visited;
 * vertex[at + 1 .. count - 1] come next, and their data may lie anywhere. */
static inline void tree_fetch_ahead(const struct pattern *p, const int32_t *position,
                                    const int32_t *vertex, int32_t at, int32_t count) {
    enum { AHEAD = 24 };
    if (at + AHEAD >= count)
        return;
    __builtin_prefetch(&p->first[vertex[at + AHEAD]]);
    __builtin_prefetch(&p->neighbour[p->first[vertex[at + AHEAD / 2]]]);
    const int64_t soon = p->first[vertex[at + AHEAD / 4]];
    const int64_t end = p->first[vertex[at + AHEAD / 4] + 1];
    for (int64_t e = soon; e < end && e < soon + 4; e++)
        __builtin_prefetch(&position[p->neighbour[e]]);
}

#endif
