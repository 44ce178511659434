// SPDX-License-Identifier: MIT
/* A .npy file whose rows are read one by one, in any order and on several threads. */
#ifndef COMMON_ROWS_NPY_FILE_H
#define COMMON_ROWS_NPY_FILE_H

#include "common/base/error.h"    // enum status, struct error
#include "common/rows/npy_type.h" // enum npy_type

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contents of a file: a row for every vertex, rows for some, or numbers of vertices. */
enum npy_form { NPY_SQUARE, NPY_ROWS, NPY_VECTOR };

struct npy_file {
    const char *path;    /* for messages; the caller's */
    int fd;              /* the caller's */
    bool distances;      /* predecessors otherwise */
    enum number_type as; /* what rows are read as */
    enum npy_type type;
    int32_t rows, n; /* a vector is one row */
    size_t head_bytes;
    uint32_t head_crc, *row_crc;
};

/* Looks at the head of an open file. STATUS_BAD_INPUT unless it is a regular file of that form, in
 * C order, of a type that this reader knows, and as long as its head says. Distances are read as
 * numbers of type `as`; anything else as int32. The caller frees with npy_file_close, also after a
 * failure, and keeps path and fd until then. */
enum status npy_file_open(struct npy_file *file, int fd, const char *path, enum npy_form form,
                          bool distances, enum number_type as, struct error *err);

/* Returns how many bytes npy_file_read_row needs as room for a row as the file has it: 0 if the
 * file has the type that rows are read as. */
size_t npy_file_row_room(const struct npy_file *file);

/* Reads a row into n entries at `to`, of the type that rows are read as (npy_type_read). SciPy's
 * -9999 for "no predecessor" becomes -1. STATUS_BAD_INPUT names the first entry that the type
 * cannot hold, or says that the file has become shorter. */
enum status npy_file_read_row(const struct npy_file *file, int32_t row, void *room, void *to,
                              struct error *err);

/* Returns the CRC-32 of the whole file, once every row was read. */
uint32_t npy_file_crc(const struct npy_file *file);

/* Returns how many bytes an open file takes. */
uint64_t npy_file_memory(int32_t rows);

/* Safe on a zeroed struct; leaves it zeroed. It does not close fd. */
void npy_file_close(struct npy_file *file);

#endif
