// SPDX-License-Identifier: MIT
/* Predecessors from distances: entry (i, j) becomes a tail of an edge into j that ends a shortest
 * path from i.
 *
 * Only edges that are shortest paths themselves, w(u, v) = D[u][v], can be last on a shortest path;
 * in dense graphs they are few. Of them the edge i -> j is taken where it is one, otherwise the
 * tight one, D[i][u] + w(u, j) = D[i][j], with the lowest tail: the same at any number of threads
 * and on any instruction set. O(n^2 + n k), k the number of such edges, both over the number of
 * lanes of a vector. */
#ifndef CPU_PARTS_PREDECESSORS_H
#define CPU_PARTS_PREDECESSORS_H

#include "common/base/isa.h"      // enum isa
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, struct matrix

/* dist: exact distances of g, whose weights are >= 0 and which has no zero-weight cycles
 * (zero_cycles.h), INF where there is no path. pred is overwritten. No finite distance exceeds
 * `longest` (INF - 1 is always right); below INT16_MAX 16 bits a cell do. threads >= 1.
 * Fails with STATUS_NO_RESOURCE where memory is out. Where progress says to stop, it leaves cells
 * as they are. */
enum status predecessors_derive(const struct graph *g, const struct matrix *dist, int32_t longest,
                                struct matrix *pred, enum isa isa, int threads,
                                const struct progress *progress, struct error *err);

/* Bytes that it takes. */
uint64_t predecessors_memory(int32_t n, int64_t m, int threads);

#endif
