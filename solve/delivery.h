// SPDX-License-Identifier: MIT
/* The way of a block of rows from the engine that produced it to the sink: distances beyond the
 * limit become INF, predecessors are kept from running round zero-weight cycles, distances are
 * checked to be in range, and the reweighting that made weights non-negative is undone. All of it
 * happens block by block, in the thread that has the block. */
#ifndef SOLVE_DELIVERY_H
#define SOLVE_DELIVERY_H

#include "common/base/isa.h"            // enum isa
#include "common/base/lowest_failure.h" // struct lowest_failure
#include "common/graph/limit.h"         // NO_LIMIT
#include "common/graph/row_block.h"     // struct row_block, struct row_sink
#include "ranks/claims.h"               // enum claims_part, struct ranks
#include "solve/zero_cycles.h"          // struct zero_cycles

#include <stdbool.h>

struct delivery_thread; /* what one thread works with */
struct solver_variant;  /* solver.h */

struct delivery {
    const struct graph *graph; /* that the engine solves: weights >= 0 */
    /* Unless NULL, graph is one that was reweighted by these potentials of its n vertices. */
    const int64_t *potential;
    struct row_sources sources;
    double limit; /* NO_LIMIT for none */
    bool with_pred;
    struct row_sink *sink;
    const struct ranks *ranks; /* that divide the rows among them; NULL: one process has all */
    struct progress *progress; /* may be NULL */
    /* As in struct solve_request. */
    void (*on_variant)(void *context, const struct solver_variant *variant);
    void *variant_context;

    /* The engine's rows are exact, for integer weights of any sign or of another semiring: nothing
     * is left to do but to take them. */
    bool ready_made;
    bool in_range; /* no distance of graph up to the limit can reach INF */
    /* Set by engines whose predecessors lead to the source, along zero-weight cycles too. */
    bool mended;
    struct zero_cycles zero;
    enum isa isa;
    struct delivery_thread *thread;
    int threads;
    double begin_s; /* seconds in the sink's begin, while it takes totals, and of proofs for it */
    int64_t next, end;            /* of the rows that delivery_next hands out */
    struct lowest_failure failed; /* by position */
    bool refused;                 /* it was a row that failed on its way to the sink, or in it */
};

/* Prepares for rows of the members that the caller has set; the others are zero. The caller frees
 * with delivery_close, also after a failure. */
enum status delivery_open(struct delivery *d, struct error *err);

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

/* Rows are found in strips of `unit`, the last of which may be shorter, from number 0 to that of
 * the rows that are wanted: returns how many are in the next one, and stores the number of its
 * first. Of several processes each claims some strips at a time. 0 if none is left or all processes
 * are to stop. Any of the threads may ask, after delivery_begin. */
int32_t delivery_next(struct delivery *d, int32_t unit, int32_t *first);

/* Claims the next rows in order that several processes share (claims_share), for an engine that
 * does not use delivery_next for them. Returns how many, 0 if none is left or all are to stop, and
 * stores the first. */
int32_t delivery_claims(const struct delivery *d, enum claims_part part, int32_t unit, int32_t most,
                        int32_t *first);

/* Begins with row 0 again. All processes call it. It may fail because another one has. */
enum status delivery_claim_anew(struct delivery *d, struct error *err);

/* Hands a block on; any of the threads may call it. It keeps a failure for delivery_end. */
void delivery_take(struct delivery *d, const struct row_block *block);

/* Returns whether rows of graph may be proved where they are: as rows of sink->proves, reweighted
 * by potential unless that is NULL. */
bool delivery_may_prove(const struct delivery *d);

/* Returns whether the sink takes totals of integers instead of rows, proved ones if it proves rows,
 * and nothing has to be done to distances on their way to it. Totals say nothing of predecessors.
 * After delivery_begin. */
bool delivery_takes_totals(const struct delivery *d);

/* Returns the same for an engine that leaves out distances beyond the delivery's limit itself. */
bool delivery_takes_totals_within(const struct delivery *d);

/* Returns the same for struct grid_totals of a float64 graph on a grid. */
bool delivery_takes_grid_totals(const struct delivery *d);

/* Returns the same for totals of the type of lengths (common/base/length.h). */
#ifdef LENGTH_F64
#define delivery_takes_length_totals delivery_takes_grid_totals
#else
#define delivery_takes_length_totals delivery_takes_totals
#endif

/* Returns whether it takes totals, of integers or of a graph on a grid, that lack what
 * spares_reciprocals says and that, if it proves rows, a proof of classes of rows can be for
 * (certificate/class_regions.h). */
bool delivery_takes_sums(const struct delivery *d);

/* Returns whether the sink takes rows in the memory of a GPU, `proved` ones if it proves rows, and
 * nothing has to be done to rows, whose predecessors are mended, on their way to it. */
bool delivery_takes_device(const struct delivery *d, int device, bool proved);

/* Hands on the totals of the whole answer, and keeps a failure for delivery_end. Returns false if
 * they do not tell whether all distances are in range, or are not proved although the sink proves
 * rows: then the sink wants rows. */
bool delivery_take_totals(struct delivery *d, const struct answer_totals *totals);

/* Says that an engine has taken so many seconds to prove what the sink would otherwise have proved:
 * they count as the sink's. */
void delivery_count_proof(struct delivery *d, double seconds);

/* Notes that the engine could not produce the row at a position, or, if that is 0, any row. */
void delivery_fail(struct delivery *d, int32_t position, enum status status,
                   const struct error *err);

/* Hands on the rows of all sources from whole matrices, whose row i belongs to vertex i, on up to
 * `threads` threads. It serves engines that solve the whole matrix, and calls delivery_begin. pred
 * is NULL for distances only. */
enum status delivery_take_matrices(struct delivery *d, const struct matrix *dist,
                                   const struct matrix *pred, int threads, struct error *err);

/* Returns STATUS_OK, or the status of the lowest position that failed with its line in err. */
enum status delivery_end(const struct delivery *d, struct error *err);

/* Returns how many seconds the sink has used since delivery_begin: in its begin, and in its take as
 * the mean over the threads. */
double delivery_sink_seconds(const struct delivery *d);

/* Returns how many seconds blocks have been worked on before the sink took them, in the same way.
 */
double delivery_work_seconds(const struct delivery *d);

/* Returns how many bytes a delivery takes at most beside the graph. */
uint64_t delivery_memory(const struct graph *g, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void delivery_close(struct delivery *d);

#endif
