// SPDX-License-Identifier: MIT
#include "dissection/gpu/swept_totals.h"

#ifndef APSP_NO_CUDA

#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_alloc
#include "dissection/gpu/crew.h"
#include "dissection/gpu/sweeps.h" // sweeps_run
#include "gpu/launch/gpu_error.h"  // gpu_check
#include "solve/delivery.h"        // struct delivery

#include <math.h>
#include <string.h>

/* Returns whether the sink wants neither reciprocals nor counts. */
static bool spares_counts(const struct crew *c) {
    return c->task->delivery->sink->spares_reciprocals;
}

#ifdef LENGTH_F64

/* Sets the digits that the reciprocals of all distances have. */
static void set_range(struct crew_gpu *gpu) {
    const struct crew *const c = gpu->crew;
    const struct graph *const g = c->task->graph;
    if (!spares_counts(c))
        gpu->totals.range = digit_range_of(&c->levels, c->levels.least, g->farthest / g->spacing);
}

static void find_levels(struct crew *c) {
    if (!spares_counts(c))
        c->levels = digit_levels_for(c->task->graph, c->task->delivery->sink->reciprocal_bits);
}

#else

static void set_range(struct crew_gpu *gpu) {
    (void)gpu;
}

static void find_levels(struct crew *c) {
    (void)c;
}

#endif

/* Returns whether the bins are too narrow for a distance. */
static bool is_beyond(double longest, int32_t shift) {
    return ldexp(longest, -shift) >= TOTALS_BINS;
}

static enum status alloc_totals(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    const size_t padded = sweeps_padded_sources(gpu->crew);
    void *memory;
    RETURN_ON_FAILURE(product_slots(gpu->lanes, &gpu->slots, err));
    RETURN_ON_FAILURE(device_memory_alloc(&gpu->memory, &memory, padded * TOTALS_BYTES,
                                          "allocating totals", err));
    gpu->totals = totals_in(memory, padded);
    RETURN_ON_FAILURE(device_memory_alloc(&gpu->memory, &memory,
                                          (size_t)gpu->slots * TOTALS_BINS * sizeof(uint64_t),
                                          "allocating totals", err));
    gpu->totals.count = memory;
    set_range(gpu);
    return STATUS_OK;
}

static enum status clear_totals(const struct crew_gpu *gpu, struct error *err) {
    const size_t bytes = sweeps_padded_sources(gpu->crew) * TOTALS_BYTES;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemset(totals_memory(&gpu->totals), 0, bytes), "clearing totals", err));
    return gpu_check(
        cudaMemset(gpu->totals.count, 0, (size_t)gpu->slots * TOTALS_BINS * sizeof(uint64_t)),
        "clearing totals", err);
}

/* Copies the totals of all sources from a GPU. */
static enum status fetch_totals(struct crew_gpu *gpu, struct host_totals *t, struct error *err) {
    const size_t bytes = sweeps_padded_sources(gpu->crew) * TOTALS_BYTES;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(totals_alloc(gpu->crew, t, err));
    RETURN_ON_FAILURE(gpu_check(cudaMemcpy(totals_memory(&t->row), totals_memory(&gpu->totals),
                                           bytes, cudaMemcpyDeviceToHost),
                                "copying totals", err));
    gpu->memory.transfer_s += clock_seconds() - start;
    return STATUS_OK;
}

/* Returns the least shift with which `longest` is in the bins. */
static int32_t shift_for(double longest) {
    int32_t shift = 0;
    while (is_beyond(longest, shift))
        shift++;
    return shift;
}

/* Sweeps the first sources to learn two things. The width of bins is set for twice the largest
 * distance from these sources, which no distance exceeds if the graph is connected and undirected.
 * c->is_finite: perhaps all distances are finite and, except those of vertices to themselves, not
 * 0. */
static enum status look_ahead(struct crew *c, struct host_totals *t, struct error *err) {
    const struct graph *const g = c->task->graph;
    const int32_t count = c->task->delivery->sources.count;
    const int32_t some = count < PRODUCT_LANES ? count : PRODUCT_LANES;
    struct crew_gpu *const gpu = c->gpu;
    path_length largest = 0;
    RETURN_ON_FAILURE(clear_totals(gpu, err));
    RETURN_ON_FAILURE(sweeps_run(gpu, PRODUCT_TOTALS, 0, some, err));
    RETURN_ON_FAILURE(fetch_totals(gpu, t, err));
    c->is_finite = LENGTH_NUMBER == 0 && g->n > 1 && g->min_weight > 0;
    for (int32_t k = 0; k < some; k++) {
        largest = t->row.farthest[k] > largest ? t->row.farthest[k] : largest;
        c->is_finite = c->is_finite && t->row.reached[k] == g->n;
    }
    c->shift = shift_for(2.0 * largest + 1);
    return STATUS_OK;
}

/* Sweeps `count` sources from number `first` on and proves all labels; the proof adds up the
 * totals. */
static enum status sweep_and_prove(struct crew_gpu *gpu, int32_t first, int32_t count,
                                   struct error *err) {
    RETURN_ON_FAILURE(crew_start_clock(gpu, err));
    RETURN_ON_FAILURE(sweeps_run(gpu, PRODUCT_LABELS, first, count, err));
    RETURN_ON_FAILURE(crew_stop_clock(gpu, &gpu->times.sweep, err));
    const struct gpu_lanes rows = {.dist = gpu->batch.labels,
                                   .source = gpu->vertex + first,
                                   .count = count,
                                   .lanes = gpu->batch.lanes,
                                   .all_finite = gpu->crew->is_finite,
                                   .totals = gpu->batch.totals,
                                   .slots = gpu->slots};
    RETURN_ON_FAILURE(crew_start_clock(gpu, err));
    RETURN_ON_FAILURE(gpu_lane_proof_take(&gpu->proof, &rows, err));
    return crew_stop_clock(gpu, &gpu->times.prove, err);
}

/* Sweeps `count` sources without a proof; the sweep adds up the totals. */
static enum status sweep_only(struct crew_gpu *gpu, int32_t first, int32_t count,
                              struct error *err) {
    const bool spares = spares_counts(gpu->crew);
#ifdef LENGTH_F64
    const enum product_kind kind = spares ? PRODUCT_SUMS : PRODUCT_TOTALS;
#else
    const enum product_kind kind = !gpu->crew->is_finite ? PRODUCT_TOTALS
                                   : spares              ? PRODUCT_SUMS
                                                         : PRODUCT_FINITE;
#endif
    RETURN_ON_FAILURE(crew_start_clock(gpu, err));
    RETURN_ON_FAILURE(sweeps_run(gpu, kind, first, count, err));
    return crew_stop_clock(gpu, &gpu->times.sweep, err);
}

/* Sweeps the sources that a GPU claims. */
static enum status sweep_part(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    int32_t first, some;
    RETURN_ON_FAILURE(clear_totals(gpu, err));
    if (gpu->proof.is_ready)
        RETURN_ON_FAILURE(gpu_lane_proof_begin(&gpu->proof, err));
    while ((some = crew_claim(gpu, gpu->lanes, PRODUCT_LANES, &first)) > 0) {
        if (!crew_goes_on(gpu))
            return progress_cancelled(err);
        RETURN_ON_FAILURE(gpu->proof.is_ready ? sweep_and_prove(gpu, first, some, err)
                                              : sweep_only(gpu, first, some, err));
        crew_report_progress(gpu, first);
    }
    /* For a GPU other than the first one, another thread copies the totals. */
    return crew_is_first(gpu) ? STATUS_OK
                              : gpu_check(cudaDeviceSynchronize(), "clearing totals", err);
}

static void add_totals_of(const struct gpu_totals *from, struct gpu_totals *to, int32_t k) {
#ifdef LENGTH_F64
    to->upper[k] += from->upper[k];
    to->lower[k] += from->lower[k];
    for (size_t level = 0; level < DIGIT_LEVELS; level++)
        to->digit[level * to->apart + (size_t)k] += from->digit[level * from->apart + (size_t)k];
#else
    to->sum[k] += from->sum[k];
    to->high[k] += from->high[k];
    to->low[k] += from->low[k];
#endif
    to->reached[k] += from->reached[k];
    to->farthest[k] += from->farthest[k];
}

/* Adds the totals that a GPU has found; each source is 0 on all GPUs but one. */
static enum status add_totals(struct crew_gpu *gpu, struct host_totals *t, struct error *err) {
    struct host_totals part = {0};
    const enum status status = fetch_totals(gpu, &part, err);
    const int32_t count = gpu->crew->task->delivery->sources.count;
    for (int32_t k = 0; k < count && status == STATUS_OK; k++)
        add_totals_of(&part.row, &t->row, k);
    memory_free(totals_memory(&part.row));
    return status;
}

/* Sweeps all sources, with the bins and the assumption (is_finite) of the crew. */
static enum status sweep_all(struct crew *c, struct host_totals *t, struct error *err) {
    RETURN_ON_FAILURE(crew_claim_anew(c, err));
    RETURN_ON_FAILURE(crew_together(c, sweep_part, err));
    RETURN_ON_FAILURE(fetch_totals(c->gpu, t, err));
    for (int k = 1; k < c->count; k++)
        RETURN_ON_FAILURE(add_totals(&c->gpu[k], t, err));
    return totals_find_largest(c, t, err);
}

/* Corrects the totals: sweeps that assume finite distances count the distance of a source to itself
 * as 1. */
static void take_back(const struct crew *c, struct host_totals *t) {
#ifdef LENGTH_F64
    (void)c, (void)t; /* float64 never assumes finite distances */
#else
    for (int32_t k = 0; k < c->task->delivery->sources.count; k++) {
        if (t->row.sum[k] == 0)
            continue; /* the source belongs to another process */
        t->row.sum[k] -= 1;
        t->row.high[k] -= (int64_t)1 << 41;
        t->row.reached[k] = c->task->graph->n;
    }
#endif
}

enum status swept_totals_find(struct crew *c, struct host_totals *t, struct error *err) {
    find_levels(c);
    RETURN_ON_FAILURE(crew_together(c, alloc_totals, err));
    RETURN_ON_FAILURE(look_ahead(c, t, err));
    for (;;) { /* again if what the first sources suggested was wrong */
        RETURN_ON_FAILURE(sweep_all(c, t, err));
        if (c->is_finite && t->largest >= LENGTH_INF)
            c->is_finite = false;
        else if (is_beyond(t->largest, c->shift) && !spares_counts(c))
            c->shift = shift_for(t->largest);
        else
            break;
    }
    if (c->is_finite)
        take_back(c, t);
    return STATUS_OK;
}

/* Adds the counts of all blocks of a GPU to `count`. */
static enum status add_counts(struct crew_gpu *gpu, int64_t *count, struct error *err) {
    const size_t cells = (size_t)gpu->slots * TOTALS_BINS;
    void *memory;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(uint64_t), "the totals", err));
    const uint64_t *const all = memory;
    const enum status status = gpu_check(
        cudaMemcpy(memory, gpu->totals.count, cells * sizeof(uint64_t), cudaMemcpyDeviceToHost),
        "copying totals", err);
    for (size_t cell = 0; cell < cells && status == STATUS_OK; cell++)
        count[cell % TOTALS_BINS] += (int64_t)all[cell];
    memory_free(memory);
    gpu->memory.transfer_s += clock_seconds() - start;
    return status;
}

enum status swept_totals_count(struct crew *c, const struct host_totals *t, int64_t *count,
                               struct error *err) {
    int32_t own = 0; /* number of sources of this process */
    for (int32_t k = 0; k < c->task->delivery->sources.count; k++)
        own += t->row.reached[k] > 0;
    memset(count, 0, TOTALS_BINS * sizeof *count);
    for (int k = 0; k < c->count; k++)
        RETURN_ON_FAILURE(add_counts(&c->gpu[k], count, err));
    if (c->is_finite && c->shift == 0 && !spares_counts(c)) { /* sources are counted at distance 1
                                                                 from themselves; see take_back() */
        count[1] -= own;
        count[0] += own;
    }
    return STATUS_OK;
}

enum status swept_totals_find_target(struct crew *c, int32_t source, path_length largest,
                                     int32_t *target, struct error *err) {
    const int32_t n = c->pieces.n;
    struct crew_gpu *const gpu = c->gpu;
    const int held = gpu->memory.count;
    void *memory = NULL, *row_there;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)n, sizeof(path_length), "a row", err));
    TRY(device_memory_alloc(&gpu->memory, &row_there, (size_t)n * sizeof(path_length),
                            "allocating a row", err));
    if (gpu->proof.is_ready) {
        TRY(sweep_and_prove(gpu, source, 1, err));
        TRY(products_fetch_row(&gpu->products, &gpu->batch, row_there, err));
    } else {
        gpu->batch.rows = row_there;
        gpu->batch.row_ld = (size_t)n;
        gpu->batch.spacing = 1;
        TRY(sweeps_run(gpu, PRODUCT_ROWS, source, 1, err));
    }
    TRY(gpu_check(
        cudaMemcpy(memory, row_there, (size_t)n * sizeof(path_length), cudaMemcpyDeviceToHost),
        "copying a row", err));
    const path_length *const row = memory;
    *target = 0;
    while (*target < n - 1 && row[*target] != largest)
        ++*target;

cleanup:
    device_memory_free_since(&gpu->memory, held);
    memory_free(memory);
    return status;
}

#endif
