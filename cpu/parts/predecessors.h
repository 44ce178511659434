// SPDX-License-Identifier: MIT
/* Predecessors from distances: entry (i, j) becomes the tail of an edge into j that ends a shortest
 * path from i.
 *
 * The last edge of a shortest path is itself a shortest path, w(u, v) = D[u][v]; such edges are few
 * in dense graphs. If i -> j is such an edge, it is taken, otherwise the one with the lowest tail u
 * of those that are tight, D[i][u] + w(u, j) = D[i][j]. So the result does not depend on the number
 * of threads or the instruction set. O(n^2 + n k) for k edges that are shortest paths, divided by
 * the lanes of a vector. */
#ifndef CPU_PARTS_PREDECESSORS_H
#define CPU_PARTS_PREDECESSORS_H

#include "common/base/isa.h"        // enum isa
#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph, struct matrix
#include "common/graph/row_block.h" // struct row_sources
#include "ranks/ranks.h"            // struct ranks

/* Distances and edges from which predecessors are derived. */
struct predecessors_task {
    const struct graph *graph; /* weights >= 0, without zero-weight cycles (zero_cycles.h) */
    /* Row p of the matrix has the exact distances from the source at position p, INF if there is no
     * path. The processes together have the rows of all vertices, each once. */
    struct row_sources sources;
    const struct matrix *dist;
    const struct ranks *ranks;
    /* A number that no finite distance exceeds; INF - 1 is always right. Cells have 16 bits if it
     * is below INT16_MAX. */
    int32_t longest;
    enum isa isa;
    int threads; /* >= 1 */
    const struct progress *progress;
};

/* Overwrites pred, whose rows are those of dist. All processes call it together. Returns
 * STATUS_NO_RESOURCE if there is not enough memory, or a process cannot be reached. If progress
 * says to stop, it leaves the remaining cells as they are. */
enum status predecessors_derive(const struct predecessors_task *task, struct matrix *pred,
                                struct error *err);

/* The bytes of memory that predecessors_derive takes. */
uint64_t predecessors_memory(int32_t n, int64_t m, int threads);

#endif
