// SPDX-License-Identifier: MIT
/* Betweenness by breadth-first searches from many sources at a time (Brandes 2001). */
#ifndef FLOWS_SEARCH_FLOWS_H
#define FLOWS_SEARCH_FLOWS_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources

struct search_flows_request {
    const struct graph *graph; /* whose weights are all the same */
    const struct row_sources *sources;
    const double *from_mass, *to_mass; /* n each, finite, 0 or more; NULL: all are 1 */
    bool endpoints;                    /* a vertex gets the pairs that it is an end of, too */
    int32_t levels;                    /* of one search, from a vertex with many edges */
    int threads;                       /* of the host; 0: one per core */
    int device;                        /* number of the GPU, for engines on one */
    struct progress *progress;         /* may be NULL; counts sources */
};

/* The finder: a GPU (flows/gpu/gpu_search_flows.h). */
struct search_flows_engine {
    /* Returns the seconds that find() is predicted to take; infinite if it cannot do the work. */
    double (*seconds)(const struct search_flows_request *r);
    /* Adds the values of vertices to vertex[v] and, unless it is NULL, those of edges to edge[e].
     * The bits depend on the request and on how many sources there is memory for at a time.
     * STATUS_NO_RESOURCE if there is not enough memory, and for graphs and masses that the engine
     * does not take; STATUS_CANCELLED if progress says to stop. After a failure nothing is added.
     */
    enum status (*find)(const struct search_flows_request *r, double *vertex, double *edge,
                        struct error *err);
};

#endif
