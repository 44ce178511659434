// SPDX-License-Identifier: MIT
/* Betweenness by elimination and classes of rows (counted.h, class_flows.h). */
#ifndef FLOWS_BY_CLASSES_H
#define FLOWS_BY_CLASSES_H

#include "common/base/isa.h"   // enum isa
#include "flows/betweenness.h" // struct betweenness_request

/* Finds the flow over each edge of request->graph, whose weights are above 0 and, of type float64,
 * on a grid; and of each vertex the pairs that end there and those that begin there. *done: whether
 * that is predicted to take less than `other_s` seconds, and was done. Arrays are the caller's, n
 * and m long, and zeroed. Fails as betweenness_find. */
enum status betweenness_by_classes(const struct betweenness_request *request, double other_s,
                                   enum isa isa, double *edge, double *ends, double *begins,
                                   bool *done, struct error *err);

#endif
