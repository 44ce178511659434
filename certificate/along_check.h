// SPDX-License-Identifier: MIT
/* Proves sums of columns along shortest paths. With D the proved distances of a row, and an edge
 * u -> v tight if D[u] + W(u, v) = D[v] (certificate.h), which are the edges of shortest paths, the
 * sums S are vectors of a number for each column, ordered by the first number that differs:
 *  (a) S is 0 at the source, and infinite where D is and nowhere else.
 *  (b) Over tight edges with S[u] + C(u, v) = S[v] the source leads to every vertex that it
 * reaches. (c) S[v] <= S[u] + C(u, v) for every tight edge. By (b), S[v] is what the columns add up
 * to along one shortest path, from left to right. By (c), added up along any shortest path, no
 * other has a smaller sum of the first column, since rounding keeps the order of sums; where sums
 * are exact, none has smaller sums in this order.
 *
 * If sums are wanted for some vertices only, (a) demands sums of the wanted vertices alone, and (c)
 * also demands that u has a sum if v has one, so that all shortest paths to v are compared. */
#ifndef CERTIFICATE_ALONG_CHECK_H
#define CERTIFICATE_ALONG_CHECK_H

#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/graph/graph.h"        // struct graph

/* Checks the sums of the row of `source`, sum[c * n + v] for column c and vertex v, against its
 * distances, infinite if there is no path. It checks the vertices to[0 .. count - 1], or all
 * vertices if `to` is NULL. `order` and `seen` are scratch of n cells each. Returns STATUS_REFUTED,
 * with the reason in err, if a sum is wrong. */
enum status along_check(const struct graph *g, const struct edge_columns *columns, int32_t source,
                        const double *dist, const double *sum, const int32_t *to, int64_t count,
                        int32_t *order, uint8_t *seen, struct error *err);

#endif
