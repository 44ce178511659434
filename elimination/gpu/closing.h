// SPDX-License-Identifier: MIT
/* Floyd-Warshall in tiles on the device, for whole numbers in float64: the distances among the top
 * of an eliminated graph (elimination/pieces.h), for which cuda_blocked has int32. */
#ifndef ELIMINATION_GPU_CLOSING_H
#define ELIMINATION_GPU_CLOSING_H

#include "common/base/error.h"    // enum status
#include "common/base/progress.h" // struct progress

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ld is a multiple of this. */
enum { CLOSING_TILE = 32 };

/* On the device: the entries of vertex v are first[v] .. first[v + 1] - 1, each of which joins it
 * with a vertex `higher` by the lengths there and back, infinite if there is none. No two vertices
 * are joined twice. */
struct closing_graph {
    int32_t n;
    const int64_t *first;
    const int32_t *higher;
    const double *up, *down;
};

/* Stores in dist[u * ld + v], u, v < ld on the device, the distances among the vertices, infinite
 * if there is no path; beyond n, all but the diagonal is infinite. ld >= n. O(ld^3). It works in
 * the default stream and may return before it is done. STATUS_CANCELLED if progress says to stop.
 */
enum status closing_run(const struct closing_graph *g, struct progress *progress, double *dist,
                        size_t ld, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
