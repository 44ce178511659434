// SPDX-License-Identifier: MIT
#include "solve/row_buffer.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/graph/matrix.h" // matrix_leading, matrix_memory_of_rows

enum status row_buffer_alloc(struct row_buffer *buffer, struct delivery *delivery, int32_t rows,
                             struct error *err) {
    const int32_t n = delivery->graph->n;
    const enum number_type type = delivery->graph->type;
    *buffer = (struct row_buffer){.delivery = delivery, .ld = matrix_leading(n)};
    buffer->block.n = n;
    buffer->block.type = type;
    if (delivery_has_places(delivery))
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&buffer->memory,
                                   row_buffer_memory(type, n, rows, delivery->with_pred), 1,
                                   "the rows", err));
    buffer->dist = buffer->memory;
    if (delivery->with_pred)
        buffer->pred =
            (int32_t *)((char *)buffer->dist + (size_t)rows * buffer->ld * number_size(type));
    return STATUS_OK;
}

uint64_t row_buffer_memory(enum number_type type, int32_t n, int32_t rows, bool with_pred) {
    return matrix_memory_of_answer(type, rows, n, with_pred);
}

void row_buffer_start(struct row_buffer *buffer, const int32_t *position, int32_t count) {
    const struct delivery *const d = buffer->delivery;
    struct row_block *const block = &buffer->block;
    block->count = count;
    block->pred = d->with_pred ? buffer->pred_row : NULL;
    for (int32_t r = 0; r < count; r++) {
        const size_t at = (size_t)r * buffer->ld;
        block->position[r] = position[r];
        block->source[r] = row_source(&d->sources, position[r]);
        void *const own =
            buffer->dist != NULL ? (char *)buffer->dist + at * number_size(block->type) : NULL;
        delivery_place(d, position[r], own, buffer->pred != NULL ? buffer->pred + at : NULL,
                       &block->cells[r], &buffer->pred_row[r]);
    }
}

void row_buffer_free(struct row_buffer *buffer) {
    memory_free(buffer->memory);
}
