// SPDX-License-Identifier: MIT
/* The sink that writes NumPy files while an answer is produced, of any size: rows go to their
 * places in the files in the order in which they come. */
#ifndef COMMON_ROWS_NPY_SINK_H
#define COMMON_ROWS_NPY_SINK_H

#include "common/graph/row_block.h"   // struct row_sink
#include "common/rows/result_files.h" // struct result_files, struct result_layout

struct npy_sink {
    struct row_sink sink; /* the first member */
    struct result_layout layout;
    enum isa isa;
    struct result_files files;
    size_t head_bytes[2]; /* of the two matrices */
    uint32_t *crc[2];     /* of each row of the two matrices */
    char **packed;        /* one buffer for each thread, for rows that are short or converted */
    int threads;
};

/* Opens PREFIX.dist.npy and, with predecessors, PREFIX.pred.npy (one row for each source), and,
 * unless these are all vertices, PREFIX.sources.npy and PREFIX.targets.npy with the vertices of the
 * rows and columns. Blocks are as wide as there are targets. Refuses with STATUS_NO_RESOURCE what
 * the file system has no room for, or what is no regular file. The sink then fails with
 * STATUS_BAD_INPUT if a distance does not fit in the layout's type. The caller frees with
 * npy_sink_close, also after a failure. */
enum status npy_sink_open(struct npy_sink *sink, const char *prefix,
                          const struct result_layout *layout, struct error *err);

/* Completes the result once every row was taken: writes PREFIX.json and puts all files in place,
 * all or none. */
enum status npy_sink_finish(struct npy_sink *sink, int64_t edges_read,
                            const struct provenance *made, struct error *err);

/* Removes what was not completed. Safe on a zeroed struct; leaves it zeroed. */
void npy_sink_close(struct npy_sink *sink);

/* Returns how many bytes of memory the sink takes with so many threads. */
uint64_t npy_sink_memory(const struct result_layout *layout, int threads);

#endif
