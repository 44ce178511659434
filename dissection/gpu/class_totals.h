// SPDX-License-Identifier: MIT
/* Totals by classes of proportional rows (classes.h) on the GPUs of a crew, for sinks that want
 * only sums. Functions must be called in the thread of the crew's first GPU. */
#ifndef DISSECTION_GPU_CLASS_TOTALS_H
#define DISSECTION_GPU_CLASS_TOTALS_H

#include "dissection/gpu/totals.h" // struct host_totals

#define class_totals_choose      BY_LENGTH(class_totals_choose)
#define class_totals_turn        BY_LENGTH(class_totals_turn)
#define class_totals_find        BY_LENGTH(class_totals_find)
#define class_totals_find_target BY_LENGTH(class_totals_find_target)
#define class_totals_forget      BY_LENGTH(class_totals_forget)

/* If c->by_classes says that classes are possible, finds the regions, opens classes on all GPUs,
 * and decides whether they pay. All processes call it at the same time. Unless classes pay in all
 * of them, sets c->by_classes to false and frees the classes and the regions. */
enum status class_totals_choose(struct crew *c, struct error *err);

/* Turns the classes on all GPUs to the graph that crew_reverse has switched to, and prepares to
 * prove its rows if that is wanted. STATUS_NO_RESOURCE if there is not enough memory. */
enum status class_totals_turn(struct crew *c, struct error *err);

/* Finds t->of_classes of all sources on all GPUs of all processes. The caller frees it.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status class_totals_find(struct crew *c, struct host_totals *t, struct error *err);

/* Stores the lowest target at distance `largest` from a source, which is a number in c->order. The
 * host finds the row, because the devices have classes of rows only. If rows are to be proved, it
 * proves this row; c->refuted: the row is wrong. */
enum status class_totals_find_target(struct crew *c, int32_t source, path_length largest,
                                     int32_t *target, struct error *err);

/* Frees the classes and the regions; c->by_classes becomes false. */
void class_totals_forget(struct crew *c);

#endif
