// SPDX-License-Identifier: MIT
#include "common/graph/row_reader.h"

static enum status read_matrices(struct row_reader *self, int32_t first, int32_t count,
                                 struct row_block *block, int32_t **pred_rows, struct error *err) {
    const struct matrix_reader *const r = (const struct matrix_reader *)self;
    (void)err;
    row_block_of_matrices(block, pred_rows, &self->sources, r->dist, r->pred, first, count, false);
    return STATUS_OK;
}

void matrix_reader_begin(struct matrix_reader *reader, const struct row_sources *sources,
                         const struct matrix *dist, const struct matrix *pred) {
    *reader = (struct matrix_reader){.reader = {.n = dist->n,
                                                .type = dist->type,
                                                .sources = *sources,
                                                .with_pred = pred != NULL,
                                                .read = read_matrices},
                                     .dist = dist,
                                     .pred = pred};
}
