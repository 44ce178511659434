// SPDX-License-Identifier: MIT
/* The variants that tests go over, and how much of each the host shim has time for. */
#ifndef TESTS_VARIANTS_VARIANTS_H
#define TESTS_VARIANTS_VARIANTS_H

#include "solve/solver.h" // struct solver, struct solver_variant

#include <stdbool.h>
#include <stdint.h>

/* From now on the variant PROGRAM/VARIANT of that name counts among the few that
 * for_each_variant() goes over; false if there is none. */
bool variants_select(const char *name);

/* Calls visit for every variant (of GPU solvers only, in a device test), or for those
 * selected. */
void for_each_variant(void (*visit)(const struct solver_variant *variant));

/* Returns whether the variant may refuse the graph, whose distances are `expected`: n * n,
 * INT64_MAX if there is no path. */
bool may_refuse(const struct solver_variant *variant, const struct graph *g,
                const int64_t *expected);

/* Returns whether it is one of a program for GPUs. */
bool uses_gpu(const struct solver_variant *variant);

/* Returns whether that is the reason why solve() failed. */
bool refuses(enum status status, const struct error *err);

/* A variant of fixed tile size, or one that pads to 128 vertices or derives predecessors, simulates
 * a whole tile or large blocks for every graph, however small: on the shim fewer graphs must do. */
bool is_slow(const struct solver_variant *variant);

/* The shim solves one graph of so many: `some` for a slow variant; under the sanitizers still fewer
 * for one that pads to 128 vertices. */
int stride(const struct solver_variant *variant, int some);

#endif
