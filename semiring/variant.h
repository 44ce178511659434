// SPDX-License-Identifier: MIT
/* Solves graphs of other semirings than min-plus (semiring.h), on the CPU. */
#ifndef SEMIRING_VARIANT_H
#define SEMIRING_VARIANT_H

#include "solve/solver.h" // struct solver_variant

/* The variant. For a symmetric graph of min-max or max-min, rows are read off a spanning tree
 * (line.h), in O(n) each; for any other graph each row takes a search (search.h), O((n + m) log n).
 * Threads share the sources. */
extern const struct solver_variant semiring_variant;

#endif
