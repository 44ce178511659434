// SPDX-License-Identifier: MIT
/* Breadth-first search from one vertex. It searches from the frontier while that is small, and from
 * the vertices not yet reached while it is large (Beamer et al., "Direction-optimizing
 * breadth-first search", 2012). */
#ifndef ECCENTRICITY_LEVEL_SEARCH_H
#define ECCENTRICITY_LEVEL_SEARCH_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

struct bfs_graph; /* see search/cpu/bfs_graph.h */

/* Memory of one thread for graphs of n vertices. */
struct level_search {
    int32_t *queue;               /* numbers of the reached vertices, by level, n entries */
    uint64_t *reached, *frontier; /* a bit for each vertex number: reached; in the last level */
    void *memory;
};

/* Allocates the memory. The caller frees it with level_search_free, also after a failure. */
enum status level_search_alloc(struct level_search *search, int32_t n, struct error *err);

/* Searches from vertex number `source` or, if backward, to it. Stores the numbers of the reached
 * vertices in search->queue, by level, and in begin[0 .. levels] the index in the queue at which
 * each level begins; `begin` has room for n + 1. Returns the number of levels. O(n + m). */
int32_t level_search_run(struct level_search *search, const struct bfs_graph *graph, bool backward,
                         int32_t source, int32_t *begin);

/* Frees *search and zeroes it; safe on a zeroed struct. */
void level_search_free(struct level_search *search);

#endif
