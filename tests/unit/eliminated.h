// SPDX-License-Identifier: MIT
/* Graphs that are eliminated whole, and the totals of their rows. */
#ifndef TESTS_UNIT_ELIMINATED_H
#define TESTS_UNIT_ELIMINATED_H

#include "classes/proportional.h"   // struct proportional_graph
#include "common/graph/row_block.h" // struct row_totals
#include "elimination/dissection.h" // struct dissection
#include "tests/unit/support.h"

/* One elimination, and the distances of the graph and of its reverse. */
struct eliminated {
    struct dissection d;
    struct graph graph[2]; /* of the first one's arrays, the caller's */
    struct matrix dist[2];
};

/* The caller ends it, and keeps g until then. */
void eliminated_begin(struct eliminated *e, const struct graph *g);
void eliminated_end(struct eliminated *e);

/* The same of a graph that the reference takes too long for: its distances come from sweeps, a row
 * at a time. Those of its reverse are missing. */
void eliminated_begin_large(struct eliminated *e, const struct graph *g);

struct proportional_graph eliminated_graph(const struct eliminated *e, bool reversed);

/* Stores every `apart`th position, `source` has room for all, and returns how many. */
int32_t some_positions(int32_t n, int32_t apart, int32_t *source);

/* Returns whether totals are those of the rows from `count` positions. */
bool totals_are(const struct eliminated *e, bool reversed, const int32_t *source, int32_t count,
                const struct row_totals *out);

/* A path with a shortcut at every `every`th vertex. */
struct graph long_path(int32_t n, int32_t every);

#endif
