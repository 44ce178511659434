// SPDX-License-Identifier: MIT
/* The report of a solver program on its run, for people and, under --json, for programs. */
#ifndef CLI_SOLVER_REPORT_H
#define CLI_SOLVER_REPORT_H

#include "cli/along_files.h"           // struct along_files
#include "cli/cli.h"                   // struct cli_verbosity
#include "common/base/json_text.h"     // struct json_long_text
#include "common/base/memory.h"        // struct memory_limit
#include "common/base/timing.h"        // struct timing
#include "common/graph/graph_io.h"     // struct graph_reading
#include "common/rows/column_sink.h"   // struct column_sink
#include "common/rows/result_format.h" // struct result_format
#include "common/rows/result_io.h"     // struct result
#include "flows/measured.h"            // struct measured_flows
#include "job/row_job.h"               // struct row_job, struct resume, struct row_files
#include "measures/measures.h"         // struct measures
#include "ranks/ranks.h"               // struct ranks
#include "solve/grid.h"                // struct grid_rounding
#include "solve/potentials.h"          // struct cycle
#include "solve/solve.h"               // struct solve_kept
#include "solve/solver.h"              // struct solver, struct solver_options, struct gpu_memory

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* The arguments of the command line. */
struct solver_arguments {
    const struct solver *solver;
    const struct solver_variant *variant;
    const char *graph, *output, *csv;
    bool graph_given;            /* the graph is named, not the default one */
    const char *sources;         /* list of --sources as it is given; NULL: all rows */
    const char *targets;         /* list of --targets as it is given; NULL: all columns */
    bool along;                  /* the numbers of reading.columns are added up along paths */
    double limit;                /* greatest distance that is asked for; NO_LIMIT: any */
    bool measures;               /* measures are computed */
    const char *measures_prefix; /* prefix of their files; NULL: no files */
    unsigned measures_parts;     /* the parts of measures that are computed, bits of measures.h */
    bool betweenness;            /* betweenness is computed */
    bool endpoints;              /* betweenness counts pairs at their ends, too */
    enum betweenness_way way;    /* the way in which betweenness is found */
    bool keeps_rows;             /* there is a result beside measures */
    bool unasked;                /* neither --output nor --format asked for that result */
    struct graph_reading reading;
    struct solver_options options;
    bool devices_given; /* --device or --devices was given */
    struct solver_files files;
    struct cli_verbosity verbosity;
    int repetitions;
    bool distances_only, check;
    struct result_format format; /* zeroed, which is text, unless --format was given */
    enum npy_type type;          /* type of distances in NumPy files, unless it is the smallest */
    bool resume; /* keep finished rows, and continue with rows that an earlier run has kept */
    bool list;   /* only list the variants */
    bool variant_given; /* --variant was given */
};

/* Facts that the callbacks of a solve have reported. */
struct solver_events {
    FILE *to;                                      /* where text is printed; NULL: nowhere */
    struct gpu_memory memory[SOLVER_MAX_TOGETHER]; /* memory of GPUs; `gpus` entries are set */
    int gpus;          /* number of GPUs that reported memory for the last solve */
    int together;      /* number of GPUs of the last solve, if only that was reported; else 0 */
    char chosen[128];  /* the variant that solved, if the one of --variant chose it; otherwise "" */
    char why[4096];    /* the reasons for that choice, one or more lines; or "" */
    char failed[1280]; /* a line on the last variant that failed before another solved; or "" */
    char route[1280];  /* the way in which ranks send parts of the matrix; or "" */
    struct cycle cycle; /* a negative cycle, which the owner of the run frees; zeroed: none */
};

/* The share of a rank in a run. */
struct rank_facts {
    char host[64];
    int threads;
    int device; /* GPU number; -1: none */
    int64_t rows;
    uint64_t held, needed; /* held: most bytes of main memory; needed: bytes of GPU memory */
};

/* A sink that notes which rows this rank takes and hands them on to `next`. */
struct rank_rows {
    struct row_sink sink; /* the first member */
    struct row_sink *next;
    unsigned char *taken; /* how often the row at each position was taken: by this rank or, at rank
                             0 after solver_ranks_close, by all ranks */
    int32_t count;
    struct rank_facts *facts; /* facts of each rank, if there are several */
};

/* Everything that a run holds between loading and its end. */
struct solver_run {
    struct ranks ranks;         /* the processes that share the run */
    struct rank_rows rank_rows; /* the rows that this process takes */
    struct graph graph;
    struct edge_columns along;   /* further numbers of the graph's edges, if they are wanted */
    struct along_files sums;     /* files of the sums of such numbers along paths */
    struct grid_rounding grid;   /* how the graph's weights were rounded */
    struct solve_kept kept;      /* preparation that solving this graph again can use */
    bool streams;                /* rows are used as they come, and no matrix is kept */
    enum npy_type type;          /* type of distances in NumPy files, once it is known */
    struct row_files files;      /* files to which the run streams rows */
    struct resume resume;        /* with --resume: rows that an earlier run has kept */
    struct row_job job;          /* solves, proves and resumes */
    char last_line[PATH_MAX];    /* the line that is printed if a signal kills the run */
    struct measures measures;    /* measures, if they are wanted */
    struct flow_graph flow;      /* the graph as betweenness needs it */
    struct measured_flows flows; /* betweenness of vertices and edges */
    struct measured_how flows_how;
    struct row_tee tee;      /* hands rows to files and to measures */
    struct row_sink dropped; /* sink that discards rows, if there are neither files nor measures */
    struct column_sink columns; /* selects columns of rows that matrices keep */
    struct result result;
    struct timing *timings; /* timings of each repetition */
    struct memory_limit limit;
    uint64_t workspace, needed; /* workspace: most bytes at any time beside graph and matrices;
                                   needed: most bytes in all */
    uint64_t sinks;             /* bytes of memory that sinks take when the solve begins */
    double transfer_s;          /* median of the seconds that copies between host and device took */
    struct timing_phases phases;
    bool on_gpu;      /* a GPU solved */
    char device[256]; /* the GPU's name, or "" */
    struct solver_events events;
    struct json_long_text measured; /* the measures for --json; the owner of the run frees it */
};

/* Returns the stream for text about the run: stdout; stderr if the result goes to stdout; NULL if
 * options ask for no text. */
FILE *solver_report_stream(const struct solver_arguments *a);

/* Callbacks (struct solver_options), whose context is a struct solver_events. solver_on_memory and
 * solver_on_failure print at once, for people who wait. */
void solver_on_memory(void *context, const struct gpu_memory *memory);
void solver_on_devices(void *context, int count);
void solver_on_choice(void *context, const char *variant, const char *why);
void solver_on_route(void *context, const char *route);
void solver_on_failure(void *context, const char *failed, const char *reason, const char *next);
void solver_on_cycle(void *context, struct cycle *cycle);

/* Returns the number of threads that solved; 0 if a GPU did. */
int solver_threads(const struct solver_arguments *a, const struct solver_run *run);

/* Returns the side of a tile in vertices; 0 if the variant has no tiles. */
int solver_tile(const struct solver_arguments *a);

/* Prepares the text of finished measures for solver_report(). Call it before anything is
 * written. */
enum status solver_report_measures(const struct solver_arguments *a, struct solver_run *run,
                                   struct error *err);

/* Reports a finished run, as text or as the answer of --json. */
void solver_report(const struct solver_arguments *a, const struct solver_run *run);

/* If there is a negative cycle, which err names, prints the answer of --json with all its vertices.
 * Without --json or a cycle it prints nothing. */
void solver_report_cycle(const struct solver_arguments *a, const struct solver_run *run,
                         const struct error *err);

/* Lists the solver's variants, as text or as the answer of --json. */
void solver_list_variants(const struct solver_arguments *a);

#endif
