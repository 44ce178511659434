// SPDX-License-Identifier: MIT
/* Reads the rows of a result in files as they are asked for: NumPy files of any size in O(block *
 * n) memory. Text has to be read from its beginning, so it is read as a whole. */
#ifndef COMMON_ROWS_RESULT_READER_H
#define COMMON_ROWS_RESULT_READER_H

#include "common/graph/row_reader.h" // struct row_reader
#include "common/rows/result_io.h"   // struct result

struct npy_rows;

struct result_reader {
    /* Statements of the result on itself. The matrices have the sizes of the answer; before
     * result_reader_load they have cells only if the result is text. */
    struct result result;
    struct row_reader *rows; /* reads rows from `files` or `text`; it points into this struct, which
                                must not be moved */
    struct npy_rows *files;  /* NULL: the result is text */
    bool is_int64;           /* the .json says that the distances are integers of 64 bits */
    struct matrix_reader text;
};

/* Opens a result in one of these forms:
 *   - PREFIX.dist.npy, and PREFIX alone if there is no file of that name or if it is a folder:
 *     NumPy with its partners, which are opened together (output_open_together). The .json has at
 *     most JSON_LONGEST bytes (json_text.h) and must agree with the matrices: what depends on all
 *     their bytes, when the reader ends.
 *   - PREFIX.npz, and PREFIX alone likewise: the sparse matrix of --format npz, with its .json.
 *     Its checksum is compared when it is opened.
 *   - any other path that ends in .npy: distances alone.
 *   - any other path: text, plain or compressed. Text of the thesis's own programs may have
 *     CRLF, "∞", more blank lines, trailing tabs, no last line feed and no # lines.
 * NumPy's entries may be of any type that npy_file.h reads. Distances are read as numbers of
 * `type`, which must hold each of them exactly, but text is rounded to a real type; whether they
 * are right is for the certificate. STATUS_BAD_INPUT for anything malformed or truncated, for the
 * columns of some targets, which cannot be proved, and, marked as one of range, if int32 has no
 * room for a distance, or is not what the .json says they are. The caller frees with
 * result_reader_close, also after a failure. */
enum status result_reader_open(struct result_reader *reader, const char *path,
                               enum number_type type, struct error *err);

/* Reads only the semiring of a result's lengths, which decides how its graph is read. *says is
 * false if only the whole result tells it, as from standard input, or nothing does, as in a file of
 * distances alone; or if the result cannot be read, which result_reader_open reports.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status result_reader_semiring(const char *path, bool *says, enum semiring *semiring,
                                   struct error *err);

/* Reads all rows into result.dist and result.pred. */
enum status result_reader_load(struct result_reader *reader, struct error *err);

/* Returns how many bytes the reader takes for `threads` threads that read `most` rows at a time. */
uint64_t result_reader_memory(const struct result_reader *reader, int threads, int32_t most);

/* Safe on a zeroed struct; leaves it zeroed. */
void result_reader_close(struct result_reader *reader);

#endif
