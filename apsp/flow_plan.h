// SPDX-License-Identifier: MIT
/* Betweenness and loads in the report of --plan. */
#ifndef APSP_FLOW_PLAN_H
#define APSP_FLOW_PLAN_H

#include "common/base/json_text.h" // struct json_writer
#include "flows/betweenness.h"     // struct betweenness_plan

#include <stdio.h>

/* Prints a line that begins with `what`: seconds of the way that is taken, then those of the other
 * way. */
void flow_plan_print(const char *what, const struct betweenness_plan *plan, FILE *to);

/* Writes the plan as a member `what`: an object, or null if plan is NULL. */
void flow_plan_answer(struct json_writer *w, const char *what, const struct betweenness_plan *plan);

#endif
