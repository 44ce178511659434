// SPDX-License-Identifier: MIT
#include "verify/kept_rows.h"

#include "solve/wide_distances.h" // wide_distances_may_round

#include <string.h>

static enum status read_and_keep(struct row_reader *self, int32_t first, int32_t count,
                                 struct row_block *block, int32_t **pred_rows, struct error *err) {
    const struct kept_rows *const kept = (const struct kept_rows *)self;
    const size_t n = (size_t)self->n;
    RETURN_ON_FAILURE(kept->from->read(kept->from, first, count, block, pred_rows, err));
    for (int32_t r = 0; r < count && kept->graph != NULL; r++)
        RETURN_ON_FAILURE(wide_distances_check(kept->graph, block->source[r], false,
                                               block->dist_f64[r], self->n, err));
    for (int32_t k = 0; k < kept->count; k++) {
        const int32_t r = kept->position[k] - first;
        if (r < 0 || r >= count)
            continue;
        memcpy(matrix_row_cells(&kept->dist, k), block->cells[r], n * number_size(self->type));
        if (block->pred != NULL)
            memcpy(matrix_row(&kept->pred, k), block->pred[r], n * sizeof(int32_t));
    }
    return STATUS_OK;
}

static enum status begin(struct row_reader *self, int threads, int32_t most, struct error *err) {
    struct row_reader *const from = ((const struct kept_rows *)self)->from;
    return from->begin != NULL ? from->begin(from, threads, most, err) : STATUS_OK;
}

static enum status end(struct row_reader *self, struct error *err) {
    struct row_reader *const from = ((const struct kept_rows *)self)->from;
    return from->end(from, err);
}

enum status kept_rows_begin(struct kept_rows *kept, const struct graph *g, double limit,
                            struct row_reader *from, const int32_t *position, int32_t count,
                            struct error *err) {
    *kept = (struct kept_rows){.reader = *from, .from = from, .count = count};
    kept->graph = from->n == g->n && wide_distances_may_round(g, limit) ? g : NULL;
    kept->reader.read = read_and_keep;
    kept->reader.begin = begin;
    kept->reader.end = from->end != NULL ? end : NULL;
    if (count == 0)
        return STATUS_OK;
    memcpy(kept->position, position, (size_t)count * sizeof *position);
    RETURN_ON_FAILURE(
        matrix_alloc_typed(&kept->dist, from->type, count, from->n, "the paths", err));
    return from->with_pred ? matrix_alloc_rows(&kept->pred, count, from->n, "the paths", err)
                           : STATUS_OK;
}

void kept_rows_free(struct kept_rows *kept) {
    matrix_free(&kept->dist);
    matrix_free(&kept->pred);
    *kept = (struct kept_rows){0};
}
