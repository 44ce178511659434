// SPDX-License-Identifier: MIT
/* The range of distances of graphs with real weights: sums that overflow are refused, and distances
 * beyond a limit become infinite. */
#ifndef SOLVE_REAL_RANGE_H
#define SOLVE_REAL_RANGE_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_block

#include <stdbool.h>

/* Returns whether no sum of n - 1 weights can overflow, however it is rounded. */
bool real_range_is_safe(const struct graph *g);

/* Returns STATUS_BAD_INPUT, and the position of the row in *position, if an edge of g leads from a
 * vertex at a finite distance to one at infinity because the sum has overflowed. O(m) for each row.
 */
enum status real_range_check(const struct graph *g, const struct row_block *block,
                             int32_t *position, struct error *err);

/* Makes distances above the limit infinite, and their predecessors -1. */
void real_range_cut_off(const struct row_block *block, double limit);

#endif
