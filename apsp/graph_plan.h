// SPDX-License-Identifier: MIT
/* The plan of a run, made by looking at its graph: for apsp --plan. */
#ifndef APSP_GRAPH_PLAN_H
#define APSP_GRAPH_PLAN_H

#include "cli/solver_main.h" // struct solver_request
#include "engines/plan.h"    // struct plan, struct plan_goal
#include "engines/rates.h"   // struct rates

/* Ranks all engines for g, looking at everything that may matter. g is request->whole, or differs
 * from it in the weights only. If its components are solved one by one, the plan is that of the
 * components, otherwise that of the whole graph. Fails as plan_here, and for lack of memory. */
enum status graph_plan(const struct solver_request *request, const struct graph *g,
                       const struct plan_goal *goal, const struct rates *rates, struct plan *plan,
                       struct error *err);

#endif
