// SPDX-License-Identifier: MIT
/* Finds whether all distances are below a bound, without solving. */
#ifndef SOLVE_DISTANCE_BOUND_H
#define SOLVE_DISTANCE_BOUND_H

#include "common/graph/graph.h" // struct graph

#include <stdbool.h>

/* The bytes that both functions take for each vertex; the second one also takes a second graph. */
enum { DISTANCE_BOUND_MEMORY = 2 * sizeof(int64_t) + sizeof(int32_t) };

/* Returns whether the distances of g, whose weights are >= 0, are probably below `limit`. The
 * lengths of some paths from and to one vertex, the hub, bound every distance in its strongly
 * connected component, and suggest a bound for the others. "Yes" is seldom wrong, "no" is often
 * only cautious. O(n + m), and few edges are read if the bound is met easily. Returns false if
 * there is not enough memory. */
bool distance_bound_seems_below(const struct graph *g, int32_t limit);

/* Returns whether the distances of g, whose weights are >= 0, are certainly below `limit`: by the
 * heaviest edges (range_is_below); or those along paths through the hub's component by the lengths
 * of paths to and from the hub, and the others by the heaviest edges outside. "No" is often only
 * cautious. O(n + m). Returns false if there is not enough memory. */
bool distance_bound_is_below(const struct graph *g, int32_t limit);

/* Returns a number that no distance up to a limit (common/graph/limit.h) exceeds, of a graph of
 * integers, int32 ones or longer; one of those of 8 or 16 bits if it is certain to be. O(n + m). */
int64_t distance_bound_of_integers(const struct graph *g, double limit);

/* Finds an upper bound of all finite distances of a graph of real weights of 0 or more, from
 * distances to and from up to eight vertices and, of paths that these do not tell, from the
 * heaviest edges. It is at most twice the largest distance of a strongly connected graph.
 * Infinite if it overflows. STATUS_CANCELLED if progress says to stop. */
enum status distance_bound_find(const struct graph *g, double *bound,
                                const struct progress *progress, struct error *err);

#endif
