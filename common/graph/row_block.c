// SPDX-License-Identifier: MIT
#include "common/graph/row_block.h"

#include "common/base/lowest_failure.h" // struct lowest_failure
#include "common/base/memory.h"         // memory_alloc
#include "common/base/threads.h"        // threads_worth
#include "common/graph/graph.h"         // INF

#include <math.h>

void row_block_of_matrices(struct row_block *block, int32_t **pred_rows,
                           const struct row_sources *sources, const struct matrix *dist,
                           const struct matrix *pred, int32_t first, int32_t max, bool by_vertex) {
    block->n = dist->n;
    block->type = dist->type;
    block->count = 0;
    block->proved = false;
    block->pred = pred != NULL ? pred_rows : NULL;
    for (int32_t p = first; p < sources->count && p < first + max; p++) {
        const int32_t r = block->count++, v = row_source(sources, p), row = by_vertex ? v : p;
        block->position[r] = p;
        block->source[r] = v;
        block->cells[r] = matrix_row_cells(dist, row);
        pred_rows[r] = pred != NULL ? matrix_row(pred, row) : NULL;
    }
}

enum status row_sink_take_matrices(struct row_sink *sink, const struct row_sources *sources,
                                   const struct matrix *dist, const struct matrix *pred,
                                   int threads, struct error *err) {
    const int32_t blocks = (sources->count - 1) / ROW_BLOCK_MAX + 1;
    enum { CELLS_A_STEP = 8 };
    struct lowest_failure failed;
    threads = threads_worth(threads, (double)sources->count * dist->n / CELLS_A_STEP);
    threads = threads < blocks ? threads : blocks;
    if (sink->begin != NULL)
        RETURN_ON_FAILURE(
            sink->begin(sink, dist->n, dist->type, sources, pred != NULL, threads, err));
    lowest_failure_begin(&failed);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int32_t b = 0; b < blocks; b++) {
        struct row_block block;
        struct error mine;
        int32_t *pred_rows[ROW_BLOCK_MAX];
        if (!lowest_failure_allows(&failed, b))
            continue;
        row_block_of_matrices(&block, pred_rows, sources, dist, pred, b * ROW_BLOCK_MAX,
                              ROW_BLOCK_MAX, false);
        const enum status taken = sink->take(sink, &block, &mine);
        if (taken != STATUS_OK)
            lowest_failure_note(&failed, b, taken, &mine);
    }
    return lowest_failure_end(&failed, err);
}

static enum status begin_both(struct row_sink *self, int32_t n, enum number_type type,
                              const struct row_sources *sources, bool with_pred, int threads,
                              struct error *err) {
    const struct row_tee *const tee = (const struct row_tee *)self;
    for (int k = 0; k < 2; k++) {
        if (tee->to[k]->begin != NULL)
            RETURN_ON_FAILURE(
                tee->to[k]->begin(tee->to[k], n, type, sources, with_pred, threads, err));
    }
    return STATUS_OK;
}

static void place_in_first(struct row_sink *self, int32_t position, void **dist, int32_t **pred) {
    const struct row_tee *const tee = (const struct row_tee *)self;
    tee->to[0]->place(tee->to[0], position, dist, pred);
}

static enum status take_both(struct row_sink *self, const struct row_block *block,
                             struct error *err) {
    const struct row_tee *const tee = (const struct row_tee *)self;
    RETURN_ON_FAILURE(tee->to[0]->take(tee->to[0], block, err));
    return tee->to[1]->take(tee->to[1], block, err);
}

void row_tee_begin(struct row_tee *tee, struct row_sink *first, struct row_sink *second) {
    *tee = (struct row_tee){.sink = {.dist_matrix = first->dist_matrix,
                                     .pred_matrix = first->pred_matrix,
                                     .begin = begin_both,
                                     .place = first->place != NULL ? place_in_first : NULL,
                                     .take = take_both},
                            .to = {first, second}};
}

/* Spreading rows ------------------------------------------------------------------------------- */

static enum status begin_spread(struct row_sink *self, int32_t n, enum number_type type,
                                const struct row_sources *sources, bool with_pred, int threads,
                                struct error *err) {
    struct row_spread *const s = (struct row_spread *)self;
    memory_free(s->row);
    s->row = NULL;
    s->part = NULL;
    s->n = n;
    s->threads = threads;
    if (s->to->begin != NULL)
        RETURN_ON_FAILURE(s->to->begin(s->to, n, type, sources, with_pred, threads, err));
    self->wants_columns = s->to->wants_columns;
    return STATUS_OK;
}

/* Returns the number of cells of a row, padded so that the next one begins a cache line. */
static size_t spread_cells(const struct row_spread *s) {
    return ((size_t)s->n + 15) / 16 * 16;
}

/* Returns the bytes of a thread's row, of distances of any type and of predecessors. */
static size_t spread_bytes(const struct row_spread *s) {
    return spread_cells(s) * (sizeof(double) + sizeof(int32_t));
}

static enum status begin_spread_part(struct row_sink *self, const struct row_part *part,
                                     struct error *err) {
    struct row_spread *const s = (struct row_spread *)self;
    s->part = part;
    return part == NULL || s->row != NULL
               ? STATUS_OK
               : memory_alloc(&s->row, (size_t)s->threads, spread_bytes(s), "whole rows", err);
}

/* Writes the cells of a part's row to their places in a row of n cells; all other cells become
 * NONE. */
#define SPREAD(NAME, TYPE, NONE, VALUE)                                                            \
    static void spread_##NAME(const struct row_part *part, const void *cells, int32_t n,           \
                              void *row) {                                                         \
        const TYPE *const from = cells;                                                            \
        TYPE *const to = row;                                                                      \
        for (int32_t v = 0; v < n; v++)                                                            \
            to[v] = (NONE);                                                                        \
        for (int32_t k = 0; k < part->n; k++)                                                      \
            to[part->vertex[k]] = (VALUE);                                                         \
    }
SPREAD(int32, int32_t, INF, from[k])
SPREAD(float32, float, INFINITY, from[k])
SPREAD(float64, double, (double)INFINITY, from[k])
SPREAD(pred, int32_t, -1, from[k] < 0 ? -1 : part->vertex[from[k]])

static void (*const spread_of[NUMBER_TYPES])(const struct row_part *part, const void *cells,
                                             int32_t n, void *row) = {
    [NUMBER_INT32] = spread_int32,
    [NUMBER_FLOAT32] = spread_float32,
    [NUMBER_FLOAT64] = spread_float64,
};

static enum status take_spread(struct row_sink *self, const struct row_block *block,
                               struct error *err) {
    const struct row_spread *const s = (const struct row_spread *)self;
    const struct row_part *const part = s->part;
    if (part == NULL)
        return s->to->take(s->to, block, err);
    char *const own = (char *)s->row + (size_t)omp_get_thread_num() * spread_bytes(s);
    for (int32_t r = 0; r < block->count; r++) {
        int32_t *pred = (int32_t *)(own + spread_cells(s) * sizeof(double));
        struct row_block whole = {.n = s->n,
                                  .count = 1,
                                  .position = {part->position[block->position[r]]},
                                  .source = {part->vertex[block->source[r]]},
                                  .type = block->type,
                                  .cells = {own},
                                  .pred = block->pred != NULL ? &pred : NULL,
                                  .proved = block->proved};
        if (s->to->place != NULL)
            s->to->place(s->to, whole.position[0], &whole.cells[0], &pred);
        spread_of[block->type](part, block->cells[r], s->n, whole.cells[0]);
        if (block->pred != NULL)
            spread_pred(part, block->pred[r], s->n, pred);
        RETURN_ON_FAILURE(s->to->take(s->to, &whole, err));
    }
    return STATUS_OK;
}

void row_spread_begin(struct row_spread *spread, struct row_sink *to) {
    *spread = (struct row_spread){
        .sink = {.begin = begin_spread, .begin_part = begin_spread_part, .take = take_spread},
        .to = to};
}

void row_spread_close(struct row_spread *spread) {
    memory_free(spread->row);
    *spread = (struct row_spread){0};
}

static enum status forget(struct row_sink *self, const struct row_block *block, struct error *err) {
    (void)self;
    (void)block;
    (void)err;
    return STATUS_OK;
}

static enum status forget_device(struct row_sink *self, const struct device_rows *rows,
                                 struct error *err) {
    (void)self;
    (void)rows;
    (void)err;
    return STATUS_OK;
}

static enum status forget_part(struct row_sink *self, const struct row_part *part,
                               struct error *err) {
    (void)self;
    (void)part;
    (void)err;
    return STATUS_OK;
}

void row_drop_begin(struct row_sink *sink, int device) {
    *sink = (struct row_sink){
        .begin_part = forget_part, .take = forget, .take_device = forget_device, .device = device};
}
