// SPDX-License-Identifier: MIT
/* A set of rows of equal length, numbered in the order in which they were added. */
#ifndef FLOWS_PAIR_ROWS_H
#define FLOWS_PAIR_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair_rows {
    size_t cells;   /* number of cells of a row */
    int32_t count;  /* number of rows */
    double *row;    /* cells of the rows, count x cells */
    double *mass;   /* sum of all masses that were added with each row, count entries */
    uint64_t *hash; /* hash of each row, count entries */
    int32_t room;   /* number of rows that the arrays have room for */
    int32_t *slot;  /* hash table: row number in each slot; -1: the slot is free */
    int32_t slots;  /* number of slots, a power of two; 0: there is no table yet */
};

/* Adds a row, unless the set has it, and adds `mass` to the mass of the row. Returns the row's
 * number; -1: there is not enough memory. A new set has all fields 0 except `cells`; it is freed
 * with pair_rows_free. */
int32_t pair_rows_find(struct pair_rows *set, const double *row, uint64_t hash, double mass);

/* Frees *set and zeroes it; safe on a zeroed struct. */
void pair_rows_free(struct pair_rows *set);

#endif
