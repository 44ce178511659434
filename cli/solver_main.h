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

/* Request of the user's command line. */
struct solver_request {
    const struct solver_variant *variant;
    const struct solver_options *options;
    const struct cli_verbosity *verbosity;
    const char *graph; /* its file */
    bool predecessors;
    double limit; /* NO_LIMIT for none (common/graph/limit.h) */
    struct solver_files *files;
    const struct solver_arguments *arguments; /* all of them (solver_report.h) */
    const struct run_needs *needs;            /* run_needs.h; once the graph has been read */
    const struct graph *whole;                /* with edges that no shortest path has; then, too */
    const struct vertex_list *sources;        /* those of --sources; then, too */
    const struct grid_rounding *rounding;     /* of its weights (solve/grid.h) */
    const struct measured_request *flows; /* betweenness (flows/measured.h), then, too; NULL: none
                                             is wanted */
};

/* Additions of a program to a solver program. Every function gets `self` as its first argument. */
struct solver_extension {
    void *self;
    const struct argp *options;      /* further options, whose input is self */
    const bool *only_plans;          /* whether the options say that nothing is to be solved, and so
                                        nothing need fit into memory */
    const bool *has_no_predecessors; /* whether the options ask for something without them; NULL:
                                        they never do */
    /* Called first of all with the options as they were given, none of which has been refused or
     * completed for another: refuses those that its own do not go with. */
    enum status (*check)(const void *self, const struct solver_arguments *a, struct error *err);
    /* Called when the command line has been read. *done ends the program. */
    enum status (*begin)(void *self, const struct solver_request *request, bool *done,
                         struct error *err);
    /* Called when a file announces the size of its graph (graph_io.h). */
    void (*announced)(void *self, const struct solver_request *request, int32_t vertices,
                      int64_t edges);
    /* Called when the graph has been read and request->files is set. *done ends the program. */
    enum status (*loaded)(void *self, const struct solver_request *request, const struct graph *g,
                          bool *done, struct error *err);
    /* Called at the end, also after a failure. */
    void (*end)(void *self);
};

/* Serves as the body of main(): it loads a graph, solves it, writes the result and returns the exit
 * status. */
int solver_main(const struct solver *solver, int argc, char **argv);

/* Does the same with an extension. */
int solver_main_extended(const struct solver *solver, const struct solver_extension *extension,
                         int argc, char **argv);

#endif
