// SPDX-License-Identifier: MIT
/* Solves any graph exactly with one variant. It does the steps that all variants need: potentials,
 * zero-weight cycles, the check of the range. */
#ifndef COMMON_SOLVE_SOLVE_H
#define COMMON_SOLVE_SOLVE_H

#include "common/base/timing.h"  // struct timing
#include "common/solve/solver.h" // struct solver_variant, struct solver_options

/* Runs `variant` on g, whose weights may be negative, `repetitions` times. Stores the answer in
 * dist and, unless NULL, pred (both n x n, allocated by the caller), and the times in timing[0 ..
 * repetitions - 1]. Distances are exact and inside (-INF, INF), or INF if there is no path.
 *
 * STATUS_NEGATIVE_CYCLE; STATUS_BAD_INPUT if a distance is out of range or the variant is not exact
 * for this graph; STATUS_NO_RESOURCE if memory or the GPU fails; STATUS_CANCELLED if progress says
 * to stop. After a failure the matrices are garbage. */
enum status solve(const struct solver_variant *variant, const struct graph *g,
                  const struct solver_options *options, struct matrix *dist, struct matrix *pred,
                  struct progress *progress, int repetitions, struct timing *timing,
                  struct error *err);

/* Bytes of memory that solve() takes at most, beside g and the matrices, as far as the sizes and
 * weights of g tell. Zero-weight cycles and reduced weights that do not fit in 32 bits take more;
 * solve() fails if that is not there. */
uint64_t solve_memory(const struct solver_variant *variant, const struct graph *g, int threads,
                      bool predecessors);

#endif
