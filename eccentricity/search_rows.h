// SPDX-License-Identifier: MIT
/* Searches from some vertices, or to them, a row of distances each: breadth-first if all weights
 * are the same, otherwise Dijkstra's algorithm. Rows stay until they have been proved. */
#ifndef ECCENTRICITY_SEARCH_ROWS_H
#define ECCENTRICITY_SEARCH_ROWS_H

#include "certificate/certificate.h" // struct certificate
#include "search/cpu/bfs_graph.h"    // struct bfs_graph

#include <stdbool.h>
#include <stdint.h>

struct row_searcher; /* one thread's memory */

/* A row: the distances of a graph's type from a vertex to all or, backward, from all to the vertex,
 * which are those from it in the reversed graph. */
struct search_row {
    int32_t source;
    bool backward;
    void *dist;
};

/* At most so many rows are asked for at a time. */
enum { SEARCH_ROWS_MOST = 32 };

struct search_rows {
    const struct graph *graph;
    bool directed;         /* some edge has no reverse of the same weight */
    struct graph reversed; /* of a directed graph */
    bool equal_weights;
    struct bfs_graph without_weights; /* if weights are equal */
    void *length;    /* n + 1: the length of a path of k edges, if weights are equal */
    bool may_be_cut; /* distances of INF may exist, which int32 has not */
    bool may_round;  /* distances of 2^53 or more may exist, of which float64 has not all */
    bool check;
    struct certificate forward, backward; /* of both directions, if rows are to be proved */
    const struct progress *progress;
    int threads;
    struct row_searcher *searcher; /* threads */
    struct search_row *row;        /* room: those of the last run, and before them rows that are
                                      still to be proved */
    void *cells;                   /* of all rows */
    int32_t room, used, proved;
};

/* Prepares searches in g, whose weights are >= 0 and which has no zones. The caller frees with
 * search_rows_close, also after a failure. */
enum status search_rows_open(struct search_rows *s, const struct graph *g, bool check, int threads,
                             const struct progress *progress, struct error *err);

/* Runs a search for each source and, in a directed graph, another one backward. Stores at *rows the
 * rows, forward and backward by turns if there are both; they last until the next call.
 * STATUS_BAD_INPUT if an int32 distance is INF or more, STATUS_REFUTED if one of the rows, of this
 * call or an earlier one, is wrong. */
enum status search_rows_run(struct search_rows *s, const int32_t *source, int32_t count,
                            const struct search_row **rows, struct error *err);

/* Proves what has not been proved yet. */
enum status search_rows_prove(struct search_rows *s, struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void search_rows_close(struct search_rows *s);

#endif
