// SPDX-License-Identifier: MIT
/* How much a loop over blocks takes at a time: sizes that decide on speed and memory, never on an
 * answer. Programs get them from block_sizes.c. Tests are linked with small sizes instead
 * (tests/unit/small_blocks.c), so that small graphs cross the end of every block. */
#ifndef COMMON_BASE_BLOCK_SIZES_H
#define COMMON_BASE_BLOCK_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Largest sizes, for local arrays; the block sizes may be smaller. */
enum {
    BLOCK_CSV_ROWS_MAX = 1 << 10,
    BLOCK_CONTEST_TEXT_MAX = 1 << 16,
    BLOCK_COLUMNS_MAX = 512,
    BLOCK_ENTRIES_MAX = 256,
    BLOCK_FRESH_MAX = 128,
    BLOCK_KEPT_ROWS_MAX = 64,
    BLOCK_STACK_MAX = 1024
};

struct block_sizes {
    /* Threads. */
    int32_t thread_steps;   /* number of simple steps that pay for a thread */
    int32_t thread_cells;   /* number of vertices and edges of a search that pay for a thread */
    int32_t thread_edges;   /* number of edges of a graph to be ordered that pay for a thread */
    int32_t thread_pattern; /* number of vertices and edges of a pattern that pay for a thread */
    /* number of vertices and edges, or entries, visited once that pay for a thread */
    int32_t thread_entries;
    int32_t level_vertices; /* number of vertices of a level from which threads visit it together */
    size_t thread_bytes;    /* bytes of edges in text that pay for a thread */
    int32_t task_steps;     /* work on a region that pays for a task, in relaxations */
    int32_t task_rows; /* smallest number of rows of a region on which all threads work together */
    int32_t task_sources; /* largest number of sources that one task of flows by classes takes */
    int32_t key_strips;   /* largest number of strips whose keys flows by classes keep at a time */
    int32_t task_positions; /* number of positions of a region that pay for a task */
    int32_t
        flow_positions; /* most positions through which flow is swept forth and back at a time */
    /* number of sources whose flows take one thread as long as starting a GPU */
    int32_t gpu_flow_sources;
    /* number of sources from which it pays to start a GPU for one sum each */
    int32_t gpu_decay_sources;
    int32_t gpu_search_cells; /* number of vertices and edges that searches for flows visit on one
                                 thread while a GPU starts */
    /* Files. */
    size_t read_bytes;      /* bytes of a text that are read at a time */
    size_t shared_bytes;    /* bytes of a text that are read at a time if threads share them: enough
                               that threads seldom wait for one another */
    size_t piece_bytes;     /* bytes of a text that one of several threads reads at a time */
    int32_t first_edges;    /* number of edges, trips or paths that a list has room for at first */
    int32_t first_vertices; /* number of vertices that a list has room for at first */
    size_t text_bytes;      /* bytes of a result in text that are formatted at a time */
    /* bytes of a row of an .npy file; a shorter row is copied into a buffer first */
    size_t short_row_bytes;
    size_t npz_bytes;           /* bytes of entries that are kept at a time */
    int32_t npz_entries;        /* entries of an .npz file that a thread writes at a time */
    size_t npz_read_bytes;      /* bytes of an .npz file that are read at a time */
    size_t kept_bytes;          /* bytes of a kept row that are read at a time */
    int32_t kept_rows;          /* kept rows that a thread checks at a time, up to
                                   BLOCK_KEPT_ROWS_MAX */
    int32_t rest_cells;         /* cells of kept rows that are handed on at a time */
    int32_t csv_rows;           /* rows of measures that a thread formats at a time, up to
                                   BLOCK_CSV_ROWS_MAX */
    size_t preallocation_bytes; /* bytes of a file that are allocated at a time */
    size_t contest_text_bytes;  /* bytes of numbers that are formatted at a time, up to
                                   BLOCK_CONTEST_TEXT_MAX */
    /* Measures. */
    int32_t columns; /* distances of a row that are added up at a time, a multiple of 16 up
                        to BLOCK_COLUMNS_MAX */
    /* number of halves of distances that are added in 32 bits, up to 65536 */
    int32_t addends;
    int32_t softmax_numbers; /* numbers that are added up at a time */
    /* Orders, classes and the index. */
    /* number of neighbouring vertices with which the order of elimination begins */
    int32_t order_vertices;
    int32_t order_numbers; /* the fewest items of lists for which an order of elimination allocates
                              memory at once */
    int32_t order_cluster; /* the most vertices of a cluster that one thread orders alone */
    /* number of rounds of an order on all threads after which the ranks of vertices begin anew, up
     * to 4096 */
    int32_t order_rounds;
    int32_t entries; /* entries of the rows of a group that are relaxed at a time, up to
                        BLOCK_ENTRIES_MAX */
    /* the fewest positions of a tree of elimination, and vertices of an order on all threads, that
     * a thread takes at a time */
    int32_t chunk_positions;
    /* number of new entries of a list of higher neighbours that are collected before they are
     * merged into it, up to BLOCK_FRESH_MAX */
    int32_t fresh_entries;
    /* number of entries up to which a list of higher neighbours takes new entries at once */
    int32_t short_entries;
    int32_t piece_positions; /* positions of a piece of a sweep's schedule */
    int32_t sweep_positions; /* positions whose labels a sweep hands on at a time */
    /* binary logarithm of the number of classes that a set has room for at first */
    int32_t class_room_bits;
    int32_t index_targets;  /* targets of a table that are looked up at a time */
    int32_t index_vertices; /* vertices of an index that a thread checks at a time */
    int32_t index_stack;    /* edges of a path that are unpacked without taking memory, up to
                               BLOCK_STACK_MAX */
    int32_t index_span;  /* a label of an index is stored as differences from a row if the greatest
                            is above the least by less than this, up to UINT16_MAX */
    size_t query_bytes;  /* bytes of an answer that are formatted at a time, from 64 */
    int32_t query_pairs; /* pairs that are answered at a time */
    /* cells of a table that are answered at a time, unless query_rows allows more */
    int32_t query_cells;
    /* rows of a table that are answered at a time, whatever their length */
    int32_t query_rows;
    /* GPUs. */
    /* binary logarithm: a GPU counts fewer than 2^gpu_path_bits shortest paths from a source to a
     * vertex; at most 700, so that a target's mass divided by such a number is no denormal number
     */
    int32_t gpu_path_bits;
    int32_t gpu_sum_blocks; /* largest number of blocks that add up the flows of one region, up to
                               65535 */
    size_t gpu_sum_bytes;   /* largest number of bytes of the sums of flows that the warps of a GPU
                               keep   apart; fewer where its memory is short */
    size_t gpu_chunk_bytes; /* bytes of rows that are copied from a GPU at a time */
    size_t panel_bytes;     /* bytes of a panel that processes send at a time */
    int32_t class_sources;  /* number of sources whose sums a GPU claims at a time */
    int32_t top_sources; /* number of sources among the top that are swept at a time, a multiple of
                            512 */
};

extern const struct block_sizes block_sizes;

#endif
