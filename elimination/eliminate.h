// SPDX-License-Identifier: MIT
/* Numeric elimination over (min, +): Gaussian elimination of a graph's vertices, which keeps the
 * distances among those that remain. For each position j upwards and each two of its higher
 * neighbours a and b, a path a -> j -> b may shorten the edge a -> b. */
#ifndef ELIMINATION_ELIMINATE_H
#define ELIMINATION_ELIMINATE_H

#include "common/base/isa.h"      // enum isa
#include "common/base/progress.h" // struct progress
#include "elimination/symbolic.h" // struct tree, struct structure

#include <stdbool.h>

/* Of each entry e of the structure, which joins a position v and one above it: the length of a
 * shortest path from v up to it, and from it down to v, through positions below v only; INF if
 * there is none. Between two vertices of the core: through the fringe only. */
struct lengths {
    int32_t *up, *down;
};

/* Eliminates the fringe of g on up to `threads` >= 1 threads, which take subtrees. Lengths of INF
 * or more become INF; the result does not depend on the number of threads. Weights may be below 0
 * if eliminate_takes() says so: STATUS_NEGATIVE_CYCLE if there is a negative cycle outside the
 * core. The work is the sum of the squares of the fringe's counts. If progress says to stop, the
 * lengths are garbage. The caller frees them with lengths_free. */
enum status eliminate(const struct graph *g, const struct tree *tree,
                      const struct structure *structure, int threads, enum isa isa,
                      const struct progress *progress, struct lengths *lengths, struct error *err);

/* Returns whether all weights of g are >= 0, or all paths so short that no sum of four of their
 * lengths is taken for INF. */
bool eliminate_takes(const struct graph *g);

/* Safe on a zeroed struct; leaves it zeroed. */
void lengths_free(struct lengths *lengths);

#endif
