// SPDX-License-Identifier: MIT
#include "dissection/gpu/totals.h"

#ifndef APSP_NO_CUDA

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // threads_paid
#include "common/base/memory.h"      // memory_alloc
#include "dissection/gpu/class_totals.h"
#include "dissection/gpu/crew.h"
#include "dissection/gpu/sweeps.h" // sweeps_prepare
#include "dissection/gpu/swept_totals.h"
#include "gpu/gpu_solver.h"       // gpu_blame
#include "gpu/launch/gpu_error.h" // gpu_check
#include "ranks/largest.h"        // ranks_largest
#include "solve/delivery.h"       // delivery_take_totals

enum status totals_alloc(const struct crew *c, struct host_totals *t, struct error *err) {
    const size_t padded = sweeps_padded_sources(c);
    void *memory;
    if (totals_memory(&t->row) != NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, padded, TOTALS_BYTES, "the totals", err));
    t->row = totals_in(memory, padded);
    return STATUS_OK;
}

/* Returns the number of threads for a loop that takes a step for each source. */
static int threads_for(const struct crew *c) {
    return threads_paid(c->threads, c->task->delivery->sources.count, block_sizes.thread_steps);
}

/* Returns the number of vertices that source k reaches. */
static int32_t reached_of(const struct crew *c, const struct host_totals *t, int32_t k) {
    return c->by_classes ? t->of_classes[k].reached : t->row.reached[k];
}

static path_length farthest_of(const struct crew *c, const struct host_totals *t, int32_t k) {
    return c->by_classes ? t->of_classes[k].farthest : t->row.farthest[k];
}

enum status totals_find_largest(const struct crew *c, struct host_totals *t, struct error *err) {
    path_length largest = 0;
#pragma omp parallel for schedule(static) num_threads(threads_for(c)) reduction(max : largest)
    for (int32_t k = 0; k < c->task->delivery->sources.count; k++)
        largest = farthest_of(c, t, k) > largest ? farthest_of(c, t, k) : largest;
    t->largest = largest;
    return ranks_largest(ranks_or_alone(c->task->delivery->ranks), &t->largest, err);
}

#ifdef LENGTH_F64

static spacing_count sum_of(double upper, double lower) {
    return (spacing_count)(int64_t)(upper * 0x1p-26) * (1 << 26) + (int64_t)lower;
}

static struct grid_totals total_of(const struct crew *c, const struct host_totals *t, int32_t k) {
    const struct gpu_class_total *const own = &t->of_classes[k];
    const struct gpu_totals *const row = &t->row;
    if (c->by_classes)
        return (struct grid_totals){.sum = sum_of(own->upper, own->lower),
                                    .farthest = own->farthest,
                                    .reached = own->reached};
    struct grid_totals totals = {.sum = sum_of(row->upper[k], row->lower[k]),
                                 .farthest = row->farthest[k],
                                 .reached = row->reached[k]};
    if (!c->task->delivery->sink->spares_reciprocals)
        digit_levels_take(&c->levels, row->digit + k, row->apart, &totals);
    return totals;
}

#else

static struct row_totals total_of(const struct crew *c, const struct host_totals *t, int32_t k) {
    if (c->by_classes)
        return (struct row_totals){.sum = t->of_classes[k].sum,
                                   .reached = t->of_classes[k].reached,
                                   .farthest = t->of_classes[k].farthest};
    return (struct row_totals){.sum = (int64_t)t->row.sum[k],
                               .high = t->row.high[k],
                               .low = t->row.low[k],
                               .reached = t->row.reached[k],
                               .farthest = t->row.farthest[k]};
}

#endif

static enum status find_rows(struct crew *c, struct host_totals *t, struct error *err) {
    if (!c->by_classes)
        return swept_totals_find(c, t, err);
    RETURN_ON_FAILURE(class_totals_find(c, t, err));
    return totals_find_largest(c, t, err);
}

/* Finds the totals of all sources and copies those of source k to out[c->position[k]]. */
static enum status find_totals(struct crew *c, struct host_totals *t, struct length_totals *out,
                               struct error *err) {
    RETURN_ON_FAILURE(find_rows(c, t, err));
#pragma omp parallel for schedule(static) num_threads(threads_for(c))
    for (int32_t k = 0; k < c->task->delivery->sources.count; k++)
        out[c->position[k]] = total_of(c, t, k);
    return STATUS_OK;
}

/* Finds the lowest source, among all processes, that has a target at the largest distance. The
 * process that has it finds the lowest target. */
static enum status find_farthest(struct crew *c, const struct host_totals *t,
                                 struct answer_totals *totals, struct error *err) {
    /* The lowest vertex in the upper 32 bits, the number of its source below; INT64_MAX: none. */
    int64_t first = INT64_MAX;
#pragma omp parallel for schedule(static) num_threads(threads_for(c)) reduction(min : first)
    for (int32_t k = 0; k < c->task->delivery->sources.count; k++) {
        if (reached_of(c, t, k) == 0 || farthest_of(c, t, k) != t->largest)
            continue;
        const int64_t own = (int64_t)c->d.tree.vertex[c->order[k]] << 32 | k;
        first = own < first ? own : first;
    }
    const int32_t source = first == INT64_MAX ? -1 : (int32_t)(first & INT32_MAX);
    int lowest = first == INT64_MAX ? c->task->graph->n : (int)(first >> 32);
    totals->from = lowest;
    RETURN_ON_FAILURE(crew_find_least(c, &lowest, err));
    if (totals->from == lowest && c->by_classes)
        return class_totals_find_target(c, source, t->largest, &totals->to, err);
    if (totals->from == lowest)
        return swept_totals_find_target(c, source, t->largest, &totals->to, err);
    totals->from = -1;
    return STATUS_OK;
}

/* *proved: everything that a GPU has found since the last call of find_totals is proved. */
static enum status find_proof_of(const struct crew_gpu *gpu, bool *proved, struct error *err) {
    if (gpu->crew->by_classes)
        return gpu_classes_proved(&gpu->classes, proved, err);
    *proved = false;
    return gpu->proof.is_ready ? gpu_lane_proof_end(&gpu->proof, proved, err) : STATUS_OK;
}

/* Returns whether each source's totals are at the position in the answer that belongs to its
 * vertex. */
static bool are_in_place(const struct crew *c) {
    const struct row_sources *const sources = &c->task->delivery->sources;
    bool are = true;
    for (int32_t k = 0; k < sources->count; k++)
        are = are && c->d.tree.vertex[c->order[k]] == row_source(sources, c->position[k]);
    return are;
}

static enum status find_proof_here(const struct crew *c, bool *proved, struct error *err) {
    *proved = !c->refuted && are_in_place(c);
    for (int k = 0; k < c->count && *proved; k++) {
        RETURN_ON_FAILURE(crew_select(&c->gpu[k], err));
        const enum status status = find_proof_of(&c->gpu[k], proved, err);
        if (status != STATUS_OK)
            return c->count == 1 ? status : gpu_blame(c->gpu[k].device, status, err);
    }
    return crew_select(c->gpu, err);
}

/* *proved: everything that all processes have found since the last call of find_totals is
 * proved. */
static enum status find_proof(const struct crew *c, bool *proved, struct error *err) {
    RETURN_ON_FAILURE(find_proof_here(c, proved, err));
    return crew_agree(c, proved, err);
}

/* Switches the devices to the reversed graph, or back to the graph. */
static enum status turn_round(struct crew *c, bool reversed, struct error *err) {
    crew_reverse(c, reversed);
    if (c->by_classes)
        return class_totals_turn(c, err);
    pieces_free(&c->pieces);
    crew_release(c);
    RETURN_ON_FAILURE(pieces_find(&c->d.tree, &c->d.structure, &c->d.lengths, &c->sizes, c->threads,
                                  &c->pieces, err));
    return sweeps_prepare(c, err);
}

enum status totals_answer(struct crew *c, bool *done, struct error *err) {
    const size_t count = (size_t)c->task->delivery->sources.count;
    struct host_totals t = {0};
    struct answer_totals totals = {.bins = TOTALS_BINS};
    int64_t counts[TOTALS_BINS] = {0};
    void *out = NULL, *in = NULL;
    enum status status;
    TRY(memory_alloc(&out, count, sizeof(struct length_totals), "the totals", err));
    TRY(find_totals(c, &t, out, err));
    if (!c->by_classes)
        TRY(swept_totals_count(c, &t, counts, err));
#ifndef LENGTH_F64
    totals.spacing = 1;
    totals.out = out;
#else
    totals.spacing = c->task->graph->spacing;
    totals.grid_out = out;
#endif
    totals.shift = c->shift;
    totals.count = counts;
    totals.largest = t.largest * totals.spacing;
    TRY(find_farthest(c, &t, &totals, err));
    TRY(find_proof(c, &totals.proved, err));
    if (c->task->delivery->sink->wants_columns && totals.proved == c->proves) {
        bool proved;
        TRY(memory_alloc(&in, count, sizeof(struct length_totals), "the totals", err));
        TRY(turn_round(c, true, err));
        TRY(find_totals(c, &t, in, err));
#ifndef LENGTH_F64
        totals.in = in;
#else
        totals.grid_in = in;
#endif
        TRY(find_proof(c, &proved, err));
        totals.proved = totals.proved && proved;
    }
    *done = delivery_take_totals(c->task->delivery, &totals);
    c->proved = totals.proved;
    if (!*done && in != NULL) /* rows are wanted after all, of the graph itself */
        TRY(turn_round(c, false, err));

cleanup:
    memory_free(totals_memory(&t.row));
    memory_free(t.of_classes);
    memory_free(out);
    memory_free(in);
    return status;
}

#endif
