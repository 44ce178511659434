// SPDX-License-Identifier: MIT
/* Support for all unit tests: suites, random graphs, an independent reference. */
#ifndef TESTS_UNIT_SUPPORT_H
#define TESTS_UNIT_SUPPORT_H

#include "common/graph/graph.h"  // struct graph
#include "common/graph/matrix.h" // struct matrix
#include "common/graph/matrix_sink.h"
#include "solve/delivery.h"
#include "solve/solver.h"
#include "solve/solver.h" // struct solver_variant

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdint.h>

/* Deterministic random numbers (splitmix64). */
struct random {
    uint64_t state;
};
uint64_t random_word(struct random *random);
int32_t random_in(struct random *random, int32_t lowest, int32_t highest);

/* The kinds of weights that solvers are tested with. */
enum weights {
    WEIGHTS_POSITIVE, /* 1 .. 100 */
    WEIGHTS_ZERO,     /* 0 .. 2: many ties, zero-weight cycles */
    WEIGHTS_NEGATIVE, /* -20 .. 40 without negative cycles */
    WEIGHTS_LARGE,    /* up to 2^20 */
    WEIGHT_KINDS,
};

/* Every ordered pair of distinct vertices is an edge with probability
 * percent / 100. Aborts if memory is out. */
struct graph random_graph(struct random *random, int32_t n, int percent, enum weights weights);

/* Makes a grid of side * side crossings in which a sixth of the streets is missing, with weights
 * lowest .. highest. Each street leads back with the same weight or, if is_directed, with another
 * one or, one of ten, not at all. */
struct graph random_streets(struct random *random, int32_t side, int32_t lowest, int32_t highest,
                            bool is_directed);

/* A graph of the given edges. */
struct graph graph_of(int32_t n, const struct edge *edges, int64_t count);

/* Textbook Floyd-Warshall in 64 bits, negative weights taken as they are: the
 * independent reference. n * n distances, INT64_MAX if there is no path;
 * the caller frees them. False (and NULL) if there is a negative cycle. */
bool reference_distances(const struct graph *g, int64_t **distances);

/* Returns whether dist equals the reference, INF for no path. */
bool equals_reference(const struct matrix *dist, const int64_t *distances);

/* A task that an engine by rows solves into matrices, pred being NULL for distances only; and its
 * end. Weights below 0 are for engines that take them as they are. */
struct matrix_task {
    struct matrix_sink sink;
    struct delivery delivery;
    struct solver_task task;
};
void matrix_task_begin(struct matrix_task *t, const struct graph *g,
                       const struct solver_options *options, struct matrix *dist,
                       struct matrix *pred);
void matrix_task_end(struct matrix_task *t);

/* dist and pred of g's exact solution; to free. By `cpu sequential`, or by `cpu johnson` if that
 * would take its time; test_solvers.c holds both against reference_distances(). */
void solve_reference(const struct graph *g, struct matrix *dist, struct matrix *pred);

/* certify_or_refute() without progress and *refutation. */
enum status certify(const struct graph *g, const struct matrix *dist, const struct matrix *pred,
                    int threads, struct error *err);

struct matrix new_matrix(int32_t n);
struct matrix copy_matrix(const struct matrix *m);
bool same_matrix(const struct matrix *a, const struct matrix *b);

/* For progress: stops after some reports; context: how many, an int. */
bool stop_after(void *context, int64_t done, int64_t total);

/* Calls check once with every instruction set of this CPU forced. */
void on_every_isa(void (*check)(void));

/* Writes `size` bytes to a new file in the tests' temporary directory and
 * returns its path, valid until the next call but seven. */
const char *temporary_file(const void *content, size_t size);
/* The same for a path at which there is nothing yet. */
const char *temporary_path(void);
/* A path at which nothing is and not even root can make anything: it leads through a device. */
#define NOWHERE "/dev/null/nowhere"
/* Creates and removes the directory; called by main(). Settings of the user's are not looked for
 * in the meantime. */
void temporary_start(void);
void temporary_finish(void);

#endif
