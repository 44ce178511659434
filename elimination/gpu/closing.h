// SPDX-License-Identifier: MIT
/* Floyd-Warshall in tiles on the device, for whole numbers in float64. It finds the distances in
 * the top of an eliminated graph (elimination/pieces.h); for int32, cuda_blocked does. */
#ifndef ELIMINATION_GPU_CLOSING_H
#define ELIMINATION_GPU_CLOSING_H

#include "common/base/error.h"    // enum status
#include "common/base/progress.h" // struct progress

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of vertices across a tile; ld is a multiple of it. */
enum { CLOSING_TILE = 32 };

/* A graph in the device's memory. The entries of vertex v are first[v] .. first[v + 1] - 1. Each
 * joins v with the vertex higher[e] by the lengths there and back, infinite if there is no path. No
 * two vertices are joined twice. */
struct closing_graph {
    int32_t n;
    const int64_t *first;
    const int32_t *higher;
    const double *up, *down;
};

/* Stores the distances among the vertices in dist[u * ld + v], u, v < ld, on the device, infinite
 * if there is no path. Rows and columns from n on are infinite except on the diagonal. ld >= n.
 * O(ld^3). It works in the default stream and may return before it is done. STATUS_CANCELLED if
 * progress says to stop. */
enum status closing_run(const struct closing_graph *g, struct progress *progress, double *dist,
                        size_t ld, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
