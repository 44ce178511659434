// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_solver.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/forks.h"       // forks
#include "common/base/threads.h"     // threads_or_default
#include "common/gpu/gpu_download.h" // gpu_download
#include "common/gpu/gpu_error.h"    // gpu_check

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    CELLS_PER_LINE = 128 / sizeof(int32_t),
    ALLOCATION_BYTES = 2 << 20, /* the device's memory is handed out in such pieces */
    KERNEL_BYTES = 32 << 20,    /* left for what CUDA loads with the first launches */
    MAX_COPYING_THREADS = 16,
};
/* Of a matrix: so many that a few times their bytes can be counted. */
static const size_t MAX_CELLS = SIZE_MAX >> 8;

/* What a solve allocates on the device. */
enum part { DISTANCES, PREDECESSORS, WORKSPACE, FIRST, TAIL, WEIGHT, PARTS };

/* One solve's hold on the device. */
struct session {
    struct gpu_matrices matrices;
    size_t bytes[PARTS];    /* 0: not needed */
    void *memory[PARTS];    /* the memory behind `matrices` */
    cudaEvent_t begin, end; /* of the clock */
};

static enum status no_usable_gpu(const char *reason, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "no usable GPU: %s", reason);
}

/* Why there is no device. Without any driver, CUDA calls it too old. */
static const char *no_device_because(cudaError_t code) {
    int driver;
    const bool old = code == cudaErrorInsufficientDriver;
    if (old && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(code);
}

/* By which process CUDA has been used, as forks() counts them; -1: by none. */
static atomic_int user = -1;

/* Whether there is a device of that number. CUDA does not survive a fork: in a child of a process
 * that has used it, calls fail or wait for ever, and so would the lock below. */
static enum status find_device(int device, struct error *err) {
    int count = 0, earlier = -1;
    if (!atomic_compare_exchange_strong(&user, &earlier, forks()) && earlier != forks())
        return no_usable_gpu("CUDA does not work in a process that was forked after it was used: "
                             "start processes anew (in Python by the start method \"spawn\")",
                             err);
    cudaError_t code = cudaGetDeviceCount(&count);
    if (earlier < 0 && (code != cudaSuccess || count == 0))
        atomic_store(&user, -1); /* there was nothing to use */
    if (code != cudaSuccess)
        return no_usable_gpu(no_device_because(code), err);
    if (count == 0)
        return no_usable_gpu("CUDA finds no device", err);
    if (device >= count)
        return fail(err, STATUS_NO_RESOURCE,
                    "no usable GPU: expected a device in 0 .. %d, found %d", count - 1, device);
    return STATUS_OK;
}

enum status gpu_select(int device, struct error *err) {
    enum status status = find_device(device, err);
    return status == STATUS_OK ? gpu_check(cudaSetDevice(device), "selecting the device", err)
                               : status;
}

static enum status find_properties(int device, struct cudaDeviceProp *properties,
                                   struct error *err) {
    enum status status = find_device(device, err);
    return status == STATUS_OK
               ? gpu_check(cudaGetDeviceProperties(properties, device), "naming the device", err)
               : status;
}

enum status gpu_name(int device, char *name, size_t size, struct error *err) {
    struct cudaDeviceProp properties;
    enum status status = find_properties(device, &properties, err);
    if (status == STATUS_OK)
        snprintf(name, size, "%s", properties.name);
    return status;
}

enum status gpu_look(int device, struct gpu_traits *traits, struct error *err) {
    enum { COUNT, MAJOR, SHARED, CLOCK, MEMORY_CLOCK, MEMORY_BITS, ATTRIBUTES };
    static const enum cudaDeviceAttr attributes[ATTRIBUTES] = {
        [COUNT] = cudaDevAttrMultiProcessorCount,
        [MAJOR] = cudaDevAttrComputeCapabilityMajor,
        [SHARED] = cudaDevAttrMaxSharedMemoryPerBlockOptin,
        [CLOCK] = cudaDevAttrClockRate,
        [MEMORY_CLOCK] = cudaDevAttrMemoryClockRate,
        [MEMORY_BITS] = cudaDevAttrGlobalMemoryBusWidth,
    };
    struct cudaDeviceProp properties;
    int value[ATTRIBUTES] = {0};
    enum status status = find_properties(device, &properties, err);
    for (int a = 0; a < ATTRIBUTES && status == STATUS_OK; a++)
        status = gpu_check(cudaDeviceGetAttribute(&value[a], attributes[a], device),
                           "asking what the device is", err);
    if (status != STATUS_OK)
        return status;
    *traits = (struct gpu_traits){
        .multiprocessors = value[COUNT],
        .capability = value[MAJOR],
        .shared = value[SHARED],
        .clock = 1e3 * value[CLOCK],
        /* Two transfers of so many bits in a cycle. */
        .bandwidth = 2e3 * value[MEMORY_CLOCK] * value[MEMORY_BITS] / 8,
        .memory = properties.totalGlobalMem,
    };
    snprintf(traits->name, sizeof traits->name, "%s", properties.name);
    return STATUS_OK;
}

static size_t round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* The device's memory for a solve of n vertices and the task's edges: what goes
 * where, and how many bytes in all; SIZE_MAX where that is beyond counting. */
static size_t plan(struct session *s, const struct solver_variant *variant,
                   const struct solver_task *task, int32_t n) {
    struct gpu_matrices *m = &s->matrices;
    const bool with_pred = task->pred != NULL;
    const size_t unit =
        variant->padding > CELLS_PER_LINE ? (size_t)variant->padding : (size_t)CELLS_PER_LINE;
    m->n = n;
    m->ld = round_up((size_t)n, unit);
    if (m->ld > INT32_MAX || m->ld * m->ld > MAX_CELLS)
        return SIZE_MAX;
    m->order = variant->padding > 0 ? (int32_t)m->ld : n;
    m->tile = task->options->tile != 0 ? task->options->tile : variant->default_tile;
    m->in.m = task->graph->m;
    m->in.max_weight = task->graph->max_weight;
    m->derives_pred = variant->derives_pred;
    s->bytes[DISTANCES] = (size_t)m->order * m->ld * sizeof(int32_t);
    s->bytes[PREDECESSORS] = with_pred ? s->bytes[DISTANCES] : 0;
    s->bytes[WORKSPACE] = variant->workspace != NULL ? variant->workspace(m, with_pred) : 0;
    s->bytes[FIRST] = ((size_t)n + 1) * sizeof(int64_t);
    s->bytes[TAIL] = s->bytes[WEIGHT] = (size_t)m->in.m * sizeof(int32_t);
    size_t needed = KERNEL_BYTES;
    for (int part = 0; part < PARTS; part++)
        needed += round_up(s->bytes[part], ALLOCATION_BYTES);
    return needed;
}

size_t gpu_memory_needed(const struct solver_variant *variant, int32_t n, int64_t m,
                         bool with_pred) {
    const struct graph graph = {.n = n, .m = m};
    const struct solver_options options = {0};
    struct matrix pred = {0};
    const struct solver_task task = {
        .graph = &graph, .pred = with_pred ? &pred : NULL, .options = &options};
    struct session trial = {0};
    return plan(&trial, variant, &task, n);
}

/* The largest number of vertices whose plan needs at most `bytes`; 0: none. */
static int32_t max_vertices(const struct solver_variant *variant, const struct solver_task *task,
                            size_t bytes) {
    int32_t fits = 0, does_not = INT32_MAX;
    while (does_not - fits > 1) {
        struct session trial = {0};
        const int32_t n = fits + (does_not - fits) / 2;
        if (plan(&trial, variant, task, n) <= bytes)
            fits = n;
        else
            does_not = n;
    }
    return fits;
}

/* Compares what the plan needs with what is free, and tells the caller. */
static enum status check_memory(const struct solver_variant *variant,
                                const struct solver_task *task, size_t needed, struct error *err) {
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const struct solver_options *options = task->options;
    struct gpu_memory memory = {.needed = needed};
    enum status status =
        gpu_check(cudaMemGetInfo(&memory.free, &memory.all), "asking for its free memory", err);
    if (status != STATUS_OK)
        return status;
    memory.max_vertices = max_vertices(variant, task, memory.free);
    if (needed > memory.free) {
        char amount[32] = "too much", contracted[64] = "";
        if (task->contracted_from != 0)
            snprintf(contracted, sizeof contracted, " (%d when zero-weight cycles are contracted)",
                     task->graph->n);
        if (needed < SIZE_MAX)
            snprintf(amount, sizeof amount, "%.2f GiB", (double)needed / gib);
        const int32_t n = contracted[0] != '\0' ? task->contracted_from : task->graph->n;
        return fail(
            err, STATUS_NO_RESOURCE,
            "%d vertices%s need %s on the GPU, %.2f GiB of its %.2f GiB are free: at most %d "
            "vertices fit",
            n, contracted, amount, (double)memory.free / gib, (double)memory.all / gib,
            memory.max_vertices);
    }
    if (options->on_memory != NULL)
        options->on_memory(options->callback_context, &memory);
    return STATUS_OK;
}

static enum status allocate(struct session *s, struct error *err) {
    static const char *const doing[PARTS] = {
        [DISTANCES] = "allocating distances", [PREDECESSORS] = "allocating predecessors",
        [WORKSPACE] = "allocating workspace", [FIRST] = "allocating edges",
        [TAIL] = "allocating edges",          [WEIGHT] = "allocating edges",
    };
    struct gpu_matrices *m = &s->matrices;
    enum status status = STATUS_OK;
    for (int part = 0; part < PARTS && status == STATUS_OK; part++) {
        if (s->bytes[part] > 0)
            status = gpu_check(cudaMalloc(&s->memory[part], s->bytes[part]), doing[part], err);
    }
    m->dist = s->memory[DISTANCES];
    m->pred = s->memory[PREDECESSORS];
    m->workspace = s->memory[WORKSPACE];
    m->in.first = s->memory[FIRST];
    m->in.tail = s->memory[TAIL];
    m->in.weight = s->memory[WEIGHT];
    return status;
}

static enum status create_clock(struct session *s, struct error *err) {
    enum status status = gpu_check(cudaEventCreate(&s->begin), "creating an event", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaEventCreate(&s->end), "creating an event", err);
    return status;
}

static void release(struct session *s) {
    /* What failed before is already reported; what fails here costs nothing. */
    for (int part = 0; part < PARTS; part++)
        cudaFree(s->memory[part]);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

/* The edges by their heads, once for all repetitions. */
static enum status upload_edges(struct session *s, const struct graph *g, double *transfer_s,
                                struct error *err) {
    struct graph in = {0};
    enum status status = graph_reverse(g, &in, err);
    const double started = clock_seconds();
    const void *from[PARTS] = {[FIRST] = in.first, [TAIL] = in.head, [WEIGHT] = in.weight};
    for (int part = FIRST; part <= WEIGHT && status == STATUS_OK; part++) {
        if (s->bytes[part] > 0)
            status = gpu_check(
                cudaMemcpy(s->memory[part], from[part], s->bytes[part], cudaMemcpyHostToDevice),
                "copying edges", err);
    }
    *transfer_s = clock_seconds() - started;
    graph_free(&in);
    return status;
}

/* The input of one repetition, there when this returns. */
static enum status restore(const struct gpu_matrices *m, struct error *err) {
    enum status status = gpu_fill_adjacency(m, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaDeviceSynchronize(), "filling the matrices", err);
    return status;
}

/* CUDA loads a kernel at its first launch; solving a graph of one vertex keeps
 * that out of the timings. Comes before the edges are uploaded: that vertex has
 * none. */
static enum status load_kernels(const struct solver_variant *variant, const struct session *s,
                                struct error *err) {
    struct gpu_matrices one_vertex = s->matrices;
    one_vertex.n = 1;
    one_vertex.order = variant->padding > 0 ? variant->padding : 1;
    one_vertex.in.m = 0;
    one_vertex.in.max_weight = 0;
    one_vertex.rehearsal = true;
    enum status status =
        gpu_check(cudaMemset(s->memory[FIRST], 0, 2 * sizeof(int64_t)), "clearing edges", err);
    if (status == STATUS_OK)
        status = gpu_fill_adjacency(&one_vertex, err);
    if (status == STATUS_OK)
        status = variant->launch(&one_vertex, NULL, err);
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

static int current_device(void) {
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        (void)cudaGetLastError(); /* having none is no failure */
    return device;
}

static void make_current(int device) {
    if (cudaSetDevice(device) != cudaSuccess)
        (void)cudaGetLastError();
}

/* More would not copy faster. */
static int copying_threads(const struct solver_options *options) {
    const int threads = threads_or_default(options->threads);
    return threads < MAX_COPYING_THREADS ? threads : MAX_COPYING_THREADS;
}

/* Solves of a process take turns: how much shared memory a kernel may have is set for all of them,
 * and kernels in the default stream would wait for one another anyway. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    struct session s = {0};
    const char *chosen = NULL;
    enum status status = find_device(task->options->device, err);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&turn);
    double started = clock_seconds();
    const size_t needed = plan(&s, variant, task, task->graph->n);
    s.matrices.chosen = &chosen;
    const int device = task->options->device;
    const int callers = task->options->keeps_device ? current_device() : device;
    status = gpu_select(device, err);
    const bool selected = status == STATUS_OK;
    if (status == STATUS_OK)
        status = check_memory(variant, task, needed, err);
    if (status == STATUS_OK)
        status = allocate(&s, err);
    if (status == STATUS_OK)
        status = create_clock(&s, err);
    if (status == STATUS_OK)
        status = load_kernels(variant, &s, err);
    if (status == STATUS_OK)
        status = upload_edges(&s, task->graph, &times->transfer_s, err);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions && status == STATUS_OK;
         r++) {
        double seconds = 0;
        status = restore(&s.matrices, err);
        if (times->around_s == 0)
            times->around_s = clock_seconds() - started;
        if (status == STATUS_OK)
            status = run(variant, &s, task, &seconds, err);
        if (r >= 0)
            times->solve_s[r] = seconds;
    }
    double solved = clock_seconds();
    if (status == STATUS_OK && chosen != NULL && task->options->on_choice != NULL)
        task->options->on_choice(task->options->callback_context, chosen, NULL);
    if (status == STATUS_OK)
        status = gpu_download(&s.matrices, task->dist, task->pred, GPU_CHUNK_BYTES,
                              copying_threads(task->options), err);
    times->transfer_s += clock_seconds() - solved;
    release(&s);
    if (callers != device && selected)
        make_current(callers);
    pthread_mutex_unlock(&turn);
    times->around_s += clock_seconds() - solved;
    return status;
}

void gpu_warm_up(const struct solver_variant *variant, int device) {
    int32_t cell[2];
    int64_t first[2] = {0, 0};
    double solve_s;
    struct matrix dist = {1, 1, &cell[0]}, pred = {1, 1, &cell[1]};
    const struct graph graph = {.n = 1, .first = first};
    const struct solver_options options = {.device = device, .threads = 1};
    const struct solver_task task = {.graph = &graph,
                                     .dist = &dist,
                                     .pred = variant->distances_only ? NULL : &pred,
                                     .repetitions = 1,
                                     .options = &options};
    struct solver_times times = {.solve_s = &solve_s};
    struct error err;
    (void)gpu_solve(variant, &task, &times, &err);
}
