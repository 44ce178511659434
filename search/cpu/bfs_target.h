// SPDX-License-Identifier: MIT
/* The pair of vertices at the largest distance, of which a search that counts knows the source
 * only. */
#ifndef SEARCH_CPU_BFS_TARGET_H
#define SEARCH_CPU_BFS_TARGET_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct answer_totals

#include <stdbool.h>

/* Sets totals->to to the lowest vertex at the distance totals->largest from totals->from in g, all
 * of whose edges weigh `weight`. Unless `proves` is NULL, it proves the row that shows it for that
 * graph: *found is false if that or the distance is wrong. */
enum status bfs_target_find(const struct graph *g, int32_t weight, const struct graph *proves,
                            struct answer_totals *totals, bool *found, struct error *err);

#endif
