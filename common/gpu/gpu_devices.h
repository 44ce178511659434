// SPDX-License-Identifier: MIT
/* Lists of GPUs that solve together (struct solver_options). */
#ifndef COMMON_GPU_GPU_DEVICES_H
#define COMMON_GPU_GPU_DEVICES_H

#include "common/solve/solver.h" // struct solver_options

/* Stores the numbers of all GPUs, SOLVER_MAX_TOGETHER at most, if the options ask for all, and does
 * nothing otherwise. If there is none, the options name GPU 0, of which the solve says why it
 * cannot be used. */
void gpu_devices_find(struct solver_options *options);

#endif
