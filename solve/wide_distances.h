// SPDX-License-Identifier: MIT
/* Integer weights with distances beyond int32: they are solved as an integral graph of float64
 * (struct graph), which represents all integers below 2^53. */
#ifndef SOLVE_WIDE_DISTANCES_H
#define SOLVE_WIDE_DISTANCES_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_sink, struct row_sources

/* Finds whether a distance from the sources is certainly INF or more in an int32 graph: by
 * Dijkstra's algorithm from the first source and, if all are wanted, from the vertex that is
 * farthest from it, unless a breadth-first search finds short paths from the first
 * (fewest_edges.h). *wide may be false although a distance is that long, and is false for weights
 * below 0: then a solve finds out. O(m) where weights make long distances unlikely. */
enum status wide_distances_find(const struct graph *g, const struct row_sources *sources,
                                int threads, bool *wide, struct error *err);

/* Returns whether a solve of an int32 graph that was refused because a distance does not fit may
 * succeed for the same graph of float64: unless a bound shows that all distances fit and only the
 * engine takes less. */
bool wide_distances_may_help(const struct graph *g);

/* Returns whether distances of an integral graph up to a limit may be 2^53 or more, so that they
 * must be checked. */
bool wide_distances_may_round(const struct graph *g, double limit);

/* A sink that hands on rows of integers below 2^53, none of whose sums was rounded. It refuses
 * larger distances with STATUS_BAD_INPUT. */
struct integer_sink {
    struct row_tee tee;    /* hands rows to `check` and then on; engines get the sink in it */
    struct row_sink check; /* checks distances */
    const struct graph *graph;
};

/* Makes a sink that hands rows of g to another sink, which belongs to the caller. */
void integer_sink_begin(struct integer_sink *sink, const struct graph *g, struct row_sink *to);

/* Returns STATUS_BAD_INPUT if one of n distances from a source or, if `backward`, to the source is
 * finite and not below 2^53. */
enum status wide_distances_check(const struct graph *g, int32_t source, bool backward,
                                 const double *dist, int32_t n, struct error *err);

#endif
