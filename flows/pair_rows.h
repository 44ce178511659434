// SPDX-License-Identifier: MIT
/* A set of rows of equal length, numbered in the order in which they were added. */
#ifndef FLOWS_PAIR_ROWS_H
#define FLOWS_PAIR_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Binary logarithm of the number of rows of the first chunk (classes/row_chunks.h), and largest
 * number of chunks. */
enum { PAIR_ROWS_BITS = 4, PAIR_ROWS_CHUNKS = 27 };

struct pair_rows {
    size_t cells;                    /* number of cells of a row */
    int32_t count;                   /* number of rows */
    double *chunk[PAIR_ROWS_CHUNKS]; /* cells of the rows; a chunk is never moved */
    double *mass;   /* sum of all masses that were added with each row, count entries */
    uint64_t *hash; /* hash of each row, count entries */
    int32_t room;   /* number of rows that `mass` and `hash` have room for */
    int32_t *slot;  /* hash table: row number in each slot; -1: the slot is free */
    int32_t slots;  /* number of slots, a power of two; 0: there is no table yet */
};

/* Returns row k. Row k + 1 follows it unless k + 1 is a multiple of 1 << PAIR_ROWS_BITS; then it
 * may be elsewhere. */
double *pair_rows_row(const struct pair_rows *set, int32_t k);

/* Adds a row, unless the set has it, and adds `mass` to the mass of the row. Returns the row's
 * number; -1: there is not enough memory. A new set has all fields 0 except `cells`; it is freed
 * with pair_rows_free. */
int32_t pair_rows_find(struct pair_rows *set, const double *row, uint64_t hash, double mass);

/* Frees *set and zeroes it; safe on a zeroed struct. */
void pair_rows_free(struct pair_rows *set);

#endif
