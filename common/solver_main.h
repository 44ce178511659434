/* The command line of every solver program. */
#ifndef COMMON_SOLVER_MAIN_H
#define COMMON_SOLVER_MAIN_H

#include "common/solver.h" // struct solver

/* Loads a graph, solves it, writes the result: the body of main(). Returns the
 * exit status. */
int solver_main(const struct solver *solver, int argc, char **argv);

#endif
