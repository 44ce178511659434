// SPDX-License-Identifier: MIT
/* Flatter elimination trees: what minimum degree eliminates of chains, trees and ladders from their
 * ends is parted in the middle instead, again and again, so that n vertices have depths of O(log n)
 * and not O(n).
 *
 * Positions with few higher neighbours and all that is below them are a tree decomposition of small
 * width. A node of it that parts its tree into halves, with what the subtrees below it are joined
 * to, is a separator of few vertices (Bodlaender 1989). */
#ifndef ELIMINATION_FLATTEN_H
#define ELIMINATION_FLATTEN_H

#include "elimination/symbolic.h" // struct tree, struct structure

/* Fills vertex[0 .. n-1] with an order of all vertices in which no vertex is deeper than in the
 * order of a tree without a core by more than the others gain: *saved is a lower bound of how much
 * less the sum of all depths is, 0 if the order is the same. O(n log n). STATUS_NO_RESOURCE if
 * there is not enough memory. */
enum status flatten_order(const struct tree *tree, const struct structure *structure,
                          int32_t *vertex, int64_t *saved, struct error *err);

#endif
