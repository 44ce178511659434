// SPDX-License-Identifier: MIT
/* Predecessors from distances: entry (i, j) becomes the tail of an edge into j that ends a shortest
 * path from i.
 *
 * The last edge of a shortest path is itself a shortest path, w(u, v) = D[u][v]; such edges are few
 * in dense graphs. If i -> j is one, it is taken, otherwise the tight one, D[i][u] + w(u, j) =
 * D[i][j], with the lowest tail. So the result does not depend on the number of threads or the
 * instruction set. O(n^2 + n k) for k such edges, divided by the lanes of a vector. */
#ifndef CPU_PARTS_PREDECESSORS_H
#define CPU_PARTS_PREDECESSORS_H

#include "common/base/isa.h"      // enum isa
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, struct matrix

/* Overwrites pred. dist holds the exact distances of g, INF if there is no path; the weights of g
 * are
 * >= 0, and it has no zero-weight cycles (zero_cycles.h). No finite distance exceeds `longest`
 * (INF - 1 is always right); cells have 16 bits if it is below INT16_MAX. threads >= 1. Returns
 * STATUS_NO_RESOURCE if there is not enough memory. If progress says to stop, it leaves the
 * remaining cells as they are. */
enum status predecessors_derive(const struct graph *g, const struct matrix *dist, int32_t longest,
                                struct matrix *pred, enum isa isa, int threads,
                                const struct progress *progress, struct error *err);

/* The bytes that it takes. */
uint64_t predecessors_memory(int32_t n, int64_t m, int threads);

#endif
