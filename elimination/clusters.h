// SPDX-License-Identifier: MIT
/* Clusters: the vertices of a graph in sets of like size with few edges between them, so that
 * threads can work on each by itself.
 *
 * Vertices are merged along edges until a few dozen are left for each cluster, all threads at a
 * time, and the merged graph is parted by separators (separator.h). Each vertex of a separator goes
 * to the side to which more of its edges lead. */
#ifndef ELIMINATION_CLUSTERS_H
#define ELIMINATION_CLUSTERS_H

#include "elimination/pattern.h" // struct pattern

/* Stores the cluster of each vertex, cluster[0 .. n-1], and the number of clusters. Clusters have
 * up to about `largest` >= 1 vertices, so far as the graph has small separators; *clusters is 0,
 * and `cluster` garbage, if it does not fall into clusters in this way: merging leaves too much, as
 * it does of stars. Equal patterns give equal clusters, on any number of threads >= 1, but for the
 * order of threads that the caller is in: it must not be called in a parallel region. O(entries + n
 * log n). STATUS_NO_RESOURCE if there is not enough memory. */
enum status clusters_find(const struct pattern *pattern, int32_t largest, int threads,
                          int32_t *cluster, int32_t *clusters, struct error *err);

/* Returns how many bytes clusters_find takes at most. */
uint64_t clusters_memory(int32_t n, int64_t entries);

#endif
