// SPDX-License-Identifier: MIT
/* Predicts how long every engine takes on a graph, from file to file, and ranks them. The time of a
 * solve is that of the variant's model (solve/model.h); rates (rates.h) scale it to the
 * machine. */
#ifndef ENGINES_PLAN_H
#define ENGINES_PLAN_H

#include "common/base/isa.h"       // enum isa
#include "engines/engines.h"       // struct engine
#include "engines/find_features.h" // struct features
#include "engines/rates.h"         // struct rates
#include "gpu/gpu_solver.h"        // struct gpu_traits
#include "solve/by_components.h"   // struct component_parts

#include <stdbool.h>
#include <stdio.h>

/* The machine that a plan is for. */
struct machine {
    int threads;
    enum isa isa;
    bool has_gpu;
    /* The choice waits until the GPU's context is there, so engines of the CPU begin as late as
     * those of the GPU. */
    bool waits;
    struct gpu_traits gpu; /* traits of the GPU, if has_gpu */
    int gpus;         /* number of GPUs that could solve together, all like `gpu`; 0 counts as 1 */
    char no_gpu[256]; /* the reason why there is no GPU, unless has_gpu */
};

/* The answer that is planned. If all members from `rows` on are zero, the answer is all rows, in
 * matrices. */
struct plan_goal {
    bool predecessors;
    const struct solver_files *files; /* NULL: a graph in memory, a result in memory */
    uint64_t room; /* bytes of memory that a solve may take, or the whole run if `run` is given; 0:
                      any number */
    int32_t rows;  /* number of rows that are wanted; 0: all */
    int32_t file_rows; /* number of rows in the files, if more than `rows`; otherwise 0 */
    bool limited;      /* distances beyond a limit count as none */
    int threads;  /* number of threads as in struct solver_options; 0: nobody asked for a number */
    bool streams; /* rows are handed on as they come, and no matrix is kept */
    bool check, measures; /* check: rows are proved; measures: rows are measured */
    bool totals_do;       /* totals of rows, up to the limit, are enough instead of rows */
    bool sums_do; /* sums of totals are enough (struct model_question), without a limit; if rows are
                     proved, only for weights above 0 */
    const struct run_memory *run; /* memory that the run holds beside the solve, which is then added
                                     to the predicted memory; NULL: only the solve counts */
};

/* Predicted seconds and bytes of one engine. */
struct prediction {
    struct engine engine;
    double read_s;     /* seconds to read the graph */
    double prepare_s;  /* seconds for the GPU's context and memory, without work that is done while
                          the graph is read */
    double transfer_s; /* seconds of copies to and from a GPU */
    double potentials_s; /* seconds to find potentials for weights below 0, which a run reports as
                            part of its solve_s; 0: no weight is below 0 */
    double solve_s;
    double check_s;      /* seconds to prove and to measure rows */
    double write_s;      /* seconds to write the result */
    double total_s;      /* sum of all these seconds */
    uint64_t memory;     /* bytes that the solve takes, or the run (struct plan_goal) */
    uint64_t gpu_memory; /* bytes that the solve takes on each GPU; 0: on the CPU */
    int gpus;            /* number of GPUs that solve; 0: on the CPU */
    char not_taken[192]; /* why the engine cannot solve this graph on this machine; "": it can */
};

enum { PLAN_MAX = 48 };

/* A graph whose components are solved one by one (by_components.h). */
struct plan_parts {
    int32_t components; /* 0: the plan is for a whole graph */
    int32_t n;          /* number of vertices in all components */
    bool are_small; /* every component is searched; otherwise the plan's features are those of the
                       largest component */
};

struct plan {
    struct plan_parts parts;
    struct features features;
    struct machine machine;
    struct prediction of[PLAN_MAX]; /* first the engines that can be taken, then all others, each
                                       group by ascending time. Equally fast ones are in the order
                                       of `engines`, a solver's default variant first */
    int count, usable;        /* count: all predictions; usable: those whose engine can be taken */
    double potentials_most_s; /* seconds of potentials on a graph that is made to be hard */
    struct plan_goal goal;
};

/* Ranks all engines that have a model, except those that only choose among others, PLAN_MAX at
 * most. An engine that can solve on several GPUs is ranked twice: on one, and on all that there is
 * work for. Depends on nothing but its arguments. Whatever the features, predictions are numbers
 * and not negative. */
void plan_make(const struct features *features, const struct machine *machine,
               const struct plan_goal *goal, const struct rates *rates, struct plan *plan);

/* Makes a plan for this machine. Queries the GPUs that the options name only if a GPU that solves
 * in no time would be faster than the best engine of the CPU, or if `always`. Looks closer at g, so
 * that *features become bounded or, for a GPU, deep, only if that could change which engine is
 * first, or if `always`. g is the graph of the features; it may be NULL if they are deep or wide.
 * STATUS_BAD_INPUT if APSP_SIMD is wrong. */
enum status plan_here(const struct graph *g, struct features *features,
                      const struct solver_options *options, const struct plan_goal *goal,
                      const struct rates *rates, bool always, struct plan *plan, struct error *err);

/* Turns a plan into one for all parts of a graph with n vertices and `degree` edges per vertex. The
 * plan was made for the whole graph if the largest part is small, otherwise for the largest part
 * and its rows. */
void plan_add_parts(struct plan *plan, const struct component_parts *parts, int32_t n,
                    double degree, const struct rates *rates);

/* Finds the engine that would be taken for a graph with these features, as far as they are known
 * without a look at an elimination, on a machine with a fast GPU. STATUS_BAD_INPUT if APSP_SIMD is
 * wrong. */
enum status plan_likely(const struct features *features, const struct solver_options *options,
                        const struct plan_goal *goal, const struct rates *rates,
                        struct engine *likely, struct error *err);

/* Finds the engine that would be taken for a graph of that size, of which nothing else is known, on
 * a machine with a fast GPU whose context is being created already. STATUS_BAD_INPUT if APSP_SIMD
 * is wrong. */
enum status plan_expected(int32_t n, int64_t m, const struct solver_options *options,
                          const struct plan_goal *goal, const struct rates *rates,
                          struct engine *expected, struct error *err);

/* Stores the name of a prediction's engine, as engine_name does, with the number of GPUs before it
 * if there are several, and returns it. */
char *prediction_name(const struct prediction *p, char *name, size_t size);

/* Prints a line on the facts that the plan rests on, and a table of engines: of all if `taken` is
 * NULL, otherwise of the one that was taken and of faster ones that cannot be taken. Without a GPU,
 * its engines are left out. */
void plan_print(const struct plan *plan, const struct prediction *taken, FILE *to);

#endif
