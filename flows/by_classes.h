// SPDX-License-Identifier: MIT
/* Betweenness by elimination and classes of rows (counted.h, class_flows.h). */
#ifndef FLOWS_BY_CLASSES_H
#define FLOWS_BY_CLASSES_H

#include "common/base/isa.h"   // enum isa
#include "flows/betweenness.h" // struct betweenness_request, struct betweenness_plan

/* Decides whether classes are taken, as plan->way, and finds what else *plan says of them; all but
 * its searches_s and, if these are taken, its memory. plan->searches_s has been set. Classes are
 * taken unless this is not predicted to take less than that, or a path count is beyond float64; an
 * infinite searches_s means no other way. Then, unless `edge` is NULL:
 * finds the flow over each edge (edge, m), the flow that ends at each vertex (ends, n) and that
 * which begins there (begins, n) for request->graph. Its weights are above 0, and those of type
 * float64 on a grid. The arrays are the caller's, and zeroed; they have garbage if it fails and if
 * searches are to be taken. Fails as betweenness_find. */
enum status betweenness_by_classes(const struct betweenness_request *request, enum isa isa,
                                   struct betweenness_plan *plan, double *edge, double *ends,
                                   double *begins, struct error *err);

#endif
