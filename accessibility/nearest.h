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
    const int32_t *facility;   /* different vertices */
    int32_t facilities;        /* >= 1 */
    int32_t k;                 /* >= 1 facilities that are wanted of each vertex */
    struct progress *progress; /* may be NULL; counts settled vertices, each up to k times */
};

/* Entries of vertex v are k v .. k v + k - 1, by ascending distance from v; of equal distances the
 * one whose facility is first in the request comes first. */
struct nearest {
    int32_t
        *facility;    /* place of the facility in the request; -1: fewer than so many are reached */
    double *distance; /* infinite for -1; exact */
};

/* Finds the k nearest facilities of every vertex of a graph whose weights are integers or, on a
 * grid, float64 (solve/grid.h), all of 0 or more. O(k (m + n) log n), with a queue of up to k m + n
 * entries. STATUS_BAD_INPUT as accessibility_find; STATUS_NO_RESOURCE if there is not enough
 * memory, STATUS_CANCELLED if progress says to stop. The caller frees with nearest_free. */
enum status nearest_find(const struct nearest_request *request, struct nearest *found,
                         struct error *err);

/* Safe on a zeroed struct, and after a failure; leaves it zeroed. */
void nearest_free(struct nearest *nearest);

#endif
