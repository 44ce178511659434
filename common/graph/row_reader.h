// SPDX-License-Identifier: MIT
/* Gives out the rows of a finished answer in blocks: from matrices in memory or from files. A sink
 * (row_block.h) takes rows as an engine produces them; a reader hands them out as they are asked
 * for. */
#ifndef COMMON_GRAPH_ROW_READER_H
#define COMMON_GRAPH_ROW_READER_H

#include "common/graph/row_block.h" // struct row_block, struct row_sources

/* Reads rows. begin and end may be NULL. */
struct row_reader {
    int32_t n;             /* length of a row */
    enum number_type type; /* type of the distances */
    struct row_sources sources;
    bool with_pred;
    /* Fills *block with the rows at positions first .. first + count - 1. pred_rows: room for
     * ROW_BLOCK_MAX pointers. The block lasts until the same thread reads again, or the reader is
     * closed. */
    enum status (*read)(struct row_reader *self, int32_t first, int32_t count,
                        struct row_block *block, int32_t **pred_rows, struct error *err);
    /* Prepares for reads of at most `most` rows by `threads` threads, which omp_get_thread_num()
     * numbers from 0. Called before the first read. */
    enum status (*begin)(struct row_reader *self, int threads, int32_t most, struct error *err);
    /* Called once every row was read: checks whether the rows together are what the files say. A
     * reader that has this function wants all its rows read. */
    enum status (*end)(struct row_reader *self, struct error *err);
};

/* Reads from matrices that have row p for the source at position p. */
struct matrix_reader {
    struct row_reader reader; /* the first member */
    const struct matrix *dist, *pred;
};

/* Makes a reader of matrices; pred may be NULL. The matrices and the sources must outlive the
 * reader. */
void matrix_reader_begin(struct matrix_reader *reader, const struct row_sources *sources,
                         const struct matrix *dist, const struct matrix *pred);

#endif
