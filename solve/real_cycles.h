// SPDX-License-Identifier: MIT
/* Negative cycles among real weights. What a sum is rounded to says little about a cycle: rounded
 * sums round a cycle may fall although it weighs more than 0. So a cycle counts as negative only if
 * the exact sum of its weights is below 0. */
#ifndef SOLVE_REAL_CYCLES_H
#define SOLVE_REAL_CYCLES_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph
#include "solve/potentials.h"     // struct cycle

/* Looks for a cycle of a real graph round which rounded sums fall, by label correcting from all
 * vertices. If it finds one: STATUS_NEGATIVE_CYCLE if its exact sum is below 0, and *cycle holds it
 * (the caller frees cycle->vertices with memory_free); otherwise STATUS_BAD_INPUT, because rounding
 * decides. STATUS_CANCELLED if progress says to stop. O(n m) at worst. */
enum status real_cycles_find(const struct graph *g, struct cycle *cycle, struct progress *progress,
                             struct error *err);

/* Returns the exact sum of finite numbers, rounded once; so its sign is right. `numbers` is used
 * as scratch. */
double sum_exactly(double *numbers, int32_t count);

#endif
