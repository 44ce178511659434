#include "common/gpu_solver.h"

#include "common/clock.h"     // clock_seconds
#include "common/gpu_error.h" // gpu_check

#include <stdio.h>

enum { CELLS_PER_LINE = 128 / sizeof(int32_t) };

/* One solve's hold on the device. */
struct session {
    struct gpu_matrices matrices;
    size_t matrix_bytes, workspace_bytes;
    bool derives;   /* predecessors are derived: the in-edges are on the device */
    int64_t *first; /* the memory behind matrices.in */
    int32_t *tail, *weight;
    cudaEvent_t begin, end; /* of the clock */
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

/* The device's memory for one solve: what goes where, and how much in all. */
static void plan(struct session *s, const struct solver_variant *variant,
                 const struct solver_task *task) {
    struct gpu_matrices *m = &s->matrices;
    const size_t unit =
        variant->padding > CELLS_PER_LINE ? (size_t)variant->padding : (size_t)CELLS_PER_LINE;
    m->n = task->graph->n;
    m->ld = ((size_t)m->n + unit - 1) / unit * unit;
    m->order = variant->padding > 0 ? (int32_t)m->ld : m->n;
    m->tile = task->options->tile != 0 ? task->options->tile : variant->default_tile;
    s->matrix_bytes = (size_t)m->order * m->ld * sizeof(int32_t);
    s->derives = task->pred != NULL && variant->derives_pred;
    if (s->derives)
        m->in.m = task->graph->m;
    if (variant->workspace != NULL)
        s->workspace_bytes = variant->workspace(m, task->pred != NULL);
}

static enum status device_alloc(void **memory, size_t bytes, const char *doing, struct error *err) {
    return gpu_check(cudaMalloc(memory, bytes > 0 ? bytes : 1), doing, err);
}

static enum status allocate(struct session *s, const struct solver_task *task, struct error *err) {
    const double gib = 1024.0 * 1024.0 * 1024.0;
    struct gpu_matrices *m = &s->matrices;
    const size_t first_bytes = ((size_t)m->n + 1) * sizeof(int64_t);
    const size_t edge_bytes = (size_t)m->in.m * sizeof(int32_t);
    size_t free_bytes = 0, all_bytes = 0;
    enum status status =
        gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for its free memory", err);
    if (status != STATUS_OK)
        return status;
    size_t needed = s->matrix_bytes * (task->pred != NULL ? 2 : 1) + s->workspace_bytes +
                    (s->derives ? first_bytes + 2 * edge_bytes : 0);
    if (needed > free_bytes)
        return fail(err, STATUS_NO_RESOURCE,
                    "%d vertices need %.2f GiB on the GPU, %.2f GiB of its %.2f GiB are free", m->n,
                    (double)needed / gib, (double)free_bytes / gib, (double)all_bytes / gib);
    status = device_alloc((void **)&m->dist, s->matrix_bytes, "allocating distances", err);
    if (status == STATUS_OK && task->pred != NULL)
        status = device_alloc((void **)&m->pred, s->matrix_bytes, "allocating predecessors", err);
    if (status == STATUS_OK && s->workspace_bytes > 0)
        status = device_alloc(&m->workspace, s->workspace_bytes, "allocating workspace", err);
    if (status == STATUS_OK && s->derives)
        status = device_alloc((void **)&s->first, first_bytes, "allocating edges", err);
    if (status == STATUS_OK && s->derives)
        status = device_alloc((void **)&s->tail, edge_bytes, "allocating edges", err);
    if (status == STATUS_OK && s->derives)
        status = device_alloc((void **)&s->weight, edge_bytes, "allocating edges", err);
    m->in.first = s->first;
    m->in.tail = s->tail;
    m->in.weight = s->weight;
    return status;
}

static enum status create_streams(struct session *s, struct error *err) {
    int lowest = 0, highest = 0;
    enum status status = gpu_check(cudaDeviceGetStreamPriorityRange(&lowest, &highest),
                                   "asking for stream priorities", err);
    for (int k = 0; k < 2 && status == STATUS_OK; k++) {
        status = gpu_check(cudaStreamCreateWithPriority(&s->matrices.streams[k], cudaStreamDefault,
                                                        k == 0 ? lowest : highest),
                           "creating a stream", err);
        if (status == STATUS_OK)
            status =
                gpu_check(cudaEventCreateWithFlags(&s->matrices.events[k], cudaEventDisableTiming),
                          "creating an event", err);
    }
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
    cudaFree(s->matrices.workspace);
    cudaFree(s->first);
    cudaFree(s->tail);
    cudaFree(s->weight);
    for (int k = 0; k < 2; k++) {
        if (s->matrices.streams[k] != NULL)
            cudaStreamDestroy(s->matrices.streams[k]);
        if (s->matrices.events[k] != NULL)
            cudaEventDestroy(s->matrices.events[k]);
    }
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

/* The edges by their heads, once for all repetitions. */
static enum status upload_edges(struct session *s, const struct graph *g, struct error *err) {
    struct graph in = {0};
    enum status status = graph_reverse(g, &in, err);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemcpy(s->first, in.first, ((size_t)in.n + 1) * sizeof *in.first,
                                      cudaMemcpyHostToDevice),
                           "copying edges", err);
    if (status == STATUS_OK)
        status = gpu_check(
            cudaMemcpy(s->tail, in.head, (size_t)in.m * sizeof *in.head, cudaMemcpyHostToDevice),
            "copying edges", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaMemcpy(s->weight, in.weight, (size_t)in.m * sizeof *in.weight,
                                      cudaMemcpyHostToDevice),
                           "copying edges", err);
    graph_free(&in);
    return status;
}

static enum status upload(struct session *s, const struct solver_task *task, struct error *err) {
    const struct gpu_matrices *m = &s->matrices;
    enum status status = STATUS_OK;
    if (m->order > m->n)
        status = gpu_check(cudaMemset(m->dist, GPU_FAR_BYTE, s->matrix_bytes), "padding", err);
    if (status == STATUS_OK)
        status = copy(m->dist, task->dist, m->ld, cudaMemcpyHostToDevice, err);
    if (status == STATUS_OK && task->pred != NULL && !s->derives)
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

/* CUDA loads a kernel at its first launch; solving a graph of one vertex keeps
 * that out of the timings. Leaves the matrices to be uploaded. */
static enum status load_kernels(const struct solver_variant *variant, const struct session *s,
                                struct error *err) {
    struct gpu_matrices one_vertex = s->matrices;
    one_vertex.n = 1;
    one_vertex.order = variant->padding > 0 ? variant->padding : 1;
    enum status status =
        gpu_check(cudaMemset(one_vertex.dist, GPU_FAR_BYTE, s->matrix_bytes), "padding", err);
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

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    struct session s = {0};
    double started = clock_seconds();
    plan(&s, variant, task);
    enum status status = select_device(task->options->device, err);
    if (status == STATUS_OK)
        status = allocate(&s, task, err);
    if (status == STATUS_OK)
        status = create_streams(&s, err);
    if (status == STATUS_OK && s.derives)
        status = upload_edges(&s, task->graph, err);
    if (status == STATUS_OK)
        status = load_kernels(variant, &s, err);
    if (status == STATUS_OK)
        graph_to_matrices(task->graph, task->dist, s.derives ? NULL : task->pred);
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions && status == STATUS_OK;
         r++) {
        double seconds = 0;
        status = upload(&s, task, err);
        if (times->around_s == 0)
            times->around_s = clock_seconds() - started;
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
