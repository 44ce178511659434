// SPDX-License-Identifier: MIT
/* The pair of vertices at the largest distance. A search that only counts knows the distance and
 * the source, but not the target. */
#ifndef SEARCH_CPU_BFS_TARGET_H
#define SEARCH_CPU_BFS_TARGET_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct answer_totals

struct delivery; /* see solve/delivery.h */

#include <stdbool.h>

/* Sets totals->to to the lowest vertex at distance totals->largest from totals->from in g. weight:
 * weight of all edges of g, 0 if they differ. With `proves`, which may be NULL, proves the row that
 * shows the distance for that graph. *found: false if the row or the distance is wrong. */
enum status bfs_target_find(const struct graph *g, int32_t weight, const struct graph *proves,
                            struct answer_totals *totals, bool *found, struct error *err);

/* Agrees on the pair at the largest distance with all other processes, which call it at the same
 * time. Before: totals has this process's largest distance and the first source at it, -1 if it has
 * no row. After: totals has the largest distance of all processes; the process that has the first
 * pair finds its target. *right: false in all processes if the row that shows the pair is wrong. */
enum status bfs_target_agree(const struct delivery *delivery, const struct graph *g, int32_t weight,
                             struct answer_totals *totals, bool *right, struct error *err);

#endif
