// SPDX-License-Identifier: MIT
/* Rows of distances and predecessors by breadth-first search from up to 64 sources at a time. */
#ifndef SEARCH_CPU_BFS_ROWS_H
#define SEARCH_CPU_BFS_ROWS_H

#include "common/graph/graph.h"     // struct graph
#include "common/graph/row_block.h" // struct row_block

/* Memory of one thread: sets with a bit for each source at each vertex. */
struct bfs_rows {
    uint64_t *seen, *now, *next; /* by vertex, n entries each: sources that have reached it, sources
                                    new at the last level, sources new at this one */
    int32_t *active;             /* vertices with new sources at the last level, ascending, n
                                    entries */
    uint64_t *touched;           /* a bit for each vertex; all 0 between levels */
    void *memory;
};

/* Allocates memory for graphs of n vertices. The caller frees it with bfs_rows_free, also after a
 * failure. */
enum status bfs_rows_alloc(struct bfs_rows *s, int32_t n, struct error *err);

/* Returns the bytes that bfs_rows_alloc allocates. */
uint64_t bfs_rows_memory(int32_t n);

/* Fills the rows of block->source in a graph all of whose edges weigh `weight` > 0. Distances of
 * `no_path` and more become INF. Among several predecessors, the lowest is stored. */
void bfs_rows_find(struct bfs_rows *s, const struct graph *g, int32_t weight, int32_t no_path,
                   struct row_block *block);

/* Frees *s and zeroes it; safe on a zeroed struct. */
void bfs_rows_free(struct bfs_rows *s);

#endif
