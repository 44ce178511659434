// SPDX-License-Identifier: MIT
/* Finds what it would change to round real weights to a grid although rows are wanted, for which
 * nothing is rounded unasked: for apsp --plan. */
#ifndef APSP_GRID_ADVICE_H
#define APSP_GRID_ADVICE_H

#include "cli/json_answer.h" // struct json_writer
#include "cli/solver_main.h" // struct solver_request
#include "engines/plan.h"    // struct plan
#include "engines/rates.h"   // struct rates

struct grid_advice {
    bool pays;               /* the run would take at most four fifths of the time, or fit at all */
    double spacing;          /* --grid with it rounds so */
    double distance_by;      /* the most that a distance changes by */
    struct prediction taken; /* prediction of the engine that would be taken */
};

/* Finds it out for a graph, by the plan that was made for its own weights. Nothing pays unless
 * weights are float64 ones on no grid, and --grid is auto. */
enum status grid_advise(const struct solver_request *request, const struct graph *g,
                        const struct plan *plan, const struct rates *rates,
                        struct grid_advice *advice, struct error *err);

/* Prints a line, or writes a member "grid", null unless it pays. */
void grid_advice_print(const struct grid_advice *advice, const struct plan *plan, FILE *to);
void grid_advice_answer(struct json_writer *w, const struct grid_advice *advice);

#endif
