// SPDX-License-Identifier: MIT
/* What a limit on distances changes in the features of a graph (solve/features.h). */
#ifndef ENGINES_LIMITED_FEATURES_H
#define ENGINES_LIMITED_FEATURES_H

#include "common/graph/limit.h" // NO_LIMIT
#include "solve/features.h"     // struct features

/* Sets how many vertices of g a vertex reaches within the limit, by a few searches, and whether
 * distances within it are short. Does nothing without a limit. `sources` rows will be asked for: no
 * more searches are made. STATUS_NO_RESOURCE if there is no memory. */
enum status features_limit(const struct graph *g, double limit, int32_t sources,
                           struct features *features, struct error *err);

#endif
