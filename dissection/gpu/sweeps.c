// SPDX-License-Identifier: MIT
#include "dissection/gpu/sweeps.h"

#ifndef APSP_NO_CUDA

#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_alloc
#include "dissection/gpu/crew.h"
#include "dissection/gpu/totals.h"  // totals_from
#include "elimination/gpu/levels.h" // level_close
#include "gpu/launch/gpu_error.h"   // gpu_check
#include "solve/delivery.h"         // delivery_takes_length_totals

size_t sweeps_padded_sources(const struct crew *c) {
    return (size_t)c->task->delivery->sources.count + PRODUCT_LANES;
}

size_t sweeps_row_length(const struct crew *c) {
    enum { LINE = 32 };
    return ((size_t)c->pieces.n + LINE - 1) / LINE * LINE;
}

size_t sweeps_row_bytes(const struct crew *c) {
    return sweeps_row_length(c) *
           (sizeof(path_length) + (c->task->predecessors ? sizeof(int32_t) : 0));
}

int32_t sweeps_rows_at_once(const struct crew_gpu *gpu) {
    const size_t batch_bytes = (size_t)64 << 20, fewest = ROW_BLOCK_MAX;
    const size_t fit = batch_bytes / sweeps_row_bytes(gpu->crew), lanes = (size_t)gpu->lanes;
    return (int32_t)(fit > lanes ? lanes : fit < fewest ? fewest : fit);
}

bool sweeps_rows_may_stay(const struct crew *c) {
    const struct delivery *const delivery = c->task->delivery;
    return c->count == 1 && delivery->ranks == NULL &&
           /* the host changes predecessors on zero-weight cycles */
           (!c->task->predecessors || delivery->zero.components == 0) &&
           delivery_takes_device(delivery, c->gpu->device, c->proves);
}

/* Returns the number of rows of labels: of all vertices or of those above the leaf pieces, and the
 * row of LENGTH_INF. */
static size_t label_rows(const struct crew *c, bool keeps_all) {
    const struct pieces *const p = &c->pieces;
    return (size_t)(keeps_all ? p->n : p->top + p->middle) + 1;
}

/* Stores the number of lanes of labels that fit into memory. keeps_all: the labels of all vertices
 * are kept, because totals are to be proved or predecessors are found from labels. */
static enum status find_lanes_that_fit(const struct crew_gpu *gpu, bool keeps_all, size_t *lanes,
                                       struct error *err) {
    size_t most_bytes = (size_t)(keeps_all ? 8 : 1) << 30, left;
    RETURN_ON_FAILURE(device_memory_left(&gpu->memory, &left, err));
    if ((keeps_all || gpu->memory.room.processes > 1) && most_bytes > left / 2)
        most_bytes = left / 2;
    *lanes = most_bytes / (label_rows(gpu->crew, keeps_all) * sizeof(path_length)) / PRODUCT_LANES *
             PRODUCT_LANES;
    return STATUS_OK;
}

static enum status close_pieces(struct crew_gpu *gpu, struct error *err) {
    const struct crew *const c = gpu->crew;
    const int share = c->threads / c->count; /* GPUs find their pieces at the same time */
    const struct level_options options = {.sizes = c->sizes,
                                          .threads = share > 0 ? share : 1,
                                          .small_top = c->small_top,
                                          .progress =
                                              crew_is_first(gpu) ? c->task->progress : NULL};
    const double start = clock_seconds(), transfer_s = gpu->memory.transfer_s;
    RETURN_ON_FAILURE(level_close(&gpu->memory, &options, &c->d.tree, &c->d.structure,
                                  &c->d.lengths, &c->pieces, &gpu->products, err));
    gpu->times.close += clock_seconds() - start - (gpu->memory.transfer_s - transfer_s);
    return STATUS_OK;
}

/* Uploads the position in the tree and the vertex of each source. */
static enum status upload_sources(struct crew_gpu *gpu, struct error *err) {
    const struct crew *const c = gpu->crew;
    const size_t count = sweeps_padded_sources(c);
    const void *source, *vertex;
    void *memory = NULL;
    enum status status;
    TRY(device_memory_upload(&gpu->memory, c->order, count, sizeof(int32_t), &source, err));
    gpu->source = source;
    TRY(memory_alloc(&memory, count, sizeof(int32_t), "the sources", err));
    for (size_t k = 0; k < count; k++)
        ((int32_t *)memory)[k] = c->d.tree.vertex[c->order[k]];
    TRY(device_memory_upload(&gpu->memory, memory, count, sizeof(int32_t), &vertex, err));
    gpu->vertex = vertex;

cleanup:
    memory_free(memory);
    return status;
}

/* Prepares to prove totals, if a proof is wanted and there is enough memory. */
static enum status prepare_proof(struct crew_gpu *gpu, struct error *err) {
    const struct crew *const c = gpu->crew;
    const struct graph *const g = c->task->graph;
    struct graph in = {0};
    size_t fit;
    enum status status;
    if (!c->proves || !delivery_takes_length_totals(c->task->delivery))
        return STATUS_OK;
    TRY(find_lanes_that_fit(gpu, true, &fit, err));
    if (fit == 0)
        return STATUS_OK;
    if (c->reversed)
        TRY(graph_reverse(g, &in, err));
    status = gpu_lane_proof_open(&gpu->proof, c->reversed ? &in : g, c->pieces.vertex, err);
    device_memory_count(&gpu->memory, gpu->proof.bytes);

cleanup:
    graph_free(&in);
    return status;
}

/* Allocates labels for batches. Batches are large, so that the device is busy until all blocks end
 * at about the same time. If even the smallest batch cannot keep all labels, predecessors are found
 * from rows, which takes longer. */
static enum status alloc_labels(struct crew_gpu *gpu, struct error *err) {
    const struct crew *const c = gpu->crew;
    const int32_t all = product_lanes(c->task->delivery->sources.count);
    const bool totals = delivery_takes_length_totals(c->task->delivery);
    size_t fit;
    void *memory;
    RETURN_ON_FAILURE(find_lanes_that_fit(gpu, true, &fit, err));
    gpu->keeps_labels = gpu->proof.is_ready || (c->task->predecessors && !totals && fit > 0);
    RETURN_ON_FAILURE(find_lanes_that_fit(gpu, gpu->keeps_labels, &fit, err));
    gpu->lanes = gpu->lanes < all ? gpu->lanes : all;
    if (!totals && !sweeps_rows_may_stay(c))
        gpu->lanes = product_lanes(sweeps_rows_at_once(gpu));
    if ((size_t)gpu->lanes > fit)
        gpu->lanes = fit > PRODUCT_LANES ? (int32_t)fit : PRODUCT_LANES;
    const size_t cells = label_rows(c, gpu->keeps_labels) * (size_t)gpu->lanes;
    RETURN_ON_FAILURE(device_memory_alloc(&gpu->memory, &memory, cells * sizeof(path_length),
                                          "allocating labels", err));
    gpu->batch.labels = memory;
    return STATUS_OK;
}

static enum status prepare(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    RETURN_ON_FAILURE(close_pieces(gpu, err));
    RETURN_ON_FAILURE(upload_sources(gpu, err));
    RETURN_ON_FAILURE(prepare_proof(gpu, err));
    return alloc_labels(gpu, err);
}

enum status sweeps_prepare(struct crew *c, struct error *err) {
    return crew_together(c, prepare, err);
}

enum status sweeps_run(struct crew_gpu *gpu, enum product_kind kind, int32_t first, int32_t count,
                       struct error *err) {
    struct product_batch *const b = &gpu->batch;
    b->kind = kind;
    b->source = gpu->source + first;
    b->count = count;
    b->lanes = product_lanes(count);
    b->totals = totals_from(gpu->totals, (size_t)first);
    b->totals.shift = gpu->crew->shift;
    return products_sweep(&gpu->products, b, err);
}

#endif
