// SPDX-License-Identifier: MIT
/* Totals by sweeps: every source has a row, whose distances are added up on the device and, unless
 * they are proved, never stored. Functions must be called in the thread of the crew's first GPU,
 * after sweeps_prepare. */
#ifndef DISSECTION_GPU_SWEPT_TOTALS_H
#define DISSECTION_GPU_SWEPT_TOTALS_H

#include "dissection/gpu/totals.h" // struct host_totals

#define swept_totals_find        BY_LENGTH(swept_totals_find)
#define swept_totals_count       BY_LENGTH(swept_totals_count)
#define swept_totals_find_target BY_LENGTH(swept_totals_find_target)

/* Finds the totals of all sources by sweeps on all GPUs of all processes, and c->shift. Allocates
 * the arrays of *t. STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress
 * says to stop. */
enum status swept_totals_find(struct crew *c, struct host_totals *t, struct error *err);

/* Stores in count[0 .. TOTALS_BINS - 1] the histogram of the distances that this process found in
 * swept_totals_find. */
enum status swept_totals_count(struct crew *c, const struct host_totals *t, int64_t *count,
                               struct error *err);

/* Stores the lowest target at distance `largest` from a source, which is a number in c->order. If
 * rows are to be proved, the source's row is proved once more. */
enum status swept_totals_find_target(struct crew *c, int32_t source, path_length largest,
                                     int32_t *target, struct error *err);

#endif
