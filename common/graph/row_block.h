// SPDX-License-Identifier: MIT
/* The unit of an answer: a block of rows, that is, the distances from some sources to all vertices.
 * Engines produce blocks, in any order and from several threads at the same time; sinks take them.
 * A matrix in memory, a file, measures and a callback are sinks. */
#ifndef COMMON_GRAPH_ROW_BLOCK_H
#define COMMON_GRAPH_ROW_BLOCK_H

#include "common/base/error.h"   // enum status, struct error
#include "common/graph/matrix.h" // struct matrix

#include <stdbool.h>
#include <stdint.h>

/* A block has at most this many rows. */
enum { ROW_BLOCK_MAX = 64 };

/* Rows 0 .. count - 1 of a block. Row r holds the distances from vertex source[r]: dist[r][v] for v
 * in 0 .. n - 1, INF if there is no path; and, unless pred is NULL, in pred[r][v] the vertex before
 * v on a shortest path, -1 if there is none or v is the source. Rows start on 64-byte lines and
 * have room for n rounded up to 16 cells, whose rest has no meaning. Nobody but the thread that
 * produced a block may change it. */
struct row_block {
    int32_t n;                       /* vertices: the length of a row */
    int32_t count;                   /* rows, 1 .. ROW_BLOCK_MAX */
    int32_t position[ROW_BLOCK_MAX]; /* of each row in the answer: 0 .. (number of sources) - 1 */
    int32_t source[ROW_BLOCK_MAX];
    int32_t *dist[ROW_BLOCK_MAX];
    int32_t **pred; /* NULL: distances only; otherwise count rows */
};

/* The rows that are wanted: those of the different vertices source[0 .. count - 1], count >= 1;
 * NULL means all vertices in order, and count = n. */
struct row_sources {
    const int32_t *source;
    int32_t count;
};

/* The vertex whose row is at a position of the answer. */
static inline int32_t row_source(const struct row_sources *sources, int32_t position) {
    return sources->source != NULL ? sources->source[position] : position;
}

/* Takes blocks. What it does not need is NULL. */
struct row_sink {
    /* The matrices that a sink fills, if they have a row for every vertex: if all rows are wanted,
     * in order, an engine that solves the whole matrix fills them itself before it hands their rows
     * to take(). pred_matrix may be NULL if no predecessors are wanted. */
    struct matrix *dist_matrix, *pred_matrix;
    /* Called before the first block, and again before the answer is produced once more: what was
     * taken is forgotten. `threads` threads, numbered by omp_get_thread_num() from 0, may call take
     * at the same time. */
    enum status (*begin)(struct row_sink *self, int32_t n, const struct row_sources *sources,
                         bool with_pred, int threads, struct error *err);
    /* Where the row at a position is to stand, if it should stand somewhere in particular: engines
     * then write it there and spare a copy. *pred is set only for answers with predecessors. */
    void (*place)(struct row_sink *self, int32_t position, int32_t **dist, int32_t **pred);
    /* Takes a block, whose memory is the caller's again afterwards. Every row of an answer is taken
     * once. On failure the solve ends with the status. */
    enum status (*take)(struct row_sink *self, const struct row_block *block, struct error *err);
};

/* Hands blocks on to two sinks, which belong to the caller. */
struct row_tee {
    struct row_sink sink; /* the first member */
    struct row_sink *to[2];
};
void row_tee_begin(struct row_tee *tee, struct row_sink *first, struct row_sink *second);

/* Makes a block of the rows from position `first` on, at most `max` of them, of matrices that have
 * row p for the source at position p or, if by_vertex, row v for vertex v. pred may be NULL.
 * pred_rows: room for ROW_BLOCK_MAX pointers, which lasts as long as the block. */
void row_block_of_matrices(struct row_block *block, int32_t **pred_rows,
                           const struct row_sources *sources, const struct matrix *dist,
                           const struct matrix *pred, int32_t first, int32_t max, bool by_vertex);

/* Has a sink take all rows of matrices that have row p for the source at position p, on up to
 * `threads` threads (0: one per core). pred may be NULL. */
enum status row_sink_take_matrices(struct row_sink *sink, const struct row_sources *sources,
                                   const struct matrix *dist, const struct matrix *pred,
                                   int threads, struct error *err);

#endif
