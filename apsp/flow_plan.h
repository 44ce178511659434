// SPDX-License-Identifier: MIT
/* Betweenness in the report of --plan. */
#ifndef APSP_FLOW_PLAN_H
#define APSP_FLOW_PLAN_H

#include "common/base/json_text.h" // struct json_writer
#include "flows/betweenness.h"     // struct betweenness_plan

#include <stdio.h>

/* Prints a line on the way that is taken, and one on the other. */
void flow_plan_print(const struct betweenness_plan *plan, FILE *to);

/* Writes an object "betweenness", null if plan is NULL. */
void flow_plan_answer(struct json_writer *w, const struct betweenness_plan *plan);

#endif
