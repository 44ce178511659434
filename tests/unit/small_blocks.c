// SPDX-License-Identifier: MIT
/* Linked in the place of common/base/block_sizes.c: small graphs cross the end of every block, and
 * blocks of different kinds end at different places. */
#include "common/base/block_sizes.h"

const struct block_sizes block_sizes = {
    .thread_steps = 1 << 10,
    .thread_cells = 64,
    .thread_edges = 64,
    .thread_pattern = 64,
    .task_steps = 64,
    .task_rows = 40,
    .task_positions = 5,
    .gpu_flow_sources = 1,
    .read_bytes = 61,
    .first_edges = 3,
    .first_vertices = 3,
    .text_bytes = 100,
    .short_row_bytes = 1000,
    .npz_bytes = 12,
    .npz_entries = 7,
    .npz_read_bytes = 13,
    .kept_bytes = 300,
    .kept_rows = 3,
    .rest_cells = 50,
    .csv_rows = 5,
    .preallocation_bytes = 1 << 12,
    .contest_text_bytes = 70,
    .columns = 16,
    .addends = 37, /* enough for sums beyond 32 bits of halves */
    .softmax_numbers = 100,
    .order_vertices = 1 << 15, /* tests compare what orders cost */
    .order_numbers = 33,
    .entries = 5,
    .piece_positions = 7,
    .sweep_positions = 3,
    .class_room_bits = 1,
    .index_targets = 7,
    .index_vertices = 5,
    .index_stack = 4,
    .query_bytes = 64,
    .query_pairs = 3,
    .query_cells = 50,
    .query_rows = 3,
    .gpu_chunk_bytes = 1 << 10,
    .panel_bytes = 1 << 19,
    .class_sources = 33,
    .top_sources = 512,
};
