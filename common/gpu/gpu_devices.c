// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_devices.h"

#include "common/gpu/gpu_solver.h" // gpu_count

enum status gpu_devices_check(const struct solver_options *options, const struct solver *solver,
                              const struct solver_variant *variant, struct error *err) {
    struct error ignored;
    int count;
    if (options->device_count <= 1 || variant->solve_spread != NULL ||
        (solver->uses_gpu && gpu_count(&count, &ignored) != STATUS_OK))
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "variant %s solves on one GPU, found a list of %d",
                variant->name, options->device_count);
}

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

void gpu_devices_find_for(struct solver_options *options, const struct solver_variant *variant) {
    if (variant->solve_spread == NULL)
        options->device_count = 0;
    else if (!variant->chooses_devices)
        gpu_devices_find(options);
}

void gpu_devices_divide(struct solver_options *options, bool given, const struct ranks *ranks) {
    if (!given)
        options->device_count = SOLVER_ALL_DEVICES;
    gpu_devices_find(options);
    if (options->device_count > 0)
        options->device = options->devices[ranks->rank_here % options->device_count];
    options->device_count = 0;
}
