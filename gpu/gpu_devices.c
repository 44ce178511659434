// SPDX-License-Identifier: MIT
#include "gpu/gpu_devices.h"

#include "gpu/gpu_solver.h" // gpu_count

#include <stdlib.h>
#include <string.h>

/* Returns whether a GPU number is among the first `count` of the list. */
static bool is_listed(const struct solver_options *options, int count, long number) {
    for (int k = 0; k < count; k++) {
        if (options->devices[k] == number)
            return true;
    }
    return false;
}

enum status gpu_devices_parse(const char *list, struct solver_options *options, struct error *err) {
    int count = 0;
    if (strcmp(list, "all") == 0) {
        options->device_count = SOLVER_ALL_DEVICES;
        return STATUS_OK;
    }
    for (const char *next = list;; next++) {
        char *end;
        const long number = strtol(next, &end, 10);
        if (*next < '0' || *next > '9' || number > SOLVER_MAX_DEVICE ||
            (*end != ',' && *end != '\0') || count == SOLVER_MAX_TOGETHER ||
            is_listed(options, count, number))
            return fail(err, STATUS_BAD_INPUT,
                        "expected at most %d different numbers with commas between them, or all, "
                        "found '%s'",
                        SOLVER_MAX_TOGETHER, list);
        options->devices[count++] = (int)number;
        next = end;
        if (*next == '\0')
            break;
    }
    options->device_count = count;
    options->device = options->devices[0];
    return STATUS_OK;
}

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
