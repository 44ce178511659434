// SPDX-License-Identifier: MIT
/* Predicts the work of classes of proportional rows (proportional.h) from the elimination tree
 * alone, before a weight is looked at. */
#ifndef CLASSES_PROPORTIONAL_MODEL_H
#define CLASSES_PROPORTIONAL_MODEL_H

#include "classes/regions.h"  // struct regions_options
#include "elimination/look.h" // struct look

#include <stdbool.h>

/* How a CPU cuts a graph into regions, and how a GPU does: into fewer and larger ones, since
 * products are cheap there. */
extern const struct regions_options proportional_regions, gpu_class_regions;

/* Returns the predicted seconds on one thread of core_costs' machine to eliminate all vertices and
 * to find the sums of so many rows by classes. HUGE_VAL if the look has no order of all vertices,
 * rows are too few for classes, or memory does not suffice to predict. */
double proportional_seconds(const struct look *look, int32_t sources);

/* Returns whether so few entries are left without a core that rows of so many sources may be
 * proportional, and that sweeps would lose little without one. */
bool proportional_may_pay(const struct look *look, int32_t sources);

#endif
