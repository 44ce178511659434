// SPDX-License-Identifier: MIT
/* Zero-weight cycles. A cycle of weight zero is legal, and its vertices have equal distances. But
 * every edge of it can be tight, so predecessors that are chosen one by one may run round it for
 * ever and never lead to the source.
 *
 * A cycle of tight edges weighs zero. So predecessors with tight edges (D[i][p] + w(p, j) =
 * D[i][j]) form a tree unless they run round inside a strongly connected component of the
 * zero-weight edges. Row by row, those are mended: some member of the component has a tight edge
 * from outside, or is the source; a search over the zero-weight edges from such members reaches all
 * others. */
#ifndef SOLVE_ZERO_CYCLES_H
#define SOLVE_ZERO_CYCLES_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph

#ifdef __cplusplus
extern "C" {
#endif

/* The strongly connected components of the zero-weight edges that have two vertices or more. Their
 * vertices are numbered as members, component by component and in ascending order. */
struct zero_cycles {
    int32_t components; /* 0: there is nothing to mend, and the rest is NULL */
    int32_t members;
    int32_t *first;       /* components + 1: members of component c are first[c] .. first[c+1]-1 */
    int32_t *vertex;      /* of each member */
    int32_t *member;      /* n: a vertex's number as a member, or -1 */
    int64_t *inside;      /* members + 1: zero-weight edges inside the component, by their tails */
    int32_t *inside_head; /* as members */
    /* NULL before zero_cycles_find_entries: */
    int64_t *entering; /* members + 1: edges from outside the component, by their heads */
    int32_t *entering_tail, *entering_weight; /* tails as vertices */
};

/* Finds the components of g, whose weights are >= 0. O(n + m) if some weight is zero, O(1)
 * otherwise. STATUS_CANCELLED if progress says to stop. The caller frees with zero_cycles_free. */
enum status zero_cycles_find(const struct graph *g, struct zero_cycles *z,
                             const struct progress *progress, struct error *err);

/* Finds the edges that enter components, which zero_cycles_mend needs, if there are components and
 * unless it has been done. O(n + m). STATUS_NO_RESOURCE if there is not enough memory. */
enum status zero_cycles_find_entries(const struct graph *g, struct zero_cycles *z,
                                     struct error *err);

/* Returns how many bytes zero_cycles_find takes at most while it finds no such cycle; it keeps none
 * of them. */
uint64_t zero_cycles_memory(int32_t n);

/* Makes the predecessors in one row, which have tight edges, lead to the source, which has none
 * afterwards. The entries have been found. dist: the row's distances; scratch: 2 * z->members
 * numbers of the calling thread. O(members + edges inside), and less where nothing runs round. What
 * it writes depends on dist and pred only. */
void zero_cycles_mend(const struct zero_cycles *z, int32_t source, const int32_t *dist,
                      int32_t *pred, int32_t *scratch);

/* A member in two trees of its component, whose root is the lowest vertex: one of shortest paths of
 * zero-weight edges to the root, one of those from the root. If a source is outside and its path
 * enters the component at member e, these are predecessors inside: along the path from e to the
 * root, each vertex has the one before it, and all others their parents. So they need no search. */
struct zero_member {
    int32_t vertex;
    int32_t component;
    int32_t next;   /* the member that follows on the path to the root; -1: this is the root */
    int32_t parent; /* the vertex before this one on the path from the root; -1: this is the root */
};

/* Fills span[0 .. members - 1]: component by component, in each by the length of the path to the
 * root, so that `next` is lower than the member's own number. These numbers are not those of *z.
 * O(members + edges inside). */
enum status zero_cycles_span(const struct zero_cycles *z, struct zero_member *span,
                             struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void zero_cycles_free(struct zero_cycles *z);

#ifdef __cplusplus
}
#endif

#endif
