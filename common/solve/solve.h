// SPDX-License-Identifier: MIT
/* From any graph to its exact answer with one variant: what every variant needs
 * done around it, done once. */
#ifndef COMMON_SOLVE_SOLVE_H
#define COMMON_SOLVE_SOLVE_H

#include "common/base/timing.h"  // struct timing
#include "common/solve/solver.h" // struct solver_variant, struct solver_options

/* Runs `variant` on g, whose weights may be negative, `repetitions` times, and
 * stores the answer in dist and, unless NULL, pred (both n x n, allocated by
 * the caller), the times in timing[0 .. repetitions - 1]. Distances
 * are exact and inside (-INF, INF), or INF where there is no path. Fails with
 * STATUS_NEGATIVE_CYCLE, with STATUS_BAD_INPUT where a distance is out of
 * range or the variant not exact for this graph, with STATUS_NO_RESOURCE where
 * memory or the GPU fails, with STATUS_CANCELLED where progress says to stop; the
 * matrices are garbage then. */
enum status solve(const struct solver_variant *variant, const struct graph *g,
                  const struct solver_options *options, struct matrix *dist, struct matrix *pred,
                  struct progress *progress, int repetitions, struct timing *timing,
                  struct error *err);

/* Bytes of memory that solve() takes at most, beside g and the matrices, as far as a look at the
 * numbers in g tells: zero-weight cycles, and reduced weights that do not fit in 32 bits, make it
 * need more, which is refused when it comes to that. */
uint64_t solve_memory(const struct solver_variant *variant, const struct graph *g, int threads,
                      bool predecessors);

#endif
