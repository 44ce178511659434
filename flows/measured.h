// SPDX-License-Identifier: MIT
/* Betweenness as one of a graph's measures: found, proved if that is wanted, and scaled. */
#ifndef FLOWS_MEASURED_H
#define FLOWS_MEASURED_H

#include "flows/betweenness.h" // enum betweenness_way
#include "flows/flow_graph.h"  // struct flow_graph
#include "flows/proof.h"       // struct betweenness_proof
#include "measures/measures.h" // struct measured_flows
#include "solve/grid.h"        // struct grid_rounding

struct measured_request {
    const struct graph *graph;
    const struct flow_graph *flow; /* flow graph made of the graph before its weights were rounded
                                      for other measures */
    struct row_sources sources;
    enum betweenness_way way;
    bool endpoints;
    const struct flow_engine *engine; /* engine of betweenness_request, with the number of its
                                         GPU */
    int device;
    const struct solver_variant *variant; /* variant that finds distances for the proof; NULL: no
                                             proof */
    int threads;                          /* number of threads; 0: one for each core */
    struct progress *progress;            /* may be NULL */
};

/* Report of how the values were found. */
struct measured_how {
    struct betweenness_proof proof;
    double seconds, proof_seconds;
    const char *not_as_asked; /* reason why searches were used although the request names another
                                 way; NULL: the request names none, or it was used */
};

/* Finds the betweenness of vertices and edges. Statuses are those of betweenness_find and
 * betweenness_prove. The caller frees *flows with measured_flows_free, also after a failure. */
enum status measured_flows_find(const struct measured_request *request,
                                struct measured_flows *flows, struct measured_how *how,
                                struct error *err);

/* Finds the plan of measured_flows_find, without the proof; plan->memory includes the values that
 * are found. */
enum status measured_flows_plan(const struct measured_request *request,
                                struct betweenness_plan *plan, struct error *err);

/* Returns the largest number of bytes that measured_flows_find takes by searches. */
uint64_t measured_flows_memory(int32_t n, int64_t m, int threads);

/* Frees *flows and zeroes it; safe on a zeroed struct. */
void measured_flows_free(struct measured_flows *flows);

#endif
