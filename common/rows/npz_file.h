// SPDX-License-Identifier: MIT
/* A result as SciPy's compressed sparse rows: an .npz file as npz_sink.h writes it, whose places
 * are all known from its size, and whose rows are read one by one, in any order and on several
 * threads.
 */
#ifndef COMMON_ROWS_NPZ_FILE_H
#define COMMON_ROWS_NPZ_FILE_H

#include "common/base/error.h"        // enum status, struct error
#include "common/base/zip.h"          // struct zip_member
#include "common/rows/npy_type.h"     // enum npy_type
#include "common/rows/result_parts.h" // NPY_LONGEST_HEAD

/* The arrays of a file, in SciPy's order. */
enum { NPZ_INDICES, NPZ_INDPTR, NPZ_FORMAT, NPZ_SHAPE, NPZ_DATA, NPZ_ARRAYS };

struct npz_layout {
    enum npy_type index; /* of indices and indptr: int32 if it holds them */
    struct zip_member member[NPZ_ARRAYS];
    char head[NPZ_ARRAYS][NPY_LONGEST_HEAD];
    size_t head_bytes[NPZ_ARRAYS];
    uint64_t bytes; /* of the file */
};

/* Lays out the file of a matrix with so many rows and entries, distances of type `data`, whose
 * bytes can be counted. */
void npz_lay_out(struct npz_layout *layout, int32_t rows, int64_t entries, enum npy_type data);

/* The content of such a file. */
struct npz_size {
    int32_t rows, columns;
    int64_t entries;
    enum npy_type data;  /* of the distances: int32, int64, float32 or float64 */
    enum number_type as; /* that rows are read as */
    uint32_t crc;        /* of the whole file */
    enum semiring semiring;
};

struct npz_file {
    const char *path; /* for messages; the caller's */
    int fd;           /* the caller's */
    struct npz_size size;
    enum npy_type index;
    uint64_t columns_at, distances_at; /* in the file */
    int64_t *start;                    /* rows + 1: of each row among the entries */
};

/* Looks at an open file. STATUS_BAD_INPUT unless it is a regular file of that content. The caller
 * frees with npz_file_close, also after a failure, and keeps path and fd until then. */
enum status npz_file_open(struct npz_file *file, int fd, const char *path,
                          const struct npz_size *size, struct error *err);

/* Returns how many bytes npz_file_read_row needs as room. */
size_t npz_file_row_room(const struct npz_file *file);

/* Reads a row into columns numbers at `to`, of the type of the distances; what has no entry has no
 * path. STATUS_BAD_INPUT names the first
 * entry that is none of a result, or says that the file has become shorter. */
enum status npz_file_read_row(const struct npz_file *file, int32_t row, void *room, void *to,
                              struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. It does not close fd. */
void npz_file_close(struct npz_file *file);

#endif
