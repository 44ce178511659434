// SPDX-License-Identifier: MIT
/* Every solver of this build, for programs that choose among all solvers or list them. A program
 * that links this table links all solvers. */
#ifndef ENGINES_ENGINES_H
#define ENGINES_ENGINES_H

#include "solve/solver.h" // struct solver, struct solver_variant

#include <stdbool.h>
#include <stddef.h>

enum { ENGINE_SOLVERS = 4 };

/* All solvers, the CPU's first. A build without CUDA has the GPU's solvers too, which refuse to
 * solve and say why. */
extern const struct solver *const engines[ENGINE_SOLVERS];

/* One way to solve. */
struct engine {
    const struct solver *solver;
    const struct solver_variant *variant; /* variant of `solver` */
};

/* Finds the variant of the solver that "PROGRAM:VARIANT" names, or its default one if the name is
 * "PROGRAM" alone. False if PROGRAM is another program, or has no such variant. */
bool engine_find_in(const struct solver *solver, const char *name, struct engine *found);

/* Finds the engine that a name such as "cpu:blocked" means, or PROGRAM with its default variant if
 * the name is "PROGRAM" alone. False if there is no such engine. */
bool engine_find(const char *name, struct engine *found);

/* Writes "PROGRAM:VARIANT" into name, cut to fit, and returns name. */
char *engine_name(const struct engine *engine, char *name, size_t size);

enum { ENGINE_TABLE_MOST = 64, ENGINE_NAME = 48 };

/* One solver that has the first variant of another one, which chooses among all engines, and after
 * it every variant of every engine by its whole name, such as "cpu:blocked". */
struct engine_table {
    struct solver solver;
    struct solver_variant variants[ENGINE_TABLE_MOST];
    char names[ENGINE_TABLE_MOST][ENGINE_NAME];
};

/* Fills the table, with the first variant of `chooser`. It must not move afterwards: its members
 * point to one another. */
void engine_table_fill(struct engine_table *table, const struct solver *chooser);

#endif
