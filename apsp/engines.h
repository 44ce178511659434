// SPDX-License-Identifier: MIT
/* Every solver of this build, for what chooses or lists among all of them. Whatever links this
 * links all solvers. */
#ifndef APSP_ENGINES_H
#define APSP_ENGINES_H

#include "common/solve/solver.h" // struct solver, struct solver_variant

#include <stdbool.h>
#include <stddef.h>

enum { ENGINE_SOLVERS = 4 };

/* The CPU's first. In a build without CUDA those of the GPU are there too, and refuse to solve
 * with the reason. */
extern const struct solver *const engines[ENGINE_SOLVERS];

/* One way to solve. */
struct engine {
    const struct solver *solver;
    const struct solver_variant *variant; /* of that solver */
};

/* What "PROGRAM:VARIANT" names among the solver's variants, or "PROGRAM" alone, its default one.
 * False where that is the name of another program, or there is no such variant. */
bool engine_find_in(const struct solver *solver, const char *name, struct engine *found);

/* What "PROGRAM:VARIANT" names, as "cpu:blocked" does, or "PROGRAM" alone with its default
 * variant. False where there is none of that name. */
bool engine_find(const char *name, struct engine *found);

/* "PROGRAM:VARIANT" into name, cut to fit; returns name. */
char *engine_name(const struct engine *engine, char *name, size_t size);

#endif
