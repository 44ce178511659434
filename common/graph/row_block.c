// SPDX-License-Identifier: MIT
#include "common/graph/row_block.h"

#include "common/base/lowest_failure.h" // struct lowest_failure
#include "common/base/threads.h"        // threads_worth

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

void row_drop_begin(struct row_sink *sink, int device) {
    *sink = (struct row_sink){.take = forget, .take_device = forget_device, .device = device};
}
