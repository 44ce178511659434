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
    struct plan_goal goal; /* its `run` is the next member */
    struct run_memory run;
};

/* Sets what a run wants and the memory that there is for it. STATUS_BAD_INPUT if APSP_MEMORY_LIMIT
 * is malformed. */
enum status plan_trial_begin(struct plan_trial *trial, const struct solver_request *request,
                             struct error *err);

struct advice {
    bool fits; /* some engine, and the files */
    uint64_t disk, disk_free;
    char folder[256]; /* of the files, or "" if there are none */
    /* changes each of which would make the run fit alone */
    bool npy, distances_only; /* with --format npy, with --distances-only */
    bool measures;            /* with --measures instead of a result */
    int32_t sources;          /* with --sources, so many at most; 0: none */
    int32_t vertices;         /* so many vertices at most, with as many edges each; 0: none */
};

/* Finds it out for a graph, by the plan that was made for it. */
void advise(const struct solver_request *request, const struct graph *g, const struct plan *plan,
            const struct rates *rates, struct advice *advice);

/* Prints a line on the files, and the advice unless all fits. */
void advice_print(const struct advice *advice, const struct plan *plan, FILE *to);

#endif
