// SPDX-License-Identifier: MIT
/* A sink that selects columns: it hands the distances to some vertices on to another sink. A step
 * before it, such as a proof, sees whole rows. */
#ifndef COMMON_ROWS_COLUMN_SINK_H
#define COMMON_ROWS_COLUMN_SINK_H

#include "common/graph/row_block.h" // struct row_sink, struct row_sources

struct column_sink {
    struct row_sink sink; /* the first member */
    struct row_sink *to;
    struct row_sources targets;
    enum number_type type; /* type of the distances, set by begin */
    void **selected;       /* for each thread, room for a block of `to` */
    int threads;
};

/* Makes a sink, for distances only, that hands blocks on to `to` in which column k belongs to
 * target k and n is the number of targets. The list of targets belongs to the caller, and must
 * outlive the sink. The caller frees with column_sink_close. */
void column_sink_open(struct column_sink *sink, const struct row_sources *targets,
                      struct row_sink *to);

/* Returns how many bytes the sink takes with that number of threads (0: one per core). */
uint64_t column_sink_memory(enum number_type type, int32_t targets, int threads);

/* Safe on a zeroed struct; leaves it zeroed. */
void column_sink_close(struct column_sink *sink);

#endif
