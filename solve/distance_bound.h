// SPDX-License-Identifier: MIT
/* Bounds all distances of a graph without solving it. */
#ifndef SOLVE_DISTANCE_BOUND_H
#define SOLVE_DISTANCE_BOUND_H

#include "common/graph/graph.h" // struct graph

#include <stdbool.h>

/* Bytes that distance_bound_seems_below and distance_bound_is_below take for each vertex; the
 * latter takes a second graph as well. */
enum { DISTANCE_BOUND_MEMORY = 2 * sizeof(int64_t) + sizeof(int32_t) };

/* Returns whether the distances of g, whose weights are >= 0, are probably below `limit`. The
 * lengths of some paths from and to one vertex, the hub, bound every distance in its strongly
 * connected component, and suggest a bound for the others. "Yes" is seldom wrong, "no" is often
 * only cautious. O(n + m), and few edges are read if the bound is met easily. Returns false if
 * there is not enough memory. */
bool distance_bound_seems_below(const struct graph *g, int32_t limit);

/* Returns whether the distances of g, whose weights are >= 0, are certainly below `limit`: by the
 * heaviest edges (range_is_below); or, for paths through the hub's component, by the lengths of
 * paths to and from the hub, and for all others by the heaviest edges outside of it. "No" is often
 * only cautious. O(n + m). Returns false if there is not enough memory. */
bool distance_bound_is_below(const struct graph *g, int32_t limit);

/* Returns a number that no distance up to a limit (common/graph/limit.h) exceeds, for a graph of
 * integers of int32 or float64. It is a number of 8 or 16 bits if distances certainly are. O(m +
 * n). */
int64_t distance_bound_of_integers(const struct graph *g, double limit);

/* Finds an upper bound of all finite distances of a graph of real weights of 0 or more, from
 * distances to and from up to eight vertices and, for paths that avoid these vertices' components,
 * from the heaviest edges. It is at most twice the largest distance of a strongly connected graph.
 * Infinite if it overflows. STATUS_CANCELLED if progress says to stop. */
enum status distance_bound_find(const struct graph *g, double *bound,
                                const struct progress *progress, struct error *err);

#endif
