// SPDX-License-Identifier: MIT
/* Distances that do not fit. With non-negative weights every solver computes min(d, INF) exactly,
 * so a distance of INF or more comes out as "no path". The functions here find out whether that
 * happened. */
#ifndef SOLVE_RANGE_H
#define SOLVE_RANGE_H

#include "common/base/isa.h"        // enum isa
#include "common/base/progress.h"   // struct progress
#include "common/graph/graph.h"     // struct graph, struct matrix
#include "common/graph/row_block.h" // struct row_block

#include <stdbool.h>

/* Returns whether no distance of the graph (weights >= 0) can reach the limit: a path enters each
 * of its vertices once, so the heaviest in-edges of all vertices but one bound every distance.
 * False means that this bound does not tell. O(m), on up to `threads` threads, or
 * threads_or_default(0). */
bool range_is_below(const struct graph *g, int32_t limit, int threads);

static inline bool range_is_safe(const struct graph *g, int threads) {
    return range_is_below(g, INF, threads);
}

/* Finds out after a solve whether a distance was cut off because it is `limit` or more. Such a cell
 * is INF in dist, and all others are exact; `largest` is the largest that is not INF, 0 if there is
 * none. On a path whose length reaches the limit, some edge leads from the last vertex with a
 * finite distance to one given as unreachable, and bridges the gap from the largest finite distance
 * to the limit. If no edge is heavy enough for that, no distance was cut off; otherwise the search
 * takes O(rows m / 64). Weights >= 0. Row p of dist belongs to the source at position p. Stores a
 * pair whose distance was cut off, the same with any number of threads, in *from and *to, or -1 in
 * both if there is none. If progress says to stop, nothing is found out. */
enum status range_find_cut(const struct graph *g, const struct row_sources *sources,
                           const struct matrix *dist, int32_t largest, int32_t limit, int threads,
                           const struct progress *progress, int32_t *from, int32_t *to,
                           struct error *err);

/* Returns the bytes that range_find_cut takes at most. */
uint64_t range_memory(int32_t n, int threads);

/* Finds out for one block of a solver's rows whether a distance was cut off at INF. Stores the row
 * and the vertex of such a distance, or -1 in both. reached: n numbers of scratch. */
void range_find_cut_in(const struct graph *g, const struct row_block *block, enum isa isa,
                       uint64_t *reached, int32_t *row, int32_t *to);

/* The end of a message about a distance that does not fit. */
#define RANGE_ADVICE "; as int64 (--type int64), distances are exact up to 2^53"

/* Marks the error as one about a distance that does not fit; returns its status. */
static inline enum status range_refused(enum status status, struct error *err) {
    err->is_out_of_range = true;
    return status;
}

/* Fails with STATUS_BAD_INPUT and a message on a pair whose distance was cut off. reweighted: g is
 * a graph that potentials made non-negative, and its distances are not those of the graph that the
 * caller knows. */
enum status range_refuse(const struct graph *g, int32_t from, int32_t to, bool reweighted,
                         struct error *err);

#endif
