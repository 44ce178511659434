// SPDX-License-Identifier: MIT
#include "common/base/block_sizes.h"

const struct block_sizes block_sizes = {
    .thread_steps = 1 << 16,
    .thread_cells = 1 << 14,
    .thread_edges = 1 << 15,
    .thread_pattern = 1 << 16,
    .thread_entries = 1 << 16,
    .level_vertices = 1 << 10,
    .thread_bytes = 1 << 16,
    .task_steps = 1 << 20,
    .task_rows = 1 << 11,
    .task_sources = 1 << 10,
    .key_strips = 256,
    .task_positions = 1 << 12,
    .flow_positions = 1 << 11, /* few enough that the L2 cache holds their labels and flow */
    .gpu_flow_sources = 5000,
    .gpu_decay_sources = 100000,
    .gpu_search_cells = 1 << 27,
    .read_bytes = 1 << 20,
    .shared_bytes = 1 << 24,
    .piece_bytes = 1 << 20,
    .first_edges = 1 << 10,
    .first_vertices = 64,
    .text_bytes = 1 << 20,
    .short_row_bytes = 1 << 13,
    .npz_bytes = 1 << 16, /* memory.h does not count smaller blocks of memory */
    .npz_entries = 1 << 16,
    .npz_read_bytes = 1 << 20,
    .kept_bytes = 1 << 18,
    .kept_rows = BLOCK_KEPT_ROWS_MAX,
    .rest_cells = 1 << 20,
    .csv_rows = BLOCK_CSV_ROWS_MAX,
    .preallocation_bytes =
        32 << 20, /* other writers to the file wait during such a call: 3 ms in memory */
    .contest_text_bytes = BLOCK_CONTEST_TEXT_MAX,
    .columns = BLOCK_COLUMNS_MAX,
    .addends = 1 << 16,
    /* must not depend on the number of threads, because the sums would */
    .softmax_numbers = 1 << 16,
    .order_vertices = 1 << 15,
    .order_numbers = 1 << 14,
    .order_cluster = 1 << 14,
    .order_rounds = 1 << 12,
    .entries = BLOCK_ENTRIES_MAX,
    .chunk_positions = 1 << 12,
    .fresh_entries = BLOCK_FRESH_MAX,
    .short_entries = 24,
    .piece_positions = 256,
    .sweep_positions = 64,
    .class_room_bits = 6,
    .index_targets = 512, /* few enough that the caches hold their labels for all sources */
    .index_vertices = 1 << 12,
    .index_stack = BLOCK_STACK_MAX,
    .index_span = UINT16_MAX,
    .query_bytes = 1 << 20,
    .query_pairs = 1 << 18,
    .query_cells = 1 << 25,
    .query_rows = 64,
    .gpu_path_bits = 700,
    .gpu_sum_blocks = 4096, /* enough to keep any GPU busy */
    /* enough to hide the cost of starting a copy, and quickly allocated */
    .gpu_sum_bytes = (size_t)16 << 30,
    .gpu_chunk_bytes = 8 << 20,
    .panel_bytes = 2 << 20,   /* enough for a network, and less than a panel */
    .class_sources = 1 << 12, /* with fewer sources, fewer of them are alike */
    .top_sources = 1 << 12,
};
