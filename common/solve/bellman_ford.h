// SPDX-License-Identifier: MIT
/* Distances where edges may weigh less than 0, from a source with an edge of weight 0 to every
 * vertex: a queue of vertices whose distance has become shorter (Bellman-Ford), from which is taken
 * what hangs, in the tree of paths, below a vertex that has become nearer, because it will be
 * reached again by a shorter path. (Tarjan 1981; "BFCT" of Cherkassky and Goldberg 1999, who found
 * no other to be as fast on as many graphs.) */
#ifndef COMMON_SOLVE_BELLMAN_FORD_H
#define COMMON_SOLVE_BELLMAN_FORD_H

#include "common/graph/graph.h"      // struct graph
#include "common/solve/edge_watch.h" // struct edge_watch

#include <stdbool.h>

struct bellman_ford {
    const struct graph *g;
    int64_t *distance; /* n */
    int32_t *parent;   /* n: on the paths, -1 where the source is */
    /* Edges, and vertices taken from the queue, after which it gives up: at worst there would be
     * n m of them. */
    int64_t most;
    struct edge_watch *watch;
    bool gave_up;         /* distances are too long then */
    int32_t cycle_vertex; /* a vertex on a negative cycle of parents */
};

/* Sets what the last four lines of the struct are for. STATUS_OK, also where it gave up;
 * STATUS_NEGATIVE_CYCLE, without a message. Depends on nothing but g and `most`. */
enum status bellman_ford_find(struct bellman_ford *find, struct error *err);

#endif
