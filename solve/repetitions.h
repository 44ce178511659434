// SPDX-License-Identifier: MIT
/* Repeats and times a variant that solves by rows. */
#ifndef SOLVE_REPETITIONS_H
#define SOLVE_REPETITIONS_H

#include "solve/solver.h" // struct solver_task, struct solver_times

/* Calls once(variant, task, ...), which hands all rows to the task's delivery, as often as the task
 * asks for, after a warm-up if that is more than once. Fills *times, without the time spent in the
 * sink; pages of a matrix in memory are touched before. */
enum status repetitions_by_rows(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                enum status (*once)(const struct solver_variant *variant,
                                                    const struct solver_task *task,
                                                    struct solver_times *times, struct error *err),
                                struct error *err);

#endif
