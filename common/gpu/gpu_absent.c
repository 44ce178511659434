// SPDX-License-Identifier: MIT
/* gpu_solver.h in a build without CUDA. */
#include "common/gpu/gpu_solver.h"

static enum status refuse(struct error *err) {
    return fail(err, STATUS_NO_RESOURCE,
                "no usable GPU: built without CUDA (nvcc was not found, or CUDA=0 was given)");
}

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    (void)variant;
    (void)task;
    (void)times;
    return refuse(err);
}

enum status gpu_name(int device, char *name, size_t size, struct error *err) {
    (void)device;
    (void)name;
    (void)size;
    return refuse(err);
}

enum status gpu_count(int *count, struct error *err) {
    (void)count;
    return refuse(err);
}

enum status gpu_query(int device, struct gpu_traits *traits, struct error *err) {
    (void)device;
    (void)traits;
    return refuse(err);
}

void gpu_warm_up(const struct solver_variant *variant, int device) {
    (void)variant;
    (void)device;
}

bool gpu_warmer_start(struct gpu_warmer *warmer, const struct solver_variant *variant, int device) {
    (void)warmer;
    (void)variant;
    (void)device;
    return false;
}

void gpu_warmer_wait(struct gpu_warmer *warmer) {
    (void)warmer;
}

size_t gpu_memory_needed(const struct solver_variant *variant, enum number_type type, int32_t n,
                         int64_t m, bool with_pred) {
    (void)variant;
    (void)type;
    (void)n;
    (void)m;
    (void)with_pred;
    return SIZE_MAX;
}
