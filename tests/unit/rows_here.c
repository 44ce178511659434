// SPDX-License-Identifier: MIT
#include "tests/unit/rows_here.h"

#include "tests/unit/support.h" // new_matrix

#include <stdlib.h>
#include <string.h>

/* Copies row r of both kinds to its position. */
static void copy_row(struct rows_here *to, int32_t position, const void *dist,
                     const int32_t *pred) {
    const size_t n = (size_t)to->dist.n;
    memcpy(matrix_row_cells(&to->dist, position), dist, n * number_size(to->dist.type));
    if (pred != NULL)
        memcpy(matrix_row(&to->pred, position), pred, n * sizeof *pred);
}

static enum status take_device(struct row_sink *self, const struct device_rows *rows,
                               struct error *err) {
    struct rows_here *const to = (struct rows_here *)self;
    if (rows->type != to->dist.type)
        return fail(err, STATUS_BAD_INPUT, "rows of another type");
    to->here += rows->count;
    for (int32_t r = 0; r < rows->count; r++) {
        const size_t first = (size_t)r * rows->leading;
        copy_row(to, rows->first + r, (const char *)rows->dist + first * number_size(rows->type),
                 rows->pred != NULL ? rows->pred + first : NULL);
    }
    return STATUS_OK;
}

static enum status take(struct row_sink *self, const struct row_block *block, struct error *err) {
    struct rows_here *const to = (struct rows_here *)self;
    if (block->type != to->dist.type)
        return fail(err, STATUS_BAD_INPUT, "rows of another type");
#pragma omp atomic
    to->blocks++;
    for (int32_t r = 0; r < block->count; r++)
        copy_row(to, block->position[r], block->cells[r],
                 block->pred != NULL ? block->pred[r] : NULL);
    return STATUS_OK;
}

struct rows_here rows_here_of(int32_t n, enum number_type type) {
    struct rows_here r = {.sink = {.take = take, .take_device = take_device}};
    struct error err;
    if (matrix_alloc_typed(&r.dist, type, n, n, "rows", &err) != STATUS_OK ||
        matrix_alloc(&r.pred, n, "predecessors", &err) != STATUS_OK)
        abort();
    return r;
}

void rows_here_free(struct rows_here *r) {
    matrix_free(&r->dist);
    matrix_free(&r->pred);
}
