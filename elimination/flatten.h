// SPDX-License-Identifier: MIT
/* Flatter elimination trees: minimum degree eliminates chains, trees and ladders from their ends;
 * here they are parted in the middle instead, again and again, so that n vertices have depths of
 * O(log n) and not O(n).
 *
 * Positions with few higher neighbours, with all positions below them, are a tree decomposition of
 * small width. A node of it that parts its tree into halves is, together with the vertices that the
 * subtrees below it are joined to, a separator of few vertices (Bodlaender 1989). */
#ifndef ELIMINATION_FLATTEN_H
#define ELIMINATION_FLATTEN_H

#include "elimination/symbolic.h" // struct tree, struct structure

/* Fills vertex[0 .. n-1] with an order of all vertices in whose tree the sum of all depths is at
 * least *saved less than in `tree`, which has no core; *saved = 0: the order is that of `tree`. O(n
 * log n). STATUS_NO_RESOURCE if there is not enough memory. */
enum status flatten_order(const struct tree *tree, const struct structure *structure,
                          int32_t *vertex, int64_t *saved, struct error *err);

#endif
