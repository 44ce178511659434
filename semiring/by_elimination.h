// SPDX-License-Identifier: MIT
/* Lengths of min-max and max-min by elimination of vertices (elimination/dissection.h), with the
 * greater of two lengths in place of their sum. The weights of a graph become whole numbers above
 * 0 in the same order, the better the lower; 0 is the length from a vertex to itself, and INF
 * stands for no path. For distances only: predecessors with the same lengths may run in a circle.
 * (Carré 1971 for elimination over semirings.) */
#ifndef SEMIRING_BY_ELIMINATION_H
#define SEMIRING_BY_ELIMINATION_H

#include "common/graph/row_block.h"   // struct row_block
#include "elimination/dissection.h"   // struct dissection
#include "elimination/rows_kernels.h" // struct rows_kernels
#include "semiring/search.h"          // struct search_graph

/* An eliminated graph of min-max or max-min; threads share it. */
struct eliminated_edges {
    const struct graph *g; /* owned by the caller */
    struct look look;      /* a look at the graph, which the dissection uses */
    struct dissection d;
    const struct rows_kernels *kernels;
    uint32_t base;  /* for int32: the key (keys.h) of a weight is its length + base */
    void *number;   /* for other types: the number that each length stands for, `kinds` + 2 numbers;
                       the last is that of no path. NULL for int32 */
    int32_t kinds;  /* number of different lengths above 0 and below INF */
    int32_t *order; /* positions of all rows in the answer, in the order in which their sources are
                       eliminated */
};

/* Rows that are wanted of a graph, and the time and memory that an elimination may take. */
struct elimination_wish {
    struct row_sources sources; /* sources of the rows that are wanted */
    double other_s; /* seconds that the rows take in another way; HUGE_VAL: the elimination always
                       pays */
    int threads;    /* number of threads that find rows, >= 1 */
    uint64_t room;  /* bytes of memory that the elimination and its threads may take */
    struct progress *progress; /* NULL: nobody wants to stop it */
};

/* Eliminates all vertices. *pays: false if that would take longer than the other way or more memory
 * than there is, if this build has no AMD, or if integers are too far apart; nothing else is of use
 * then. The caller frees with eliminated_edges_free in any case, and keeps the graph until then. */
enum status eliminated_edges_make(struct eliminated_edges *edges, const struct search_graph *graph,
                                  const struct elimination_wish *wish, bool *pays,
                                  struct error *err);
void eliminated_edges_free(struct eliminated_edges *edges);

/* Memory of one thread. */
struct eliminated_rows {
    const struct eliminated_edges *edges;
    struct dissection_workspace workspace;
    void *label; /* the labels of a strip (dissection_strip): a length for each vertex and lane */
};

/* Allocates the memory. The caller frees it with eliminated_rows_free, also after a failure. */
enum status eliminated_rows_alloc(struct eliminated_rows *rows,
                                  const struct eliminated_edges *edges, struct error *err);
void eliminated_rows_free(struct eliminated_rows *rows);

/* Returns how many rows a block may have at most. */
int32_t eliminated_rows_at_a_time(const struct eliminated_edges *edges);

/* Fills the rows of block->source, as search_row does without predecessors. */
void eliminated_rows_find(struct eliminated_rows *rows, const struct row_block *block);

#endif
