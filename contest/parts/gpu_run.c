// SPDX-License-Identifier: MIT
/* The host side of every variant that runs on a GPU: memory, transfers and clocks. */
#include "common/base/clock.h"  // clock_seconds
#include "common/base/memory.h" // memory_alloc, memory_gib
#include "contest/parts/problem.h"
#include "gpu/gpu_solver.h"       // gpu_select, gpu_name
#include "gpu/launch/gpu_error.h" // gpu_check

#include <string.h>

/* The memory and events of a run on a GPU. */
struct contest_session {
    void *input, *output, *workspace; /* device memory */
    void *host_room;
    cudaEvent_t begin, end;
    size_t input_bytes, output_bytes, workspace_bytes;
};

static enum status allocate(struct contest_session *s, const struct contest_variant *variant,
                            int64_t count, struct error *err) {
    size_t available, all;
    const size_t needed = s->input_bytes + s->output_bytes + s->workspace_bytes;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&available, &all), "asking for its free memory", err));
    if (needed > available)
        return fail(err, STATUS_NO_RESOURCE,
                    "%lld numbers need %.2f GiB on the GPU, %.2f GiB of its %.2f GiB are free",
                    (long long)count, memory_gib(needed), memory_gib(available), memory_gib(all));
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(&s->input, s->input_bytes), "allocating input", err));
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(&s->output, s->output_bytes), "allocating output", err));
    if (s->workspace_bytes > 0)
        RETURN_ON_FAILURE(
            gpu_check(cudaMalloc(&s->workspace, s->workspace_bytes), "allocating workspace", err));
    if (variant->host_room != NULL)
        RETURN_ON_FAILURE(
            memory_alloc(&s->host_room, variant->host_room(count), 1, "the blocks' results", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventCreate(&s->begin), "creating an event", err));
    return gpu_check(cudaEventCreate(&s->end), "creating an event", err);
}

static void release(struct contest_session *s) {
    /* Earlier failures are already reported; failures here do not matter. */
    cudaFree(s->input);
    cudaFree(s->output);
    cudaFree(s->workspace);
    memory_free(s->host_room);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

/* Runs the variant once for the first `count` numbers and stores the seconds that it took. */
static enum status run_once(const struct contest_session *s, const struct contest_variant *variant,
                            int64_t count, double *seconds, struct error *err) {
    const int garbage = 0xa5;
    float milliseconds;
    const struct device_task task = {.input = s->input,
                                     .output = s->output,
                                     .count = count,
                                     .workspace = s->workspace,
                                     .host_room = s->host_room};
    RETURN_ON_FAILURE(
        gpu_check(cudaMemset(s->output, garbage, s->output_bytes), "clearing the output", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err));
    RETURN_ON_FAILURE(variant->launch(&task, err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(s->end), "running the kernels", err));
    RETURN_ON_FAILURE(
        gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end), "reading the clock", err));
    *seconds = 1e-3 * (double)milliseconds;
    return STATUS_OK;
}

/* Runs the variant once and copies the answer to the host. */
static enum status repeat(const struct contest_session *s, const struct contest_variant *variant,
                          double setup_s, double upload_s, struct values *output,
                          struct timing *timing, struct error *err) {
    RETURN_ON_FAILURE(run_once(s, variant, output->count, &timing->solve_s, err));
    const double solved = clock_seconds();
    RETURN_ON_FAILURE(
        gpu_check(cudaMemcpy(output->entries, s->output, s->output_bytes, cudaMemcpyDeviceToHost),
                  "fetching the output", err));
    timing->transfer_s = upload_s + clock_seconds() - solved;
    timing->total_s = setup_s + timing->solve_s + timing->transfer_s;
    return STATUS_OK;
}

enum status gpu_run(const struct contest_variant *variant, const struct values *input,
                    struct values *output, int device, int repetitions, struct timing *timings,
                    char *name, size_t name_size, struct error *err) {
    struct contest_session s = {
        .input_bytes = (size_t)input->count * value_types[input->type].size,
        .output_bytes = (size_t)input->count * value_types[output->type].size,
        .workspace_bytes = variant->workspace != NULL ? variant->workspace(input->count) : 0,
    };
    double warm_up_s;
    enum status status;
    const double began = clock_seconds();
    TRY(gpu_name(device, name, name_size, err));
    TRY(gpu_select(device, err));
    TRY(allocate(&s, variant, input->count, err));
    TRY(values_alloc(output, output->type, input->count, "the answer", err));
    const double ready = clock_seconds();
    TRY(gpu_check(cudaMemcpy(s.input, input->entries, s.input_bytes, cudaMemcpyHostToDevice),
                  "sending the input", err));
    const double sent = clock_seconds();
    /* The warm-up only loads the kernels if there is one repetition: one number is enough. */
    TRY(run_once(&s, variant, repetitions > 1 ? input->count : 1, &warm_up_s, err));
    for (int r = 0; r < repetitions; r++)
        TRY(repeat(&s, variant, ready - began, sent - ready, output, &timings[r], err));
cleanup:
    release(&s);
    return status;
}
