// SPDX-License-Identifier: MIT
/* Proves the conditions of certificate.h for one row of distances by one pass over the edges. For
 * one row this is faster than a certificate, which first reverses all edges. */
#ifndef CERTIFICATE_LONE_ROW_H
#define CERTIFICATE_LONE_ROW_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

struct graph; /* common/graph/graph.h */

/* Stores whether dist[v] is the distance from `source` to each vertex v of an int32 graph, INF if
 * there is no path. For a graph with weights of 0 or less, zones or another semiring than
 * min-plus *proved is false. STATUS_NO_RESOURCE if there is not enough memory. */
enum status lone_row_prove(const struct graph *g, int32_t source, const int32_t *dist, bool *proved,
                           struct error *err);

#endif
