// SPDX-License-Identifier: MIT
/* Zero-weight cycles. A cycle of weight zero is legal, but solvers that treat
 * many k at once can leave predecessors that run round it for ever: every edge
 * is tight, and none leads to the source. So the vertices of each strongly
 * connected component of the zero-weight edges, which all have the same
 * distances, are contracted into one before solving, and expanded after it.
 *
 * What a solver gets in return: in a graph without zero-weight cycles, any
 * predecessors whose edges are tight (D[i][p] + w(p, j) = D[i][j]) form a tree,
 * because a cycle of tight edges would weigh zero. No solver needs to care how
 * ties are broken. */
#ifndef COMMON_SOLVE_ZERO_CYCLES_H
#define COMMON_SOLVE_ZERO_CYCLES_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, struct edge, struct matrix

struct contraction {
    struct graph quotient; /* one vertex for each component; n = 0 where nothing is contracted */
    int32_t *component;    /* of each vertex; component[v] <= v */
    int32_t *hub;          /* of each component, one of its vertices */
    int32_t *from_hub;     /* v's predecessor on a zero-weight path from its hub; -1 at the hub */
    int32_t *to_hub;       /* v's successor on a zero-weight path to its hub; -1 at the hub */
    struct edge *crossing; /* of each edge of the quotient, the edge of the graph behind it */
    int64_t *entered_by;   /* scratch of contraction_expand: an edge of the quotient for each of its
                              vertices */
};

/* Contracts the zero-weight cycles of g, whose weights are >= 0. The common
 * case of none costs O(n + m) where there are zero weights and nothing where
 * there are not. STATUS_CANCELLED where progress says to stop. The caller frees with
 * contraction_free. */
enum status contraction_find(const struct graph *g, struct contraction *c,
                             const struct progress *progress, struct error *err);

/* Bytes that it takes where it finds no such cycle, of which it keeps none. */
uint64_t contraction_memory(int32_t n);

/* Turns the solution of the quotient, which stands in the first quotient.n rows
 * and columns of dist and pred (NULL: none), into that of g, in place. Both
 * matrices have room for g->n rows and columns; dist->n and pred->n are g->n.
 * Where progress says to stop, they are garbage. */
void contraction_expand(const struct contraction *c, struct matrix *dist, struct matrix *pred,
                        const struct progress *progress);

/* Safe on a zeroed struct; leaves it zeroed. */
void contraction_free(struct contraction *c);

#endif
