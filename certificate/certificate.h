// SPDX-License-Identifier: MIT
/* Proves that a result is right. The proof shares nothing with the solvers but the loader and the
 * names of vector instructions (vector.h, isa.h).
 *
 * With W the graph, D the distances, P the predecessors, sums of int32 numbers in 64 bits, and sums
 * of real numbers rounded to their type:
 *  (a) D[i][i] = 0 and P[i][i] = -1. Off the diagonal, P[i][j] = -1 if and only if D[i][j] is INF.
 *      Every D[i][j] is INF or inside (-INF, INF); every P[i][j] is -1 or a vertex. INF is
 *      infinity if distances are real. Real distances are not -0.0, and not below 0 unless a
 *      weight is.
 *  (b) If D[i][j] is finite and i != j, with p = P[i][j]: the edge p -> j exists,
 *      D[i][j] = D[i][p] + W(p, j), and following P from j reaches i.
 *  (c) For every edge u -> v and every i with D[i][u] finite: D[i][v] is finite and
 *      D[i][v] <= D[i][u] + W(u, v).
 * By (b), every D[i][j] is the length of a real path. By (a) and (c), added up along any path, it
 * is a lower bound of all paths, and no reachable vertex is at INF. So D is the matrix of
 * distances, and P describes shortest paths.
 *
 * With real numbers, the length of a path is its sum rounded from left to right, and nothing else
 * changes: rounding keeps the order of sums, so (c) bounds along any path, without a tolerance. A
 * finite D[i][u] whose sum with W(u, v) overflows demands a finite D[i][v], too, because v is
 * reachable. A weight that vanishes in rounding is a weight of 0 in effect. If weights are below 0,
 * a rounded length may depend on rounding alone, and "the distance" is what passes these checks.
 *
 * Without predecessors, another condition replaces (b): every j at finite distance is reachable
 * from i over tight edges, that is, edges with D[i][u] + W(u, v) = D[i][v].
 *
 * If distances have a limit L, for which no weight may be below 0, (a) also demands D[i][j] <= L or
 * INF, and (c) is for edges with D[i][u] + W(u, v) <= L only. Then D[i][j] is the distance if that
 * is at most L, and INF otherwise: all prefixes of a path within the limit are within it, too, so
 * (c) bounds D along all of it; and a finite D[i][j] is the length of a real path, which (a) says
 * is within the limit.
 *
 * In another semiring (semiring.h) another operation than the sum joins weights to the length of a
 * path, and "less" means "better". D[i][i] is the length of the empty path, and the value for "no
 * path" is no length. Joining keeps the order of lengths and makes no length better, and the proof
 * uses nothing else of sums. Other semirings have no limit and no zones.
 *
 * If the graph has zones, edges out of a zone are for its own row alone: (b) and (c) are about the
 * graph in which zones are split (zones.h). The row of a zone becomes that of its origin there,
 * with the shortest round trip from the zone, and the proof checks that row. */
#ifndef CERTIFICATE_CERTIFICATE_H
#define CERTIFICATE_CERTIFICATE_H

#include "common/base/isa.h"         // enum isa
#include "common/base/progress.h"    // struct progress
#include "common/graph/graph.h"      // struct graph, struct matrix
#include "common/graph/limit.h"      // NO_LIMIT
#include "common/graph/row_block.h"  // struct row_block
#include "common/graph/row_reader.h" // struct row_reader
#include "common/graph/zones.h"      // struct zone_split

#include <stdbool.h>

/* The mistakes that the checks find. */
enum refutation_reason {
    REFUTED_SIZE,                  /* the result has another number of vertices than the graph */
    REFUTED_RANGE,                 /* (a): the distance is outside (-INF, INF) and not INF */
    REFUTED_BEYOND_LIMIT,          /* (a): the distance is larger than the limit */
    REFUTED_DIAGONAL_DISTANCE,     /* (a): the distance from i to itself is not 0 */
    REFUTED_PREDECESSOR_NO_VERTEX, /* (a): the predecessor is neither -1 nor a vertex */
    REFUTED_DIAGONAL_PREDECESSOR,  /* (a): the predecessor of (i, i) is not -1 */
    REFUTED_PREDECESSOR_MISSING,   /* (a): the predecessor is -1, but the distance is finite */
    REFUTED_PREDECESSOR_OF_UNREACHABLE, /* (a): not -1, but the distance is INF */
    REFUTED_PREDECESSOR_ITSELF,         /* (b): the predecessor of (i, j) is j */
    REFUTED_PREDECESSOR_NO_NEIGHBOUR,   /* (b): no edge leads from the predecessor to j */
    REFUTED_PREDECESSOR_UNREACHABLE,    /* (b): no path leads from i to the predecessor */
    REFUTED_PREDECESSOR_SUM,            /* (b): its distance plus the edge is not D[i][j] */
    REFUTED_PREDECESSOR_CYCLE,          /* (b): the predecessors from j on never reach i */
    REFUTED_NO_TIGHT_PATH,              /* (b) without predecessors: no tight edges lead to j */
    REFUTED_REACHABLE,                  /* (c): D[i][j] is INF, but an edge reaches j */
    REFUTED_TOO_LONG,                   /* (c): an edge makes the distance shorter */
};

/* A wrong entry and the evidence. Vertices count from 0. */
struct refutation {
    enum refutation_reason reason;
    int32_t i, j;    /* row and column of the wrong entry; -1 if the size is wrong */
    double distance; /* from i to j as the result says, also if that means "no path" */
    int32_t via; /* the predecessor of (i, j); for (c), the tail of the edge into j; for a cycle, a
                    vertex on it; -1: the reason names no such vertex */
    /* distance from i to via and weight of the edge via -> j, for REFUTED_PREDECESSOR_SUM,
     * REFUTED_REACHABLE and REFUTED_TOO_LONG */
    double via_distance, weight;
    enum number_type type; /* type of distance, via_distance and weight */
};

/* Returns the check that fails for this reason: 'a', 'b' or 'c'; '-' for a wrong size. */
char refutation_check(enum refutation_reason reason);

/* Returns the name of a reason in a few lower-case words, for programs to print. */
const char *refutation_name(enum refutation_reason reason);

/* Returns whether a refutation with this reason has via_distance and weight. */
bool refutation_has_edge(enum refutation_reason reason);

/* Proves dist and, unless NULL, pred for g, without a limit. STATUS_REFUTED if a check fails: err
 * names the check, the vertices (graph_name) and the numbers, and *refutation, unless NULL, holds
 * them. The refutation is about the first wrong row, for any number of threads (0: one per core).
 * Reports to progress, and returns STATUS_CANCELLED if progress says to stop. O(n^2 + n m). */
enum status certify_or_refute(const struct graph *g, const struct matrix *dist,
                              const struct matrix *pred, int threads, struct progress *progress,
                              struct refutation *refutation, struct error *err);

/* Proves the rows of some sources as certify_or_refute does: row p of the matrices is the row of
 * the source at position p, and refutation is not NULL. STATUS_BAD_INPUT if there are both a limit
 * (not NO_LIMIT) and weights below 0. */
enum status certify_rows(const struct graph *g, const struct row_sources *sources, double limit,
                         const struct matrix *dist, const struct matrix *pred, int threads,
                         struct progress *progress, struct refutation *refutation,
                         struct error *err);

/* Proves all rows of a reader as certify_rows does, in blocks of at most CERTIFICATE_ROWS rows, on
 * certificate_threads() threads. If the reader fails, this fails with the reader's status, whether
 * rows are wrong or not. STATUS_BAD_INPUT if the distances are not of the graph's type. */
enum { CERTIFICATE_ROWS = 32 };
enum status certify_reader(const struct graph *g, struct row_reader *rows, double limit,
                           int threads, struct progress *progress, struct refutation *refutation,
                           struct error *err);

/* Returns STATUS_BAD_INPUT if no answer of the graph with that limit can be proved. */
enum status certificate_check(const struct graph *g, double limit, struct error *err);

/* A graph prepared once to prove blocks of rows of its answer: zones are split and edges are
 * indexed by their heads. certificate_open fails as certificate_check, or with STATUS_NO_RESOURCE
 * if there is not enough memory. The caller frees with certificate_close, also after a failure. */
struct certificate {
    const struct graph *g;   /* the caller's graph if that has no zones, otherwise split.graph */
    struct zone_split split; /* the caller's graph with its zones split; zeros: no zones */
    struct graph in;         /* g with all edges reversed */
    double limit;            /* greatest distance in the answer; NO_LIMIT: any */
    enum isa isa;
    bool with_pred;
};
enum status certificate_open(struct certificate *certificate, const struct graph *g, double limit,
                             bool with_pred, struct error *err);
void certificate_close(struct certificate *certificate);

/* Memory with which one thread proves blocks. The caller frees it; NULL may be freed. */
struct certificate_prover;
enum status certificate_prover_alloc(const struct certificate *certificate,
                                     struct certificate_prover **prover, struct error *err);
void certificate_prover_free(struct certificate_prover *prover);

/* Proves a block without the other rows: (a) to (c) are conditions on one row and the graph.
 * STATUS_REFUTED if a row is wrong: *refutation and err describe the first wrong row. */
enum status certificate_prove(struct certificate_prover *prover, const struct row_block *block,
                              struct refutation *refutation, struct error *err);

/* Returns the number of threads that prove `rows` rows; threads: the most, 0: one per core. */
int certificate_threads(int32_t n, int64_t m, int32_t rows, int threads);

/* Returns the bytes of memory that a proof of `rows` rows takes in addition to the graph and the
 * rows. */
uint64_t certificate_memory(enum number_type type, int32_t n, int64_t m, int32_t rows,
                            bool with_pred, int threads);

/* Finds the tree of shortest paths from i in its certified row: parent[v], for all n vertices, is
 * the vertex before v, or -1 for i and for vertices that i does not reach. The tree is pred or, if
 * pred is NULL, a breadth-first tree over tight edges, O(n + m). STATUS_NO_RESOURCE if there is not
 * enough memory. */
enum status certificate_tree(const struct graph *g, int32_t i, const void *dist,
                             const int32_t *pred, int32_t *parent, struct error *err);

/* Stores the vertices of the path from i to j in a tree of certificate_tree: path[0] = i ..
 * path[length - 1] = j, at most n of them. *length is 0 if there is no path. */
void certificate_path_in(const int32_t *parent, int32_t i, int32_t j, int32_t *path,
                         int32_t *length);

/* Stores the path from i to j as certificate_path_in does, from row i of the predecessors of a
 * certified result. */
void certificate_path(const struct matrix *pred, int32_t i, int32_t j, int32_t *path,
                      int32_t *length);

#endif
