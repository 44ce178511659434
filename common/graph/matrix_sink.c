// SPDX-License-Identifier: MIT
#include "common/graph/matrix_sink.h"

#include <string.h>

static void place(struct row_sink *self, int32_t position, void **dist, int32_t **pred) {
    const struct matrix_sink *sink = (const struct matrix_sink *)self;
    *dist = matrix_row_cells(sink->dist, position);
    if (sink->pred != NULL)
        *pred = matrix_row(sink->pred, position);
}

/* Copies a row to its place, unless it is there already. */
static void store(const struct matrix *m, int32_t position, const void *row) {
    void *const to = matrix_row_cells(m, position);
    if (to != row)
        memcpy(to, row, (size_t)m->n * number_size(m->type));
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    const struct matrix_sink *sink = (const struct matrix_sink *)self;
    (void)err;
    for (int32_t r = 0; r < block->count; r++) {
        store(sink->dist, block->position[r], block->cells[r]);
        if (sink->pred != NULL)
            store(sink->pred, block->position[r], block->pred[r]);
    }
    return STATUS_OK;
}

void matrix_sink_begin(struct matrix_sink *sink, struct matrix *dist, struct matrix *pred) {
    const bool whole = dist->rows == dist->n;
    *sink = (struct matrix_sink){
        .sink = {.dist_matrix = whole ? dist : NULL,
                 .pred_matrix = whole ? pred : NULL,
                 .place = place,
                 .take = take},
        .dist = dist,
        .pred = pred,
    };
}
