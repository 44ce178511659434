// SPDX-License-Identifier: MIT
/* Predicts a run with real weights rounded to a grid, if rows are wanted, for which the program
 * rounds nothing unless asked: for apsp --plan. */
#ifndef APSP_GRID_ADVICE_H
#define APSP_GRID_ADVICE_H

#include "cli/json_answer.h" // struct json_writer
#include "cli/solver_main.h" // struct solver_request
#include "engines/plan.h"    // struct plan
#include "engines/rates.h"   // struct rates

struct grid_advice {
    bool pays; /* on the grid the run would take at most four fifths of the time, or would fit at
                  all */
    double spacing;          /* weights would be rounded to multiples of it, by --grid */
    double distance_by;      /* the most that a distance changes by */
    struct prediction taken; /* prediction of the engine that would be taken */
};

/* Fills *advice for a graph, by `plan`, which was made for its own weights. advice->pays is false
 * unless weights are float64 on no grid, and --grid is auto. */
enum status grid_advise(const struct solver_request *request, const struct graph *g,
                        const struct plan *plan, const struct rates *rates,
                        struct grid_advice *advice, struct error *err);

/* grid_advice_print prints a line if rounding pays; grid_advice_answer writes a member "grid", null
 * unless it pays. */
void grid_advice_print(const struct grid_advice *advice, const struct plan *plan, FILE *to);
void grid_advice_answer(struct json_writer *w, const struct grid_advice *advice);

#endif
