// SPDX-License-Identifier: MIT
/* Finds whether a run fits into memory and on the disk, and what would fit instead if it does not:
 * for apsp --plan. */
#ifndef APSP_ADVICE_H
#define APSP_ADVICE_H

#include "cli/solver_main.h" // struct solver_request
#include "engines/plan.h"    // struct plan, struct plan_goal
#include "solve/solve.h"     // struct run_memory

/* The goal of the plan of a run. */
struct plan_trial {
    struct plan_goal goal; /* goal.run points to `run` */
    struct run_memory run;
};

/* Returns what a run with arguments `a` wants as far as these tell it, before the graph is known:
 * all rows, and any number of bytes. */
struct plan_goal plan_goal_of(const struct solver_request *request,
                              const struct solver_arguments *a);

/* Sets what a run wants and the memory that there is for it. STATUS_BAD_INPUT if APSP_MEMORY_LIMIT
 * is malformed. */
enum status plan_trial_begin(struct plan_trial *trial, const struct solver_request *request,
                             struct error *err);

struct advice {
    bool fits; /* some engine fits into memory, and the files fit on the disk */
    uint64_t disk, disk_free;
    char folder[256]; /* folder of the files; "": there are no files */
    /* the changes of arguments that would each make the run fit */
    bool npy, distances_only; /* the run would fit with --format npy; with --distances-only */
    bool measures;            /* the run would fit with --measures instead of a result */
    int32_t sources;          /* most sources with which it would fit, by --sources; 0: none */
    int32_t vertices; /* most vertices with which it would fit, at the same degree; 0: none */
};

/* Fills *advice for the run of a request with graph g, for which `plan` was made. */
void advise(const struct solver_request *request, const struct graph *g, const struct plan *plan,
            const struct rates *rates, struct advice *advice);

/* Prints a line on the files and, if the run does not fit, the advice. */
void advice_print(const struct advice *advice, const struct plan *plan, FILE *to);

#endif
