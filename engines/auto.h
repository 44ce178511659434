// SPDX-License-Identifier: MIT
/* A solver that takes the engine with the least predicted time, of all engines of this build
 * (engines/engines.h). */
#ifndef ENGINES_AUTO_H
#define ENGINES_AUTO_H

#include "common/graph/semiring.h" // enum semiring
#include "solve/solver.h"          // struct solver

/* A solver like any other, with one variant, "auto", for solve() (solve.h). It takes potentials. It
 * looks at the graph, predicts (plan.h, by the rates in the file of rates_path), and solves with
 * the first engine of the plan. If that engine fails for lack of memory or of the GPU, or because
 * it is not exact for this graph, the solver reports that (solver_options.on_failure) and goes on
 * with the next one; after a failure of the GPU it takes no other engine of the GPU. on_choice
 * names the engine that solved as "PROGRAM:VARIANT" and has the whole plan as its reason.
 *
 * The result is that of the engine that solves. The choice depends on the graph, the machine, the
 * memory that is left, the rates, and failures of other engines, but never on how long anything
 * took. */
extern const struct solver apsp_solver;

/* Returns the variant of a GPU that is expected to find `rows` rows of a graph of another semiring
 * than min-plus, by its size alone; NULL if the CPU is, or if symmetric graphs, which the size does
 * not tell, take no time (min-max and max-min). */
const struct solver_variant *semiring_expected(enum semiring semiring, int32_t n, int64_t m,
                                               int32_t rows, int threads);

#endif
