// SPDX-License-Identifier: MIT
/* An order of elimination by approximate minimum degree (Amestoy, Davis and Duff 1996) on all
 * threads, for a graph that is given as cliques and edges.
 *
 * Such a graph is a quotient graph: an eliminated vertex is an element, the clique of its
 * neighbours. In each round, threads eliminate vertices of low degree no two of which have a
 * neighbour in common, as Chang, Buluç and Demmel (2025) do. Of vertices whose neighbourhoods meet,
 * that of the lowest degree goes first, then the one that has changed last. */
#ifndef ELIMINATION_QUOTIENT_ORDER_H
#define ELIMINATION_QUOTIENT_ORDER_H

#include "common/base/error.h" // enum status, struct error

#include <stdint.h>

/* A graph of vertices 0 .. n - 1, two of which are joined if there is an edge between them, or if
 * both are members of the same clique. */
struct clique_graph {
    int32_t n;             /* number of vertices, at most INT32_MAX / 2 */
    int32_t cliques;       /* number of cliques, at most INT32_MAX - n */
    int64_t *first_member; /* cliques + 1 entries: the members of clique c are
                              member[first_member[c]] .. member[first_member[c + 1] - 1] */
    int32_t *member;       /* members of a clique are different vertices */
    int64_t *first_edge;   /* n + 1 entries: vertex v has edges to neighbour[first_edge[v]] ..
                              neighbour[first_edge[v + 1] - 1] */
    int32_t *neighbour;    /* both ends have an edge; no vertex has one to itself, or two to
                              another */
};

/* Frees the arrays of a graph that memory_alloc allocated; safe on a zeroed struct. */
void clique_graph_free(struct clique_graph *g);

/* Fills vertex[0 .. n-1]: vertex[0] is eliminated first. The order is nearly a postorder of its
 * elimination tree. Equal graphs give equal orders, on any number of threads >= 1. It must not be
 * called in a parallel region. STATUS_NO_RESOURCE if there is not enough memory. */
enum status quotient_order_find(const struct clique_graph *g, int threads, int32_t *vertex,
                                struct error *err);

#endif
