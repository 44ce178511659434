// SPDX-License-Identifier: MIT
/* Betweenness by elimination and classes of rows (counted.h, class_flows.h). */
#ifndef FLOWS_BY_CLASSES_H
#define FLOWS_BY_CLASSES_H

#include "common/base/isa.h"   // enum isa
#include "flows/betweenness.h" // struct betweenness_request

/* Finds the flow over each edge (edge, m), the flow that ends at each vertex (ends, n) and that
 * which begins there (begins, n) for request->graph. Its weights are above 0, and those of type
 * float64 on a grid. The arrays are the caller's, and zeroed. Sets *on_gpu if request->engine found
 * the flow. Sets *done to false, and leaves garbage in the arrays, if it fails, if this is not
 * predicted to take less than `other_s` seconds, or if a path count is beyond float64. An infinite
 * other_s means no other way. Fails as betweenness_find. */
enum status betweenness_by_classes(const struct betweenness_request *request, double other_s,
                                   enum isa isa, double *edge, double *ends, double *begins,
                                   bool *on_gpu, bool *done, struct error *err);

#endif
