// SPDX-License-Identifier: MIT
/* Checks everything in a distance index (index.h) that its rows do not show. */
#ifndef INDEX_INDEX_CHECK_H
#define INDEX_INDEX_CHECK_H

#include "index/index.h"

/* Checks, on `threads` threads (0: one per core),
 *   - that the index is of g: its vertices, edges and checksum;
 *   - the checksums of all sections;
 *   - the tree: every vertex stands once in the order, labels and entries follow one another
 * without gaps, and branches are those of the tree;
 *   - every entry: it is an edge of g, or a path by its middle, of that length;
 *   - every cell of a label: it is made by an entry and the label that this leads to.
 * So every path that a query finds consists of edges of g and is as long as the labels say.
 * STATUS_REFUTED names the first mistake; STATUS_BAD_INPUT if a section is damaged. */
enum status index_check(const struct distance_index *x, const struct graph *g, int threads,
                        struct progress *progress, struct error *err);

#endif
