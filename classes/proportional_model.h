// SPDX-License-Identifier: MIT
/* Predicts the time of rows by classes of proportional rows (proportional.h) from the elimination
 * tree, and where it is long, from a sample of the graph (class_sample.h). */
#ifndef CLASSES_PROPORTIONAL_MODEL_H
#define CLASSES_PROPORTIONAL_MODEL_H

#include "classes/regions.h"  // struct regions_options
#include "elimination/look.h" // struct look

#include <stdbool.h>

/* How to cut a graph into regions for a CPU, and for a GPU: there into fewer and larger ones, since
 * products are cheap on it. */
extern const struct regions_options proportional_regions, gpu_class_regions;

/* Returns the predicted seconds on one thread of core_costs' machine to eliminate all vertices of g
 * and to find the sums of `sources` rows by classes. HUGE_VAL if the look has no order of all
 * vertices, rows are too few for classes, or memory does not suffice to predict. */
double proportional_seconds(const struct look *look, const struct graph *g, int32_t sources,
                            int threads);

/* Returns whether an elimination of all vertices leaves few enough entries that the rows of
 * `sources` sources may be proportional, and that sweeps without a core would be little slower. */
bool proportional_may_pay(const struct look *look, int32_t sources);

#endif
