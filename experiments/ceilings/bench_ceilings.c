// SPDX-License-Identifier: MIT
/* bench_ceilings: what this GPU does at best, to measure the solvers by.
 *
 *     relaxations     the instructions of the solvers' inner loops, in registers only
 *     multiply-adds   tensor cores, bf16
 *     bytes           device memory, and both directions between host and device
 *
 * Each ceiling: a loop made twice as long until one launch takes LEAST_SECONDS, which is the
 * warm-up, too; then the repetitions, timed by CUDA's events. Medians for people, every
 * repetition as CSV. */
#include "cli/cli.h" // errors, versions, numbers
#include "experiments/ceilings/ceilings.h"
#include "experiments/ceilings/measured_rates.h" // rates_prepare, rates_write
#include "gpu/gpu_solver.h"                      // gpu_select, gpu_name
#include "gpu/launch/gpu_error.h"                // gpu_check
#include "solve/solver.h"                        // SOLVER_MAX_DEVICE

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SECONDS 0.03

enum {
    MAX_REPETITIONS = 1000,
    CACHES = 8, /* size of a buffer, in sizes of the L2 cache */
    BF16_CAPABILITY = 80,
};

static const size_t least_buffer = (size_t)256 << 20, pinned_buffer = (size_t)256 << 20;

/* Copying ------------------------------------------------------------------------------ */

static enum status copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind direction,
                        int steps, struct error *err) {
    enum status status = STATUS_OK;
    for (int s = 0; s < steps && status == STATUS_OK; s++)
        status = gpu_check(cudaMemcpyAsync(to, from, bytes, direction, 0), "copying", err);
    return status;
}

/* Copies within device memory; *amount is the number of bytes read and written. */
static enum status memory_copy(const struct ceiling_memory *memory, int steps, double *amount,
                               struct error *err) {
    *amount = 2 * (double)memory->device_bytes * steps;
    return copy(memory->device[1], memory->device[0], memory->device_bytes,
                cudaMemcpyDeviceToDevice, steps, err);
}

static enum status host_to_device(const struct ceiling_memory *memory, int steps, double *amount,
                                  struct error *err) {
    *amount = (double)memory->pinned_bytes * steps;
    return copy(memory->device[0], memory->pinned, memory->pinned_bytes, cudaMemcpyHostToDevice,
                steps, err);
}

static enum status device_to_host(const struct ceiling_memory *memory, int steps, double *amount,
                                  struct error *err) {
    *amount = (double)memory->pinned_bytes * steps;
    return copy(memory->pinned, memory->device[0], memory->pinned_bytes, cudaMemcpyDeviceToHost,
                steps, err);
}

/* The ceilings ------------------------------------------------------------------------- */

/* The unit of a rate: its name in the CSV, and its name and scale in the table. */
struct unit {
    const char *name, *shown;
    double scale;
};

static const struct unit relaxations = {"relaxations/s", "T relaxations/s", 1e12},
                         multiply_adds = {"multiply-adds/s", "T multiply-adds/s", 1e12},
                         bytes = {"bytes/s", "GB/s", 1e9};

struct gpu_ceiling_row {
    const char *name; /* name in the CSV, which thesis_tables/ladder.py knows, too */
    const char *what;
    const struct unit *unit;
    ceiling_launch *launch;
    int capability; /* least compute capability, as 10 * major + minor; 0: any */
};

static const struct gpu_ceiling_row ceilings[] = {
    {"viaddmin_s32", "add and minimum, 32 bits", &relaxations, ceiling_viaddmin_s32, 0},
    {"viaddmin_u16x2", "add and minimum, 2 x 16 bits", &relaxations, ceiling_viaddmin_u16x2, 0},
    {"fp32_add_min", "add, minimum in single precision", &relaxations, ceiling_fp32_add_min, 0},
    {"s32_with_predecessor", "add, compare, two selects", &relaxations,
     ceiling_s32_with_predecessor, 0},
    {"bf16_mma", "tensor cores, mma.sync m16n8k16", &multiply_adds, ceiling_bf16_mma,
     BF16_CAPABILITY},
    {"memory_copy", "device memory, read and written", &bytes, memory_copy, 0},
    {"memory_read", "device memory, read", &bytes, ceiling_memory_read, 0},
    {"host_to_device", "pinned memory to the device", &bytes, host_to_device, 0},
    {"device_to_host", "the device to pinned memory", &bytes, device_to_host, 0},
};

/* Measuring ---------------------------------------------------------------------------- */

struct gpu_ceilings_arguments {
    const char *csv;
    int device, repetitions;
};

struct gpu_ceilings_session {
    struct ceiling_memory memory;
    cudaEvent_t begin, end;
    int capability;
    char device[256];
    struct measured_rates rates;
};

static enum status plan(struct gpu_ceilings_session *s, int device, struct error *err) {
    int major = 0, minor = 0, cache_bytes = 0;
    enum status status =
        gpu_check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                  "asking for the compute capability", err);
    if (status == STATUS_OK)
        status =
            gpu_check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
                      "asking for the compute capability", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device),
                           "asking for the size of the cache", err);
    s->capability = 10 * major + minor;
    s->memory.device_bytes = CACHES * (size_t)cache_bytes;
    if (s->memory.device_bytes < least_buffer)
        s->memory.device_bytes = least_buffer;
    s->memory.pinned_bytes = pinned_buffer;
    return status;
}

static enum status acquire(struct gpu_ceilings_session *s, const struct gpu_ceilings_arguments *a,
                           struct error *err) {
    struct ceiling_memory *m = &s->memory;
    enum status status = gpu_select(a->device, err);
    if (status == STATUS_OK)
        status = gpu_name(a->device, s->device, sizeof s->device, err);
    if (status == STATUS_OK)
        status = plan(s, a->device, err);
    for (int k = 0; k < 2; k++) {
        if (status == STATUS_OK)
            status = gpu_check(cudaMalloc(&m->device[k], m->device_bytes), "allocating", err);
        if (status == STATUS_OK)
            status = gpu_check(cudaMemset(m->device[k], k, m->device_bytes), "clearing", err);
    }
    if (status == STATUS_OK)
        status =
            gpu_check(cudaMalloc((void **)&m->sink, sizeof *m->sink), "allocating a result", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaHostAlloc(&m->pinned, m->pinned_bytes, cudaHostAllocDefault),
                           "allocating pinned memory", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventCreate(&s->begin), "creating an event", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventCreate(&s->end), "creating an event", err);
    if (status == STATUS_OK)
        status =
            rates_prepare(&s->rates, a->repetitions, "name,unit,value,device,repetition\n", err);
    if (status == STATUS_OK)
        memset(m->pinned, 1, m->pinned_bytes); /* all pages are touched before the clock starts */
    return status;
}

static void release(struct gpu_ceilings_session *s) {
    /* Earlier failures are reported already; failures here do not matter. */
    for (int k = 0; k < 2; k++)
        cudaFree(s->memory.device[k]);
    cudaFree(s->memory.sink);
    cudaFreeHost(s->memory.pinned);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
    rates_release(&s->rates);
}

/* Times one launch: stores its seconds, and the amount of work that it did. */
static enum status timed(const struct gpu_ceilings_session *s,
                         const struct gpu_ceiling_row *ceiling, int steps, double *seconds,
                         double *amount, struct error *err) {
    float milliseconds = 0;
    enum status status = gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err);
    if (status == STATUS_OK)
        status = ceiling->launch(&s->memory, steps, amount, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventSynchronize(s->end), ceiling->name, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end),
                           "reading the clock", err);
    *seconds = (double)milliseconds * 1e-3;
    return status;
}

static enum status measure(struct gpu_ceilings_session *s, const struct gpu_ceiling_row *ceiling,
                           struct error *err) {
    int steps = 1;
    double seconds = 0, amount = 0;
    enum status status = timed(s, ceiling, steps, &seconds, &amount, err);
    while (status == STATUS_OK && seconds < LEAST_SECONDS && steps <= INT_MAX / 2) {
        steps *= 2;
        status = timed(s, ceiling, steps, &seconds, &amount, err);
    }
    for (int r = 0; r < s->rates.repetitions && status == STATUS_OK; r++) {
        status = timed(s, ceiling, steps, &seconds, &amount, err);
        if (status != STATUS_OK)
            break;
        s->rates.values[r] = amount / seconds;
        fprintf(s->rates.rows, "%s,%s,%.6g,\"%s\",%d\n", ceiling->name, ceiling->unit->name,
                s->rates.values[r], s->device, r + 1);
    }
    if (status == STATUS_OK)
        printf("%-21s %-33s %9.2f %s\n", ceiling->name, ceiling->what,
               rates_median(&s->rates) / ceiling->unit->scale, ceiling->unit->shown);
    return status;
}

static enum status measure_all(struct gpu_ceilings_session *s, struct error *err) {
    enum status status = STATUS_OK;
    printf("%s, medians of %d\n\n", s->device, s->rates.repetitions);
    for (size_t c = 0; c < sizeof ceilings / sizeof *ceilings && status == STATUS_OK; c++) {
        if (s->capability >= ceilings[c].capability)
            status = measure(s, &ceilings[c], err);
        else
            printf("%-21s %-33s not available: compute capability %d.%d, expected %d.%d or later\n",
                   ceilings[c].name, ceilings[c].what, s->capability / 10, s->capability % 10,
                   ceilings[c].capability / 10, ceilings[c].capability % 10);
        fflush(stdout);
    }
    return status;
}

/* Command line ------------------------------------------------------------------------- */

enum { OPTION_CSV = 0x100, OPTION_DEVICE };

static const struct argp_option option_table[] = {
    {"csv", OPTION_CSV, "FILE", 0, "Write one row per ceiling and repetition to FILE", 0},
    {"repeat", 'r', "N", 0, "Measure N times after a warm-up (default: 5)", 0},
    {"device", OPTION_DEVICE, "N", 0, "Measure GPU number N (default: 0)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct gpu_ceilings_arguments *a = state->input;
    switch (key) {
    case OPTION_CSV:
        a->csv = value;
        break;
    case 'r':
        a->repetitions = (int)cli_integer(state, "--repeat", value, 1, MAX_REPETITIONS);
        break;
    case OPTION_DEVICE:
        a->device = (int)cli_integer(state, "--device", value, 0, SOLVER_MAX_DEVICE);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct gpu_ceilings_arguments a = {.repetitions = 5};
    struct gpu_ceilings_session s = {0};
    struct error err;
    const struct argp parser = {option_table, parse_option, NULL, "What this GPU does at best.",
                                NULL,         NULL,         NULL};
    cli_start("bench_ceilings");
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    enum status status = acquire(&s, &a, &err);
    if (status == STATUS_OK)
        status = measure_all(&s, &err);
    if (status == STATUS_OK)
        status = rates_write(&s.rates, a.csv, &err);
    release(&s);
    return cli_end(status, &err);
}
