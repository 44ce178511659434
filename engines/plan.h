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

/* The machine. */
struct machine {
    int threads;
    enum isa isa;
    bool has_gpu;
    struct gpu_traits gpu; /* if it has one */
    int gpus;              /* that could solve together, all like that one; 0 counts as 1 */
    char no_gpu[256];      /* otherwise the reason why not */
};

/* Answer that is planned. Zeros from `rows` on stand for all rows, in matrices, and nothing else.
 */
struct plan_goal {
    bool predecessors;
    const struct solver_files *files; /* NULL: a graph in memory, a result in memory */
    uint64_t room; /* bytes of memory that a solve may take, or the whole run if `run` is given; 0:
                      any number */
    int32_t rows;  /* that are wanted; 0: all */
    int32_t file_rows;    /* of the result, if those of `rows` are some of them; otherwise 0 */
    bool limited;         /* distances beyond a limit count as none */
    int threads;          /* as in struct solver_options: 0 if nobody asked for a number */
    bool streams;         /* rows go on as they come */
    bool check, measures; /* rows are proved; measured */
    bool totals_do;       /* totals of the answer, up to the limit, do instead of rows */
    bool sums_do;         /* sums of these do (struct model_question), without a limit; if rows are
                             proved, only of weights above 0 */
    const struct run_memory *run; /* what the run holds beside the solve, which is then a part of
                                     the memory that is predicted; or NULL */
};

/* Seconds. */
struct prediction {
    struct engine engine;
    double read_s;       /* to read the graph */
    double prepare_s;    /* for context and memory, without what happens while the graph is read */
    double transfer_s;   /* to and from a GPU */
    double potentials_s; /* to make weights below 0 non-negative, which a run reports as a part of
                            its solve_s; 0 if there are none */
    double solve_s;
    double check_s;      /* to prove and to measure rows */
    double write_s;      /* to write the result */
    double total_s;      /* the sum */
    uint64_t memory;     /* bytes that the solve takes, or the run (struct plan_goal) */
    uint64_t gpu_memory; /* bytes that it takes on each GPU; 0 on the CPU */
    int gpus;            /* that solve together; 1 for one, 0 on the CPU */
    char not_taken[192]; /* why it cannot solve this graph on this machine; "" if it can */
};

enum { PLAN_MAX = 48 };

/* A graph whose components are solved one by one (by_components.h). */
struct plan_parts {
    int32_t components; /* 0: the plan is for a whole graph */
    int32_t n;          /* vertices of all */
    bool are_small; /* all are searched; otherwise the plan's features are those of the largest */
};

struct plan {
    struct plan_parts parts;
    struct features features;
    struct machine machine;
    struct prediction of[PLAN_MAX]; /* first those that can be taken, the fastest first; then the
                                        others, the fastest first. Equal ones stand in the order of
                                        `engines`, and a solver's default variant before its others
                                      */
    int count, usable;              /* how many there are; how many can be taken */
    double potentials_most_s;       /* what potentials take on a graph that is made to be hard */
    struct plan_goal goal;
};

/* Ranks all engines that have a model, but those that only choose among others, and PLAN_MAX at
 * the most. An engine that can solve on several GPUs stands there twice: on one, and on all that
 * there is work for. Depends on nothing but its arguments. Whatever the features, predictions are
 * numbers and not negative. */
void plan_make(const struct features *features, const struct machine *machine,
               const struct plan_goal *goal, const struct rates *rates, struct plan *plan);

/* The same for this machine. Asks for the GPUs that the options name only if one could win, that
 * is, if one that solves in no time would be faster than the best engine of the CPU; `always`: in
 * any case. Looks closer at g, for *features to become bounded or, for a GPU, deep, only if that
 * could change which engine is first, or `always`. g is their graph; it may be NULL if they are
 * deep or wide. STATUS_BAD_INPUT if APSP_SIMD is wrong. */
enum status plan_here(const struct graph *g, struct features *features,
                      const struct solver_options *options, const struct plan_goal *goal,
                      const struct rates *rates, bool always, struct plan *plan, struct error *err);

/* Makes a plan one of all parts of a graph with so many vertices, and edges for each: the plan of
 * the whole if the largest part is small, otherwise that of the largest part and its rows. */
void plan_add_parts(struct plan *plan, const struct component_parts *parts, int32_t n,
                    double degree, const struct rates *rates);

/* Finds the engine that would be taken for a graph of that size, of which nothing else is known, if
 * there was a fast GPU and its context was being created already. STATUS_BAD_INPUT if APSP_SIMD is
 * wrong. */
enum status plan_expected(int32_t n, int64_t m, const struct solver_options *options,
                          const struct plan_goal *goal, const struct rates *rates,
                          struct engine *expected, struct error *err);

/* Stores the name of a prediction's engine, as engine_name does, with the number of GPUs before it
 * if there are several, and returns it. */
char *prediction_name(const struct prediction *p, char *name, size_t size);

/* Prints a line on what the plan rests on, and a table: of the engine that was taken and those that
 * would be faster but cannot be, or, if `taken` is NULL, of all; without those of a GPU if there is
 * none. */
void plan_print(const struct plan *plan, const struct prediction *taken, FILE *to);

#endif
