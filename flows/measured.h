// SPDX-License-Identifier: MIT
/* Betweenness as a part of a graph's measures: found, judged if that is wanted, and scaled. */
#ifndef FLOWS_MEASURED_H
#define FLOWS_MEASURED_H

#include "flows/betweenness.h" // enum betweenness_way
#include "flows/flow_graph.h"  // struct flow_graph
#include "flows/proof.h"       // struct betweenness_proof
#include "measures/measures.h" // struct measured_flows
#include "solve/grid.h"        // struct grid_rounding

struct measured_request {
    const struct graph *graph;
    const struct flow_graph *flow; /* made of it, before its weights were rounded for others */
    struct row_sources sources;
    enum betweenness_way way;
    bool endpoints;
    const struct flow_engine *engine; /* of betweenness_request, with its GPU */
    int device;
    const struct solver_variant *variant; /* that finds distances for the proof; NULL: no proof */
    int threads;                          /* 0: one per core */
    struct progress *progress;            /* may be NULL */
};

/* Report on what was done. */
struct measured_how {
    struct betweenness_proof proof;
    double seconds, proof_seconds;
    const char *not_classes; /* why classes were not taken although they were asked for, or NULL */
};

/* Finds the betweenness of vertices and edges. Statuses are those of betweenness_find and
 * betweenness_prove. The caller frees with measured_flows_free, also after a failure. */
enum status measured_flows_find(const struct measured_request *request,
                                struct measured_flows *flows, struct measured_how *how,
                                struct error *err);

/* Finds what it would do and take, without the proof; plan->memory has that of what is found. */
enum status measured_flows_plan(const struct measured_request *request,
                                struct betweenness_plan *plan, struct error *err);

/* Returns how many bytes that takes at most by searches. */
uint64_t measured_flows_memory(int32_t n, int64_t m, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void measured_flows_free(struct measured_flows *flows);

#endif
