// SPDX-License-Identifier: MIT
/* The rows of a result in files, read as they are asked for: NumPy files of any size in O(block *
 * n) memory. Text must be read from its beginning, and so it is read whole. */
#ifndef COMMON_ROWS_RESULT_READER_H
#define COMMON_ROWS_RESULT_READER_H

#include "common/graph/row_reader.h" // struct row_reader
#include "common/rows/result_io.h"   // struct result

struct npy_rows;

struct result_reader {
    /* statements of the result on itself; the matrices have the sizes of the answer; before
     * result_reader_load, they have cells only if the result is text. */
    struct result result;
    struct row_reader *rows; /* of one of the next two: a struct result_reader cannot be moved */
    struct npy_rows *files;  /* NULL: text */
    bool is_int64;           /* its .json says that the distances are integers of 64 bits */
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

/* Reads no more of a result than the semiring of its lengths, which decides how its graph is read.
 * *says is false if only the whole tells, as of standard input, or nothing does, as of distances
 * alone; or if it cannot be read, which result_reader_open explains. STATUS_NO_RESOURCE if there is
 * not enough memory. */
enum status result_reader_semiring(const char *path, bool *says, enum semiring *semiring,
                                   struct error *err);

/* Reads all rows into result.dist and result.pred. */
enum status result_reader_load(struct result_reader *reader, struct error *err);

/* Returns how many bytes the reader takes for so many threads that read so many rows at a time. */
uint64_t result_reader_memory(const struct result_reader *reader, int threads, int32_t most);

/* Safe on a zeroed struct; leaves it zeroed. */
void result_reader_close(struct result_reader *reader);

#endif
