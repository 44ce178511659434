// SPDX-License-Identifier: MIT
/* Files of the sums of edge columns along shortest paths, beside the files of the distances. */
#ifndef CLI_ALONG_FILES_H
#define CLI_ALONG_FILES_H

#include "common/graph/edge_columns.h" // struct edge_columns
#include "common/rows/row_files.h"     // struct row_files
#include "flows/along_sink.h"          // struct along_sink

struct solver_arguments;

struct along_files {
    struct along_sink sink; /* takes whole rows of distances */
    struct row_files *of;   /* files of each column of edges, `count` entries */
    int count;
};

/* STATUS_BAD_INPUT if an option is given that does not go with --along when rows are solved, in a
 * run of `processes` processes. */
enum status along_files_check(const struct solver_arguments *a, int processes, struct error *err);

/* Opens PREFIX.COLUMN.dist.npy and the files beside it (npy_sink_open) for each column, with rows
 * and columns as `layout` has them, and files->sink, which hands distances on to `to`.
 * STATUS_BAD_INPUT if the name of a column cannot be part of a file's name. The caller frees with
 * along_files_close, also after a failure. */
enum status along_files_open(struct along_files *files, const char *prefix, const struct graph *g,
                             const struct edge_columns *columns, const struct result_layout *layout,
                             bool check, struct row_sink *to, struct error *err);

/* Completes the files; nothing if none are open. */
enum status along_files_finish(struct along_files *files, int64_t edges_read,
                               const struct provenance *made, struct error *err);

/* Bytes of memory that `count` columns of a graph's edges, and files of their sums with `rows` rows
 * and `columns` columns, take with that number of threads. */
uint64_t along_files_memory(int32_t n, int64_t m, int32_t rows, int32_t columns, int count,
                            int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void along_files_close(struct along_files *files);

#endif
