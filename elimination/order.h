// SPDX-License-Identifier: MIT
/* An order of elimination that keeps the fill small: approximate minimum degree (Amestoy, Davis and
 * Duff 1996), by SuiteSparse's AMD. A build without AMD (AMD=0) can find no such order. */
#ifndef ELIMINATION_ORDER_H
#define ELIMINATION_ORDER_H

#include "elimination/minimum_degree.h" // struct minimum_degree
#include "elimination/pattern.h"        // struct pattern

#include <stdbool.h>

/* Returns whether this build has AMD. */
bool order_is_available(void);

/* Returns the name of the library that this build lacks, for a message after "built without"; NULL
 * if it has AMD. */
const char *order_missing(void);

/* Returns whether an order is worth looking for. entries: number of entries of the pattern, or of
 * edges. Every edge costs at least one relaxation for each source; a graph with many edges for each
 * vertex is solved sooner in other ways, which relax mostly light edges. */
bool order_can_pay(int32_t n, int64_t entries);

/* Fills vertex[0 .. n-1]: vertex[0] is eliminated first. Equal patterns give equal orders. All
 * memory comes from memory_alloc. STATUS_NO_RESOURCE if there is not enough memory, or if this
 * build has no AMD. */
enum status order_find(const struct pattern *pattern, int32_t *vertex, struct error *err);

/* Takes in left[] the vertices that an order by minimum degree has left, ascending, and puts them
 * in the order that order_find gives the pattern of these vertices. Stores that pattern's number of
 * entries in *entries. STATUS_NO_RESOURCE as order_find. */
enum status order_left(const struct minimum_degree *md, int32_t *left, int64_t *entries,
                       struct error *err);

/* Returns how many bytes order_find takes at most. */
uint64_t order_memory(int32_t n, int64_t m);

#endif
