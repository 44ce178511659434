// SPDX-License-Identifier: MIT
/* Every solver of this build, for programs that choose among all of them or list them. A program
 * that links this links all solvers. */
#ifndef ENGINES_ENGINES_H
#define ENGINES_ENGINES_H

#include "solve/solver.h" // struct solver, struct solver_variant

#include <stdbool.h>
#include <stddef.h>

enum { ENGINE_SOLVERS = 4 };

/* The CPU's comes first. A build without CUDA has those of the GPU too, which refuse to solve and
 * say why. */
extern const struct solver *const engines[ENGINE_SOLVERS];

/* One way to solve. */
struct engine {
    const struct solver *solver;
    const struct solver_variant *variant; /* of that solver */
};

/* Finds the variant of the solver that "PROGRAM:VARIANT" names, or its default one if the name is
 * "PROGRAM" alone. False if that is the name of another program, or there is no such variant. */
bool engine_find_in(const struct solver *solver, const char *name, struct engine *found);

/* Finds the engine that "PROGRAM:VARIANT" names, as "cpu:blocked" does, or "PROGRAM" alone with its
 * default variant. False if there is none of that name. */
bool engine_find(const char *name, struct engine *found);

/* Writes "PROGRAM:VARIANT" into name, cut to fit, and returns name. */
char *engine_name(const struct engine *engine, char *name, size_t size);

enum { ENGINE_TABLE_MOST = 64, ENGINE_NAME = 48 };

/* One solver with the first variant of another, which chooses among all engines, and every variant
 * of every engine under its whole name, "cpu:blocked". */
struct engine_table {
    struct solver solver;
    struct solver_variant variants[ENGINE_TABLE_MOST];
    char names[ENGINE_TABLE_MOST][ENGINE_NAME];
};

/* Fills the table, which must not move afterwards: its members point to one another. */
void engine_table_fill(struct engine_table *table, const struct solver *chooser);

#endif
