// SPDX-License-Identifier: MIT
/* The files that sums of columns along shortest paths go to, beside those of the distances. */
#ifndef CLI_ALONG_FILES_H
#define CLI_ALONG_FILES_H

#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/rows/row_files.h"     // struct row_files
#include "flows/along_sink.h"          // struct along_sink

struct solver_arguments;

struct along_files {
    struct along_sink sink; /* takes whole rows of distances */
    struct row_files *of;   /* count, one for each column of edges */
    int count;
};

/* STATUS_BAD_INPUT for options that --along cannot go with when rows are solved, in a run of so
 * many processes. */
enum status along_files_check(const struct solver_arguments *a, int processes, struct error *err);

/* Opens PREFIX.COLUMN.dist.npy and what belongs to it (npy_sink_open) for each column, with rows
 * and columns as `layout` has them, and the sink, which hands distances on to `to`.
 * STATUS_BAD_INPUT for a column with a name that is none of a file. The caller frees with
 * along_files_close, also after a failure. */
enum status along_files_open(struct along_files *files, const char *prefix, const struct graph *g,
                             const struct edge_columns *columns, const struct result_layout *layout,
                             bool check, struct row_sink *to, struct error *err);

/* Completes the files; nothing if none are open. */
enum status along_files_finish(struct along_files *files, int64_t edges_read,
                               const struct provenance *made, struct error *err);

/* Bytes of memory that columns of a graph and their files take with so many threads. */
uint64_t along_files_memory(int32_t n, int64_t m, int32_t rows, int32_t columns, int count,
                            int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void along_files_close(struct along_files *files);

#endif
