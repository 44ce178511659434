// SPDX-License-Identifier: MIT
/* The start of an order of elimination by minimum degree, and the graph that it leaves.
 *
 * Of vertices with the same number of neighbours the one that has been left alone longest comes
 * first, so that neighbours seldom follow each other, and chains and rings get low trees (multiple
 * minimum degree, Liu 1985). Neighbours that have no others are eliminated at the same time (mass
 * elimination, George and McIntyre 1978).
 *
 * Each vertex has a list of all its neighbours. That is fast while these are few; the quotient
 * graphs of approximate minimum degree (order.h) are better for what is left then. */
#ifndef ELIMINATION_MINIMUM_DEGREE_H
#define ELIMINATION_MINIMUM_DEGREE_H

#include "elimination/pattern.h" // struct pattern

enum { MINIMUM_DEGREE_MOST = 32, MINIMUM_DEGREE_FEW = 4 };

struct minimum_degree;

/* Begins an order. The caller frees *md with minimum_degree_free. STATUS_NO_RESOURCE if there is
 * not enough memory.
 */
enum status minimum_degree_begin(const struct pattern *pattern, int threads,
                                 struct minimum_degree **md, struct error *err);

/* Eliminates, before all others, vertices with up to `most` neighbours, each of which is in the
 * same block of up to `largest` vertices next to each other by their numbers. Blocks are tasks for
 * the threads of the parallel region that the caller is in; the order is the same for any number of
 * them. Within its block a vertex that is eliminated has the fewest neighbours. Every other vertex
 * of an edge between blocks waits, so that fill is as little as without, as long as `most` is.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status minimum_degree_start(struct minimum_degree *md, int32_t most, int32_t largest,
                                 struct error *err);

/* Returns the number of blocks that eliminated vertices, 0 if there were none. Those of block b
 * stand at the positions (*first)[b] .. (*first)[b + 1] - 1 of the order. */
int32_t minimum_degree_blocks(const struct minimum_degree *md, const int32_t **first);

/* Eliminates vertices until all that are left have more than `most` <= MINIMUM_DEGREE_MOST
 * neighbours, or the work exceeds `work` since the beginning. It may be called again, with more.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status minimum_degree_go_on(struct minimum_degree *md, int32_t most, int64_t work,
                                 struct error *err);

/* Returns how many vertices are eliminated; and the largest number of which it is known that no
 * vertex with so many neighbours, or fewer, is left, -1 if there is none. */
int32_t minimum_degree_eliminated(const struct minimum_degree *md);
int32_t minimum_degree_reached(const struct minimum_degree *md);

/* Returns nnz(L) of what is eliminated; and how many neighbours all vertices that are left have
 * together. */
int64_t minimum_degree_entries(const struct minimum_degree *md);
int64_t minimum_degree_rest_entries(const struct minimum_degree *md);

/* Returns how much work was done so far: neighbours that were looked at, and some for each vertex.
 */
int64_t minimum_degree_work(const struct minimum_degree *md);

/* Fills vertex[0 .. n-1]: first the vertices that are eliminated, in order, then the others,
 * ascending. Equal patterns and limits give equal orders. */
void minimum_degree_order(const struct minimum_degree *md, int32_t *vertex);

/* Stores the pattern of the vertices that are left, numbered in that order. The caller frees it
 * with pattern_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status minimum_degree_rest(const struct minimum_degree *md, struct pattern *rest,
                                struct error *err);

/* Returns how many bytes all this takes at most for a pattern of so many vertices and entries;
 * those of the rest are among them. */
uint64_t minimum_degree_memory(int32_t n, int64_t entries);

/* NULL is allowed. */
void minimum_degree_free(struct minimum_degree *md);

#endif
