#include "common/gpu_solver.h"

#include "common/clock.h"     // clock_seconds
#include "common/gpu_error.h" // gpu_check

#include <stdio.h>

enum { CELLS_PER_LINE = 128 / sizeof(int32_t) };

/* One solve's hold on the device. */
struct session {
    struct gpu_matrices matrices;
    cudaEvent_t begin, end;
};

static enum status no_usable_gpu(const char *reason, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "no usable GPU: %s", reason);
}

static enum status select_device(int device, struct error *err) {
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess)
        return no_usable_gpu(cudaGetErrorString(code), err);
    if (count == 0)
        return no_usable_gpu("CUDA finds no device", err);
    if (device >= count)
        return fail(err, STATUS_NO_RESOURCE,
                    "no usable GPU: expected a device in 0 .. %d, found %d", count - 1, device);
    return gpu_check(cudaSetDevice(device), "selecting the device", err);
}

enum status gpu_name(int device, char *name, size_t size, struct error *err) {
    struct cudaDeviceProp properties;
    enum status status = select_device(device, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaGetDeviceProperties(&properties, device), "naming the device", err);
    if (status == STATUS_OK)
        snprintf(name, size, "%s", properties.name);
    return status;
}

static enum status allocate(struct session *s, const struct solver_task *task, struct error *err) {
    const double gib = 1024.0 * 1024.0 * 1024.0;
    struct gpu_matrices *m = &s->matrices;
    size_t free_bytes = 0, all_bytes = 0;
    enum status status =
        gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for its free memory", err);
    if (status != STATUS_OK)
        return status;
    m->n = task->graph->n;
    m->ld = ((size_t)m->n + CELLS_PER_LINE - 1) / CELLS_PER_LINE * CELLS_PER_LINE;
    size_t matrix_bytes = (size_t)m->n * m->ld * sizeof(int32_t);
    size_t needed = matrix_bytes * (task->pred != NULL ? 2 : 1);
    if (needed > free_bytes)
        return fail(err, STATUS_NO_RESOURCE,
                    "%d vertices need %.2f GiB on the GPU, %.2f GiB of its %.2f GiB are free", m->n,
                    (double)needed / gib, (double)free_bytes / gib, (double)all_bytes / gib);
    status = gpu_check(cudaMalloc((void **)&m->dist, matrix_bytes), "allocating distances", err);
    if (status == STATUS_OK && task->pred != NULL)
        status =
            gpu_check(cudaMalloc((void **)&m->pred, matrix_bytes), "allocating predecessors", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventCreate(&s->begin), "creating an event", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventCreate(&s->end), "creating an event", err);
    return status;
}

static void release(struct session *s) {
    /* What failed before is already reported; what fails here costs nothing. */
    cudaFree(s->matrices.dist);
    cudaFree(s->matrices.pred);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

static enum status copy(int32_t *device, const struct matrix *host, size_t device_ld,
                        enum cudaMemcpyKind direction, struct error *err) {
    size_t width = (size_t)host->n * sizeof(int32_t);
    size_t host_pitch = host->ld * sizeof(int32_t), device_pitch = device_ld * sizeof(int32_t);
    cudaError_t code = direction == cudaMemcpyHostToDevice
                           ? cudaMemcpy2D(device, device_pitch, host->cell, host_pitch, width,
                                          (size_t)host->n, direction)
                           : cudaMemcpy2D(host->cell, host_pitch, device, device_pitch, width,
                                          (size_t)host->n, direction);
    return gpu_check(code, "copying matrices", err);
}

static enum status upload(struct session *s, const struct solver_task *task, struct error *err) {
    const struct gpu_matrices *m = &s->matrices;
    enum status status = copy(m->dist, task->dist, m->ld, cudaMemcpyHostToDevice, err);
    if (status == STATUS_OK && task->pred != NULL)
        status = copy(m->pred, task->pred, m->ld, cudaMemcpyHostToDevice, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaDeviceSynchronize(), "copying matrices", err);
    return status;
}

static enum status download(struct session *s, const struct solver_task *task, struct error *err) {
    const struct gpu_matrices *m = &s->matrices;
    enum status status = copy(m->dist, task->dist, m->ld, cudaMemcpyDeviceToHost, err);
    if (status == STATUS_OK && task->pred != NULL)
        status = copy(m->pred, task->pred, m->ld, cudaMemcpyDeviceToHost, err);
    return status;
}

/* CUDA loads a kernel at its first launch; solving the graph's first vertex
 * alone, which changes nothing, keeps that out of the timings. */
static enum status load_kernels(const struct solver_variant *variant,
                                const struct gpu_matrices *matrices, struct error *err) {
    struct gpu_matrices first_vertex = *matrices;
    first_vertex.n = 1;
    enum status status = variant->launch(&first_vertex, NULL, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaDeviceSynchronize(), "loading the kernels", err);
    return status;
}

static enum status run(const struct solver_variant *variant, struct session *s,
                       const struct solver_task *task, double *seconds, struct error *err) {
    float milliseconds = 0;
    enum status status = gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err);
    if (status == STATUS_OK)
        status = variant->launch(&s->matrices, task->progress, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventSynchronize(s->end), "running the kernels", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end),
                           "reading the clock", err);
    *seconds = (double)milliseconds * 1e-3;
    return status;
}

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    struct session s = {0};
    double started = clock_seconds();
    s.matrices.tile = task->options->tile != 0 ? task->options->tile : variant->default_tile;
    enum status status = select_device(task->options->device, err);
    if (status == STATUS_OK)
        status = allocate(&s, task, err);
    if (status == STATUS_OK)
        graph_to_matrices(task->graph, task->dist, task->pred);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions && status == STATUS_OK;
         r++) {
        double seconds = 0;
        status = upload(&s, task, err);
        if (status == STATUS_OK && times->around_s == 0) {
            status = load_kernels(variant, &s.matrices, err);
            times->around_s = clock_seconds() - started;
        }
        if (status == STATUS_OK)
            status = run(variant, &s, task, &seconds, err);
        if (r >= 0)
            times->solve_s[r] = seconds;
    }
    double solved = clock_seconds();
    if (status == STATUS_OK)
        status = download(&s, task, err);
    release(&s);
    times->around_s += clock_seconds() - solved;
    return status;
}
