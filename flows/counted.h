// SPDX-License-Identifier: MIT
/* Elimination with path counts.
 *
 * Each entry of the eliminated graph has a length and a path count: the number of shortest paths of
 * the original graph, through lower positions, that the entry replaces. A shorter path replaces a
 * longer one, and paths of equal length add their counts. Every shortest path of a pair is counted
 * once: as entries that climb from the source over the path's vertices that are higher than all
 * before them, and then descend over the vertices that are higher than all after them.
 *
 * The flow over an edge is a derivative: take the sum of the logarithms of the path counts of all
 * pairs, and derive it by the logarithm of the edge's multiplicity. So the elimination, run
 * backwards, passes flow from entries to edges, as reverse-mode differentiation does (Baur and
 * Strassen 1983). */
#ifndef FLOWS_COUNTED_H
#define FLOWS_COUNTED_H

#include "common/base/isa.h"      // enum isa
#include "common/base/length.h"   // BY_LENGTH
#include "common/base/progress.h" // struct progress
#include "elimination/whole.h"    // struct whole_options, struct tree, struct structure

#define counted_eliminate BY_LENGTH(counted_eliminate)

struct counted {
    struct tree tree;
    struct structure structure;
    double *up, *down;             /* lengths by entry, from its lower position up and back down, in
                                      units of int32 weights or in spacings; infinite: no path */
    double *up_paths, *down_paths; /* path counts by entry; 0: no path */
};

/* Eliminates all vertices of a graph whose weights are above 0, and finds the lengths of entries
 * but not their path counts. Sets *pays to false, and nothing else, if elimination cannot pay. The
 * caller frees *c with counted_free. STATUS_NO_RESOURCE if there is not enough memory,
 * STATUS_CANCELLED if progress says to stop. */
enum status counted_eliminate(const struct graph *g, const struct whole_options *options,
                              struct progress *progress, struct counted *c, bool *pays,
                              struct error *err);
#ifndef LENGTH_F64
/* Does as counted_eliminate for a graph on a grid. */
enum status counted_eliminate_f64(const struct graph *g, const struct whole_options *options,
                                  struct progress *progress, struct counted *c, bool *pays,
                                  struct error *err);
#endif

/* Finds the path counts, on up to `threads` threads. *fits: all are at most `most`. Takes O(m + the
 * sum over positions of the square of the number of entries), as does counted_share. */
enum status counted_number(const struct graph *g, double most, int threads, enum isa isa,
                           struct counted *c, bool *fits, struct error *err);

/* Divides the flow on entries among the graph's edges, on up to `threads` threads: adds to edge[e]
 * the flow over edge e. Changes up_flow and down_flow. */
enum status counted_share(const struct graph *g, const struct counted *c, int threads, enum isa isa,
                          double *up_flow, double *down_flow, double *edge, struct error *err);

/* Finds the lowest position in the subtree of each position, tree->n entries: a subtree is
 * lowest[at]
 * .. at. */
void counted_lowest(const struct tree *tree, int32_t *lowest);

/* Frees *c and zeroes it; safe on a zeroed struct. */
void counted_free(struct counted *c);

#endif
