// SPDX-License-Identifier: MIT
/* The sink that writes NumPy files while an answer is produced, of any size: rows go to their
 * places in the files in the order in which they come. */
#ifndef COMMON_ROWS_NPY_SINK_H
#define COMMON_ROWS_NPY_SINK_H

#include "common/base/output.h"     // struct output
#include "common/graph/row_block.h" // struct row_sink
#include "common/rows/result_io.h"  // struct provenance

struct npy_sink {
    struct row_sink sink; /* the first member */
    int32_t n;
    struct row_sources sources;
    bool with_pred;
    char *path[4]; /* names of the files, in result_parts.h's order; `out` has the same order */
    struct output out[4];
    size_t head_bytes;
    uint32_t *crc[2]; /* of each row of the two matrices */
    char **packed;    /* one buffer for each thread, for short rows */
    int threads;
};

/* Opens PREFIX.dist.npy and, with predecessors, PREFIX.pred.npy (int32, one row for each source),
 * and, unless all vertices are sources, PREFIX.sources.npy with the vertices of the rows. Refuses
 * with STATUS_NO_RESOURCE what the file system has no room for, or what is no regular file. The
 * caller frees with npy_sink_close, also after a failure; `sources` outlives the sink. */
enum status npy_sink_open(struct npy_sink *sink, const char *prefix, int32_t n,
                          const struct row_sources *sources, bool with_pred, struct error *err);

/* Completes the result, whose rows have that limit or NO_LIMIT, once every row was taken: writes
 * PREFIX.json and puts all files in place, all or none. */
enum status npy_sink_finish(struct npy_sink *sink, int64_t edges_read, int32_t limit,
                            const struct provenance *made, struct error *err);

/* Removes what was not completed. Safe on a zeroed struct; leaves it zeroed. */
void npy_sink_close(struct npy_sink *sink);

/* Returns how many bytes of memory the sink takes with so many threads. */
uint64_t npy_sink_memory(int32_t n, int32_t sources, bool with_pred, int threads);

#endif
