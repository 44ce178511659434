// SPDX-License-Identifier: MIT
/* The way of a block of rows from the engine that produced it to the sink: predecessors are kept
 * from running round zero-weight cycles, distances are checked to be in range, and the reweighting
 * that made weights non-negative is undone. All of it happens block by block, in the thread that
 * has the block. */
#ifndef COMMON_SOLVE_DELIVERY_H
#define COMMON_SOLVE_DELIVERY_H

#include "common/base/isa.h"          // enum isa
#include "common/graph/row_block.h"   // struct row_block, struct row_sink
#include "common/solve/zero_cycles.h" // struct zero_cycles

#include <stdbool.h>

struct delivery_thread; /* what one thread works with */

struct delivery {
    const struct graph *graph; /* that the engine solves: weights >= 0 */
    /* Unless NULL, graph is one that was reweighted by these potentials of its n vertices. */
    const int64_t *potential;
    struct row_sources sources;
    bool with_pred;
    struct row_sink *sink;
    struct progress *progress; /* may be NULL */

    /* The engine's rows are exact for weights of any sign: nothing is left to do but to take them.
     */
    bool ready_made;
    bool in_range; /* no distance of graph can reach INF */
    struct zero_cycles zero;
    enum isa isa;
    struct delivery_thread *thread;
    int threads;
    double begin_s; /* seconds in the sink's begin */
    /* The failure of the lowest position, and the status; STATUS_OK and the number of sources
     * before there is one. */
    int32_t failed;
    enum status status;
    struct error error;
    bool refused; /* it was a row that failed on its way to the sink, or in it */
};

/* Prepares for rows of the members that the caller has set; the others are zero. The caller frees
 * with delivery_close, also after a failure. */
enum status delivery_open(struct delivery *d, struct error *err);

/* Begins an answer: `threads` threads, numbered by omp_get_thread_num(), may deliver blocks. What
 * was delivered before is forgotten. */
enum status delivery_begin(struct delivery *d, int threads, struct error *err);

/* Where the row at a position should be written: into own_dist and own_pred unless the sink has
 * places for it. own_pred may be NULL for distances only, and *pred is NULL then. */
void delivery_place(const struct delivery *d, int32_t position, int32_t *own_dist,
                    int32_t *own_pred, int32_t **dist, int32_t **pred);

/* Whether the sink has places of its own for all rows, so that engines need no room for them. */
bool delivery_has_places(const struct delivery *d);

/* Whether the row at a position still matters: none does behind one that has failed, or if progress
 * says to stop. For any thread. */
bool delivery_wants(const struct delivery *d, int32_t position);

/* Whether one of the rows at `count` positions still matters. */
bool delivery_wants_any(const struct delivery *d, const int32_t *position, int32_t count);

/* Hands a block on, by any of the threads. A failure is kept for delivery_end. */
void delivery_take(struct delivery *d, const struct row_block *block);

/* Notes that the row at a position could not be produced; position 0: none of them. */
void delivery_fail(struct delivery *d, int32_t position, enum status status,
                   const struct error *err);

/* Hands rows of whole matrices on, those of all sources in order of their positions, on up to
 * `threads` threads: what engines use that solve the whole matrix. Row i of dist and of pred, which
 * is NULL for distances only, is that of vertex i. Calls delivery_begin. */
enum status delivery_take_matrices(struct delivery *d, const struct matrix *dist,
                                   const struct matrix *pred, int threads, struct error *err);

/* How it went: the status of the lowest position that failed, and its line. */
enum status delivery_end(const struct delivery *d, struct error *err);

/* Seconds that the sink's begin and, on average over the threads, its take have taken since
 * delivery_begin was called. */
double delivery_sink_seconds(const struct delivery *d);

/* Bytes that it takes beside the graph for n vertices. */
uint64_t delivery_memory(const struct graph *g, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void delivery_close(struct delivery *d);

#endif
