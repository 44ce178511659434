// SPDX-License-Identifier: MIT
/* Numeric elimination over (min, +): Gaussian elimination of a graph's vertices, which keeps the
 * distances among those that remain. For each position j upwards and each two of its higher
 * neighbours a and b, a path a -> j -> b may shorten the edge a -> b. */
#ifndef ELIMINATION_ELIMINATE_H
#define ELIMINATION_ELIMINATE_H

#include "common/base/isa.h"      // enum isa
#include "common/base/length.h"   // length
#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph
#include "elimination/symbolic.h" // struct tree, struct structure

#include <stdbool.h>

#define eliminate       BY_LENGTH(eliminate)
#define eliminate_takes BY_LENGTH(eliminate_takes)
#define lengths_free    BY_LENGTH(lengths_free)
#define middles_free    BY_LENGTH(middles_free)

/* Lengths of shortest paths, for each entry e of the structure, which joins a position v and a
 * higher one: up[e] from v to the higher position, down[e] back to v, INF if there is no path.
 * Paths go through positions below v only; between two vertices of the core, through the fringe
 * only. */
struct lengths {
    path_length *up, *down;
};

/* Middles of the same entries: MIDDLE_EDGE if an edge of the graph is as short as the entry,
 * otherwise the lowest position by which two entries together are; undefined where there is no
 * path. */
struct middles {
    length_number *up, *down;
};

enum { MIDDLE_EDGE = -1 };

/* The length of edge e, at most LENGTH_INF; in float64 a number of the graph's spacings. */
static inline path_length edge_length(const struct graph *g, int64_t e) {
#ifdef LENGTH_F64
    return g->real_weight[e] / g->spacing;
#else
    return min_length(g->weight[e], INF);
#endif
}

/* Where an edge is among the entries of a structure: twice the entry's number, and one more if it
 * leads down from the higher position. */
typedef int64_t edge_entry;

/* Options for an elimination. */
struct elimination_options {
    int threads; /* number of threads, >= 1, that may take subtrees */
    enum isa isa;
    const struct progress *progress; /* if it says to stop, the results are garbage */
    const edge_entry *entry_of; /* by edge, m entries: where the edge is in the structure, for a
                                   graph without loops; NULL: the edges are looked for */
    bool is_symmetric;       /* each edge has a reverse edge of its length, and none is below 0; up
                                and down are one array then */
    struct middles *middles; /* middles are stored here, for the caller to free with middles_free;
                                NULL: they are not found */
};

/* Eliminates the fringe of g. Lengths of INF or more become INF; the result does not depend on the
 * number of threads. Weights may be below 0 if eliminate_takes() says so: STATUS_NEGATIVE_CYCLE if
 * there is a negative cycle outside the core. The work is the sum of the squares of the fringe's
 * counts. The caller frees the lengths with lengths_free; after a failure there are none, and no
 * middles. */
enum status eliminate(const struct graph *g, const struct tree *tree,
                      const struct structure *structure, const struct elimination_options *options,
                      struct lengths *lengths, struct error *err);

/* Returns whether eliminate() takes g: all weights are >= 0, or all paths are so short that no sum
 * of four of their lengths reaches INF. */
bool eliminate_takes(const struct graph *g);

/* Free the arrays and zero the struct; safe on a zeroed struct. */
void lengths_free(struct lengths *lengths);
void middles_free(struct middles *middles);

#endif
