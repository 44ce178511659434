// SPDX-License-Identifier: MIT
/* The rows that a thread works on. They are in the sink's places if the sink has any, and otherwise
 * in memory of the thread. */
#ifndef SOLVE_ROW_BUFFER_H
#define SOLVE_ROW_BUFFER_H

#include "common/graph/row_block.h" // struct row_block
#include "solve/delivery.h"         // struct delivery

struct row_buffer {
    struct delivery *delivery;
    struct row_block block;
    int32_t *pred_row[ROW_BLOCK_MAX];
    void *dist;    /* distances of the rows, one row after the other; NULL: in the sink's places */
    int32_t *pred; /* predecessors, laid out as dist; NULL: none, or in the sink's places */
    size_t ld;     /* cells from one row to the next */
    void *memory;
};

/* Makes room for blocks of up to `rows` rows of the type of the delivery's graph. The caller frees
 * it with row_buffer_free, also after a failure. */
enum status row_buffer_alloc(struct row_buffer *buffer, struct delivery *delivery, int32_t rows,
                             struct error *err);

/* Returns how many bytes row_buffer_alloc takes if the sink has no places. */
uint64_t row_buffer_memory(enum number_type type, int32_t n, int32_t rows, bool with_pred);

/* Makes buffer->block one of `count` rows, those at position[0 .. count - 1] of the answer. */
void row_buffer_start(struct row_buffer *buffer, const int32_t *position, int32_t count);

/* Safe on a zeroed struct. */
void row_buffer_free(struct row_buffer *buffer);

#endif
