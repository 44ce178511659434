// SPDX-License-Identifier: MIT
/* Rows of a graph with real weights: the least, over all paths, of the sum rounded from left to
 * right (graph.h). Rows are found from scratch for engines that relax along edges; rows of engines
 * that solve a graph of rounded weights are a first approximation. In both cases edges are relaxed
 * until none improves a label, so that the answer is the same, bit for bit.
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
    double limit;                    /* distances beyond it become infinite; NO_LIMIT: none do */
    double beyond;                   /* the least number of the type beyond the limit (limit.h) */
    const struct progress *progress; /* NULL: nothing is reported */
    bool with_pred;
};

/* Prepares for rows of g, which is of a real type and outlives the problem. coarse: a graph with
 * the same edges and integer weights, or NULL. vertex: the n vertices in the order in which to
 * relax them; NULL: ascending. limit: a number that limit_for returns; NO_LIMIT if weights are
 * below 0. STATUS_CANCELLED if progress says to stop. The caller frees with real_problem_close,
 * also after a failure. O(n + m log n). */
enum status real_problem_open(struct real_problem *p, const struct graph *g,
                              const struct graph *coarse, const int32_t *vertex, double limit,
                              bool with_pred, const struct progress *progress, struct error *err);
void real_problem_close(struct real_problem *p);

/* The memory of one thread. */
struct real_worker {
    const struct real_problem *problem;
    struct real_strip strip;
    struct dijkstra queue;
    struct row_block block; /* finished rows of at most kernel->lanes sources */
    int32_t *pred_row[REAL_MAX_LANES];
    void *cells, *rows, *lists;
    int32_t *queued;                 /* n: scratch */
    uint32_t *key;                   /* n: keys by which numbers of vertices are sorted */
    int32_t without[REAL_MAX_LANES]; /* for each lane, number of vertices without a predecessor */
    bool has_solved;                 /* the labels are distances from sources of an earlier strip */
    int32_t ordered, unordered; /* numbers of strips that were settled in order and that the order
                                   did not suit */
};

/* The caller frees with real_worker_free, also after a failure. */
enum status real_worker_alloc(struct real_worker *w, const struct real_problem *problem,
                              struct error *err);
void real_worker_free(struct real_worker *w);

/* Returns how many bytes a problem and that number of workers take in addition to the graph. */
uint64_t real_rows_memory(int32_t n, int64_t m, enum number_type type, bool with_pred, int threads);

/* Finds `count` rows, at most kernel->lanes, and stores them in w->block: row r belongs to
 * source[r] and to position[r] of the answer. near: the rows of these sources in the coarse graph,
 * as a first approximation; NULL: begin from scratch. Distances that overflow are infinite
 * (real_range.h). STATUS_BAD_INPUT if, with weights below 0, rounding leaves no answer. If progress
 * says to stop, the rows are garbage. */
enum status real_rows_find(struct real_worker *w, const int32_t *source, const int32_t *position,
                           int32_t count, int32_t *const *near, struct error *err);

#endif
