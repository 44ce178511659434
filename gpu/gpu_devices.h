// SPDX-License-Identifier: MIT
/* Lists of GPUs that solve together (struct solver_options). */
#ifndef GPU_GPU_DEVICES_H
#define GPU_GPU_DEVICES_H

#include "ranks/ranks.h"  // struct ranks
#include "solve/solver.h" // struct solver_options

/* Parses "all" or a list of different numbers, like "0,1", into the options. STATUS_BAD_INPUT if
 * the text is neither; the message does not name the option. */
enum status gpu_devices_parse(const char *list, struct solver_options *options, struct error *err);

/* STATUS_BAD_INPUT if the options list several GPUs and the variant solves on one; the message does
 * not name the option. STATUS_OK if the program needs a GPU and there is none: the solve says why.
 */
enum status gpu_devices_check(const struct solver_options *options, const struct solver *solver,
                              const struct solver_variant *variant, struct error *err);

/* Stores the numbers of all GPUs, SOLVER_MAX_TOGETHER at most, if the options ask for all, and does
 * nothing otherwise. If there is none, the options name GPU 0, and the solve says why it cannot be
 * used. */
void gpu_devices_find(struct solver_options *options);

/* Does what gpu_devices_find does for a given variant. A variant that solves on one GPU gets the
 * first one; a variant that chooses GPUs finds them itself when it needs them. */
void gpu_devices_find_for(struct solver_options *options, const struct solver_variant *variant);

/* Replaces the list by the one GPU of this process. The processes of a host take the GPUs of the
 * list in turn or, if the options ask for all or no GPU was named (`given` is false), the GPUs that
 * they see. If there is none, the options name GPU 0, and the solve says why it cannot be used. */
void gpu_devices_divide(struct solver_options *options, bool given, const struct ranks *ranks);

#endif
