// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_solver.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/forks.h"       // forks
#include "common/base/memory.h"      // memory_gib
#include "common/base/threads.h"     // threads_or_default
#include "common/gpu/gpu_download.h" // gpu_download
#include "common/gpu/gpu_error.h"    // gpu_check

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    CELLS_PER_LINE = 128 / sizeof(int32_t),
    ALLOCATION_BYTES = 2 << 20, /* the device allocates memory in such pieces */
    KERNEL_BYTES = 32 << 20,    /* left for the kernels, which CUDA loads at the first launches */
    MAX_COPYING_THREADS = 16,
};
/* The cells of a matrix at most: so many that a few times their bytes can be counted. */
static const size_t MAX_CELLS = SIZE_MAX >> 8;

/* What a solve allocates on the device. */
enum part { DISTANCES, PREDECESSORS, WORKSPACE, FIRST, TAIL, WEIGHT, PARTS };

/* One solve's resources on the device. */
struct session {
    struct gpu_matrices matrices;
    size_t bytes[PARTS];    /* 0: not needed */
    void *memory[PARTS];    /* the memory behind `matrices` */
    cudaEvent_t begin, end; /* the clock */
};

static enum status no_usable_gpu(const char *reason, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "no usable GPU: %s", reason);
}

/* The reason why there is no device. CUDA reports a missing driver as one that is too old. */
static const char *no_device_because(cudaError_t code) {
    int driver;
    const bool old = code == cudaErrorInsufficientDriver;
    if (old && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(code);
}

/* The process that has used CUDA, as forks() counts processes; -1 if none has. */
static atomic_int user = -1;

/* STATUS_OK if there is a device of that number. CUDA does not survive a fork: in a child of a
 * process that has used it, calls fail or wait for ever, and so does the lock below. */
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
    RETURN_ON_FAILURE(find_device(device, err));
    return gpu_check(cudaSetDevice(device), "selecting the device", err);
}

static enum status find_properties(int device, struct cudaDeviceProp *properties,
                                   struct error *err) {
    RETURN_ON_FAILURE(find_device(device, err));
    return gpu_check(cudaGetDeviceProperties(properties, device), "naming the device", err);
}

enum status gpu_name(int device, char *name, size_t size, struct error *err) {
    struct cudaDeviceProp properties;
    RETURN_ON_FAILURE(find_properties(device, &properties, err));
    snprintf(name, size, "%s", properties.name);
    return STATUS_OK;
}

enum status gpu_query(int device, struct gpu_traits *traits, struct error *err) {
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
    RETURN_ON_FAILURE(find_properties(device, &properties, err));
    for (int a = 0; a < ATTRIBUTES; a++)
        RETURN_ON_FAILURE(gpu_check(cudaDeviceGetAttribute(&value[a], attributes[a], device),
                                    "asking for the device's properties", err));
    *traits = (struct gpu_traits){
        .multiprocessors = value[COUNT],
        .capability = value[MAJOR],
        .shared = value[SHARED],
        .clock = 1e3 * value[CLOCK],
        /* A cycle has two transfers of that many bits. */
        .bandwidth = 2e3 * value[MEMORY_CLOCK] * value[MEMORY_BITS] / 8,
        .memory = properties.totalGlobalMem,
    };
    snprintf(traits->name, sizeof traits->name, "%s", properties.name);
    return STATUS_OK;
}

static size_t round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* Plans the device's memory for a solve of n vertices and the task's edges. Returns the bytes in
 * all; SIZE_MAX if they cannot be counted. */
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
    return variant->launch != NULL ? plan(&trial, variant, &task, n) : KERNEL_BYTES;
}

/* The largest number of vertices whose plan needs at most `bytes`; 0 if there is none. */
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

/* Compares the bytes that the plan needs with those that are free; reports both to the caller. */
static enum status check_memory(const struct solver_variant *variant,
                                const struct solver_task *task, size_t needed, struct error *err) {
    const struct solver_options *options = task->options;
    struct gpu_memory memory = {.needed = needed};
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&memory.free, &memory.all), "asking for its free memory", err));
    memory.max_vertices = max_vertices(variant, task, memory.free);
    if (needed > memory.free) {
        char amount[32] = "too much";
        if (needed < SIZE_MAX)
            snprintf(amount, sizeof amount, "%.2f GiB", memory_gib(needed));
        return fail(err, STATUS_NO_RESOURCE,
                    "%d vertices need %s on the GPU, %.2f GiB of its %.2f GiB are free: at most %d "
                    "vertices fit",
                    task->graph->n, amount, memory_gib(memory.free), memory_gib(memory.all),
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
    for (int part = 0; part < PARTS; part++) {
        if (s->bytes[part] > 0)
            RETURN_ON_FAILURE(
                gpu_check(cudaMalloc(&s->memory[part], s->bytes[part]), doing[part], err));
    }
    m->dist = s->memory[DISTANCES];
    m->pred = s->memory[PREDECESSORS];
    m->workspace = s->memory[WORKSPACE];
    m->in.first = s->memory[FIRST];
    m->in.tail = s->memory[TAIL];
    m->in.weight = s->memory[WEIGHT];
    return STATUS_OK;
}

static enum status create_clock(struct session *s, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaEventCreate(&s->begin), "creating an event", err));
    return gpu_check(cudaEventCreate(&s->end), "creating an event", err);
}

static void release(struct session *s) {
    /* Earlier failures are already reported; failures here do not matter. */
    for (int part = 0; part < PARTS; part++)
        cudaFree(s->memory[part]);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

/* Uploads the edges, sorted by head, once for all repetitions. */
static enum status upload_edges(struct session *s, const struct graph *g, double *transfer_s,
                                struct error *err) {
    struct graph in = {0};
    enum status status = STATUS_OK;
    TRY(graph_reverse(g, &in, err));
    const double started = clock_seconds();
    const void *from[PARTS] = {[FIRST] = in.first, [TAIL] = in.head, [WEIGHT] = in.weight};
    for (int part = FIRST; part <= WEIGHT; part++) {
        if (s->bytes[part] > 0)
            TRY(gpu_check(
                cudaMemcpy(s->memory[part], from[part], s->bytes[part], cudaMemcpyHostToDevice),
                "copying edges", err));
    }
    *transfer_s = clock_seconds() - started;
cleanup:
    graph_free(&in);
    return status;
}

/* Makes the input of one repetition; it is complete when this returns. */
static enum status restore(const struct gpu_matrices *m, struct error *err) {
    RETURN_ON_FAILURE(gpu_fill_adjacency(m, err));
    return gpu_check(cudaDeviceSynchronize(), "filling the matrices", err);
}

/* Solves a graph of one vertex without edges: CUDA loads a kernel at its first launch, and this
 * keeps the loading out of the timings. Must come before the edges are uploaded. */
static enum status load_kernels(const struct solver_variant *variant, const struct session *s,
                                struct error *err) {
    struct gpu_matrices one_vertex = s->matrices;
    one_vertex.n = 1;
    one_vertex.order = variant->padding > 0 ? variant->padding : 1;
    one_vertex.in.m = 0;
    one_vertex.in.max_weight = 0;
    one_vertex.warm_up = true;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemset(s->memory[FIRST], 0, 2 * sizeof(int64_t)), "clearing edges", err));
    RETURN_ON_FAILURE(gpu_fill_adjacency(&one_vertex, err));
    RETURN_ON_FAILURE(variant->launch(&one_vertex, NULL, err));
    return gpu_check(cudaDeviceSynchronize(), "loading the kernels", err);
}

static enum status run(const struct solver_variant *variant, struct session *s,
                       const struct solver_task *task, double *seconds, struct error *err) {
    float milliseconds = 0;
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err));
    RETURN_ON_FAILURE(variant->launch(&s->matrices, task->progress, err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(s->end), "running the kernels", err));
    RETURN_ON_FAILURE(
        gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end), "reading the clock", err));
    *seconds = (double)milliseconds * 1e-3;
    return STATUS_OK;
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

/* More threads do not copy faster. */
static int copying_threads(const struct solver_options *options) {
    const int threads = threads_or_default(options->threads);
    return threads < MAX_COPYING_THREADS ? threads : MAX_COPYING_THREADS;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum status gpu_turn_begin(struct gpu_turn *turn, const struct solver_options *options,
                           struct error *err) {
    const int device = options->device;
    *turn = (struct gpu_turn){.device = device};
    RETURN_ON_FAILURE(find_device(device, err));
    pthread_mutex_lock(&lock);
    turn->began = clock_seconds();
    turn->callers = options->keeps_device ? current_device() : device;
    const enum status status = gpu_select(device, err);
    if (status != STATUS_OK)
        pthread_mutex_unlock(&lock);
    return status;
}

void gpu_turn_end(const struct gpu_turn *turn) {
    if (turn->callers != turn->device)
        make_current(turn->callers);
    pthread_mutex_unlock(&lock);
}

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    struct session s = {0};
    const char *chosen = NULL;
    struct gpu_turn turn;
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, task->options, err));
    double solved = turn.began;
    const size_t needed = plan(&s, variant, task, task->graph->n);
    s.matrices.chosen = &chosen;
    enum status status = STATUS_OK;
    TRY(check_memory(variant, task, needed, err));
    TRY(allocate(&s, err));
    TRY(create_clock(&s, err));
    TRY(load_kernels(variant, &s, err));
    TRY(upload_edges(&s, task->graph, &times->transfer_s, err));
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        double seconds = 0;
        TRY(restore(&s.matrices, err));
        if (times->around_s == 0)
            times->around_s = clock_seconds() - turn.began;
        TRY(run(variant, &s, task, &seconds, err));
        if (r >= 0)
            times->solve_s[r] = seconds;
    }
    solved = clock_seconds();
    if (chosen != NULL && task->options->on_choice != NULL)
        task->options->on_choice(task->options->callback_context, chosen, NULL);
    TRY(gpu_download(&s.matrices, task->dist, task->pred, GPU_CHUNK_BYTES,
                     copying_threads(task->options), err));
    times->transfer_s += clock_seconds() - solved;
cleanup:
    release(&s);
    gpu_turn_end(&turn);
    times->around_s += clock_seconds() - solved;
    return status;
}

void gpu_warm_up(const struct solver_variant *variant, int device) {
    int32_t cell[2];
    int64_t first[2] = {0, 0};
    double solve_s;
    struct matrix dist = {1, 1, 1, &cell[0]}, pred = {1, 1, 1, &cell[1]};
    const struct graph graph = {.n = 1, .first = first};
    const struct solver_options options = {.device = device, .threads = 1};
    struct error err;
    if (variant->launch ==
        NULL) { /* it has a solve() of its own: the context takes most of the time */
        struct gpu_turn turn;
        if (gpu_turn_begin(&turn, &options, &err) != STATUS_OK)
            return;
        cudaFree(NULL);
        gpu_turn_end(&turn);
        return;
    }
    const struct solver_task task = {.graph = &graph,
                                     .dist = &dist,
                                     .pred = variant->distances_only ? NULL : &pred,
                                     .repetitions = 1,
                                     .options = &options};
    struct solver_times times = {.solve_s = &solve_s};
    (void)gpu_solve(variant, &task, &times, &err);
}
