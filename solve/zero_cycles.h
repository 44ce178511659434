// SPDX-License-Identifier: MIT
/* Zero-weight cycles. A cycle of weight zero is legal, and its vertices have equal distances. But
 * every edge of it can be tight, so predecessors that are chosen one by one may run round the cycle
 * and never lead to the source.
 *
 * A cycle of tight edges weighs zero. So predecessors with tight edges (D[i][p] + w(p, j) =
 * D[i][j]) form a tree unless they run round inside a strongly connected component of the
 * zero-weight edges. Such predecessors are mended row by row: some member of the component has a
 * tight edge from outside, or is the source, and a search over the zero-weight edges from such
 * members reaches all others. */
#ifndef SOLVE_ZERO_CYCLES_H
#define SOLVE_ZERO_CYCLES_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

#ifdef __cplusplus
extern "C" {
#endif

/* The strongly connected components of the zero-weight edges that have two vertices or more. Their
 * vertices are called members, and numbered component by component, in ascending order. */
struct zero_cycles {
    /* number of components; 0: nothing has to be mended, and the rest is NULL */
    int32_t components;
    int32_t members;
    int32_t *first;  /* components + 1: members of component c are first[c] .. first[c+1]-1 */
    int32_t *vertex; /* members: vertex of each member */
    int32_t *member; /* n: number of each vertex as a member; -1: it is none */
    int64_t *inside; /* members + 1: index of the first zero-weight edge from each member within its
                        component */
    int32_t *inside_head; /* heads of the edges of `inside`, as numbers of members */
    /* The next three are NULL before zero_cycles_find_entries. */
    int64_t *entering; /* members + 1: index of the first edge into each member from outside its
                          component */
    /* tails, as vertices, and weights of the edges of `entering` */
    int32_t *entering_tail, *entering_weight;
};

/* Finds the components of g, whose weights are >= 0. O(n + m) if some weight is zero, O(1)
 * otherwise. Returns STATUS_CANCELLED if progress says to stop. The caller frees with
 * zero_cycles_free. */
enum status zero_cycles_find(const struct graph *g, struct zero_cycles *z,
                             const struct progress *progress, struct error *err);

/* Finds the edges that enter components, which zero_cycles_mend needs, unless there are no
 * components or it has been done before. O(n + m). STATUS_NO_RESOURCE if there is not enough
 * memory. */
enum status zero_cycles_find_entries(const struct graph *g, struct zero_cycles *z,
                                     struct error *err);

/* Returns how many bytes zero_cycles_find takes at most if it finds no such component; it frees all
 * of them. */
uint64_t zero_cycles_memory(int32_t n);

/* Makes the predecessors in one row, which have tight edges, lead to the source, whose own becomes
 * -1. zero_cycles_find_entries must have been called. dist: the row's distances; scratch: 2 *
 * z->members numbers of the calling thread. O(members + edges inside), and less for components in
 * which no predecessors run round. The result depends on dist and pred only. */
void zero_cycles_mend(const struct zero_cycles *z, int32_t source, const int32_t *dist,
                      int32_t *pred, int32_t *scratch);

/* A member in two trees of its component, whose root is the lowest vertex: a tree of shortest paths
 * of zero-weight edges to the root, and one from the root. They give predecessors without a search:
 * if a source is outside and its path enters the component at member e, each vertex after e on the
 * path from e to the root has the vertex before it as its predecessor, and all others have their
 * parents. */
struct zero_member {
    int32_t vertex;
    int32_t component;
    int32_t next;   /* the member that follows on the path to the root; -1: this is the root */
    int32_t parent; /* the vertex before this one on the path from the root; -1: this is the root */
};

/* Fills span[0 .. members - 1] component by component, in each by the length of the path to the
 * root, so that `next` is lower than the member's own number. The numbers of members in it are not
 * those in *z. O(members + edges inside). */
enum status zero_cycles_span(const struct zero_cycles *z, struct zero_member *span,
                             struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void zero_cycles_free(struct zero_cycles *z);

#ifdef __cplusplus
}
#endif

#endif
