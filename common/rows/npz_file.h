// SPDX-License-Identifier: MIT
/* A result as SciPy's compressed sparse rows: an .npz file as npz_sink.h writes it. All offsets in
 * it follow from its size, and rows are read one by one, in any order and on several threads. */
#ifndef COMMON_ROWS_NPZ_FILE_H
#define COMMON_ROWS_NPZ_FILE_H

#include "common/base/error.h"        // enum status, struct error
#include "common/base/zip.h"          // struct zip_member
#include "common/rows/npy_type.h"     // enum npy_type
#include "common/rows/result_parts.h" // NPY_LONGEST_HEAD

/* The arrays in a file, in SciPy's order. */
enum { NPZ_INDICES, NPZ_INDPTR, NPZ_FORMAT, NPZ_SHAPE, NPZ_DATA, NPZ_ARRAYS };

struct npz_layout {
    enum npy_type index; /* type of indices and indptr: int32 if the numbers fit */
    struct zip_member member[NPZ_ARRAYS];
    char head[NPZ_ARRAYS][NPY_LONGEST_HEAD];
    size_t head_bytes[NPZ_ARRAYS];
    uint64_t bytes; /* size of the file */
};

/* Lays out the file of a matrix with that number of rows and entries, and distances of type `data`;
 * its size must not overflow. */
void npz_lay_out(struct npz_layout *layout, int32_t rows, int64_t entries, enum npy_type data);

/* Sizes and types that a file must have. */
struct npz_size {
    int32_t rows, columns;
    int64_t entries;
    enum npy_type data;  /* type of the distances: int32, int64, float32 or float64 */
    enum number_type as; /* type as which rows are read */
    uint32_t crc;        /* checksum of the whole file */
    enum semiring semiring;
};

struct npz_file {
    const char *path; /* the caller's, for messages */
    int fd;           /* descriptor of the open file, which the caller closes */
    struct npz_size size;
    enum npy_type index;
    uint64_t columns_at, distances_at; /* offsets in the file */
    /* rows + 1: entries start[r] .. start[r + 1] - 1 are those of row r */
    int64_t *start;
};

/* Checks an open file, and finds its rows. STATUS_BAD_INPUT unless it is a regular file as `size`
 * says. The caller frees with npz_file_close, also after a failure, and keeps path and fd until
 * then. */
enum status npz_file_open(struct npz_file *file, int fd, const char *path,
                          const struct npz_size *size, struct error *err);

/* Returns how many bytes of room npz_file_read_row needs. */
size_t npz_file_row_room(const struct npz_file *file);

/* Reads a row into size.columns numbers at `to`, of the type of the distances; columns without an
 * entry have no path. Returns STATUS_BAD_INPUT, with the first such entry in the message, if an
 * entry is invalid, or if the file has become shorter. */
enum status npz_file_read_row(const struct npz_file *file, int32_t row, void *room, void *to,
                              struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. Does not close fd. */
void npz_file_close(struct npz_file *file);

#endif
