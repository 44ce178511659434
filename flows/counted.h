// SPDX-License-Identifier: MIT
/* Elimination with path counts.
 *
 * Each entry of the eliminated graph has a length and a path count: the number of shortest paths of
 * the original graph, through lower positions, that the entry replaces. A shorter path replaces a
 * longer one, and paths of equal length add their counts. Every shortest path of a pair is counted
 * once: from the source it climbs over those of its vertices that are higher than all before them,
 * and then descends over those that are higher than all after them.
 *
 * The flow over an edge is a derivative: that of the sum over all pairs of the logarithm of the
 * path count, by the logarithm of the edge's multiplicity. So the elimination, run backwards, hands
 * flow on entries to the edges, as reverse-mode differentiation does (Baur and Strassen 1983). */
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
    double *up, *down; /* lengths by entry, up from its position and down to it, in the units of
                          int32 weights or in spacings; infinite: there is no path */
    double *up_paths, *down_paths; /* path counts by entry, 0 if there is no path */
};

/* Eliminates all vertices of a graph whose weights are above 0, and finds the lengths of entries
 * but not their path counts. Sets *pays to false, and nothing else, if elimination cannot pay. The
 * caller frees with counted_free. STATUS_NO_RESOURCE if there is not enough memory,
 * STATUS_CANCELLED if progress says to stop. */
enum status counted_eliminate(const struct graph *g, const struct whole_options *options,
                              struct progress *progress, struct counted *c, bool *pays,
                              struct error *err);
#ifndef LENGTH_F64
/* The same for a graph on a grid. */
enum status counted_eliminate_f64(const struct graph *g, const struct whole_options *options,
                                  struct progress *progress, struct counted *c, bool *pays,
                                  struct error *err);
#endif

/* Finds the path counts, on up to `threads` threads. Sets *fits to whether all are at most `most`.
 * O(m + the sum over positions of the square of the number of entries), as counted_share. */
enum status counted_number(const struct graph *g, double most, int threads, enum isa isa,
                           struct counted *c, bool *fits, struct error *err);

/* Shares the flow on entries out among the graph's edges, on up to `threads` threads: adds to
 * edge[e] the flow over edge e. Changes up_flow and down_flow. */
enum status counted_share(const struct graph *g, const struct counted *c, int threads, enum isa isa,
                          double *up_flow, double *down_flow, double *edge, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void counted_free(struct counted *c);

#endif
