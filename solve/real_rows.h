// SPDX-License-Identifier: MIT
/* Rows of a graph with real weights: the least, over all paths, of the sum rounded from left to
 * right (graph.h). Engines that relax along edges have them found from scratch. Engines that solve
 * a graph of rounded weights give their rows as a first approximation. Both end with labels that no
 * edge improves, so that the answer is the same, bit for bit.
 *
 * If rows of edges are short and the sources of a strip are neighbours, one order of the vertices,
 * by distance from those sources, suits all of them, and nearly every edge is relaxed once. The
 * order comes from the coarse graph's rows or from the strip before, and need only be good.
 *
 * A predecessor is a tight edge's tail that is nearer to the source. If a vertex has none, because
 * the weight of its edge vanishes in the sum, it gets one by a search over tight edges from
 * vertices that have one. */
#ifndef SOLVE_REAL_ROWS_H
#define SOLVE_REAL_ROWS_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/row_block.h" // struct row_block
#include "solve/dijkstra.h"         // struct dijkstra
#include "solve/real_strip.h"       // struct real_edges, struct real_strip

#include <stdbool.h>

/* State that all threads share. */
struct real_problem {
    struct real_edges edges;
    const struct real_kernel *kernel;
    double limit;                    /* distances beyond it become infinite; NO_LIMIT for none */
    double beyond;                   /* the least number of the type that is (limit.h) */
    const struct progress *progress; /* may be NULL */
    bool with_pred;
};

/* Prepares for rows of g, which is of a real type and outlives the problem. coarse: a graph with
 * the same edges and integer weights, or NULL. vertex: n vertices in the order in which to relax
 * them, or NULL for ascending numbers. limit: as limit_for says, NO_LIMIT with weights below 0.
 * STATUS_CANCELLED if progress says to stop. The caller frees with real_problem_close, also after a
 * failure. O(n + m log n). */
enum status real_problem_open(struct real_problem *p, const struct graph *g,
                              const struct graph *coarse, const int32_t *vertex, double limit,
                              bool with_pred, const struct progress *progress, struct error *err);
void real_problem_close(struct real_problem *p);

/* The memory of one thread. */
struct real_worker {
    const struct real_problem *problem;
    struct real_strip strip;
    struct dijkstra queue;
    struct row_block block; /* the finished rows: of kernel->lanes sources at most */
    int32_t *pred_row[REAL_MAX_LANES];
    void *cells, *rows, *lists;
    int32_t *queued;                 /* n: scratch */
    uint32_t *key;                   /* n: by which numbers are sorted */
    int32_t without[REAL_MAX_LANES]; /* of each lane: vertices that have no predecessor */
    bool has_solved;                 /* the labels are distances from other sources */
    int32_t ordered, unordered;      /* strips that an order was tried for, and did not suit */
};

/* The caller frees with real_worker_free, also after a failure. */
enum status real_worker_alloc(struct real_worker *w, const struct real_problem *problem,
                              struct error *err);
void real_worker_free(struct real_worker *w);

/* Bytes of a problem and of so many workers beside the graph. */
uint64_t real_rows_memory(int32_t n, int64_t m, enum number_type type, bool with_pred, int threads);

/* Finds `count` rows, at most kernel->lanes, and stores them in w->block: row r is that of
 * source[r] and has position[r] in the answer. near: the same rows of the coarse graph, to begin
 * with, or NULL: from scratch. Distances that overflow are infinite (real_range.h).
 * STATUS_BAD_INPUT if, with weights below 0, rounding leaves no answer. If progress says to stop,
 * the rows are garbage. */
enum status real_rows_find(struct real_worker *w, const int32_t *source, const int32_t *position,
                           int32_t count, int32_t *const *near, struct error *err);

#endif
