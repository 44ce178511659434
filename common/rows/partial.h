// SPDX-License-Identifier: MIT
/* The finished rows of a result that is not finished, kept in the folder PREFIX.partial. A run that
 * was killed leaves them to the next one for the same request.
 *
 * The folder, which docs/result-formats.md describes, holds
 *
 *     request.json          what was asked for, and which variant answers
 *     dist.npy, pred.npy    the matrices as they will be, but for rows that are not finished
 *     rows                  an entry for each row: the checksums of its bytes
 *
 * A row is finished if its entry is whole and its bytes have the checksums in it. So nothing
 * depends on the order in which a disk takes what is written, and whatever a killed run or a power
 * cut left half written is solved again. */
#ifndef COMMON_ROWS_PARTIAL_H
#define COMMON_ROWS_PARTIAL_H

#include "common/base/output.h"     // struct output
#include "common/base/progress.h"   // struct progress
#include "common/graph/row_block.h" // struct row_block

#include <stdbool.h>
#include <stdint.h>

/* One thing that requests must have in common, in words for request.json and messages. */
struct partial_term {
    const char *name;
    char value[64];
};
enum { PARTIAL_MAX_TERMS = 16, PARTIAL_MATRICES = 2 };

/* Makes a term; a value that is too long is cut. */
struct partial_term partial_term(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct partial {
    char *path; /* PREFIX.partial */
    int folder; /* locked; -1: not open */
    struct partial_term term[PARTIAL_MAX_TERMS];
    int terms;
    bool fresh;       /* there was no request yet */
    bool is_useless;  /* its rows will not be needed again: partial_close removes it */
    char variant[64]; /* that produced the rows; "" if that does not matter */
    char next[64];    /* that is going to produce rows; the same unless noted */
    uint32_t key;     /* the checksum of request.json, with which those of entries begin */

    struct partial_matrix {
        char *path;
        int fd; /* the caller's; -1: there is no such matrix */
        uint64_t head_bytes, row_bytes;
    } matrix[PARTIAL_MATRICES];
    struct output table; /* the file `rows` */
    int32_t rows;
    bool *is_kept;      /* of each row: an earlier run has finished it */
    int32_t *missing;   /* positions of the others, ascending */
    int32_t kept, left; /* how many of each */
    int32_t finished;   /* rows that this run has finished */
    double sync_due;    /* when rows are to be made safe from a power cut; of clock.h */
};

/* Opens PREFIX.partial, or makes it, and locks it. STATUS_BAD_INPUT if it keeps rows of a request
 * with other terms; STATUS_NO_RESOURCE if another process is using it, or if files cannot be kept
 * there. The caller frees with partial_close, also after a failure. */
enum status partial_open(struct partial *p, const char *prefix, const struct partial_term *terms,
                         int count, struct error *err);

/* Returns whether PREFIX.partial is the folder of a request with these terms, whatever others it
 * has. It changes nothing and says nothing of a folder that is none, as partial_open does. */
bool partial_keeps(const char *prefix, const struct partial_term *terms, int count);

/* Opens the file of matrix 0 (distances) or 1 (predecessors), which will have `rows` rows of that
 * many bytes behind a head, as an output that belongs to the caller and is written in place. `all`
 * is the size of this matrix and those after it, for which there must be room. Fails if the file
 * cannot become the target's. */
enum status partial_open_matrix(struct partial *p, int matrix, const char *target, int32_t rows,
                                uint64_t head_bytes, uint64_t row_bytes, uint64_t all,
                                struct output *out, struct error *err);

/* Finds out which rows of the matrices that are open are finished, reading them on up to `threads`
 * threads, and stores the checksums of those in crc[matrix][row]. */
enum status partial_find_rows(struct partial *p, uint32_t *const crc[], int threads,
                              struct progress *progress, struct error *err);

/* Notes which variant is going to produce rows, if another one's would not be the same bytes. If
 * rows are kept, it must be p->variant. */
void partial_note_variant(struct partial *p, const char *name);

/* Prepares for rows, before the first comes: those that another variant finished are finished no
 * more. */
enum status partial_begin(struct partial *p, struct error *err);

/* Notes that the rows of a block, whose checksums are crc[matrix][position], are finished: they are
 * written. Any thread may call it. Every few seconds it syncs the files. */
enum status partial_keep(struct partial *p, const struct row_block *block, uint32_t *const crc[],
                         struct error *err);

/* Opens the output at the target's place for matrix `matrix` in place of *out, of
 * partial_open_matrix. After its commit the folder still has the matrix. */
enum status partial_place_matrix(struct partial *p, int matrix, const char *target,
                                 struct output *out, struct error *err);

/* Removes the folder, when the result is in place. */
void partial_remove(struct partial *p);

/* Adds to the line of a failure how many rows are kept, if any are, and the name of the option that
 * goes on with them. */
void partial_say(const struct partial *p, const char *option, enum status status,
                 struct error *err);

/* Closes the folder, and removes it if it is new and no row is finished, or if it is useless. Safe
 * on a zeroed struct; leaves it zeroed. */
void partial_close(struct partial *p);

/* Returns how many bytes of memory it takes for so many rows on so many threads. */
uint64_t partial_memory(int32_t rows, int threads);

#endif
