// SPDX-License-Identifier: MIT
/* The engine that is predicted to be the fastest, of all that this build has
 * (apsp/engines.h). */
#ifndef APSP_AUTO_H
#define APSP_AUTO_H

#include "common/solve/solver.h" // struct solver

/* A solver like any other, with one variant, "auto", for solve() (solve.h). Takes potentials. Looks
 * at the graph, predicts (plan.h, by the rates in the file of rates_path), and solves with the
 * first engine of the plan; where that fails for want of memory, or of the GPU, or because it is
 * not exact for this graph, tells so (solver_options.on_failure) and goes on with the next, but
 * after a failure of the GPU not with another one on it. on_choice names the engine that solved
 * as "PROGRAM:VARIANT" and has the whole plan as its reason.
 *
 * The result is that of the engine taken. Which one that is depends on the graph, the machine,
 * its memory that is left and the rates, and where an engine failed on that, never on how long
 * anything took. */
extern const struct solver apsp_solver;

#endif
