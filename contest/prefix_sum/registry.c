// SPDX-License-Identifier: MIT
/* The variants of `prefix_sum`. */
#include "contest/prefix_sum/problem.h"
#include "gpu/gpu_solver.h" // GPU_LAUNCH

#include <stdio.h>

static const struct contest_variant variants[] = {
    {
        .name = "cpu",
        .summary = "on all cores: sums of chunks, then the chunks",
        .source = "this project",
        .compute = prefix_sum_cpu,
    },
    {
        .name = "two_level",
        .summary = "512 numbers a block in shared memory, the blocks' sums on the host",
        .source = "contest report",
        .launch = GPU_LAUNCH(prefix_sum_two_level),
        .workspace = GPU_LAUNCH(prefix_sum_two_level_workspace),
        .host_room = GPU_LAUNCH(prefix_sum_two_level_host_room),
    },
    {
        .name = "single_pass",
        .summary = "decoupled look-back: each number is read once and each sum written once",
        .source = "this project",
        .launch = GPU_LAUNCH(prefix_sum_single_pass),
        .workspace = GPU_LAUNCH(prefix_sum_single_pass_workspace),
    },
};

static void describe(const struct values *output, char *text, size_t size) {
    const int64_t *const sums = output->entries;
    snprintf(text, size, "sum %lld", (long long)sums[output->count - 1]);
}

const struct contest_problem prefix_sum_problem = {
    .program = "prefix_sum",
    .summary = "Prefix sums of up to 10^9 integers of 32 bits, in 64 bits, on a GPU or the CPU",
    .input = VALUE_INT32,
    .output = VALUE_INT64,
    .max_count = PREFIX_SUM_MAX,
    .lowest = -100,
    .highest = 100,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .default_variant = "single_pass",
    .check = prefix_sum_check,
    .describe = describe,
};
