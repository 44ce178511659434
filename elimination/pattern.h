// SPDX-License-Identifier: MIT
/* The undirected pattern of a graph: which vertices share an edge, in either direction. */
#ifndef ELIMINATION_PATTERN_H
#define ELIMINATION_PATTERN_H

#include "common/base/error.h"  // enum status, struct error
#include "common/graph/graph.h" // struct graph

#include <stdint.h>

/* The neighbours of vertex v are neighbour[first[v]] .. neighbour[first[v + 1] - 1], ascending,
 * without v. Each edge between two vertices appears at both. */
struct pattern {
    int32_t n;
    int64_t *first;     /* n + 1 entries: index in neighbour at which each vertex's neighbours
                           begin */
    int32_t *neighbour; /* first[n] entries */
};

/* Finds the pattern of g in O(n + m log degree), on up to `threads` >= 1 threads; it uses fewer
 * where more do not pay, and the pattern does not depend on them. The caller frees it with
 * pattern_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status pattern_find(const struct graph *g, int threads, struct pattern *pattern,
                         struct error *err);

/* Returns the largest number of bytes that pattern_find takes, the pattern itself included. */
uint64_t pattern_memory(int32_t n, int64_t m);

/* Frees a pattern and zeroes the struct; safe on a zeroed struct. */
void pattern_free(struct pattern *pattern);

#endif
