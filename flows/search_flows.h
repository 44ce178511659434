// SPDX-License-Identifier: MIT
/* Betweenness by searches from many sources at a time (Brandes 2001). */
#ifndef FLOWS_SEARCH_FLOWS_H
#define FLOWS_SEARCH_FLOWS_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sources

struct search_flows_request {
    const struct graph *graph; /* graph of int32 weights whose distances are below INF or, on a
                                  grid, of float64; without cycles of weight 0 */
    bool weighted;             /* false: all weights are 1 */
    const struct row_sources *sources;
    const double *from_mass, *to_mass; /* mass of each vertex as a source and as a target, n entries
                                          each, finite, >= 0; NULL: all are 1 */
    double rate;                       /* masses of targets decay by exp(-distance * rate); 0: no
                                          decay */
    bool endpoints;                    /* a pair also counts at its own two vertices */
    int32_t levels;                    /* number of levels of one search, from a vertex with many
                                          edges: one more than the edges of a shortest path that
                                          has the most of them */
    int threads;                       /* number of host threads; 0: one for each core */
    int device;                        /* number of the GPU, for engines on one */
    struct progress *progress;         /* counts sources; may be NULL */
};

/* Sums of flow, zeroed by the caller; NULL, but for `vertex`: not wanted. */
struct search_flows_sums {
    double *vertex;        /* flow through each vertex, n entries */
    double *edge;          /* flow over each edge, m entries */
    double *ends, *begins; /* flow that ends and begins at each vertex, n entries each; both or none
                              are wanted */
};

/* An engine that does the searches: a GPU (flows/gpu/gpu_search_flows.h). */
struct search_flows_engine {
    int32_t levels_most; /* number of levels from which on it does not take searches */
    /* Returns the seconds that find() is predicted to take if there is a GPU for it; infinite if
     * the graph has too many levels. */
    double (*seconds)(const struct search_flows_request *r);
    /* Returns whether there is a GPU with enough memory for find(). Starts the GPU. */
    bool (*has_gpu)(const struct search_flows_request *r);
    /* Adds the flows to *sums. The result, to the bit, depends on the request and on how many
     * sources fit into memory at a time. STATUS_NO_RESOURCE if there is
     * not enough memory, and for graphs and masses that the engine does not take; STATUS_CANCELLED
     * if progress says to stop. After a failure nothing is added. */
    enum status (*find)(const struct search_flows_request *r, const struct search_flows_sums *sums,
                        struct error *err);
};

#endif
