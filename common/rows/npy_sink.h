// SPDX-License-Identifier: MIT
/* A sink that writes NumPy files, of any size, while an answer is produced: each row is written to
 * its place in a file when it comes. */
#ifndef COMMON_ROWS_NPY_SINK_H
#define COMMON_ROWS_NPY_SINK_H

#include "common/base/preallocation.h" // struct preallocation
#include "common/graph/row_block.h"    // struct row_sink
#include "common/rows/partial.h"       // struct partial
#include "common/rows/result_files.h"  // struct result_files, struct result_layout
#include "ranks/ranks.h"               // struct ranks

struct npy_sink {
    struct row_sink sink; /* the first member */
    struct result_layout layout;
    enum number_type from; /* type of the distances that come */
    enum isa isa;
    struct result_files files;
    struct preallocation space; /* allocates space for the two matrices */
    size_t head_bytes[2];       /* bytes of the head of each matrix */
    uint32_t *crc[2];           /* checksum of each row of the two matrices */
    struct partial *partial;    /* keeps finished rows; NULL: they are not kept */
    /* for each thread, a buffer for rows that are short or converted */
    char **packed;
    int threads;
};

/* Opens PREFIX.dist.npy and, with predecessors, PREFIX.pred.npy (one row for each source), and,
 * unless these are all vertices, PREFIX.sources.npy and PREFIX.targets.npy with the vertices of the
 * rows and columns. Blocks are as wide as there are targets. Returns STATUS_NO_RESOURCE if the file
 * system has no room for a file, or a file is no regular file. The sink fails with STATUS_BAD_INPUT
 * if a distance does not fit in the layout's type. The caller frees with npy_sink_close, also after
 * a failure.
 *
 * Unless `partial` is NULL, which the caller has opened and closes after the sink, rows are kept in
 * its folder until the result is complete. Then the sink also takes rows that npy_sink_find_rows
 * has found, and ignores them. */
enum status npy_sink_open(struct npy_sink *sink, const char *prefix,
                          const struct result_layout *layout, struct partial *partial,
                          struct error *err);

/* Opens the files of npy_sink_open in all ranks, which call this function together. Rank 0 creates
 * the files, and the other ranks write their rows to them. Then npy_sink_gather gives rank 0 the
 * checksums of those rows; only rank 0 may finish. */
enum status npy_sink_open_together(struct npy_sink *sink, const char *prefix,
                                   const struct result_layout *layout, const struct ranks *ranks,
                                   struct error *err);
enum status npy_sink_gather(struct npy_sink *sink, const struct ranks *ranks, struct error *err);

/* Finds the rows that an earlier run has finished: sets partial->is_kept and partial->missing. */
enum status npy_sink_find_rows(struct npy_sink *sink, int threads, struct progress *progress,
                               struct error *err);

/* Completes the result once every row was taken: writes PREFIX.json and puts all files in place,
 * all or none. */
enum status npy_sink_finish(struct npy_sink *sink, int64_t edges_read,
                            const struct provenance *made, struct error *err);

/* Removes files that were not completed. Safe on a zeroed struct; leaves it zeroed. */
void npy_sink_close(struct npy_sink *sink);

/* Returns how many bytes of memory the sink takes with that number of threads. */
uint64_t npy_sink_memory(const struct result_layout *layout, int threads);

#endif
