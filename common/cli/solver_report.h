// SPDX-License-Identifier: MIT
/* What a solver program says about its run, for people and, under --json, for programs. */
#ifndef COMMON_CLI_SOLVER_REPORT_H
#define COMMON_CLI_SOLVER_REPORT_H

#include "common/base/memory.h"      // struct memory_limit
#include "common/base/timing.h"      // struct timing
#include "common/cli/cli.h"          // struct cli_verbosity
#include "common/graph/graph_io.h"   // struct graph_reading
#include "common/rows/result_io.h"   // struct result
#include "common/solve/potentials.h" // struct cycle
#include "common/solve/solver.h"     // struct solver, struct solver_options, struct gpu_memory

#include <stdbool.h>
#include <stdio.h>

/* The command line. */
struct solver_arguments {
    const struct solver *solver;
    const struct solver_variant *variant;
    const char *graph, *output, *csv;
    struct graph_reading reading;
    struct solver_options options;
    struct solver_files files;
    struct cli_verbosity verbosity;
    int repetitions;
    bool distances_only, check, npy;
    bool list;          /* the variants, and nothing else */
    bool variant_given; /* it is not the default */
};

/* What happens while it solves. */
struct solver_events {
    FILE *to;                 /* where a person reads; NULL: nobody does */
    struct gpu_memory memory; /* needed is 0 where no GPU reported it */
    char chosen[128];         /* the variant that the one asked for took; "": itself */
    char why[4096];           /* it took that one, in a line or several, or "" */
    char failed[1280];  /* a line on the last one that it took before and that failed, or "" */
    struct cycle cycle; /* negative; to free; zeroed where there is none */
};

/* What is held between loading and the end, released in one place. */
struct solver_run {
    struct graph graph;
    struct result result;
    struct timing *timings; /* one for each repetition */
    struct memory_limit limit;
    uint64_t workspace, needed; /* bytes: the most beside graph and matrices; all together */
    double transfer_s;          /* median */
    bool on_gpu;                /* where it was solved */
    char device[256];           /* the GPU's name, or "" */
    struct solver_events events;
};

/* Where a person reads of the run: stdout, stderr where the result itself goes to
 * stdout, or NULL where nobody does. */
FILE *solver_report_stream(const struct solver_arguments *a);

/* To be called back (solver_options) with a struct solver_events. The first and the last print at
 * once, so that one who waits knows. */
void solver_on_memory(void *context, const struct gpu_memory *memory);
void solver_on_choice(void *context, const char *variant, const char *why);
void solver_on_failure(void *context, const char *failed, const char *reason, const char *next);
void solver_on_cycle(void *context, struct cycle *cycle);

/* Threads that solved; 0 where a GPU did. */
int solver_threads(const struct solver_arguments *a, const struct solver_run *run);

/* The side of a tile; 0 where the variant has none. */
int solver_tile(const struct solver_arguments *a);

/* Bytes that solver_report_reserve() takes. */
size_t solver_report_memory(const struct solver_arguments *a, const struct solver_run *run);

/* Memory for solver_report() and solver_report_cycle(), which cannot fail then: before anything is
 * written. */
enum status solver_report_reserve(const struct solver_arguments *a, const struct solver_run *run,
                                  struct error *err);

/* What was done, once it is: as text, or as the answer of --json. */
void solver_report(const struct solver_arguments *a, const struct solver_run *run);

/* That there is a negative cycle, which err names: as the answer of --json, with all its vertices.
 * Otherwise nothing. */
void solver_report_cycle(const struct solver_arguments *a, const struct solver_run *run,
                         const struct error *err);

/* The solver's variants, in the same two ways. */
enum status solver_list_variants(const struct solver_arguments *a, struct error *err);

#endif
