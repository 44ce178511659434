// SPDX-License-Identifier: MIT
/* Predicts how long every engine takes on a graph, from file to file, and ranks them. Models have
 * the shape that theory and measurements suggest; rates (rates.h) scale them to the machine. */
#ifndef APSP_PLAN_H
#define APSP_PLAN_H

#include "apsp/engines.h"          // struct engine
#include "apsp/features.h"         // struct features
#include "apsp/rates.h"            // struct rates
#include "common/base/isa.h"       // enum isa
#include "common/gpu/gpu_solver.h" // struct gpu_traits

#include <stdbool.h>
#include <stdio.h>

/* What there is to solve with. */
struct machine {
    int threads;
    enum isa isa;
    bool has_gpu;
    struct gpu_traits gpu; /* where there is one */
    char no_gpu[256];      /* otherwise the reason */
};

/* What is wanted. */
struct plan_goal {
    bool predecessors;
    const struct solver_files *files; /* NULL: a graph in memory, a result in memory */
    uint64_t room; /* bytes of memory that a solve may take; 0: that is not looked at */
};

/* Seconds. */
struct prediction {
    struct engine engine;
    double read_s;    /* the graph */
    double prepare_s; /* context, memory; what of it happens while the graph is read is not in it */
    double transfer_s;   /* to and from a GPU */
    double potentials_s; /* to make weights below 0 non-negative, and a part of what is reported as
                            solve_s; 0 where there are none */
    double solve_s;
    double write_s;      /* the result */
    double total_s;      /* the sum */
    char not_taken[192]; /* why it cannot solve this graph on this machine; "": it can */
};

enum { PLAN_MAX = 32 };

struct plan {
    struct features features;
    struct machine machine;
    struct prediction of[PLAN_MAX]; /* first those that can be taken, the fastest first; then the
                                        others, the fastest first. Of equal ones, the first of
                                        `engines` */
    int count, usable;              /* of all; of those that can be taken */
    double potentials_most_s;       /* what potentials take of a graph that is made to be hard */
};

/* Ranks all engines but those that only choose among others. Depends on nothing but its arguments.
 * Whatever the features, predictions are numbers and not negative. */
void plan_make(const struct features *features, const struct machine *machine,
               const struct plan_goal *goal, const struct rates *rates, struct plan *plan);

/* The same for this machine. Asks for the GPU, options->device, only where one could win, which is
 * when even one that solves in no time would be faster than the best engine of the CPU; `always`:
 * in any case. Then the features become deep, for which g is what they are of; it may be NULL where
 * they are deep or wide. STATUS_BAD_INPUT where APSP_SIMD is wrong. */
enum status plan_here(const struct graph *g, struct features *features,
                      const struct solver_options *options, const struct plan_goal *goal,
                      const struct rates *rates, bool always, struct plan *plan, struct error *err);

/* The engine that would be taken for a graph of that size, of which nothing else is known, if there
 * was a fast GPU and its context was being created already. */
enum status plan_expected(int32_t n, int64_t m, const struct solver_options *options,
                          const struct plan_goal *goal, const struct rates *rates,
                          struct engine *expected, struct error *err);

/* What the plan rests on, in a line, and a table of the whole, but for engines of a GPU that is
 * not there. */
void plan_print(const struct plan *plan, FILE *to);

#endif
