// SPDX-License-Identifier: MIT
/* Finds the features of a graph (solve/features.h) that the models look at. */
#ifndef ENGINES_FIND_FEATURES_H
#define ENGINES_FIND_FEATURES_H

#include "common/graph/graph.h" // struct graph
#include "common/graph/limit.h" // NO_LIMIT
#include "solve/features.h"     // struct features

/* Fills *features with n, m, type, grid, least and greatest weight, steps, degree and reach of g,
 * with the number of edges to the farthest vertex met as hops, and all others with 0. O(n + m), and
 * less if few vertices and edges are enough. A source that reaches a twentieth of all vertices
 * counts as reaching all. Up to FEATURES_THREADS of the threads take up to FEATURES_MEMORY bytes
 * for each vertex together; STATUS_NO_RESOURCE if they cannot have them. The features do not depend
 * on the number of threads. */
enum { FEATURES_MEMORY = 2 * sizeof(int32_t), FEATURES_THREADS = 16 };
enum status features_look_at_structure(const struct graph *g, int threads,
                                       struct features *features, struct error *err);

/* Like features_look_at_structure, for g with weights >= 0; looks at few edges in most graphs. The
 * features are neither bounded (unless weights are real) nor deep. STATUS_NO_RESOURCE, here and
 * below, if there is no memory. */
enum status features_look(const struct graph *g, int threads, struct features *features,
                          struct error *err);

/* Finds whether features are narrow, unless they are bounded already, and makes them bounded.
 * O(n + m). */
void features_look_at_lengths(const struct graph *g, struct features *features);

/* Finds hops and the longest distance by a few searches and makes features deep, unless they are
 * deep already, or wide. O((n + m) log n) for each search, on up to `threads` >= 1 threads; the
 * features do not depend on the number of threads. */
enum status features_look_deep(const struct graph *g, int threads, struct features *features,
                               struct error *err);

/* Like features_look_at_structure, if reduced weights need 64 bits: features are wide. g is the
 * graph as it was read. O(n + m). */
enum status features_look_wide(const struct graph *g, int threads, struct features *features,
                               struct error *err);

/* Finds all features that models of the CPU ask for, of any graph as it will be solved (solve.h),
 * without solving anything. The depth, which only searches by levels and models of GPUs ask for
 * (features_look_deep), is found where levels may be searched, in small graphs, where it costs
 * next to nothing, and in graphs with weights below 0. These weights count as 0, which is what the
 * edges of shortest paths weigh once potentials have made weights non-negative; the other weights
 * suggest whether that needs 64 bits, and a negative cycle is not found. */
enum status features_look_at_any(const struct graph *g, int threads, struct features *features,
                                 struct error *err);

/* Returns the features with every value that is not yet known replaced by the worst for all
 * models. */
struct features features_at_worst(const struct features *features);

/* Sets how many vertices of g a vertex reaches within the limit, by a few searches, and whether
 * distances within it are short. Does nothing without a limit. `sources` rows will be asked for: no
 * more searches are made. STATUS_NO_RESOURCE if there is no memory. */
enum status features_limit(const struct graph *g, double limit, int32_t sources,
                           struct features *features, struct error *err);

#endif
