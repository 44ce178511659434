// SPDX-License-Identifier: MIT
/* A set of rows of the same length, numbered in the order in which they were added. */
#ifndef FLOWS_PAIR_ROWS_H
#define FLOWS_PAIR_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair_rows {
    size_t cells;   /* number of cells of a row */
    int32_t count;  /* number of rows */
    double *row;    /* count * cells */
    double *mass;   /* count: the sum of all masses with which the row was added */
    uint64_t *hash; /* count */
    int32_t room;   /* number of rows that the arrays have room for */
    int32_t *slot;  /* slots: the hash table's row numbers, -1: the slot is free */
    int32_t slots;  /* number of slots, a power of two; 0: there is no table yet */
};

/* Adds a row, unless it is there, and its mass to that of the row. Returns the row's number, or -1
 * if there is not enough memory. The set begins with `cells` alone, and is freed with
 * pair_rows_free. */
int32_t pair_rows_find(struct pair_rows *set, const double *row, uint64_t hash, double mass);

/* Safe on a zeroed struct; leaves it zeroed. */
void pair_rows_free(struct pair_rows *set);

#endif
