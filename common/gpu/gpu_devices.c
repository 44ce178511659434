// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_devices.h"

#include "common/gpu/gpu_solver.h" // gpu_count

void gpu_devices_find(struct solver_options *options) {
    struct error ignored;
    int count = 0;
    if (options->device_count != SOLVER_ALL_DEVICES)
        return;
    if (gpu_count(&count, &ignored) != STATUS_OK)
        count = 0;
    options->device = 0;
    options->device_count = count < SOLVER_MAX_TOGETHER ? count : SOLVER_MAX_TOGETHER;
    for (int k = 0; k < options->device_count; k++)
        options->devices[k] = k;
}
