// SPDX-License-Identifier: MIT
/* Finds the features of a graph (solve/features.h) that the models look at. */
#ifndef ENGINES_FIND_FEATURES_H
#define ENGINES_FIND_FEATURES_H

#include "common/graph/graph.h" // struct graph
#include "common/graph/limit.h" // NO_LIMIT
#include "solve/features.h"     // struct features

/* Fills *features with n, m, both weights, steps, degree and reach of g, with the edges to the
 * farthest vertex that is met as hops, and with 0 otherwise. O(n + m), and less if few vertices and
 * edges are enough to know. A source that reaches a twentieth of all vertices counts as
 * reaching all. Takes FEATURES_MEMORY bytes for each vertex;
 * STATUS_NO_RESOURCE if it cannot have them. */
enum { FEATURES_MEMORY = 2 * sizeof(int32_t) };
enum status features_look_at_structure(const struct graph *g, struct features *features,
                                       struct error *err);

/* Looks at g, whose weights are >= 0. O(n + m), and little of m in most graphs. The features are
 * neither bounded nor deep. STATUS_NO_RESOURCE if there is no memory, as of the other functions. */
enum status features_look(const struct graph *g, struct features *features, struct error *err);

/* Finds whether they are narrow, unless they are bounded already. O(n + m). */
void features_look_at_lengths(const struct graph *g, struct features *features);

/* Finds what deep features have, unless they are deep already, or wide. A few times
 * O((n + m) log n), on up to `threads` >= 1 threads; the features do not depend on how many. */
enum status features_look_deep(const struct graph *g, int threads, struct features *features,
                               struct error *err);

/* The same if reduced weights need 64 bits; g is the graph as it was read. O(n + m). */
enum status features_look_wide(const struct graph *g, struct features *features, struct error *err);

/* Finds all features of any graph, as it will be solved (solve.h), without solving anything.
 * Weights below 0 count as 0, which is what the edges of
 * shortest paths weigh once potentials have made weights non-negative; the other weights suggest
 * whether that needs 64 bits, and a negative cycle is not found. */
enum status features_look_at_any(const struct graph *g, int threads, struct features *features,
                                 struct error *err);

/* Returns the features with the worst, for every model, that a look might still find. */
struct features features_at_worst(const struct features *features);

/* Sets how many vertices of g a vertex reaches within the limit, by a few searches, and whether
 * distances within it are short. Does nothing without a limit. `sources` rows will be asked for: no
 * more searches are made. STATUS_NO_RESOURCE if there is no memory. */
enum status features_limit(const struct graph *g, double limit, int32_t sources,
                           struct features *features, struct error *err);

#endif
