// SPDX-License-Identifier: MIT
/* Sources of rows in the order of an elimination: those that are eliminated one after the other
 * share most of the work upwards, and classes of rows. */
#ifndef ELIMINATION_TREE_SOURCES_H
#define ELIMINATION_TREE_SOURCES_H

#include "common/graph/row_block.h" // struct row_sources
#include "elimination/symbolic.h"   // struct tree

/* Lists the sources in the order of their positions in the tree: position[k] is the k-th one's
 * position, and row[k] the position of its row in the answer, sources->count entries each. position
 * may be NULL. O(n), on up to `threads` >= 1 threads if all vertices are sources.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status tree_sources_list(const struct tree *tree, const struct row_sources *sources,
                              int threads, int32_t *position, int32_t *row, struct error *err);

#endif
