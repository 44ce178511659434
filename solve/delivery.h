// SPDX-License-Identifier: MIT
/* The way of a block of rows from the engine that produced it to the sink: distances beyond the
 * limit become INF, predecessors that run round zero-weight cycles are mended, distances are
 * checked to be in range, and the reweighting that made weights non-negative is undone. All these
 * steps happen block by block, in the thread that has the block. */
#ifndef SOLVE_DELIVERY_H
#define SOLVE_DELIVERY_H

#include "common/base/isa.h"            // enum isa
#include "common/base/lowest_failure.h" // struct lowest_failure
#include "common/graph/limit.h"         // NO_LIMIT
#include "common/graph/row_block.h"     // struct row_block, struct row_sink
#include "ranks/claims.h"               // enum claims_part, struct ranks
#include "solve/zero_cycles.h"          // struct zero_cycles

#include <stdbool.h>

struct delivery_thread; /* times and scratch memory of one thread */
struct solver_variant;  /* solver.h */

struct delivery {
    const struct graph *graph; /* the graph that the engine solves: weights >= 0 */
    /* Unless NULL, `graph` was reweighted by these potentials of its n vertices. */
    const int64_t *potential;
    struct row_sources sources;
    double limit; /* distances beyond it become INF; NO_LIMIT: none */
    bool with_pred;
    struct row_sink *sink;
    /* processes that divide the rows among them; NULL: this process has all */
    const struct ranks *ranks;
    struct progress *progress; /* NULL: nobody is told */
    /* Called as solve_request.on_variant (solve.h); may be NULL. */
    void (*on_variant)(void *context, const struct solver_variant *variant);
    void *variant_context;

    /* The engine's rows are exact, for integer weights of any sign or for another semiring, and go
     * to the sink as they are. */
    bool ready_made;
    bool in_range; /* no distance in `graph` up to the limit can reach INF */
    /* Set by engines whose predecessors lead to the source even along zero-weight cycles. */
    bool mended;
    struct zero_cycles zero;
    enum isa isa;
    struct delivery_thread *thread;
    int threads;
    /* seconds spent in the sink's begin, on taking totals, and on proofs of totals */
    double begin_s;
    /* positions of the next row that delivery_next hands out and behind its last */
    int64_t next, end;
    struct lowest_failure failed; /* the failure at the lowest position of a row */
    bool refused; /* a row failed on its way to the sink or in the sink, not in the engine */
};

/* Prepares *d to deliver rows, on up to `threads` threads or threads_or_default(0). The caller has
 * set the members from `graph` to `ready_made`; all others must be zero. The caller frees with
 * delivery_close, also after a failure. */
enum status delivery_open(struct delivery *d, int threads, struct error *err);

/* Begins an answer and forgets the blocks of an earlier one. `threads` threads, which
 * omp_get_thread_num() numbers from 0, may deliver blocks. */
enum status delivery_begin(struct delivery *d, int threads, struct error *err);

/* Stores in *dist and *pred where the engine should write the row at a position: in the sink's
 * place for it or, if the sink has none, in own_dist and own_pred. For distances only, *pred
 * becomes NULL and own_pred may be NULL. */
void delivery_place(const struct delivery *d, int32_t position, void *own_dist, int32_t *own_pred,
                    void **dist, int32_t **pred);

/* Returns whether the sink has places for all rows, so that engines need no room for them. */
bool delivery_has_places(const struct delivery *d);

/* Returns whether the row at a position still matters. Rows behind one that failed do not, and none
 * does if progress says to stop. Any thread may ask. */
bool delivery_wants(const struct delivery *d, int32_t position);

/* Returns whether any of the rows at `count` positions still matters. */
bool delivery_wants_any(const struct delivery *d, const int32_t *position, int32_t count);

/* Hands out rows in strips of `unit`, in ascending order; the last strip may be shorter. Returns
 * how many rows the next strip has, and stores the position of its first row. Several processes
 * each claim some strips at a time. Returns 0 if none is left or all processes are to stop. Any
 * thread may call it after delivery_begin. */
int32_t delivery_next(struct delivery *d, int32_t unit, int32_t *first);

/* Claims the next rows in the order that several processes share (claims_share), for an engine that
 * does not use delivery_next. Returns how many rows it claimed, and stores the position of the
 * first; 0 if none is left or all processes are to stop. */
int32_t delivery_claims(const struct delivery *d, enum claims_part part, int32_t unit, int32_t most,
                        int32_t *first);

/* Starts the claims of all processes again at row 0. All processes call it. It fails if another
 * process has failed. */
enum status delivery_claim_anew(struct delivery *d, struct error *err);

/* Hands a block on; any thread may call it. delivery_end reports a failure. */
void delivery_take(struct delivery *d, const struct row_block *block);

/* Returns whether rows of `graph` may be proved where they are, without the sink: as rows of
 * sink->proves, which `graph` is or whose reweighting by `potential` it is. */
bool delivery_may_prove(const struct delivery *d);

/* Returns whether the sink takes totals of integers instead of rows and distances need no change on
 * their way. The totals must be proved if the sink proves rows, and do not cover predecessors. Call
 * it after delivery_begin. */
bool delivery_takes_totals(const struct delivery *d);

/* Returns what delivery_takes_totals returns, for an engine that leaves out distances beyond the
 * delivery's limit itself. */
bool delivery_takes_totals_within(const struct delivery *d);

/* Returns what delivery_takes_totals returns, for struct grid_totals of a float64 graph on a grid.
 */
bool delivery_takes_grid_totals(const struct delivery *d);

/* Returns what delivery_takes_totals returns, for totals of the type of lengths
 * (common/base/length.h). */
#ifdef LENGTH_F64
#define delivery_takes_length_totals delivery_takes_grid_totals
#else
#define delivery_takes_length_totals delivery_takes_totals
#endif

/* Returns whether the sink takes totals, of integers or of a graph on a grid, without the
 * reciprocals that spares_reciprocals names. If it proves rows, a proof of classes of rows must do
 * for them (certificate/class_regions.h). */
bool delivery_takes_sums(const struct delivery *d);

/* Returns whether the sink takes rows in the memory of that GPU and rows, with mended predecessors,
 * need no change on their way. `proved`: the rows are proved, as a sink that proves rows demands.
 */
bool delivery_takes_device(const struct delivery *d, int device, bool proved);

/* Hands on the totals of the whole answer, and keeps a failure for delivery_end. Returns false if
 * the sink needs rows instead: if the totals do not tell whether all distances are in range, or if
 * they are not proved although the sink proves rows. */
bool delivery_take_totals(struct delivery *d, const struct answer_totals *totals);

/* Adds the seconds that an engine took for a proof, which the sink would have had to make
 * otherwise, to the sink's. */
void delivery_count_proof(struct delivery *d, double seconds);

/* Records that the engine could not produce the row at that position; position 0 stands for all
 * rows. */
void delivery_fail(struct delivery *d, int32_t position, enum status status,
                   const struct error *err);

/* For engines that solve whole matrices: calls delivery_begin and hands on the rows of all sources,
 * on up to `threads` threads. Row i of a matrix belongs to vertex i. pred is NULL for distances
 * only. */
enum status delivery_take_matrices(struct delivery *d, const struct matrix *dist,
                                   const struct matrix *pred, int threads, struct error *err);

/* Returns STATUS_OK, or the status of the row that failed at the lowest position, with its message
 * in err. */
enum status delivery_end(const struct delivery *d, struct error *err);

/* Returns how many seconds the sink has used since delivery_begin: those of its begin, and the mean
 * over the threads of those of its take. */
double delivery_sink_seconds(const struct delivery *d);

/* Returns how many seconds a thread, on average, has worked on blocks before the sink took them. */
double delivery_work_seconds(const struct delivery *d);

/* Returns how many bytes a delivery takes at most in addition to the graph. */
uint64_t delivery_memory(const struct graph *g, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void delivery_close(struct delivery *d);

#endif
