/* Distances that do not fit. On non-negative weights every solver computes
 * min(d, INF) exactly, so a distance of INF or more comes out as "no path":
 * what remains is to find out whether that happened. */
#ifndef COMMON_RANGE_H
#define COMMON_RANGE_H

#include "common/graph.h" // struct graph, struct matrix

#include <stdbool.h>

/* True where no distance of the graph (weights >= 0) can reach INF: a path
 * enters each of its vertices once, so the heaviest in-edges of all vertices
 * but one bound every distance. O(m). */
bool range_is_safe(const struct graph *g);

/* Proves of a solver's distances that none was cut off at INF: wherever D[i][u]
 * is finite and there is an edge u -> v, D[i][v] must be finite. (On a path
 * whose length reaches INF, some edge leads from the last finite vertex to one
 * reported unreachable.) That last edge would have to bridge the gap from the
 * largest finite distance to INF: where no edge is heavy enough, O(n^2) settles
 * it, otherwise O(n m / 64). STATUS_BAD_INPUT naming a pair where it fails. */
enum status range_check(const struct graph *g, const struct matrix *dist, struct error *err);

#endif
