/* The proof that a result is right, and nothing but the loader shared with the
 * solvers.
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
#ifndef COMMON_CERTIFICATE_H
#define COMMON_CERTIFICATE_H

#include "common/graph.h" // struct graph, struct matrix

/* Proves dist and, unless NULL, pred for g: STATUS_OK. STATUS_REFUTED with the
 * check that failed, the vertices and the numbers, the same ones whatever the
 * number of threads (0: as many as there are cores). O(n^2 + n m). */
enum status certify(const struct graph *g, const struct matrix *dist, const struct matrix *pred,
                    int threads, struct error *err);

/* The shortest path from i to j of a certified result, as its vertices in
 * order: path[0] = i .. path[length - 1] = j, at most n of them. *length is 0
 * where there is none. */
void certificate_path(const struct matrix *pred, int32_t i, int32_t j, int32_t *path,
                      int32_t *length);

#endif
