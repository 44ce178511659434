// SPDX-License-Identifier: MIT
/* Breadth-first search from one vertex, from the frontier while that is small and from the vertices
 * not yet reached while it is large (Beamer et al., "Direction-optimizing breadth-first search",
 * 2012). */
#ifndef ECCENTRICITY_LEVEL_SEARCH_H
#define ECCENTRICITY_LEVEL_SEARCH_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

struct bfs_graph; /* search/cpu/bfs_graph.h */

/* One thread's memory for graphs of n vertices. */
struct level_search {
    int32_t *queue;               /* n: numbers of the vertices that are reached, by level */
    uint64_t *reached, *frontier; /* a bit for each number */
    void *memory;
};

/* The caller frees with level_search_free, also after a failure. */
enum status level_search_alloc(struct level_search *search, int32_t n, struct error *err);

/* Searches from number `source` or, backward, to it. Writes the numbers that are reached to
 * search->queue, by level, and the place there at which each level begins to begin[0 .. levels],
 * which has room for n + 1. Returns the number of levels. O(n + m). */
int32_t level_search_run(struct level_search *search, const struct bfs_graph *graph, bool backward,
                         int32_t source, int32_t *begin);

/* Safe on a zeroed struct; leaves it zeroed. */
void level_search_free(struct level_search *search);

#endif
