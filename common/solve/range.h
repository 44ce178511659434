// SPDX-License-Identifier: MIT
/* Distances that do not fit. On non-negative weights every solver computes
 * min(d, INF) exactly, so a distance of INF or more comes out as "no path":
 * what remains is to find out whether that happened. */
#ifndef COMMON_SOLVE_RANGE_H
#define COMMON_SOLVE_RANGE_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, struct matrix

#include <stdbool.h>

/* True where no distance of the graph (weights >= 0) can reach INF: a path
 * enters each of its vertices once, so the heaviest in-edges of all vertices
 * but one bound every distance. O(m). */
bool range_is_safe(const struct graph *g);

/* The same question after solving, where the largest distance that is not INF is `largest`, 0 if
 * there is none. A cell that was cut off, because its
 * distance is `limit` or more, is INF in dist, and all others are exact: is there one? On a path
 * whose length reaches the limit, some edge leads from the last vertex with a finite distance to
 * one given as unreachable. That edge would have to bridge the gap from the largest finite distance
 * to the limit: where no edge is heavy enough, that settles it, otherwise O(n m / 64). Weights >=
 * 0. Such a pair, the same at any number of threads, is stored in *from and *to, or -1 in both
 * where there is none. Where progress says to stop, nothing is found out. */
enum status range_find_cut(const struct graph *g, const struct matrix *dist, int32_t largest,
                           int32_t limit, int threads, const struct progress *progress,
                           int32_t *from, int32_t *to, struct error *err);

/* Proves of a solver's distances that none was cut off at INF: STATUS_BAD_INPUT naming a pair where
 * one was. */
enum status range_check(const struct graph *g, const struct matrix *dist, int threads,
                        const struct progress *progress, struct error *err);

/* Bytes that the two functions before this one take at most. */
uint64_t range_memory(int32_t n, int threads);

#endif
