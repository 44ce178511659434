// SPDX-License-Identifier: MIT
/* gpu_solver.h and device_sink.h in a build without CUDA. */
#include "gpu/device_sink.h"
#include "gpu/gpu_solver.h"

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

enum status device_matrix_alloc(struct device_matrix *m, int device, enum number_type type,
                                int32_t rows, int32_t n, bool with_pred, struct error *err) {
    (void)device, (void)type, (void)rows, (void)n, (void)with_pred;
    *m = (struct device_matrix){0};
    return refuse(err);
}

enum status device_matrix_wait(const struct device_matrix *m, struct error *err) {
    (void)m;
    return refuse(err);
}

void device_matrix_free(struct device_matrix *m) {
    (void)m;
}

void device_sink_begin(struct device_sink *sink, struct device_matrix *to) {
    (void)sink, (void)to;
}
