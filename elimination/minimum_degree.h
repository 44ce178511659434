// SPDX-License-Identifier: MIT
/* The start of an order of elimination by minimum degree, and the graph that it leaves.
 *
 * Among vertices with the same number of neighbours, the one whose neighbours have not changed for
 * longest comes first, so that neighbours seldom follow each other, and chains and rings get low
 * trees (multiple minimum degree, Liu 1985). Neighbours that have no others are eliminated at the
 * same time (mass elimination, George and McIntyre 1978).
 *
 * Each vertex has a list of all its neighbours. Lists are fast while they are short; for the graph
 * that is left, the quotient graphs of approximate minimum degree (order.h) are better. */
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

/* Usual value of `most` of minimum_degree_start. A higher one costs fill. */
enum { MINIMUM_DEGREE_BLOCK_MOST = 3 };

/* Eliminates, before all others, vertices with up to `most` neighbours all of which lie in the same
 * block. A block is up to `largest` vertices with consecutive numbers. Blocks are tasks for the
 * threads of the parallel region that the caller is in; the order is the same for any number of
 * threads. An eliminated vertex has the fewest neighbours in its block. Vertices with an edge to
 * another block wait. Fill is as little as without blocks, as long as `most` is small.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status minimum_degree_start(struct minimum_degree *md, int32_t most, int32_t largest,
                                 struct error *err);

/* Returns the number of blocks that eliminated vertices, 0 if none did. The vertices of block b
 * stand at the positions (*first)[b] .. (*first)[b + 1] - 1 of the order. */
int32_t minimum_degree_blocks(const struct minimum_degree *md, const int32_t **first);

/* Eliminates vertices until all that are left have more than `most` <= MINIMUM_DEGREE_MOST
 * neighbours, or until the work since the beginning exceeds `work`. It may be called again with
 * larger limits. STATUS_NO_RESOURCE if there is not enough memory. */
enum status minimum_degree_go_on(struct minimum_degree *md, int32_t most, int64_t work,
                                 struct error *err);

/* The first function returns the number of eliminated vertices. The second returns the largest d
 * for which it is known that every vertex that is left has more than d neighbours, -1 if none is
 * known. */
int32_t minimum_degree_eliminated(const struct minimum_degree *md);
int32_t minimum_degree_reached(const struct minimum_degree *md);

/* The first function returns the number of edges that eliminated vertices have to higher
 * neighbours, nnz(L). The second returns the sum of the degrees of the vertices that are left. */
int64_t minimum_degree_entries(const struct minimum_degree *md);
int64_t minimum_degree_rest_entries(const struct minimum_degree *md);

/* Returns the work done so far: number of neighbours that were looked at, plus a constant for each
 * eliminated vertex. */
int64_t minimum_degree_work(const struct minimum_degree *md);

/* Fills vertex[0 .. n-1]: first the vertices that are eliminated, in order, then the others,
 * ascending. Equal patterns and limits give equal orders. */
void minimum_degree_order(const struct minimum_degree *md, int32_t *vertex);

/* Stores the pattern of the vertices that are left, numbered in ascending order. The caller frees
 * it with pattern_free. STATUS_NO_RESOURCE if there is not enough memory. */
enum status minimum_degree_rest(const struct minimum_degree *md, struct pattern *rest,
                                struct error *err);

/* Returns the largest number of bytes that an order takes for a pattern of n vertices and `entries`
 * entries, the pattern of the rest included. */
uint64_t minimum_degree_memory(int32_t n, int64_t entries);

/* Frees an order; md may be NULL. */
void minimum_degree_free(struct minimum_degree *md);

#endif
