// SPDX-License-Identifier: MIT
/* The nearest of some facilities from each vertex: for the nearest one alone, the network Voronoi
 * diagram (Okabe, Boots, Sugihara and Chiu 2000). One search runs backwards from all facilities
 * together, in which each vertex is settled up to k times (Eppstein 1998 calls it k labels). */
#ifndef ACCESSIBILITY_NEAREST_H
#define ACCESSIBILITY_NEAREST_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

struct nearest_request {
    const struct graph *graph;
    const int32_t *facility;   /* vertices of the facilities, all different */
    int32_t facilities;        /* number of facilities, >= 1 */
    int32_t k;                 /* number of facilities wanted for each vertex, >= 1 */
    struct progress *progress; /* counts settled vertices, each up to k times; may be NULL */
};

/* The nearest facilities of vertex v are entries k v .. k v + k - 1, by ascending distance from v;
 * among equal distances the facility that comes first in the request is first. */
struct nearest {
    int32_t *facility; /* number of the facility in the request; -1: the vertex reaches fewer
                          facilities */
    double *distance;  /* distance to the facility, exact; infinite if facility is -1 */
};

/* Finds the k nearest facilities of every vertex of a graph whose weights are integers or, on a
 * grid, float64 (solve/grid.h), all of 0 or more. O(k (m + n) log n), with a queue of up to k m + n
 * entries. STATUS_BAD_INPUT as accessibility_find; STATUS_NO_RESOURCE if there is not enough
 * memory, STATUS_CANCELLED if progress says to stop. The caller frees *found with nearest_free. */
enum status nearest_find(const struct nearest_request *request, struct nearest *found,
                         struct error *err);

/* Frees *nearest and zeroes it; safe on a zeroed struct and after a failure. */
void nearest_free(struct nearest *nearest);

#endif
