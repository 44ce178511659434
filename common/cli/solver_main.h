// SPDX-License-Identifier: MIT
/* The command line of every solver program. */
#ifndef COMMON_CLI_SOLVER_MAIN_H
#define COMMON_CLI_SOLVER_MAIN_H

#include "common/cli/cli.h"      // struct cli_verbosity
#include "common/solve/solver.h" // struct solver

#include <argp.h>
#include <stdbool.h>

/* What the command line asked for. */
struct solver_request {
    const struct solver_variant *variant;
    const struct solver_options *options;
    const struct cli_verbosity *verbosity;
    const char *graph; /* its file */
    bool predecessors;
    struct solver_files *files;
};

/* What a program adds to that of the solvers. `self` is the first argument of all functions. */
struct solver_extension {
    void *self;
    const struct argp *options; /* further options, keys from 0x300; their input is self */
    /* When the command line has been read. *done: there is nothing else to do. */
    enum status (*begin)(void *self, const struct solver_request *request, bool *done,
                         struct error *err);
    /* When a graph's size is announced (graph_io.h). */
    void (*announced)(void *self, const struct solver_request *request, int32_t vertices,
                      int64_t edges);
    /* When the graph has been read; request->files is what is known of it. */
    enum status (*loaded)(void *self, const struct solver_request *request, const struct graph *g,
                          bool *done, struct error *err);
    /* At the end, in any case. */
    void (*end)(void *self);
};

/* Loads a graph, solves it, writes the result: the body of main(). Returns the
 * exit status. */
int solver_main(const struct solver *solver, int argc, char **argv);

/* The same with an extension. */
int solver_main_extended(const struct solver *solver, const struct solver_extension *extension,
                         int argc, char **argv);

#endif
