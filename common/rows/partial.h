// SPDX-License-Identifier: MIT
/* The finished rows of a result that is not complete, kept in the folder PREFIX.partial. If a run
 * is killed, the next run for the same request uses them.
 *
 * The folder, which docs/result-formats.md describes, has the files
 *
 *     request.json          the request, and the variant that answers it
 *     dist.npy, pred.npy    the matrices of the result, in which rows may be missing
 *     rows                  an entry for each row: the checksums of its bytes
 *
 * A row is finished if its entry is whole and its bytes have the checksums in the entry. So nothing
 * depends on the order in which a disk writes data, and rows that a killed run or a power cut left
 * half written are solved again. */
#ifndef COMMON_ROWS_PARTIAL_H
#define COMMON_ROWS_PARTIAL_H

#include "common/base/output.h"     // struct output
#include "common/base/progress.h"   // struct progress
#include "common/graph/row_block.h" // struct row_block

#include <stdbool.h>
#include <stdint.h>

/* A property that requests must have in common, in words for request.json and messages. */
struct partial_term {
    const char *name;
    char value[64];
};
enum { PARTIAL_MAX_TERMS = 16, PARTIAL_MATRICES = 2 };

/* Makes a term; a value that is too long is cut. */
struct partial_term partial_term(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct partial {
    char *path; /* path of PREFIX.partial */
    int folder; /* descriptor of the locked folder; -1: not open */
    struct partial_term term[PARTIAL_MAX_TERMS];
    int terms;
    bool fresh;       /* there was no request in the folder before */
    bool is_useless;  /* its rows will not be needed again, so partial_close removes the folder */
    char variant[64]; /* variant that produced the rows; "": any variant gives the same bytes */
    char next[64];    /* variant that is going to produce rows; equal to `variant` unless
                         partial_note_variant has set it */
    uint32_t key;     /* checksum of request.json, with which checksums of entries begin */

    struct partial_matrix {
        char *path;
        int fd; /* descriptor, owned by the caller; -1: there is no such matrix */
        uint64_t head_bytes, row_bytes;
    } matrix[PARTIAL_MATRICES];
    struct output table; /* the file `rows` */
    int32_t rows;
    bool *is_kept;      /* for each row, an earlier run has finished it */
    int32_t *missing;   /* positions of the rows that no earlier run has finished, ascending */
    int32_t kept, left; /* numbers of rows in is_kept and in missing */
    int32_t finished;   /* number of rows that this run has finished */
    /* time of the next sync of the files against a power cut, by clock_seconds() */
    double sync_due;
};

/* Opens PREFIX.partial, or creates it, and locks it. STATUS_BAD_INPUT if it has rows of a request
 * with other terms; STATUS_NO_RESOURCE if another process is using it, or if files cannot be kept
 * there. The caller frees with partial_close, also after a failure. */
enum status partial_open(struct partial *p, const char *prefix, const struct partial_term *terms,
                         int count, struct error *err);

/* Returns whether PREFIX.partial is the folder of a request with these terms and perhaps others.
 * Changes nothing, and ignores a folder that is none of a request, which partial_open would refuse.
 */
bool partial_keeps(const char *prefix, const struct partial_term *terms, int count);

/* Opens the file of matrix 0 (distances) or 1 (predecessors), which will have `rows` rows of that
 * many bytes behind a head, as an output that belongs to the caller and is written directly. all:
 * the size of this matrix and the following ones, for which there must be room. Fails if the file
 * cannot be moved to the target. */
enum status partial_open_matrix(struct partial *p, int matrix, const char *target, int32_t rows,
                                uint64_t head_bytes, uint64_t row_bytes, uint64_t all,
                                struct output *out, struct error *err);

/* Finds which rows of the open matrices are finished, by reading them on up to `threads` threads,
 * and stores their checksums in crc[matrix][row]. */
enum status partial_find_rows(struct partial *p, uint32_t *const crc[], int threads,
                              struct progress *progress, struct error *err);

/* Records which variant is going to produce rows, if another variant's rows could be different
 * bytes. If rows are kept, it must be p->variant. */
void partial_note_variant(struct partial *p, const char *name);

/* Prepares for rows, before the first one comes: rows that another variant has finished count
 * as unfinished. */
enum status partial_begin(struct partial *p, struct error *err);

/* Records that the rows of a block have been written and are finished; crc[matrix][position] are
 * their checksums. Any thread may call it. Syncs the files every few seconds. */
enum status partial_keep(struct partial *p, const struct row_block *block, uint32_t *const crc[],
                         struct error *err);

/* Replaces *out, of partial_open_matrix, by an output at the target's place for matrix number
 * `matrix`. After the output's commit the folder still has the matrix. */
enum status partial_place_matrix(struct partial *p, int matrix, const char *target,
                                 struct output *out, struct error *err);

/* Removes the folder, once the result is in place. */
void partial_remove(struct partial *p);

/* Adds to the line of a failure how many rows are kept, if any are, and the name of the option that
 * goes on with them. */
void partial_say(const struct partial *p, const char *option, enum status status,
                 struct error *err);

/* Closes the folder, and removes it if it is new and no row is finished, or if is_useless is set.
 * Safe on a zeroed struct; leaves it zeroed. */
void partial_close(struct partial *p);

/* Returns how many bytes of memory the struct takes for that number of rows and threads. */
uint64_t partial_memory(int32_t rows, int threads);

#endif
