// SPDX-License-Identifier: MIT
/* The flow of all shortest paths up and down the entries of an eliminated graph, from some sources
 * at a time: labels climb from the sources to the root and sweep down over all positions, and flow
 * goes back the same way. Unlike classes of rows (class_flows.h), this takes time for each source,
 * but the same sweep finds the flow in both directions, so that it pays for few sources. */
#ifndef FLOWS_SWEPT_FLOWS_H
#define FLOWS_SWEPT_FLOWS_H

#include "flows/class_flows.h" // struct class_flows_request, struct class_flows_cost

/* Predicts the cost of swept_flows_find(), which uses no more threads than fit into memory.
 * seconds: infinite if there is not enough memory for one thread. */
struct class_flows_cost swept_flows_predict(const struct class_flows_request *r);

/* Adds to down[e] and up[e] the flow down and up entry e, as class_flows_engine.find() defines it,
 * to ends[v] the flow that ends at position v and to begins[v] the flow that begins there. The
 * result, to the bit, does not depend on the number of threads. Progress counts sources.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop; the
 * arrays are garbage then. */
enum status swept_flows_find(const struct class_flows_request *r, double *down, double *up,
                             double *ends, double *begins, struct error *err);

#endif
