// SPDX-License-Identifier: MIT
/* The pair of vertices at the largest distance, of which a search that counts knows the source
 * only. */
#ifndef SEARCH_CPU_BFS_TARGET_H
#define SEARCH_CPU_BFS_TARGET_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct answer_totals

struct delivery; /* solve/delivery.h */

#include <stdbool.h>

/* Sets totals->to to the lowest vertex at the distance totals->largest from totals->from in g, all
 * of whose edges weigh `weight`; 0 if they differ. Unless `proves` is NULL, it proves the row that
 * shows it for that graph: *found is false if that or the distance is wrong. */
enum status bfs_target_find(const struct graph *g, int32_t weight, const struct graph *proves,
                            struct answer_totals *totals, bool *found, struct error *err);

/* Makes the largest distance of this process that of all, which call it at the same time with their
 * first sources at it, -1 if they have no row, and leaves the first pair at it to the process that
 * has it, which finds its target. *right becomes false for all if the row that shows it is wrong.
 */
enum status bfs_target_agree(const struct delivery *delivery, const struct graph *g, int32_t weight,
                             struct answer_totals *totals, bool *right, struct error *err);

#endif
