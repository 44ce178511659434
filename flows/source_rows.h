// SPDX-License-Identifier: MIT
/* Rows of integer distances from some sources at a time: by breadth-first search with a bit for
 * each source (search/cpu/bfs_rows.h), by label correcting with a lane for each
 * (search/cpu/strip.h) or, where these do not pay, from one source after another. The rows do not
 * depend on the way. */
#ifndef FLOWS_SOURCE_ROWS_H
#define FLOWS_SOURCE_ROWS_H

#include "common/base/progress.h"     // struct progress
#include "common/graph/graph.h"       // struct graph
#include "search/cpu/bfs_rows.h"      // struct bfs_rows
#include "search/cpu/ordered_graph.h" // struct ordered_graph
#include "search/cpu/strip.h"         // struct strip
#include "solve/dijkstra.h"           // struct dijkstra

/* Most rows that are found together. */
enum { SOURCE_ROWS = MAX_LANES };

/* Data that all threads share. The counts of failures change how long the rest takes, not the rows.
 */
struct source_rows_plan {
    const struct graph *graph;       /* graph of int32 weights >= 0; all are 1 if
                                        is_breadth_first */
    const struct progress *progress; /* if it says to stop, rows are garbage; may be NULL */
    bool is_breadth_first;
    int32_t most; /* number of rows at a time: SOURCE_ROWS, or 1 if many at a time cannot pay */
    struct ordered_graph ordered;
    const struct strip_kernels *kernels;
    int32_t narrow_no_path; /* label of 16 bits that stands for no path */
    int narrow_failures;    /* how often distances did not fit into 16 bits, minus successes (see
                               note() in source_rows.c) */
    int failures;           /* how often finding many rows at a time did not pay, minus successes */
};

/* Memory of one thread. */
struct source_rows {
    struct source_rows_plan *plan;
    int32_t *row[SOURCE_ROWS]; /* plan->most rows of n distances; INF if there is no path */
    struct dijkstra queue;
    struct bfs_rows bits;
    struct strip strip;
    int32_t *next; /* scratch, n entries */
    void *distances, *labels, *lists;
};

/* Makes a plan for rows of up to `sources` sources of a graph, which must outlive the plan. The
 * caller frees it with source_rows_plan_free, also after a failure. */
enum status source_rows_plan_make(struct source_rows_plan *plan, const struct graph *g,
                                  bool is_breadth_first, int32_t sources, int threads,
                                  struct progress *progress, struct error *err);

/* Frees *plan and zeroes it; safe on a zeroed struct. */
void source_rows_plan_free(struct source_rows_plan *plan);

/* Returns roughly how many seconds one row takes a thread of a usual machine, from the graph's size
 * alone. */
double source_rows_seconds(const struct graph *g, bool is_breadth_first, int32_t sources);

/* Store the number of levels of a search from a vertex with the most out-edges, in a graph that has
 * vertices. source_rows_levels searches breadth-first, and stops at `most` levels, >= 1.
 * source_rows_weighted_levels searches by weights, which are int32 or float64 and 0 or more: the
 * number of levels is the largest number of edges of a shortest path plus 1, or a bit less if there
 * are edges of weight 0. It is at least the number of levels breadth-first. */
enum status source_rows_levels(const struct graph *g, int32_t most, int32_t *levels,
                               struct error *err);
enum status source_rows_weighted_levels(const struct graph *g, int32_t *levels, struct error *err);

/* Vertices that a search reaches, in the order of their distances, with the distances. */
struct search_order {
    int32_t *vertex; /* vertices by ascending distance, `reached` entries */
    int32_t reached; /* number of vertices that the search reaches */
    int32_t *dist;   /* by vertex, n entries: distance, INF if there is no path; NULL in a graph of
                        float64 */
    double *real_dist; /* by vertex, n entries: distance, infinite if there is no path; NULL in a
                          graph of int32 */
    void *vertices, *distances;
};

/* Searches from a vertex of a graph of int32 or float64 weights of 0 or more. The caller frees
 * *order with search_order_free, also after a failure. */
enum status search_order_find(struct search_order *order, const struct graph *g, int32_t source,
                              struct error *err);

/* Frees *order and zeroes it; safe on a zeroed struct. */
void search_order_free(struct search_order *order);

/* Allocates the memory of one thread. The caller frees it with source_rows_free, also after a
 * failure. */
enum status source_rows_alloc(struct source_rows *r, struct source_rows_plan *plan,
                              struct error *err);

/* The first function returns the bytes that a thread takes, the second the most bytes that the plan
 * takes. */
uint64_t source_rows_memory(int32_t n);
uint64_t source_rows_plan_memory(int32_t n, int64_t m, int threads);

/* Returns how many rows are to be found at a time now: SOURCE_ROWS, or 1 if many do not pay. */
int32_t source_rows_at_a_time(const struct source_rows_plan *plan);

/* Finds r->row[0 .. count - 1] from 1 .. plan->most sources, some of which may be equal. */
void source_rows_find(struct source_rows *r, const int32_t *source, int32_t count);

/* Frees *r and zeroes it; safe on a zeroed struct. */
void source_rows_free(struct source_rows *r);

#endif
