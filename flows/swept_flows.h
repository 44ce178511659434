// SPDX-License-Identifier: MIT
/* The flow of all shortest paths up and down the entries of an eliminated graph, from some sources
 * at a time: labels climb from the sources to the root and sweep down over all positions, and flow
 * goes back the same way. Unlike classes of rows (class_flows.h), this takes time for each source,
 * but the same sweep finds the flow in both directions, so that it pays for few sources. */
#ifndef FLOWS_SWEPT_FLOWS_H
#define FLOWS_SWEPT_FLOWS_H

#include "flows/betweenness.h" // struct trip_totals
#include "flows/class_flows.h" // struct class_flows_request, struct class_flows_cost
#include "flows/trips.h"       // struct trips

struct swept_flows_request {
    struct class_flows_request by; /* with trips, from_mass is 1, to_mass is 0 and rate is 0 */
    const struct trips *trips;     /* trips from all sources to load; NULL: masses count */
};

/* Flows that are found. */
struct swept_flows_sums {
    double *down, *up;         /* flow down and up each entry */
    double *ends;              /* flow that ends at each position */
    double *begins;            /* flow that begins at each position */
    struct trip_totals totals; /* totals of trips, without `length`; 0 for masses */
};

/* Predicts the cost of swept_flows_find(), which uses no more threads than fit into memory.
 * seconds: infinite if there is not enough memory for one thread. */
struct class_flows_cost swept_flows_predict(const struct swept_flows_request *request);

/* Adds the flows, as class_flows_engine.find() defines them for masses, to *sums. The result, to
 * the bit, does not depend on the number of threads. Progress counts sources. STATUS_NO_RESOURCE if
 * there is not enough memory, STATUS_CANCELLED if progress says to stop; *sums is garbage then. */
enum status swept_flows_find(const struct swept_flows_request *request,
                             struct swept_flows_sums *sums, struct error *err);

#endif
