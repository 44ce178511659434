// SPDX-License-Identifier: MIT
/* The proof that a result is right, and nothing shared with the solvers but the
 * loader and how vector instructions are spelt (vector.h, isa.h).
 *
 * With W the graph, D the distances, P the predecessors, sums in 64 bits:
 *  (a) D[i][i] = 0 and P[i][i] = -1; off the diagonal P[i][j] = -1 exactly where
 *      D[i][j] is INF; every D[i][j] is INF or inside (-INF, INF), every P[i][j]
 *      is -1 or a vertex.
 *  (b) where D[i][j] is finite and i != j: with p = P[i][j], the edge p -> j
 *      exists, D[i][j] = D[i][p] + W(p, j), and following P from j reaches i.
 *  (c) for every edge u -> v and every i with D[i][u] finite: D[i][v] is finite
 *      and D[i][v] <= D[i][u] + W(u, v).
 * (b) makes every D[i][j] the length of a real path; (a) and (c), added up along
 * any path, make it a lower bound for all paths, and leave no reachable vertex
 * at INF. Together D is the distance matrix and P describes shortest paths.
 *
 * Without predecessors, (b) is replaced by: every j at finite distance is
 * reachable from i over tight edges, those with D[i][u] + W(u, v) = D[i][v]. */
#ifndef COMMON_CERTIFICATE_CERTIFICATE_H
#define COMMON_CERTIFICATE_CERTIFICATE_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph, struct matrix

#include <stdbool.h>

/* What is wrong, each under one of the checks. */
enum refutation_reason {
    REFUTED_SIZE,                       /* another number of vertices than the graph's */
    REFUTED_RANGE,                      /* (a): the distance is outside (-INF, INF) and not INF */
    REFUTED_DIAGONAL_DISTANCE,          /* (a): from i to itself, not 0 */
    REFUTED_PREDECESSOR_NO_VERTEX,      /* (a) */
    REFUTED_DIAGONAL_PREDECESSOR,       /* (a): of (i, i), not -1 */
    REFUTED_PREDECESSOR_MISSING,        /* (a): the distance is finite */
    REFUTED_PREDECESSOR_OF_UNREACHABLE, /* (a) */
    REFUTED_PREDECESSOR_ITSELF,         /* (b): no shortest path ends with a loop */
    REFUTED_PREDECESSOR_NO_NEIGHBOUR,   /* (b): no edge leads from it to j */
    REFUTED_PREDECESSOR_UNREACHABLE,    /* (b): from i */
    REFUTED_PREDECESSOR_SUM,            /* (b): its distance and the edge make another one */
    REFUTED_PREDECESSOR_CYCLE,          /* (b): predecessors of (i, j) never reach i */
    REFUTED_NO_TIGHT_PATH,              /* (b) without predecessors */
    REFUTED_REACHABLE,                  /* (c): j is given as unreachable, an edge reaches it */
    REFUTED_TOO_LONG,                   /* (c): an edge makes it shorter */
};

/* One entry that is wrong, and what shows it. Vertices count from 0. */
struct refutation {
    enum refutation_reason reason;
    int32_t i, j;     /* -1 where the size is wrong */
    int32_t distance; /* from i to j as given, INF included */
    int32_t via; /* the predecessor of (i, j); (c): the tail of the edge into j; a vertex of the
                    cycle; without any of these -1 */
    /* Of REFUTED_PREDECESSOR_SUM, REFUTED_REACHABLE and REFUTED_TOO_LONG: from i to via, and
     * of the edge via -> j. */
    int32_t via_distance, weight;
};

/* 'a', 'b' or 'c'; '-' for a size. */
char refutation_check(enum refutation_reason reason);

/* In a few words of small letters, for programs that read them. */
const char *refutation_name(enum refutation_reason reason);

/* Whether via_distance and weight mean something. */
bool refutation_has_edge(enum refutation_reason reason);

/* Proves dist and, unless NULL, pred for g: STATUS_OK. STATUS_REFUTED with the
 * check that failed, the vertices (graph_number) and the numbers in err and, unless NULL, in
 * *refutation, the same ones whatever the number of threads (0: as many as there
 * are cores). O(n^2 + n m). STATUS_CANCELLED where progress says to stop. */
enum status certify_or_refute(const struct graph *g, const struct matrix *dist,
                              const struct matrix *pred, int threads,
                              const struct progress *progress, struct refutation *refutation,
                              struct error *err);

/* The same, for those who want the line only. */
enum status certify(const struct graph *g, const struct matrix *dist, const struct matrix *pred,
                    int threads, struct error *err);

/* Bytes that a proof takes beside the graph and the matrices. */
uint64_t certificate_memory(int32_t n, int64_t m, bool with_pred, int threads);

/* The shortest-path tree from i of a certified result: parent[v] is the vertex
 * before v, -1 for i and for what i does not reach; n of them. Row i of pred; where
 * that is NULL, the tree of fewest edges among those over tight edges, O(n + m). */
enum status certificate_tree(const struct graph *g, const struct matrix *dist,
                             const struct matrix *pred, int32_t i, int32_t *parent,
                             struct error *err);

/* The path from i to j in such a tree, as its vertices in order: path[0] = i ..
 * path[length - 1] = j, at most n of them. *length is 0 where there is none. */
void certificate_path_in(const int32_t *parent, int32_t i, int32_t j, int32_t *path,
                         int32_t *length);

/* The same in row i of the predecessors of a certified result. */
void certificate_path(const struct matrix *pred, int32_t i, int32_t j, int32_t *path,
                      int32_t *length);

#endif
