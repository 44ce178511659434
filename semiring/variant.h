// SPDX-License-Identifier: MIT
/* Solves graphs of other semirings than min-plus (semiring.h), on the CPU. A variant with `others`
 * (other_engines.h) leaves graphs to them that they are predicted to solve sooner. */
#ifndef SEMIRING_VARIANT_H
#define SEMIRING_VARIANT_H

#include "solve/solver.h" // struct solver_variant

/* See solver.h. */
enum status semiring_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err);
uint64_t semiring_memory(const struct solver_size *size);

/* Members of a variant without `others`. */
#define SEMIRING_VARIANT                                                                           \
    .name = "semiring",                                                                            \
    .summary = "spanning tree, elimination, reachability in a growing graph, or a search from "    \
               "each source",                                                                      \
    .source = "Prim 1957, Pollack 1960", .solve = semiring_solve, .by_rows = true,                 \
    .memory = semiring_memory, .solves_real = true, .solves_signed = true,                         \
    .solves_semirings = true, .parallel = true

/* The variant. For a symmetric graph of min-max or max-min, rows are read off a spanning tree
 * (line.h), in O(n) each; for any other graph each row takes a search (search.h), O((n + m) log n).
 * Threads share the sources. */
extern const struct solver_variant semiring_variant;

/* Returns the predicted seconds of rows from that many sources of a graph that is not symmetric, on
 * that many busy threads: by reachability or, for max-product, by searches. */
double semiring_seconds(enum semiring semiring, int32_t n, int64_t m, int32_t sources, int threads);

#endif
