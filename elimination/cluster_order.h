// SPDX-License-Identifier: MIT
/* An order of elimination by approximate minimum degree on all threads.
 *
 * The graph falls into clusters (clusters.h). The vertices of a cluster that have neighbours in
 * clusters of higher numbers are held back; then nothing joins what is left of two clusters, and
 * each thread orders clusters by itself, by order.h, as if what is held back had many neighbours.
 * Only the vertices that have up to a dozen higher neighbours in such an order are eliminated by
 * it: the fill depends on how the other vertices interleave with those of other clusters. One order
 * of all vertices that are left, a twentieth of a road network, comes last. The fill differs from
 * that of order.h by a few hundredths. */
#ifndef ELIMINATION_CLUSTER_ORDER_H
#define ELIMINATION_CLUSTER_ORDER_H

#include "elimination/pattern.h" // struct pattern

#include <stdbool.h>

/* Returns whether a graph of n vertices is large enough to fall into clusters. */
bool cluster_order_can_pay(int32_t n);

/* Fills vertex[0 .. n-1], vertex[0] being eliminated first, and stores the runs of the order that
 * are of one cluster each: (*first)[c] .. (*first)[c + 1] - 1 are positions of cluster c, for 0 <=
 * c < *clusters, and the positions from (*first)[*clusters] on are of no cluster. The caller frees
 * *first with memory_free. *clusters is 0, *first NULL, and `vertex` garbage, if the graph does not
 * fall into clusters. Equal patterns give equal orders, on any number of threads >= 1. It must not
 * be called in a parallel region. STATUS_NO_RESOURCE if there is not enough memory, or if this
 * build has no AMD.
 */
enum status cluster_order_find(const struct pattern *pattern, int threads, int32_t *vertex,
                               int32_t *clusters, int32_t **first, struct error *err);

/* Returns how many bytes cluster_order_find takes at most. */
uint64_t cluster_order_memory(int32_t n, int64_t entries);

#endif
