// SPDX-License-Identifier: MIT
/* A set of rows of equal length that stores each row once, as a class (proportional.h). Threads may
 * look up and add classes at the same time. */
#ifndef CLASSES_ROW_CLASSES_H
#define CLASSES_ROW_CLASSES_H

#include "common/base/length.h" // length

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define row_classes_begin     BY_LENGTH(row_classes_begin)
#define row_classes_free      BY_LENGTH(row_classes_free)
#define row_classes_find      BY_LENGTH(row_classes_find)
#define row_classes_row       BY_LENGTH(row_classes_row)
#define row_classes_fetch     BY_LENGTH(row_classes_fetch)
#define row_classes_end       BY_LENGTH(row_classes_end)
#define row_classes_number    BY_LENGTH(row_classes_number)
#define row_classes_rows      BY_LENGTH(row_classes_rows)
#define row_classes_drop_rows BY_LENGTH(row_classes_drop_rows)

struct row_shard;

struct row_classes {
    size_t pitch; /* number of cells of a row */
    int bits;     /* the set has 1 << bits shards */
    struct row_shard *shard;
    int32_t count; /* number of classes; set by row_classes_end */
};

/* A value in place of a class: there is none. */
enum { NO_CLASS = -1 };

/* Begins an empty set. is_shared: several threads will add rows. Returns false if there is not
 * enough memory. The caller frees it with row_classes_free, which is safe on a zeroed struct and
 * leaves it zeroed. */
bool row_classes_begin(struct row_classes *c, size_t pitch, bool is_shared);
void row_classes_free(struct row_classes *c);

/* Returns a name of the class of a row of `pitch` cells, which is added if it is new; NO_CLASS if
 * there is not enough memory. hash: hash of the row. */
int32_t row_classes_find(const struct row_classes *c, const path_length *row, uint32_t hash);

/* Returns the row of the class with a name. It stays where it is until row_classes_drop_rows. */
const path_length *row_classes_row(const struct row_classes *c, int32_t name);

/* Has the caches fetch the memory that row_classes_find is about to read for `count` rows, at most
 * ROW_CLASSES_FETCHED. */
enum { ROW_CLASSES_FETCHED = 32 };
void row_classes_fetch(const struct row_classes *c, const uint32_t *hash, int32_t count);

/* Ends the adding of rows: gives classes the numbers 0 .. count - 1, and keeps only their rows. */
void row_classes_end(struct row_classes *c);

/* After row_classes_end. row_classes_number returns the number of the class with a name.
 * row_classes_rows returns the row of the class with a number; *count: how many rows of consecutive
 * numbers are stored there, this one included. */
int32_t row_classes_number(const struct row_classes *c, int32_t name);
const path_length *row_classes_rows(const struct row_classes *c, int32_t number, int32_t *count);

/* Frees the rows; only the numbers can be used after it. Safe on a zeroed struct. */
void row_classes_drop_rows(struct row_classes *c);

#endif
