// SPDX-License-Identifier: MIT
/* Files of rows that are written while an answer is produced: NumPy's files or SciPy's sparse
 * matrix, with every column or some. */
#ifndef COMMON_ROWS_ROW_FILES_H
#define COMMON_ROWS_ROW_FILES_H

#include "common/rows/column_sink.h"   // struct column_sink
#include "common/rows/npy_sink.h"      // struct npy_sink
#include "common/rows/npz_sink.h"      // struct npz_sink
#include "common/rows/result_format.h" // struct result_format

#include <stdbool.h>

/* How row_files_open opens the files; zero: one process writes them at once. */
struct row_files_sharing {
    struct partial *partial;   /* folder that keeps finished rows for a later run; NULL: none.
                                  Closed by the caller after the files */
    const struct ranks *ranks; /* processes that write the same files together; NULL: one */
};

struct row_files {
    struct row_sink *sink;      /* takes whole rows; NULL: no files are open */
    bool is_sparse;             /* the files are a sparse matrix, not NumPy's */
    struct npy_sink dense;      /* writes NumPy's files */
    struct npz_sink sparse;     /* writes the sparse matrix */
    struct column_sink columns; /* selects the columns, unless all are wanted */
};

/* Opens the files of PREFIX in a format that is not text, with the rows, columns and the type of
 * the layout, whose lists outlive the files. Only NumPy's files can be shared. Fails as
 * npy_sink_open and npz_sink_open do. The caller frees with row_files_close, also after a failure.
 */
enum status row_files_open(struct row_files *files, const char *prefix,
                           const struct result_format *format, const struct result_layout *layout,
                           const struct row_files_sharing *sharing, struct error *err);

/* Completes the files once every row was taken, and puts all of them in place, or none; nothing if
 * none are open. */
enum status row_files_finish(struct row_files *files, int64_t edges_read,
                             const struct provenance *made, struct error *err);

/* Removes what was not completed. Safe on a zeroed struct; leaves it zeroed. */
void row_files_close(struct row_files *files);

/* Returns how many bytes of memory open files take with `threads` threads (0: one per core), when
 * distances that come have the type `type`. The finite entries of a sparse matrix are not counted.
 */
uint64_t row_files_memory(const struct result_format *format, const struct result_layout *layout,
                          enum number_type type, int threads);

#endif
