// SPDX-License-Identifier: MIT
#include "dissection/gpu/crew_rows.h"

#ifndef APSP_NO_CUDA

#include "certificate/gpu/gpu_proof.h"
#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_reserve
#include "common/base/sort_numbers.h"
#include "dissection/gpu/crew.h"
#include "dissection/gpu/sweeps.h" // sweeps_run
#include "gpu/launch/gpu_error.h"  // gpu_check
#include "solve/delivery.h"        // delivery_take

#include <string.h>

/* Uploads the edges' weights as lengths. */
static enum status upload_weights(struct device_memory *m, const struct graph *g,
                                  const void **weight, struct error *err) {
#ifdef LENGTH_F64
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)g->m, sizeof(double), "the weights", err));
    for (int64_t e = 0; e < g->m; e++)
        ((double *)memory)[e] = g->real_weight[e] / g->spacing;
    const enum status status =
        device_memory_upload(m, memory, (size_t)g->m, sizeof(double), weight, err);
    memory_free(memory);
    return status;
#else
    return device_memory_upload(m, g->weight, (size_t)g->m, sizeof *g->weight, weight, err);
#endif
}

/* Returns the number of the leaf piece that a place is in; -1: none. Places of leaf pieces are in
 * the order of the pieces. */
static int32_t leaf_of(const struct pieces *p, int32_t place) {
    int32_t low = 0, high = p->leaves;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (p->piece[middle].place <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/* Begins a group of vertices in a leaf piece; -1: in none. */
static struct row_columns begin_group(const struct pieces *p, int32_t leaf) {
    if (leaf < 0)
        return (struct row_columns){.leaf = leaf};
    const struct piece *const piece = &p->piece[leaf];
    return (struct row_columns){
        .leaf = leaf, .low = piece->low, .high = piece->high, .width = piece->width};
}

/* Lists the groups of the tile of columns that begins with vertex `first`, without their places in
 * `above`; returns their number. of: place of each vertex. */
static int32_t group_tile(const struct pieces *p, const int32_t *of, int32_t first,
                          struct row_columns *group) {
    const int32_t count = p->n - first < ROW_TILE ? p->n - first : ROW_TILE;
    int32_t place[ROW_TILE], groups = 0;
    memcpy(place, of + first, (size_t)count * sizeof *place);
    sort_numbers(place, count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t leaf = leaf_of(p, place[k]);
        if (groups == 0 || group[groups - 1].count == ROW_COLUMNS || group[groups - 1].leaf != leaf)
            group[groups++] = begin_group(p, leaf);
        struct row_columns *const last = &group[groups - 1];
        last->vertex[last->count] = p->vertex[place[k]];
        last->place[last->count++] = place[k];
    }
    return groups;
}

/* Lists the groups of all tiles, one after the other. first: number of the first group of each tile
 * and, last, of all groups. Returns the number of boundary vertices of all groups together. */
static int64_t group_columns(const struct crew *c, const int32_t *of, int32_t tiles,
                             struct row_columns *group, int32_t *first) {
    int32_t groups = 0;
    int64_t boundaries = 0;
#pragma omp parallel for num_threads(c->threads) schedule(static)
    for (int32_t t = 0; t < tiles; t++) /* each tile has room for a group of each vertex */
        first[t] = group_tile(&c->pieces, of, t * ROW_TILE, group + (size_t)t * ROW_TILE);
    for (int32_t t = 0; t < tiles; t++) {
        const int32_t own = first[t];
        first[t] = groups;
        for (int32_t k = 0; k < own; k++) {
            group[groups] = group[(size_t)t * ROW_TILE + (size_t)k];
            group[groups].first = boundaries;
            boundaries += group[groups++].width;
        }
    }
    first[tiles] = groups;
    return boundaries;
}

/* Lists the groups of columns by which distances are completed, on the device. of: place of each
 * vertex. */
static enum status upload_groups(struct crew_gpu *gpu, const int32_t *of, struct product_rows *rows,
                                 struct error *err) {
    struct device_memory *const m = &gpu->memory;
    const int32_t n = gpu->crew->pieces.n, tiles = (n + ROW_TILE - 1) / ROW_TILE;
    void *groups = NULL, *firsts = NULL, *above, *through;
    const void *group, *first;
    enum status status;
    TRY(memory_alloc(&groups, (size_t)tiles * ROW_TILE, sizeof(struct row_columns),
                     "groups of columns", err));
    TRY(memory_alloc(&firsts, (size_t)tiles + 1, sizeof(int32_t), "groups of columns", err));
    const size_t cells = (size_t)group_columns(gpu->crew, of, tiles, groups, firsts);
    const int32_t count = ((const int32_t *)firsts)[tiles];
    TRY(device_memory_upload(m, groups, (size_t)count, sizeof(struct row_columns), &group, err));
    TRY(device_memory_upload(m, firsts, (size_t)tiles + 1, sizeof(int32_t), &first, err));
    TRY(device_memory_alloc(m, &above, cells * sizeof(int32_t), "allocating rows", err));
    TRY(device_memory_alloc(m, &through, cells * ROW_COLUMNS * sizeof(path_length),
                            "allocating rows", err));
    rows->group = group;
    rows->first_group = first;
    rows->above = above;
    rows->through = through;
    status = products_gather_groups(&gpu->products, rows, count, err);

cleanup:
    memory_free(groups);
    memory_free(firsts);
    return status;
}

/* Uploads the edges by their heads, for predecessors. of: place of each vertex. */
static enum status upload_edges(struct crew_gpu *gpu, const int32_t *of, struct product_edges *to,
                                struct error *err) {
    const struct graph *const g = gpu->crew->task->graph;
    struct device_memory *const m = &gpu->memory;
    struct graph in = {0};
    void *places = NULL;
    const void *first, *tail, *tail_place, *weight;
    enum status status;
    TRY(graph_reverse(g, &in, err));
    TRY(memory_alloc(&places, (size_t)g->m, sizeof(int32_t), "the places of vertices", err));
    for (int64_t e = 0; e < in.m; e++)
        ((int32_t *)places)[e] = of[in.head[e]];
    TRY(device_memory_upload(m, in.first, (size_t)g->n + 1, sizeof *in.first, &first, err));
    TRY(device_memory_upload(m, in.head, (size_t)in.m, sizeof *in.head, &tail, err));
    TRY(device_memory_upload(m, places, (size_t)in.m, sizeof(int32_t), &tail_place, err));
    TRY(upload_weights(m, &in, &weight, err));
    *to = (struct product_edges){first, tail, tail_place, weight};

cleanup:
    memory_free(places);
    graph_free(&in);
    return status;
}

/* Returns whether predecessors are found from all labels, not from rows. */
static bool uses_labels(const struct crew_gpu *gpu) {
    return gpu->crew->task->predecessors && gpu->keeps_labels;
}

/* Allocates `count` rows on the device, and everything that is needed to write them from labels. */
static enum status alloc_rows(struct crew_gpu *gpu, int32_t count, struct product_rows *rows,
                              struct error *err) {
    const struct crew *const c = gpu->crew;
    const struct graph *const g = c->task->graph;
    const size_t n = (size_t)g->n, ld = sweeps_row_length(c);
    struct device_memory *const m = &gpu->memory;
    void *memory, *places = NULL;
    const void *place;
    enum status status;
    *rows = (struct product_rows){.ld = ld, .spacing = g->spacing};
    TRY(device_memory_alloc(m, &memory, (size_t)count * sweeps_row_bytes(c), "allocating rows",
                            err));
    rows->dist = memory;
    TRY(memory_alloc(&places, n, sizeof(int32_t), "the places of vertices", err));
    int32_t *const of = places;
    for (size_t k = 0; k < n; k++)
        of[c->pieces.vertex[k]] = (int32_t)k;
    if (uses_labels(gpu)) {
        TRY(device_memory_upload(m, of, n, sizeof *of, &place, err));
        rows->place = place;
    } else {
        TRY(upload_groups(gpu, of, rows, err));
    }
    if (c->task->predecessors) {
        rows->pred = (int32_t *)(rows->dist + (size_t)count * ld);
        TRY(upload_edges(gpu, of, &rows->in, err));
    }

cleanup:
    memory_free(places);
    return status;
}

/* Sweeps `count` sources from `first` on and writes their rows. Predecessors are found from all
 * labels, if there is memory for these, otherwise from the rows. */
static enum status sweep_rows(struct crew_gpu *gpu, struct product_rows *rows, int32_t first,
                              int32_t count, struct error *err) {
    const bool by_labels = uses_labels(gpu);
    RETURN_ON_FAILURE(crew_start_clock(gpu, err));
    rows->source = gpu->vertex + first;
    RETURN_ON_FAILURE(
        sweeps_run(gpu, by_labels ? PRODUCT_LABELS : PRODUCT_UPPER, first, count, err));
    RETURN_ON_FAILURE(products_write_rows(&gpu->products, &gpu->batch, rows, err));
    if (rows->pred != NULL && !by_labels)
        RETURN_ON_FAILURE(products_predecessors(&gpu->products, &gpu->batch, rows, err));
    return crew_stop_clock(gpu, &gpu->times.sweep, err);
}

/* Rows by way of the host ------------------------------------------------------------------------
 */

enum { BUFFERS = 2 };

/* A batch of rows: those of the sources first .. first + count - 1. */
struct row_batch {
    int32_t first, count;
    int buffer;
};

/* Batches of rows on their way to the sink, which use BUFFERS buffers in turn. */
struct row_stream {
    struct crew_gpu *gpu;
    int32_t rows;               /* most rows of a batch */
    struct product_rows to;     /* where rows are written on the device */
    path_length *host[BUFFERS]; /* memory of a batch on the host: distances, then predecessors */
    void *buffer;
    size_t buffer_bytes;
    cudaEvent_t full[BUFFERS];
    struct gpu_proof proof; /* ready if rows are proved */
    bool proved[BUFFERS];
};

/* Returns the bytes of a batch's rows. */
static size_t stream_bytes(const struct row_stream *st) {
    return (size_t)st->rows * sweeps_row_bytes(st->gpu->crew);
}

static enum status stream_open(struct row_stream *st, struct error *err) {
    const struct crew *const c = st->gpu->crew;
    const struct delivery *const delivery = c->task->delivery;
    st->rows = sweeps_rows_at_once(st->gpu);
    RETURN_ON_FAILURE(alloc_rows(st->gpu, st->rows, &st->to, err));
    if (c->proves)
        RETURN_ON_FAILURE(gpu_proof_open(&st->proof, delivery->sink->proves, delivery->potential,
                                         st->to.pred != NULL, err));
    const size_t bytes = stream_bytes(st);
    for (int k = 0; k < BUFFERS; k++)
        RETURN_ON_FAILURE(gpu_check(cudaEventCreateWithFlags(&st->full[k], cudaEventDisableTiming),
                                    "creating an event", err));
    RETURN_ON_FAILURE(memory_reserve(BUFFERS * bytes, "the rows", err));
    st->buffer_bytes = BUFFERS * bytes;
    RETURN_ON_FAILURE(
        gpu_check(cudaMallocHost(&st->buffer, BUFFERS * bytes), "allocating rows", err));
    for (int k = 0; k < BUFFERS; k++)
        st->host[k] = (path_length *)((char *)st->buffer + (size_t)k * bytes);
    return STATUS_OK;
}

static void stream_close(struct row_stream *st) {
    cudaDeviceSynchronize(); /* waits for a copy that may be running */
    gpu_proof_close(&st->proof);
    for (int k = 0; k < BUFFERS; k++) {
        if (st->full[k] != NULL)
            cudaEventDestroy(st->full[k]);
    }
    if (st->buffer != NULL)
        cudaFreeHost(st->buffer);
    memory_release(st->buffer_bytes);
}

/* Proves the rows of a batch, if a proof is wanted. The sink proves rows that are not proved
 * here. */
static enum status prove_batch(struct row_stream *st, const struct row_batch *batch,
                               struct error *err) {
    struct crew_gpu *const gpu = st->gpu;
    const struct gpu_proof_rows rows = {st->to.dist, st->to.pred, gpu->vertex + batch->first,
                                        st->to.ld, batch->count};
    bool *const proved = &st->proved[batch->buffer];
    const double start = clock_seconds();
    RETURN_ON_FAILURE(gpu_proof_check(&st->proof, &rows, proved, err));
    gpu->times.prove += clock_seconds() - start;
    /* Predecessors that are changed later have to be proved again. */
    *proved = *proved && gpu->crew->task->delivery->zero.components == 0;
    gpu->proved = gpu->proved && *proved;
    return STATUS_OK;
}

/* Sweeps a batch and starts copying its rows. */
static enum status start_batch(struct row_stream *st, const struct row_batch *batch,
                               struct error *err) {
    struct crew_gpu *const gpu = st->gpu;
    RETURN_ON_FAILURE(sweep_rows(gpu, &st->to, batch->first, batch->count, err));
    RETURN_ON_FAILURE(prove_batch(st, batch, err));
    const double start = clock_seconds();
    RETURN_ON_FAILURE(gpu_check(cudaMemcpyAsync(st->host[batch->buffer], st->to.dist,
                                                stream_bytes(st), cudaMemcpyDeviceToHost, 0),
                                "copying rows", err));
    gpu->memory.transfer_s += clock_seconds() - start;
    return gpu_check(cudaEventRecord(st->full[batch->buffer], 0), "recording an event", err);
}

/* Hands on `count` rows, from row `first` on, of a batch that has arrived. */
static void deliver_rows(const struct row_stream *st, const struct row_batch *batch, int32_t first,
                         int32_t count) {
    const struct crew *const c = st->gpu->crew;
    struct delivery *const d = c->task->delivery;
    const int32_t *const position = c->position + batch->first + first;
    int32_t *pred_rows[ROW_BLOCK_MAX];
    struct row_block block = {.n = c->pieces.n,
                              .count = count,
                              .type = (enum number_type)LENGTH_NUMBER,
                              .proved = st->proved[batch->buffer]};
    block.pred = st->to.pred != NULL ? pred_rows : NULL;
    for (int32_t r = 0; r < count; r++) {
        const size_t row = (size_t)(first + r) * st->to.ld;
        path_length *const dist = st->host[batch->buffer] + row;
        int32_t *const all = (int32_t *)(st->host[batch->buffer] + (size_t)st->rows * st->to.ld);
        int32_t *const pred = st->to.pred != NULL ? all + row : NULL;
        block.position[r] = position[r];
        block.source[r] = row_source(&d->sources, position[r]);
        delivery_place(d, position[r], dist, pred, &block.cells[r], &pred_rows[r]);
        if (block.cells[r] != dist)
            memcpy(block.cells[r], dist, (size_t)block.n * sizeof *dist);
        if (pred != NULL && pred_rows[r] != pred)
            memcpy(pred_rows[r], pred, (size_t)block.n * sizeof *pred);
    }
    delivery_take(d, &block);
}

/* Hands a batch on as soon as it has arrived; one GPU at a time. */
static enum status deliver_batch(const struct row_stream *st, const struct row_batch *batch,
                                 struct error *err) {
    struct crew_gpu *const gpu = st->gpu;
    struct crew *const c = gpu->crew;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(
        gpu_check(cudaEventSynchronize(st->full[batch->buffer]), "copying rows", err));
    gpu->memory.transfer_s += clock_seconds() - start;
    pthread_mutex_lock(&c->turn);
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)
    for (int32_t r = 0; r < batch->count; r += ROW_BLOCK_MAX) {
        const int32_t left = batch->count - r, rows = left < ROW_BLOCK_MAX ? left : ROW_BLOCK_MAX;
        if (delivery_wants_any(c->task->delivery, c->position + batch->first + r, rows))
            deliver_rows(st, batch, r, rows);
    }
    pthread_mutex_unlock(&c->turn);
    crew_report_progress(gpu, batch->first + batch->count);
    RETURN_ON_FAILURE(crew_select(gpu, err)); /* a sink may have selected another device */
    return crew_goes_on(gpu) ? STATUS_OK : progress_cancelled(err);
}

/* Streams the rows that a GPU claims. */
static enum status stream_part(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    struct row_stream st = {.gpu = gpu};
    struct row_batch arrived = {0}, next = {0};
    enum status status;
    TRY(stream_open(&st, err));
    gpu->proved = gpu->crew->proves;
    for (;;) {
        next.count = crew_claim(gpu, st.rows, ROW_BLOCK_MAX, &next.first);
        if (next.count > 0)
            TRY(start_batch(&st, &next, err));
        if (arrived.count > 0)
            TRY(deliver_batch(&st, &arrived, err));
        if (next.count == 0)
            break;
        arrived = next;
        next.buffer = (next.buffer + 1) % BUFFERS;
    }

cleanup:
    stream_close(&st);
    return status;
}

enum status rows_answer(struct crew *c, struct error *err) {
    RETURN_ON_FAILURE(crew_claim_anew(c, err));
    RETURN_ON_FAILURE(crew_together(c, stream_part, err));
    c->proved = true;
    for (int k = 0; k < c->count; k++)
        c->proved = c->proved && c->gpu[k].proved;
    return STATUS_OK;
}

/* Rows that stay on the device ------------------------------------------------------------------*/

/* Uploads the vertex of each row, in the order of the answer. */
static enum status upload_row_sources(struct crew_gpu *gpu, const int32_t **sources,
                                      struct error *err) {
    const struct row_sources *const wanted = &gpu->crew->task->delivery->sources;
    const size_t count = (size_t)wanted->count;
    const void *there;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, count, sizeof(int32_t), "the sources", err));
    for (int32_t p = 0; p < wanted->count; p++)
        ((int32_t *)memory)[p] = row_source(wanted, p);
    const enum status status =
        device_memory_upload(&gpu->memory, memory, count, sizeof(int32_t), &there, err);
    *sources = there;
    memory_free(memory);
    return status;
}

/* Proves all rows, if a proof is wanted. */
static enum status prove_all(struct crew_gpu *gpu, const struct product_rows *rows, bool *proved,
                             struct error *err) {
    const struct delivery *const delivery = gpu->crew->task->delivery;
    struct gpu_proof_rows all = {
        .dist = rows->dist, .pred = rows->pred, .ld = rows->ld, .count = delivery->sources.count};
    struct gpu_proof proof = {0};
    enum status status;
    *proved = false;
    if (!gpu->crew->proves)
        return STATUS_OK;
    TRY(upload_row_sources(gpu, &all.source, err));
    TRY(gpu_proof_open(&proof, delivery->sink->proves, delivery->potential, rows->pred != NULL,
                       err));
    const double start = clock_seconds();
    TRY(gpu_proof_check(&proof, &all, proved, err));
    gpu->times.prove += clock_seconds() - start;

cleanup:
    gpu_proof_close(&proof);
    return status;
}

/* *fit: the device has enough memory for all rows and for the edges that predecessors need. */
static enum status all_rows_fit(const struct crew_gpu *gpu, bool *fit, struct error *err) {
    const struct crew *const c = gpu->crew;
    const size_t spare = (size_t)256 << 20;
    const size_t edge_bytes = c->task->predecessors ? 3 * sizeof(int32_t) : 0;
    const size_t bytes = (size_t)c->task->delivery->sources.count * sweeps_row_bytes(c) +
                         (size_t)c->task->graph->m * edge_bytes + spare;
    size_t left;
    RETURN_ON_FAILURE(device_memory_left(&gpu->memory, &left, err));
    *fit = bytes <= left;
    return STATUS_OK;
}

/* Sweeps all sources into rows in the order of the answer. */
static enum status sweep_all(struct crew_gpu *gpu, struct product_rows *rows, struct error *err) {
    const int32_t *const position = gpu->crew->position;
    const int32_t count = gpu->crew->task->delivery->sources.count;
    const void *index;
    RETURN_ON_FAILURE(
        device_memory_upload(&gpu->memory, position, (size_t)count, sizeof *position, &index, err));
    for (int32_t first = 0; first < count; first += gpu->lanes) {
        const int32_t left = count - first;
        if (!crew_goes_on(gpu))
            return progress_cancelled(err);
        rows->index = (const int32_t *)index + first;
        RETURN_ON_FAILURE(sweep_rows(gpu, rows, first, left < gpu->lanes ? left : gpu->lanes, err));
        crew_report_progress(gpu, first);
    }
    return STATUS_OK;
}

enum status rows_answer_here(struct crew *c, bool *done, struct error *err) {
    struct row_sink *const sink = c->task->delivery->sink;
    const int32_t count = c->task->delivery->sources.count;
    struct crew_gpu *const gpu = c->gpu;
    const int held = gpu->memory.count;
    struct product_rows rows;
    bool fit, proved;
    enum status status;
    *done = false;
    RETURN_ON_FAILURE(all_rows_fit(gpu, &fit, err));
    if ((c->task->predecessors && !gpu->keeps_labels) || !fit)
        return STATUS_OK;
    TRY(alloc_rows(gpu, count, &rows, err));
    TRY(sweep_all(gpu, &rows, err));
    TRY(prove_all(gpu, &rows, &proved, err));
    *done = proved == c->proves;
    if (!*done)
        goto cleanup;
    c->proved = proved;
    const struct device_rows taken = {.type = (enum number_type)LENGTH_NUMBER,
                                      .dist = rows.dist,
                                      .pred = rows.pred,
                                      .leading = rows.ld,
                                      .count = count,
                                      .proved = proved};
    status = sink->take_device(sink, &taken, err);

cleanup:
    device_memory_free_since(&gpu->memory, held);
    return status;
}

#endif
