// SPDX-License-Identifier: MIT
/* Files of comma-separated values that apsp writes instead of whole rows. */
#ifndef APSP_TABLE_FILE_H
#define APSP_TABLE_FILE_H

#include "common/base/error.h" // enum status, struct error

#include <stddef.h>
#include <stdint.h>

struct table_file {
    const char *path;
    const char *head; /* the line of names, with its line feed */
    int64_t rows;
    size_t row_size; /* bytes of a row at most, with its line feed */
    /* Writes a row, and returns its end. Threads call it at the same time. */
    char *(*put)(char *to, const void *self, int64_t row);
    const void *self;
    int threads; /* 0: one per core */
};

/* Writes the file, completely or not at all, and stores the seconds that it took. */
enum status table_file_write(const struct table_file *t, double *seconds, struct error *err);

#endif
