// SPDX-License-Identifier: MIT
/* Files of comma-separated values that apsp writes instead of whole rows. */
#ifndef APSP_TABLE_FILE_H
#define APSP_TABLE_FILE_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

struct table_file {
    const char *path;
    const char *head; /* the first line, which has the names of columns, with its line feed */
    int64_t rows;
    size_t row_size; /* most bytes that `put` writes for a row, with its line feed */
    /* Writes row number `row` to `to`, and returns the end of the text. Several threads call it at
     * the same time. */
    char *(*put)(char *to, const void *self, int64_t row);
    const void *self;
    int threads; /* 0: one per core */
};

/* Writes the file, completely or not at all, and stores the seconds that it took. */
enum status table_file_write(const struct table_file *t, double *seconds, struct error *err);

#endif
