// SPDX-License-Identifier: MIT
/* The command line of every solver program. */
#ifndef CLI_SOLVER_MAIN_H
#define CLI_SOLVER_MAIN_H

#include "cli/cli.h"      // struct cli_verbosity
#include "solve/solver.h" // struct solver

#include <argp.h>
#include <stdbool.h>

struct measured_request;
struct run_needs;
struct solver_arguments;

/* The user's request, for an extension. */
struct solver_request {
    const struct solver_variant *variant;
    const struct solver_options *options;
    const struct cli_verbosity *verbosity;
    const char *graph; /* file of the graph */
    bool predecessors;
    double limit; /* greatest distance that is asked for; NO_LIMIT: any (common/graph/limit.h) */
    struct solver_files *files;
    const struct solver_arguments *arguments; /* all arguments (solver_report.h) */
    const struct run_needs *needs; /* memory and disk (run_needs.h), once the graph has been read */
    const struct graph *whole;     /* the graph with all edges, once it has been read */
    const struct vertex_list *sources;    /* vertices of --sources, once the graph has been read */
    const struct grid_rounding *rounding; /* rounding of weights, once the graph has been read */
    const struct measured_request *flows; /* request for betweenness (flows/measured.h), once the
                                             graph has been read; NULL: not wanted */
};

/* Additions of a program to a solver program. Every function gets `self` as its first argument. */
struct solver_extension {
    void *self;
    const struct argp *options; /* further options, whose input is self */
    const bool *only_plans; /* set by the options: nothing is solved, so that nothing need fit into
                               memory */
    const bool *has_no_predecessors; /* set by the options: the answer has no predecessors; NULL:
                                        the options never ask for such an answer */
    /* Called first, with the options as they were given, before any is refused or completed:
     * refuses options that the extension's own options do not go with. */
    enum status (*check)(const void *self, const struct solver_arguments *a, struct error *err);
    /* Called when the command line has been read. *done ends the program. */
    enum status (*begin)(void *self, const struct solver_request *request, bool *done,
                         struct error *err);
    /* Called when a file announces the size of its graph (graph_io.h). Returns the variant of a GPU
     * that is expected to solve, NULL if none is; *starts is true before, and false after it if the
     * GPU is not to prepare. */
    const struct solver_variant *(*expected)(const void *self, const struct solver_request *request,
                                             int32_t vertices, int64_t edges, bool *starts);
    /* Called when the graph has been read and request->files is set. *done ends the program. */
    enum status (*loaded)(void *self, const struct solver_request *request, const struct graph *g,
                          bool *done, struct error *err);
};

/* Serves as the body of main(): it loads a graph, solves it, writes the result and returns the exit
 * status. */
int solver_main(const struct solver *solver, int argc, char **argv);

/* Does the same as solver_main, with an extension. */
int solver_main_extended(const struct solver *solver, const struct solver_extension *extension,
                         int argc, char **argv);

#endif
