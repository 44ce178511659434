// SPDX-License-Identifier: MIT
/* Betweenness by elimination (counted.h), and then classes of rows (class_flows.h) or sweeps
 * (swept_flows.h). */
#ifndef FLOWS_BY_ELIMINATION_H
#define FLOWS_BY_ELIMINATION_H

#include "common/base/isa.h"   // enum isa
#include "flows/betweenness.h" // struct betweenness_request, struct betweenness_plan

/* Decides whether classes or sweeps are used, and sets plan->way. Sets all fields of *plan except
 * searches_s, which the caller has set; `memory` only if one of these is used. They are not if they
 * are not predicted to take less than searches_s or if a path count is beyond float64. searches_s
 * infinite: searches are no choice.
 *
 * Unless `edge` is NULL and if one of them is used, finds for request->graph the flow over each
 * edge (edge, m entries), the flow that ends at each vertex (ends, n entries) and the flow that
 * begins at each vertex (begins, n entries). If the request has trips, it also sets all fields of
 * *totals but `length`. The weights must be above 0, and those of type float64 on a grid. The
 * caller zeroes the arrays; they hold garbage after a failure and if searches are to be used. Fails
 * as betweenness_find. */
enum status betweenness_by_elimination(const struct betweenness_request *request, enum isa isa,
                                       struct betweenness_plan *plan, double *edge, double *ends,
                                       double *begins, struct trip_totals *totals,
                                       struct error *err);

#endif
