// SPDX-License-Identifier: MIT
/* Files of comma-separated values that apsp writes instead of whole rows, and the options that do
 * not go with them. */
#ifndef APSP_TABLE_FILE_H
#define APSP_TABLE_FILE_H

#include "cli/solver_report.h" // struct solver_arguments

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

/* Groups of options that an answer may take. */
enum answer_option {
    ANSWER_TAKES_SOURCES = 1, /* --sources */
    ANSWER_TAKES_ENGINES = 2, /* --limit, --check, --variant and --device */
    ANSWER_TAKES_PROOF = 4,   /* --check */
    ANSWER_TAKES_ALONG = 8,   /* --along */
};

/* Returns an option that was given and that is for whole rows, their measures or files, or in a
 * group that is not in `takes`; NULL if there is none. */
const char *answer_option_too_many(const struct solver_arguments *a, unsigned takes);

#endif
