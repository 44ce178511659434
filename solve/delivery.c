// SPDX-License-Identifier: MIT
#include "solve/delivery.h"

#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // threads_worth
#include "solve/potentials.h"    // potentials_restore_in_place
#include "solve/range.h"         // range_is_safe, range_find_cut_in
#include "solve/range_kernels.h" // range_kernels
#include "solve/real_range.h"    // real_range_check

#include <pthread.h>
#include <string.h>

/* Aligned to a cache line, so that threads do not share one. */
struct delivery_thread {
    _Alignas(64) double sink_s, work_s;
    int32_t *members;  /* two numbers for each member of a zero-weight cycle */
    uint64_t *reached; /* n sets of rows, as bits; NULL: no distance can leave the range */
};

enum status delivery_open(struct delivery *d, int threads, struct error *err) {
    lowest_failure_begin(&d->failed);
    if (d->graph->type != NUMBER_INT32) {
        d->in_range = d->ready_made || d->limit < NO_LIMIT || real_range_is_safe(d->graph);
        return STATUS_OK; /* the engine mends predecessors */
    }
    d->in_range = d->ready_made || d->limit < NO_LIMIT || range_is_safe(d->graph, threads);
    if (!d->in_range || d->limit < NO_LIMIT)
        RETURN_ON_FAILURE(isa_choose(&d->isa, err));
    return d->with_pred && !d->ready_made ? zero_cycles_find(d->graph, &d->zero, d->progress, err)
                                          : STATUS_OK;
}

/* Returns how many bytes the arrays of one thread take. */
static uint64_t thread_bytes(int32_t n, int32_t members, bool in_range) {
    return 2 * (uint64_t)members * sizeof(int32_t) +
           (in_range ? 0 : (uint64_t)n * sizeof(uint64_t));
}

uint64_t delivery_memory(const struct graph *g, int threads) {
    /* Zero-weight cycles, which are not searched here, may take a little more. */
    const uint64_t reached =
        (uint64_t)threads_or_default(threads) * (uint64_t)g->n * sizeof(uint64_t);
    return (g->min_weight <= 0 ? zero_cycles_memory(g->n) : 0) + reached;
}

static void free_threads(struct delivery *d) {
    for (int t = 0; t < d->threads; t++)
        memory_free(d->thread[t].reached != NULL ? (void *)d->thread[t].reached
                                                 : (void *)d->thread[t].members);
    memory_free(d->thread);
    d->thread = NULL;
    d->threads = 0;
}

static enum status alloc_threads(struct delivery *d, int threads, struct error *err) {
    const uint64_t bytes = thread_bytes(d->graph->n, d->zero.members, d->in_range);
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)threads, sizeof *d->thread, "the threads", err));
    d->thread = memory;
    memset(d->thread, 0, (size_t)threads * sizeof *d->thread);
    d->threads = threads;
    for (int t = 0; t < threads && bytes > 0; t++) {
        RETURN_ON_FAILURE(memory_alloc(&memory, bytes, 1, "what rows are checked with", err));
        if (!d->in_range) {
            d->thread[t].reached = memory;
            d->thread[t].members = (int32_t *)(d->thread[t].reached + d->graph->n);
        } else {
            d->thread[t].members = memory;
        }
    }
    return STATUS_OK;
}

enum status delivery_begin(struct delivery *d, int threads, struct error *err) {
    lowest_failure_begin(&d->failed);
    d->refused = false;
    d->next = d->end = 0;
    if (!d->mended)
        RETURN_ON_FAILURE(zero_cycles_find_entries(d->graph, &d->zero, err));
    if (threads > d->threads) {
        free_threads(d);
        const enum status status = alloc_threads(d, threads, err);
        if (status != STATUS_OK) {
            free_threads(d);
            return status;
        }
    }
    for (int t = 0; t < d->threads; t++)
        d->thread[t].sink_s = d->thread[t].work_s = 0;
    if (d->sink->begin == NULL)
        return STATUS_OK;
    const double start = clock_seconds();
    const enum status status = d->sink->begin(d->sink, d->graph->n, d->graph->type, &d->sources,
                                              d->with_pred, threads, err);
    d->begin_s = clock_seconds() - start;
    return status;
}

bool delivery_has_places(const struct delivery *d) {
    return d->sink->place != NULL;
}

void delivery_place(const struct delivery *d, int32_t position, void *own_dist, int32_t *own_pred,
                    void **dist, int32_t **pred) {
    *dist = own_dist;
    *pred = d->with_pred ? own_pred : NULL;
    if (d->sink->place != NULL)
        d->sink->place(d->sink, position, dist, pred);
}

bool delivery_wants(const struct delivery *d, int32_t position) {
    return lowest_failure_allows(&d->failed, position) && progress_goes_on(d->progress);
}

bool delivery_wants_any(const struct delivery *d, const int32_t *position, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        if (delivery_wants(d, position[k]))
            return true;
    }
    return false;
}

int32_t delivery_claims(const struct delivery *d, enum claims_part part, int32_t unit, int32_t most,
                        int32_t *first) {
    const struct claims_size size = {.part = part, .unit = unit, .most = most};
    int64_t number;
    const int64_t count = claims_next(d->ranks, &size, &number);
    *first = (int32_t)number;
    return (int32_t)count;
}

/* Returns the next rows of this process's claim, and claims more rows if none are left. */
static int32_t next_claimed(struct delivery *d, int32_t unit, int32_t *first) {
    /* shared by all deliveries of the process */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (d->next == d->end && d->next >= 0) {
        int32_t claimed = 0;
        const int32_t count = delivery_claims(d, CLAIMS_HALF, unit, d->sources.count, &claimed);
        d->next = count > 0 ? claimed : -1; /* -1: no rows are left to claim */
        d->end = d->next + count;
    }
    const int64_t left = claims_stopped(d->ranks) ? 0 : d->end - d->next;
    const int32_t count = left < unit ? (int32_t)left : unit;
    *first = (int32_t)d->next;
    d->next += count;
    pthread_mutex_unlock(&lock);
    return count;
}

int32_t delivery_next(struct delivery *d, int32_t unit, int32_t *first) {
    int64_t next;
    if (d->ranks != NULL)
        return next_claimed(d, unit, first);
#pragma omp atomic capture
    {
        next = d->next;
        d->next += unit;
    }
    const int64_t left = d->sources.count - next;
    *first = left > 0 ? (int32_t)next : 0;
    return left < 0 ? 0 : left < unit ? (int32_t)left : unit;
}

enum status delivery_claim_anew(struct delivery *d, struct error *err) {
    d->next = d->end = 0;
    return d->ranks != NULL ? claims_again(d->ranks, err) : STATUS_OK;
}

void delivery_fail(struct delivery *d, int32_t position, enum status status,
                   const struct error *err) {
    if (d->ranks != NULL)
        claims_stop(d->ranks);
    lowest_failure_note(&d->failed, position, status, err);
}

/* Returns the lowest position in a block. */
static int32_t lowest_position(const struct row_block *block) {
    int32_t lowest = block->position[0];
    for (int32_t r = 1; r < block->count; r++)
        lowest = block->position[r] < lowest ? block->position[r] : lowest;
    return lowest;
}

/* Fails if a distance was cut off at INF, and stores the position of its row in *position. */
static enum status check_range(const struct delivery *d, const struct row_block *block,
                               uint64_t *reached, int32_t *position, struct error *err) {
    int32_t row, to;
    range_find_cut_in(d->graph, block, d->isa, reached, &row, &to);
    if (row < 0)
        return STATUS_OK;
    *position = block->position[row];
    return range_refuse(d->graph, block->source[row], to, d->potential != NULL, err);
}

static enum status restore(const struct delivery *d, const struct row_block *block,
                           int32_t *position, struct error *err) {
    for (int32_t r = 0; r < block->count; r++) {
        *position = block->position[r];
        RETURN_ON_FAILURE(potentials_restore_in_place(d->graph, d->potential, block->source[r],
                                                      block->dist[r], err));
    }
    return STATUS_OK;
}

/* Makes distances beyond the limit INF. */
static void cut_off(const struct delivery *d, const struct row_block *block) {
    const struct range_kernels *const kernels = range_kernels(d->isa);
    for (int32_t r = 0; r < block->count; r++)
        kernels->cut_off(block->dist[r], d->with_pred ? block->pred[r] : NULL, (size_t)block->n,
                         (int32_t)d->limit);
}

/* Does what finish does for a graph of real weights. */
static enum status finish_real(const struct delivery *d, const struct row_block *block,
                               int32_t *position, struct error *err) {
    if (!d->in_range)
        RETURN_ON_FAILURE(real_range_check(d->graph, block, position, err));
    if (d->limit < NO_LIMIT)
        real_range_cut_off(block, d->limit);
    return STATUS_OK;
}

/* Applies all steps to a block. If one fails, stores the position of the row in *position. */
static enum status finish(const struct delivery *d, const struct row_block *block,
                          struct delivery_thread *thread, int32_t *position, struct error *err) {
    if (d->graph->type != NUMBER_INT32)
        return finish_real(d, block, position, err);
    if (d->limit < NO_LIMIT)
        cut_off(d, block);
    for (int32_t r = 0; r < block->count && d->zero.components > 0 && !d->mended; r++)
        zero_cycles_mend(&d->zero, block->source[r], block->dist[r], block->pred[r],
                         thread->members);
    if (!d->in_range)
        RETURN_ON_FAILURE(check_range(d, block, thread->reached, position, err));
    return d->potential != NULL ? restore(d, block, position, err) : STATUS_OK;
}

void delivery_take(struct delivery *d, const struct row_block *block) {
    struct delivery_thread *const thread = &d->thread[omp_get_thread_num()];
    struct error err;
    int32_t position = lowest_position(block);
    if (!delivery_wants(d, position))
        return;
    const double start = clock_seconds();
    enum status status = finish(d, block, thread, &position, &err);
    const double finished = clock_seconds();
    thread->work_s += finished - start;
    if (status == STATUS_OK) {
        status = d->sink->take(d->sink, block, &err);
        thread->sink_s += clock_seconds() - finished;
    }
    if (status != STATUS_OK) {
#pragma omp atomic write
        d->refused = true;
        delivery_fail(d, position, status, &err);
    }
}

bool delivery_may_prove(const struct delivery *d) {
    const struct graph *const proves = d->sink->proves;
    return proves != NULL && proves->n == d->graph->n &&
           (proves == d->graph || d->potential != NULL);
}

/* Returns whether the sink takes totals of some kind, and rows need no step except to leave out
 * distances beyond a limit. */
static bool takes_some_within(const struct delivery *d) {
    return d->sink->take_totals != NULL && !d->with_pred && d->potential == NULL;
}

static bool takes_some(const struct delivery *d) {
    return takes_some_within(d) && d->limit == NO_LIMIT;
}

bool delivery_takes_totals(const struct delivery *d) {
    return takes_some(d) && d->graph->type == NUMBER_INT32;
}

bool delivery_takes_totals_within(const struct delivery *d) {
    return takes_some_within(d) && d->graph->type == NUMBER_INT32;
}

bool delivery_takes_grid_totals(const struct delivery *d) {
    return takes_some(d) && d->graph->spacing > 0 &&
           (d->sink->spares_reciprocals || d->sink->reciprocal_bits > 0);
}

bool delivery_takes_sums(const struct delivery *d) {
    return takes_some(d) && (d->graph->type == NUMBER_INT32 || d->graph->spacing > 0) &&
           d->sink->spares_reciprocals &&
           (d->sink->proves == NULL ||
            (delivery_may_prove(d) && (d->graph->m == 0 || d->graph->min_weight > 0)));
}

bool delivery_takes_device(const struct delivery *d, int device, bool proved) {
    return d->sink->take_device != NULL && d->sink->device == device &&
           (proved || d->sink->proves == NULL) && d->potential == NULL && d->limit == NO_LIMIT &&
           d->in_range;
}

bool delivery_take_totals(struct delivery *d, const struct answer_totals *totals) {
    struct error err;
    if (d->graph->type == NUMBER_INT32 && !d->in_range &&
        totals->largest + d->graph->max_weight >= INF)
        return false;
    if (d->sink->proves != NULL && !totals->proved)
        return false;
    const double start = clock_seconds();
    const enum status status = d->sink->take_totals(d->sink, totals, &err);
    d->begin_s += clock_seconds() - start;
    if (status != STATUS_OK)
        delivery_fail(d, 0, status, &err);
    return true;
}

void delivery_count_proof(struct delivery *d, double seconds) {
    d->begin_s += seconds;
}

enum status delivery_take_matrices(struct delivery *d, const struct matrix *dist,
                                   const struct matrix *pred, int threads, struct error *err) {
    const int32_t count = d->sources.count, blocks = (count - 1) / ROW_BLOCK_MAX + 1;
    threads = threads_worth(threads, (double)count * d->graph->n);
    threads = threads < blocks ? threads : blocks;
    RETURN_ON_FAILURE(delivery_begin(d, threads, err));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t b = 0; b < blocks; b++) {
        int32_t *pred_rows[ROW_BLOCK_MAX];
        struct row_block block;
        row_block_of_matrices(&block, pred_rows, &d->sources, dist, pred, b * ROW_BLOCK_MAX,
                              ROW_BLOCK_MAX, true);
        delivery_take(d, &block);
    }
    return delivery_end(d, err);
}

enum status delivery_end(const struct delivery *d, struct error *err) {
    return lowest_failure_end(&d->failed, err);
}

double delivery_sink_seconds(const struct delivery *d) {
    double seconds = 0;
    for (int t = 0; t < d->threads; t++)
        seconds += d->thread[t].sink_s;
    return d->begin_s + (d->threads > 0 ? seconds / d->threads : 0);
}

double delivery_work_seconds(const struct delivery *d) {
    double seconds = 0;
    for (int t = 0; t < d->threads; t++)
        seconds += d->thread[t].work_s;
    return d->threads > 0 ? seconds / d->threads : 0;
}

void delivery_close(struct delivery *d) {
    free_threads(d);
    zero_cycles_free(&d->zero);
    *d = (struct delivery){0};
}
