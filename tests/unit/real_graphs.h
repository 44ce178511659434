// SPDX-License-Identifier: MIT
/* Random graphs of real weights, and their answers by the textbook. */
#ifndef TESTS_UNIT_REAL_GRAPHS_H
#define TESTS_UNIT_REAL_GRAPHS_H

#include "tests/unit/support.h"

/* Kinds of weights. */
enum real_kind { UNIFORM, LOG_UNIFORM, DYADIC, EQUAL, TINY_BESIDE_HUGE, WITH_ZERO, REAL_KINDS };

/* Draw a number in 0 .. 1, and a weight of a kind. */
double random_unit(struct random *random);
double random_weight(struct random *random, enum real_kind kind);

/* Every ordered pair of distinct vertices is an edge with probability percent / 100. Aborts if
 * memory is out. */
struct graph random_real_graph(struct random *random, int32_t n, int percent, enum number_type type,
                               enum real_kind kind);

/* Makes a graph of the given edges, which it overwrites. Aborts if memory is out. */
struct graph graph_of_real(int32_t n, enum number_type type, struct real_edge *edges,
                           int64_t count);

/* Returns a sum rounded to a type. */
double rounded(enum number_type type, double sum);

/* Finds the distances from a source, and unless pred is NULL the predecessors, by Dijkstra's
 * algorithm without a queue, O(n^2 + m). The weights are 0 or more, and n is at most REAL_MAX_N. */
enum { REAL_MAX_N = 128 };
void search_real(const struct graph *g, int32_t source, double *dist, int32_t *pred);

/* Read and write a cell of a matrix of a real type. */
double real_cell(const struct matrix *m, int32_t i, int32_t j);
void set_real_cell(struct matrix *m, int32_t i, int32_t j, double value);

/* Solves the whole graph by search_real. The caller frees both matrices. */
void solve_real(const struct graph *g, struct matrix *dist, struct matrix *pred);

#endif
