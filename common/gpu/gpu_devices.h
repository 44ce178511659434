// SPDX-License-Identifier: MIT
/* Lists of GPUs that solve together (struct solver_options). */
#ifndef COMMON_GPU_GPU_DEVICES_H
#define COMMON_GPU_GPU_DEVICES_H

#include "common/ranks/ranks.h"  // struct ranks
#include "common/solve/solver.h" // struct solver_options

/* Takes a list of different numbers, "0,1", or "all". STATUS_BAD_INPUT if it is none. Messages do
 * not name the option. */
enum status gpu_devices_parse(const char *list, struct solver_options *options, struct error *err);

/* STATUS_BAD_INPUT if the options list several GPUs and the variant solves on one, unless the
 * program would use a GPU and there is none, of which the solve says why. */
enum status gpu_devices_check(const struct solver_options *options, const struct solver *solver,
                              const struct solver_variant *variant, struct error *err);

/* Stores the numbers of all GPUs, SOLVER_MAX_TOGETHER at most, if the options ask for all, and does
 * nothing otherwise. If there is none, the options name GPU 0, of which the solve says why it
 * cannot be used. */
void gpu_devices_find(struct solver_options *options);

/* The same for a variant: one that solves on one GPU gets the first, and one that chooses GPUs
 * finds them itself, if it comes to that. */
void gpu_devices_find_for(struct solver_options *options, const struct solver_variant *variant);

/* Stores which GPU one of several processes has, instead of a list: those of a host take in turn
 * one of the list, or one of all GPUs that they see if the options ask for all or nobody has named
 * any (`given`). If there is none, the options name GPU 0, of which the solve says why it cannot be
 * used. */
void gpu_devices_divide(struct solver_options *options, bool given, const struct ranks *ranks);

#endif
