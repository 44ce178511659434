// SPDX-License-Identifier: MIT
/* Bellman-Ford with subtree disassembly: distances from a source that has an edge of weight 0 to
 * every vertex; weights may be negative. A queue holds the vertices whose distance has become
 * shorter. When a vertex becomes nearer, its descendants in the tree of paths leave the queue,
 * because shorter paths will reach them again. (Tarjan 1981; "BFCT" of Cherkassky and Goldberg
 * 1999, who found no other algorithm to be as fast on as many graphs.) */
#ifndef SOLVE_BELLMAN_FORD_H
#define SOLVE_BELLMAN_FORD_H

#include "common/graph/graph.h" // struct graph
#include "solve/edge_watch.h"   // struct edge_watch

#include <stdbool.h>

struct bellman_ford {
    const struct graph *g;
    int64_t *distance; /* n: length of the shortest path found so far to each vertex */
    int32_t *parent;   /* n: predecessor of each vertex on that path; -1: the source */
    /* Bound on the number of steps, after which the search gives up. A step relaxes one edge or
     * takes one vertex from the queue. The worst case would be n m steps. */
    int64_t most;
    struct edge_watch *watch;
    bool gave_up;         /* the search stopped at `most` steps; distances may be too long */
    int32_t cycle_vertex; /* a vertex on a negative cycle that `parent` contains */
};

/* Fills distance and parent and sets gave_up and cycle_vertex. Returns STATUS_OK, also if the
 * search gave up, or STATUS_NEGATIVE_CYCLE, without a message. The result depends on nothing but g
 * and `most`. */
enum status bellman_ford_find(struct bellman_ford *find, struct error *err);

#endif
