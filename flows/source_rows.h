// SPDX-License-Identifier: MIT
/* Rows of integer distances from some sources at a time: by breadth-first search with a bit for
 * each source (search/cpu/bfs_rows.h), by label correcting with a lane for each
 * (search/cpu/strip.h) or, where these do not pay, from one after another. Which way it was does
 * not show in the rows. */
#ifndef FLOWS_SOURCE_ROWS_H
#define FLOWS_SOURCE_ROWS_H

#include "common/base/progress.h"     // struct progress
#include "common/graph/graph.h"       // struct graph
#include "search/cpu/bfs_rows.h"      // struct bfs_rows
#include "search/cpu/ordered_graph.h" // struct ordered_graph
#include "search/cpu/strip.h"         // struct strip
#include "solve/dijkstra.h"           // struct dijkstra

/* Rows that are found together at most. */
enum { SOURCE_ROWS = MAX_LANES };

/* All threads share it. What they learn changes how long the rest takes, not the rows. */
struct source_rows_plan {
    const struct graph
        *graph; /* of int32 with weights of 0 or more; all are 1 if is_breadth_first */
    const struct progress *progress; /* may be NULL; if it says to stop, rows are garbage */
    bool is_breadth_first;
    int32_t most; /* rows at a time: SOURCE_ROWS, or 1 if many at a time cannot pay */
    struct ordered_graph ordered;
    const struct strip_kernels *kernels;
    int32_t narrow_no_path; /* for labels of 16 bits */
    int narrow_failures; /* how often distances did not fit into these, less how often they did */
    int failures;        /* how often many at a time did not pay, less how often it did */
};

/* The memory of one thread. */
struct source_rows {
    struct source_rows_plan *plan;
    int32_t *row[SOURCE_ROWS]; /* plan->most rows of n distances; INF if there is no path */
    struct dijkstra queue;
    struct bfs_rows bits;
    struct strip strip;
    int32_t *next; /* n: scratch */
    void *distances, *labels, *lists;
};

/* Makes a plan for rows of up to `sources` sources of a graph that must outlive it. The caller
 * frees it with source_rows_plan_free, also after a failure. */
enum status source_rows_plan_make(struct source_rows_plan *plan, const struct graph *g,
                                  bool is_breadth_first, int32_t sources, int threads,
                                  struct progress *progress, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void source_rows_plan_free(struct source_rows_plan *plan);

/* Returns the seconds that one row takes a thread of a usual machine, as far as a graph's size says
 * it. */
double source_rows_seconds(const struct graph *g, bool is_breadth_first, int32_t sources);

/* Stores the number of levels of a breadth-first search from a vertex with the most out-edges of a
 * graph that has vertices. */
enum status source_rows_levels(const struct graph *g, int32_t *levels, struct error *err);

/* The caller frees it with source_rows_free, also after a failure. */
enum status source_rows_alloc(struct source_rows *r, struct source_rows_plan *plan,
                              struct error *err);

/* Returns the bytes that a thread, and those that the plan takes at most. */
uint64_t source_rows_memory(int32_t n);
uint64_t source_rows_plan_memory(int32_t n, int64_t m, int threads);

/* Returns how many rows are to be found at a time now: SOURCE_ROWS, or 1 if many do not pay. */
int32_t source_rows_at_a_time(const struct source_rows_plan *plan);

/* Finds r->row[0 .. count - 1] from 1 .. plan->most sources, of which some may be the same. */
void source_rows_find(struct source_rows *r, const int32_t *source, int32_t count);

/* Safe on a zeroed struct; leaves it zeroed. */
void source_rows_free(struct source_rows *r);

#endif
