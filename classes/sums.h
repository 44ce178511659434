// SPDX-License-Identifier: MIT
/* `dissection`'s totals of rows, if sums of them are all that is wanted: one row of each class of
 * proportional rows is found (classes/proportional.h) and, if rows are to be proved, proved
 * (certificate/class_proof.h). Several processes claim sources. */
#ifndef CLASSES_SUMS_H
#define CLASSES_SUMS_H

#include "common/graph/row_block.h" // struct answer_totals
#include "elimination/dissection.h" // struct dissection
#include "solve/solver.h"           // struct solver_task

#define sums_take        BY_LENGTH(sums_take)
#define sums_find_target BY_LENGTH(sums_find_target)

/* Hands on the totals of all rows; source: the vertices in the order of elimination, and the
 * positions of their rows. If they are not what is wanted, that does not pay, takes too much
 * memory, or does not suffice, *taken becomes false, and the answer has to begin anew. */
enum status sums_take(const struct solver_task *task, const struct dissection *d,
                      const int32_t *source, const int32_t *position, int threads, enum isa isa,
                      bool *taken, struct error *err);

/* Sets totals->to to the lowest vertex at the largest distance from totals->from. *proved, unless
 * NULL: whether the row that shows it is that of the graph. */
enum status sums_find_target(const struct solver_task *task, const struct dissection *d,
                             struct answer_totals *totals, bool *proved, struct error *err);

#endif
