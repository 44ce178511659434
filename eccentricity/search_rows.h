// SPDX-License-Identifier: MIT
/* Searches from some vertices, or to them, with a row of distances for each: breadth-first if all
 * weights are equal, otherwise by Dijkstra's algorithm. Rows are kept until they are proved. */
#ifndef ECCENTRICITY_SEARCH_ROWS_H
#define ECCENTRICITY_SEARCH_ROWS_H

#include "certificate/certificate.h" // struct certificate
#include "search/cpu/bfs_graph.h"    // struct bfs_graph

#include <stdbool.h>
#include <stdint.h>

struct row_searcher; /* memory of one thread */

/* A row of distances in the graph's type: from a vertex to all vertices or, if backward, from all
 * vertices to the vertex, which are the distances from it in the reversed graph. */
struct search_row {
    int32_t source;
    bool backward;
    void *dist;
};

/* Most rows that are requested at a time. */
enum { SEARCH_ROWS_MOST = 32 };

struct search_rows {
    const struct graph *graph;
    bool directed;         /* some edge has no reverse of the same weight */
    struct graph reversed; /* reversed graph, if `directed` */
    bool equal_weights;
    struct bfs_graph without_weights; /* graph for breadth-first search, if all weights are equal */
    void *length;                     /* length of a path of k edges, n + 1 entries, if all weights
                                         are equal */
    bool may_be_cut;                  /* distances may occur that do not fit: INF or more as int32,
                                         and sums that overflow as real numbers */
    bool may_round;                   /* distances of 2^53 or more may occur, which float64
                                         rounds */
    bool check;
    struct certificate forward, backward; /* certificates of both directions, if rows are to be
                                             proved */
    const struct progress *progress;
    int threads;
    struct row_searcher *searcher; /* memory of each thread, `threads` entries */
    struct search_row *row;        /* rows of the last run, behind rows that are still to be proved,
                                      `room` entries */
    void *cells;                   /* cells of all rows */
    int32_t room, used, proved;
};

/* Prepares searches in g, whose weights are >= 0 and which has no zones. The caller frees *s with
 * search_rows_close, also after a failure. */
enum status search_rows_open(struct search_rows *s, const struct graph *g, bool check, int threads,
                             const struct progress *progress, struct error *err);

/* Runs a search from each source and, in a directed graph, another search to it. *rows: the rows,
 * forward and backward ones alternating in a directed graph, valid until the next call.
 * STATUS_BAD_INPUT if an int32 distance is INF or more; STATUS_REFUTED if a row of this call or an
 * earlier one is wrong. */
enum status search_rows_run(struct search_rows *s, const int32_t *source, int32_t count,
                            const struct search_row **rows, struct error *err);

/* Proves the rows that have not been proved yet. */
enum status search_rows_prove(struct search_rows *s, struct error *err);

/* Frees *s and zeroes it; safe on a zeroed struct. */
void search_rows_close(struct search_rows *s);

#endif
