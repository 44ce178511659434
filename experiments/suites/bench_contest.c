// SPDX-License-Identifier: MIT
/* Times the GPU variants of prefix_sum and softmax beside what a copy and CUB's scan take in the
 * same run. Prints CSV: problem, method, numbers, median seconds, GB/s of input and output, and
 * what part that is of the copy's bandwidth: for softmax of the floor, two reads and one write.
 *
 * Usage: bench_contest [NUMBERS_OF_PREFIX_SUM [NUMBERS_OF_SOFTMAX]] */
#include "common/base/median.h" // median
#include "common/base/memory.h" // memory_alloc
#include "contest/parts/problem.h"
#include "contest/prefix_sum/problem.h"
#include "contest/softmax/problem.h"
#include "experiments/suites/contest_yardsticks.h"
#include "gpu/gpu_solver.h"       // gpu_select, gpu_name
#include "gpu/launch/gpu_error.h" // gpu_check

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 21 };

typedef enum status launch_function(const struct device_task *task, struct error *err);

/* The data that all methods of a problem share. */
struct contest_bench {
    const struct contest_problem *problem;
    struct values input, output;
    struct device_task task; /* the task; each method adds its workspaces */
    double transfers;        /* least number of bytes that must be read and written */
    double copy_rate;        /* bytes per second that a copy on the device reads and writes */
    cudaEvent_t begin, end;
};

/* Stores the median seconds of a launch. */
static enum status time_launch(const struct contest_bench *b, launch_function *launch,
                               const struct device_task *task, double *seconds, struct error *err) {
    double times[REPETITIONS];
    float milliseconds;
    RETURN_ON_FAILURE(launch(task, err));
    for (int r = 0; r < REPETITIONS; r++) {
        RETURN_ON_FAILURE(gpu_check(cudaEventRecord(b->begin, 0), "starting the clock", err));
        RETURN_ON_FAILURE(launch(task, err));
        RETURN_ON_FAILURE(gpu_check(cudaEventRecord(b->end, 0), "stopping the clock", err));
        RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(b->end), "running the kernels", err));
        RETURN_ON_FAILURE(gpu_check(cudaEventElapsedTime(&milliseconds, b->begin, b->end),
                                    "reading the clock", err));
        times[r] = 1e-3 * (double)milliseconds;
    }
    *seconds = median(times, REPETITIONS);
    return STATUS_OK;
}

static void print_row(const struct contest_bench *b, const char *method, double seconds,
                      double bytes) {
    printf("%s,%s,%lld,%.9f,%.1f,%.3f\n", b->problem->program, method, (long long)b->input.count,
           seconds, 1e-9 * bytes / seconds, bytes / seconds / b->copy_rate);
    fflush(stdout);
}

/* Times a method and proves its answer. */
static enum status measure(struct contest_bench *b, const char *method, launch_function *launch,
                           size_t workspace, size_t host_room, double error_bound,
                           struct error *err) {
    struct device_task task = b->task;
    const size_t bytes = (size_t)b->output.count * value_types[b->output.type].size;
    double seconds;
    enum status status;
    TRY(gpu_check(cudaMalloc(&task.workspace, workspace + 1), "allocating workspace", err));
    TRY(memory_alloc(&task.host_room, host_room, 1, "the blocks' results", err));
    TRY(gpu_check(cudaMemset(task.output, 0xa5, bytes), "clearing the output", err));
    TRY(time_launch(b, launch, &task, &seconds, err));
    TRY(gpu_check(cudaMemcpy(b->output.entries, task.output, bytes, cudaMemcpyDeviceToHost),
                  "fetching the output", err));
    TRY(b->problem->check(&b->input, &b->output, error_bound, 0, err));
    print_row(b, method, seconds, b->transfers);
cleanup:
    cudaFree(task.workspace);
    memory_free(task.host_room);
    return status;
}

static enum status measure_all(struct contest_bench *b, struct error *err) {
    const struct contest_problem *const problem = b->problem;
    const size_t input_bytes = (size_t)b->input.count * value_types[b->input.type].size;
    const struct device_task copy = {
        .input = b->task.input, .output = b->task.output, .count = (int64_t)(input_bytes / 16)};
    double seconds;
    RETURN_ON_FAILURE(time_launch(b, yardstick_copy, &copy, &seconds, err));
    b->copy_rate = 32 * (double)copy.count / seconds;
    print_row(b, "copy", seconds, 32 * (double)copy.count);
    if (problem == &prefix_sum_problem) {
        RETURN_ON_FAILURE(time_launch(b, yardstick_widen, &b->task, &seconds, err));
        print_row(b, "widen", seconds, b->transfers);
    }
    for (int v = 0; v < problem->variant_count; v++) {
        const struct contest_variant *const variant = &problem->variants[v];
        if (variant->launch != NULL)
            RETURN_ON_FAILURE(
                measure(b, variant->name, variant->launch, variant->workspace(b->input.count),
                        variant->host_room != NULL ? variant->host_room(b->input.count) : 0,
                        variant->error_bound, err));
    }
    if (problem == &prefix_sum_problem)
        RETURN_ON_FAILURE(
            measure(b, "cub", yardstick_cub, yardstick_cub_workspace(b->input.count), 0, 0, err));
    return STATUS_OK;
}

static enum status bench(const struct contest_problem *problem, int64_t count, struct error *err) {
    struct contest_bench b = {.problem = problem};
    const struct random_values how = {count, 1, problem->lowest, problem->highest};
    const size_t input_size = value_types[problem->input].size;
    const size_t output_size = value_types[problem->output].size;
    void *input = NULL;
    enum status status;
    TRY(values_draw(&b.input, problem->input, &how, err));
    TRY(values_alloc(&b.output, problem->output, count, "the answer", err));
    TRY(gpu_check(cudaMalloc(&input, (size_t)count * input_size), "allocating input", err));
    TRY(gpu_check(cudaMalloc(&b.task.output, (size_t)count * output_size), "allocating output",
                  err));
    TRY(gpu_check(
        cudaMemcpy(input, b.input.entries, (size_t)count * input_size, cudaMemcpyHostToDevice),
        "sending the input", err));
    TRY(gpu_check(cudaEventCreate(&b.begin), "creating an event", err));
    TRY(gpu_check(cudaEventCreate(&b.end), "creating an event", err));
    b.task.input = input;
    b.task.count = count;
    const bool reads_twice = problem == &softmax_problem;
    b.transfers = (double)count * (double)((reads_twice ? 2 : 1) * input_size + output_size);
    TRY(measure_all(&b, err));
cleanup:
    if (b.begin != NULL)
        cudaEventDestroy(b.begin);
    if (b.end != NULL)
        cudaEventDestroy(b.end);
    cudaFree(input);
    cudaFree(b.task.output);
    values_free(&b.input);
    values_free(&b.output);
    return status;
}

/* Reads an argument as a count; 0 if it is no count. */
static int64_t count_of(const char *text, int64_t most) {
    char *end;
    const long long count = strtoll(text, &end, 10);
    return *end == '\0' && count >= 1 && count <= most ? count : 0;
}

int main(int argc, char **argv) {
    const int64_t sums = argc > 1 ? count_of(argv[1], PREFIX_SUM_MAX) : PREFIX_SUM_MAX;
    const int64_t powers = argc > 2 ? count_of(argv[2], SOFTMAX_MAX) : SOFTMAX_MAX;
    struct error err;
    char name[256];
    enum status status = STATUS_BAD_INPUT;
    if (argc > 3 || sums == 0 || powers == 0)
        fail(&err, status, "expected up to two numbers, of at most %d and %d", PREFIX_SUM_MAX,
             SOFTMAX_MAX);
    else
        status = gpu_name(0, name, sizeof name, &err);
    if (status == STATUS_OK) {
        fprintf(stderr, "%s\n", name);
        puts("problem,method,numbers,seconds,gb_per_s,of_copy");
        status = bench(&prefix_sum_problem, sums, &err);
    }
    if (status == STATUS_OK)
        status = bench(&softmax_problem, powers, &err);
    if (status != STATUS_OK)
        fprintf(stderr, "bench_contest: %s\n", err.text);
    return (int)status;
}
