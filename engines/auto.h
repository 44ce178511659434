// SPDX-License-Identifier: MIT
/* The engine that is predicted to be the fastest, of all that this build has
 * (engines/engines.h). */
#ifndef ENGINES_AUTO_H
#define ENGINES_AUTO_H

#include "solve/solver.h" // struct solver

/* A solver like any other, with one variant, "auto", for solve() (solve.h). It takes potentials. It
 * looks at the graph, predicts (plan.h, by the rates in the file of rates_path), and solves with
 * the first engine of the plan. If that one fails for want of memory or of the GPU, or because it
 * is not exact for this graph, it says so (solver_options.on_failure) and goes on with the next;
 * after a failure of the GPU it takes no other engine of the GPU. on_choice names the engine that
 * solved as "PROGRAM:VARIANT" and has the whole plan as its reason.
 *
 * The result is that of the engine taken. Which one that is depends on the graph, the machine, its
 * memory that is left, the rates, and failures of other engines, but never on how long anything
 * took. */
extern const struct solver apsp_solver;

#endif
