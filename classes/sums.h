// SPDX-License-Identifier: MIT
/* Totals of rows for `dissection`, if only sums of the rows are wanted. One row of each class of
 * proportional rows is found (classes/proportional.h) and, if rows are to be proved, proved
 * (certificate/class_proof.h). Several processes claim sources from each other. */
#ifndef CLASSES_SUMS_H
#define CLASSES_SUMS_H

#include "common/graph/row_block.h" // struct answer_totals
#include "elimination/dissection.h" // struct dissection
#include "solve/solver.h"           // struct solver_task

#define sums_take        BY_LENGTH(sums_take)
#define sums_find_target BY_LENGTH(sums_find_target)

/* Hands on the totals of all rows. source: vertices in the order of elimination; position:
 * positions of their rows. *taken: false if totals are not what is wanted, do not pay, take too
 * much memory, or do not suffice; the answer has to begin anew then. */
enum status sums_take(const struct solver_task *task, const struct dissection *d,
                      const int32_t *source, const int32_t *position, int threads, enum isa isa,
                      bool *taken, struct error *err);

/* Sets totals->to to the lowest vertex at the largest distance from totals->from. *proved: the row
 * that shows the distance is proved to be the graph's; proved may be NULL. */
enum status sums_find_target(const struct solver_task *task, const struct dissection *d,
                             struct answer_totals *totals, bool *proved, struct error *err);

#endif
