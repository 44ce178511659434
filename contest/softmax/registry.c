// SPDX-License-Identifier: MIT
/* The variants of `softmax`. */
#include "contest/softmax/problem.h"
#include "gpu/gpu_solver.h" // GPU_LAUNCH

#include <stdio.h>

static const struct contest_variant variants[] = {
    {
        .name = "cpu",
        .summary = "on all cores, in long double",
        .source = "this project",
        .compute = softmax_cpu,
        .error_bound = SOFTMAX_CPU_BOUND,
    },
    {
        .name = "three_stage",
        .summary = "maximum, powers and their sum, quotients; blocks' results on the host",
        .source = "contest report",
        .launch = GPU_LAUNCH(softmax_three_stage),
        .workspace = GPU_LAUNCH(softmax_three_stage_workspace),
        .host_room = GPU_LAUNCH(softmax_three_stage_host_room),
        .error_bound = SOFTMAX_THREE_STAGE_BOUND,
    },
    {
        .name = "online",
        .summary = "maximum and sum in one pass: two reads, one write",
        .source = "this project",
        .launch = GPU_LAUNCH(softmax_online),
        .workspace = GPU_LAUNCH(softmax_online_workspace),
        .error_bound = SOFTMAX_ONLINE_BOUND,
    },
};

static void describe(const struct values *output, char *text, size_t size) {
    const float *const y = output->entries;
    int64_t largest = 0;
    for (int64_t k = 1; k < output->count; k++)
        largest = y[k] > y[largest] ? k : largest;
    snprintf(text, size, "largest %.9g, entry %lld", (double)y[largest], (long long)largest);
}

const struct contest_problem softmax_problem = {
    .program = "softmax",
    .summary = "Softmax of up to 10^8 floats of 32 bits, on a GPU or the CPU",
    .input = VALUE_FLOAT32,
    .output = VALUE_FLOAT32,
    .max_count = SOFTMAX_MAX,
    .lowest = -10,
    .highest = 10,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "online",
    .check = softmax_check,
    .describe = describe,
};
