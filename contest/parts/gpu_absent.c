// SPDX-License-Identifier: MIT
/* gpu_run() in a build without CUDA. */
#include "contest/parts/problem.h"
#include "gpu/gpu_solver.h" // gpu_name

enum status gpu_run(const struct contest_variant *variant, const struct values *input,
                    struct values *output, int device, int repetitions, struct timing *timings,
                    char *name, size_t name_size, struct error *err) {
    (void)variant;
    (void)input;
    (void)output;
    (void)repetitions;
    (void)timings;
    return gpu_name(device, name, name_size, err);
}
