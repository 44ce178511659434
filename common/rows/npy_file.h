// SPDX-License-Identifier: MIT
/* A .npy file whose rows are read one by one, in any order and on several threads. */
#ifndef COMMON_ROWS_NPY_FILE_H
#define COMMON_ROWS_NPY_FILE_H

#include "common/base/error.h"    // enum status, struct error
#include "common/rows/npy_type.h" // enum npy_type

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Forms of a file: a row for every vertex, rows for some vertices, or a list of numbers of
 * vertices. */
enum npy_form { NPY_SQUARE, NPY_ROWS, NPY_VECTOR };

struct npy_file {
    const char *path;    /* the caller's, for messages */
    int fd;              /* descriptor of the open file, which the caller closes */
    bool distances;      /* the file has distances; otherwise predecessors */
    enum number_type as; /* type as which rows are read */
    enum npy_type type;
    int32_t rows, n; /* sizes of the matrix; a vector is one row */
    size_t head_bytes;
    uint32_t head_crc, *row_crc;
};

/* Reads the head of an open file. STATUS_BAD_INPUT unless it is a regular file of that form, in C
 * order, of a type that this reader knows, and of the length that its head implies. Distances are
 * read as numbers of type `as`; anything else as int32. The caller frees with npy_file_close, also
 * after a failure, and keeps path and fd until then. */
enum status npy_file_open(struct npy_file *file, int fd, const char *path, enum npy_form form,
                          bool distances, enum number_type as, struct error *err);

/* Returns how many bytes of room npy_file_read_row needs for a row in the file's type; 0 if that is
 * the type as which rows are read. */
size_t npy_file_row_room(const struct npy_file *file);

/* Reads a row into n entries at `to`, of the type that rows are read as (npy_type_read). SciPy's
 * -9999 for "no predecessor" becomes -1. Returns STATUS_BAD_INPUT, with the first such entry in the
 * message, if the type cannot hold an entry, or if the file has become shorter. */
enum status npy_file_read_row(const struct npy_file *file, int32_t row, void *room, void *to,
                              struct error *err);

/* Returns the CRC-32 of the whole file, once every row was read. */
uint32_t npy_file_crc(const struct npy_file *file);

/* Returns how many bytes an open file takes. */
uint64_t npy_file_memory(int32_t rows);

/* Safe on a zeroed struct; leaves it zeroed. Does not close fd. */
void npy_file_close(struct npy_file *file);

#endif
