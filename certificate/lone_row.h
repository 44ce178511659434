// SPDX-License-Identifier: MIT
/* The proof of one row of distances, the conditions of certificate.h, by one pass over the edges:
 * sooner than a certificate, which first turns all edges round for many rows. */
#ifndef CERTIFICATE_LONE_ROW_H
#define CERTIFICATE_LONE_ROW_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stdint.h>

struct graph; /* common/graph/graph.h */

/* Stores whether dist[v] is the distance from `source` to each vertex v of an int32 graph, INF if
 * there is no path. Of a graph with weights of 0 or less, zones or another semiring than min-plus
 * it does not prove any row. STATUS_NO_RESOURCE if there is not enough memory. */
enum status lone_row_prove(const struct graph *g, int32_t source, const int32_t *dist, bool *proved,
                           struct error *err);

#endif
