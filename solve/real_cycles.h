// SPDX-License-Identifier: MIT
/* Negative cycles among real weights. Rounded sums say little about a cycle: along a cycle they may
 * fall although its weight is above 0. So a cycle counts as negative only if the exact sum of its
 * weights is below 0. */
#ifndef SOLVE_REAL_CYCLES_H
#define SOLVE_REAL_CYCLES_H

#include "common/base/progress.h" // struct progress
#include "common/graph/graph.h"   // struct graph
#include "solve/potentials.h"     // struct cycle

/* Looks for a cycle of a real graph along which rounded sums fall, by label correcting from all
 * vertices. If the exact sum of such a cycle is below 0, returns STATUS_NEGATIVE_CYCLE with the
 * cycle in *cycle (the caller frees cycle->vertices with memory_free); otherwise STATUS_BAD_INPUT,
 * because rounding would decide on distances. STATUS_CANCELLED if progress says to stop. O(n m) at
 * worst. */
enum status real_cycles_find(const struct graph *g, struct cycle *cycle, struct progress *progress,
                             struct error *err);

/* Returns the exact sum of finite numbers, rounded once; so its sign is right. `numbers` is used
 * as scratch. */
double sum_exactly(double *numbers, int32_t count);

#endif
