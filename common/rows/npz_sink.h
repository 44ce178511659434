// SPDX-License-Identifier: MIT
/* A sink that keeps the finite distances of an answer, and writes them as SciPy's compressed sparse
 * rows, which scipy.sparse.load_npz reads. Entries are distances, zeros included; a pair without an
 * entry has no path. */
#ifndef COMMON_ROWS_NPZ_SINK_H
#define COMMON_ROWS_NPZ_SINK_H

#include "common/graph/row_block.h"   // struct row_sink
#include "common/rows/result_files.h" // struct result_files, struct result_layout

struct npz_chunk;

/* The finite entries of a row: ascending columns, followed by the distances. */
struct npz_row {
    const int32_t *columns;
    int32_t count;
};

struct npz_sink {
    struct row_sink sink; /* the first member */
    struct result_layout layout;
    struct result_files files;
    struct npz_row *row;      /* for each source, its row */
    struct npz_chunk **chunk; /* for each thread, memory into which it puts rows */
    int threads;
    /* the part of the graph that rows belong to; NULL: the whole graph */
    const struct row_part *part;
};

/* Prepares to write PREFIX.npz, distances only. Blocks are as wide as there are targets. A thread
 * keeps 8 bytes, or 12 for float64, for each finite distance that it takes; take fails with
 * STATUS_NO_RESOURCE if memory is short. The caller frees with npz_sink_close, also after a
 * failure. */
enum status npz_sink_open(struct npz_sink *sink, const char *prefix,
                          const struct result_layout *layout, struct error *err);

/* Writes the result once every row was taken: PREFIX.npz, on several threads, and the files that
 * belong to it; puts all of them in place, or none. The .npz is the same bytes whatever the number
 * of threads and the order of rows. STATUS_NO_RESOURCE if it cannot be written. */
enum status npz_sink_finish(struct npz_sink *sink, int64_t edges_read,
                            const struct provenance *made, struct error *err);

/* Removes files that were not completed. Safe on a zeroed struct; leaves it zeroed. */
void npz_sink_close(struct npz_sink *sink);

/* Returns how many bytes the sink takes with that number of threads, without the entries. */
uint64_t npz_sink_memory(const struct result_layout *layout, int threads);

#endif
