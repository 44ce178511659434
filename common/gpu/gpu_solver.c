// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_solver.h"

#include "common/base/clock.h"       // clock_seconds
#include "common/base/forks.h"       // forks
#include "common/base/memory.h"      // memory_gib
#include "common/base/threads.h"     // threads_or_default
#include "common/gpu/gpu_download.h" // gpu_download
#include "common/gpu/gpu_error.h"    // gpu_check
#include "common/gpu_proof/gpu_proof.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    CELLS_PER_LINE = 128 / sizeof(int32_t),
    ALLOCATION_BYTES = 2 << 20, /* the device allocates memory in such pieces */
    KERNEL_BYTES = 32 << 20,    /* left for the kernels, which CUDA loads at the first launches */
    MAX_THREADS = 16,           /* more do not take rows faster */
    MIN_ROWS = 64,              /* of a block, however little memory there is */
    STEP_ROWS = 2112,           /* two strips of 8 sources on each of 132 multiprocessors */
};
/* The cells of a matrix at most: so many that a few times their bytes can be counted. */
static const size_t MAX_CELLS = SIZE_MAX >> 8;

/* What a solve allocates on the device. */
enum part {
    DISTANCES,
    PREDECESSORS,
    WORKSPACE,
    SOURCES,
    COMPONENT,
    COMPONENT_FIRST,
    MEMBER,
    FIRST,
    TAIL,
    WEIGHT,
    STOP,
    PARTS
};

/* What decides how much memory a solve takes on the device. */
struct gpu_size {
    enum number_type type;
    int32_t n, wanted; /* vertices; rows that are wanted */
    bool all_rows;     /* of all vertices in order */
    int64_t m;
    bool with_pred;
    int32_t components, members; /* of zero-weight cycles */
    int tile;                    /* 0: the variant's */
};

/* One solve's resources on the device. */
struct session {
    const struct solver_variant *variant;
    struct gpu_size size;
    struct gpu_matrices matrices; /* the matrix, or the first rows of the memory for blocks */
    struct gpu_state state;
    bool whole;             /* there is memory for the matrix; otherwise for `slots` blocks */
    int32_t capacity;       /* rows of a block */
    int slots;              /* 1 if there is only one block, otherwise 2 */
    size_t bytes[PARTS];    /* 0: not needed */
    void *memory[PARTS];    /* the memory behind `matrices` */
    cudaEvent_t begin, end; /* the clock */
    struct gpu_download download;
    struct gpu_proof proof; /* if somebody wants the rows proved */
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

enum status gpu_count(int *count, struct error *err) {
    RETURN_ON_FAILURE(find_device(0, err));
    return gpu_check(cudaGetDeviceCount(count), "counting the devices", err);
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

/* Bytes of a weight in struct graph. */
static size_t weight_size(enum number_type type) {
    return type == NUMBER_INT32 ? sizeof(int32_t) : sizeof(double);
}

/* Plans the device's memory for `slots` blocks of `capacity` rows or for the matrix. Returns the
 * bytes in all; SIZE_MAX if they cannot be counted. */
static size_t plan(struct session *s, const struct gpu_size *size, bool whole, int32_t capacity,
                   int slots) {
    const struct solver_variant *const variant = s->variant;
    struct gpu_matrices *m = &s->matrices;
    const size_t n = (size_t)size->n;
    const size_t unit =
        variant->padding > CELLS_PER_LINE ? (size_t)variant->padding : (size_t)CELLS_PER_LINE;
    s->size = *size;
    s->whole = whole;
    s->capacity = capacity;
    s->slots = slots;
    s->state = (struct gpu_state){.matrix_fits = whole};
    m->type = size->type;
    m->n = size->n;
    m->wanted = size->wanted;
    m->rows = capacity;
    m->state = variant->solves_rows ? &s->state : NULL;
    m->ld = round_up(n, unit);
    if (m->ld > INT32_MAX || m->ld * m->ld > MAX_CELLS)
        return SIZE_MAX;
    m->order = variant->padding > 0 ? (int32_t)m->ld : size->n;
    m->tile = size->tile != 0 ? size->tile : variant->default_tile;
    m->in.m = size->m;
    m->staging = GPU_STAGING_BYTES;
    m->derives_pred = variant->derives_pred;
    const size_t rows = whole ? (size_t)m->order : (size_t)slots * (size_t)capacity;
    s->bytes[DISTANCES] = rows * m->ld * number_size(size->type);
    s->bytes[PREDECESSORS] = size->with_pred ? rows * m->ld * sizeof(int32_t) : 0;
    s->bytes[WORKSPACE] = variant->workspace != NULL ? variant->workspace(m, size->with_pred) : 0;
    s->bytes[SOURCES] = variant->solves_rows ? (size_t)size->wanted * sizeof(int32_t) : 0;
    s->bytes[COMPONENT] = size->members > 0 ? n * sizeof(int32_t) : 0;
    s->bytes[COMPONENT_FIRST] =
        size->members > 0 ? ((size_t)size->components + 1) * sizeof(int32_t) : 0;
    s->bytes[MEMBER] = (size_t)size->members * sizeof(struct zero_member);
    s->bytes[FIRST] = (n + 1) * sizeof(int64_t);
    s->bytes[TAIL] = (size_t)size->m * sizeof(int32_t);
    s->bytes[WEIGHT] = (size_t)size->m * weight_size(size->type);
    s->bytes[STOP] = sizeof(int32_t);
    size_t needed = KERNEL_BYTES;
    for (int part = 0; part < PARTS; part++)
        needed += round_up(s->bytes[part], ALLOCATION_BYTES);
    return needed;
}

static size_t plan_matrix(struct session *s, const struct gpu_size *size) {
    return plan(s, size, true, size->n, 1);
}

/* Blocks of about `rows` rows: one, or two of which one is solved while the other is copied. */
static size_t plan_blocks(struct session *s, const struct gpu_size *size, int32_t rows) {
    return size->wanted <= 2 * rows ? plan(s, size, false, size->wanted, 1)
                                    : plan(s, size, false, rows, 2);
}

/* The plan that takes the least memory. */
static size_t plan_least(struct session *s, const struct gpu_size *size) {
    return s->variant->solves_rows ? plan_blocks(s, size, MIN_ROWS) : plan_matrix(s, size);
}

size_t gpu_memory_needed(const struct solver_variant *variant, enum number_type type, int32_t n,
                         int64_t m, bool with_pred) {
    const struct gpu_size size = {.type = variant->solves_real ? type : NUMBER_INT32,
                                  .n = n,
                                  .wanted = n,
                                  .all_rows = true,
                                  .m = m,
                                  .with_pred = with_pred};
    struct session trial = {.variant = variant};
    return variant->launch != NULL ? plan_least(&trial, &size) : KERNEL_BYTES;
}

/* The largest number of vertices whose least plan needs at most `bytes`; 0 if there is none. */
static int32_t max_vertices(const struct solver_variant *variant, const struct gpu_size *size,
                            size_t bytes) {
    int32_t fits = 0, does_not = INT32_MAX;
    while (does_not - fits > 1) {
        struct session trial = {.variant = variant};
        struct gpu_size larger = *size;
        larger.n = fits + (does_not - fits) / 2;
        larger.wanted = size->all_rows || larger.n < size->wanted ? larger.n : size->wanted;
        if (plan_least(&trial, &larger) <= bytes)
            fits = larger.n;
        else
            does_not = larger.n;
    }
    return fits;
}

/* Plans the matrix if it fits and all rows are wanted, otherwise blocks: so large that queues of
 * many sources go on at the same time, so small that copying overlaps with solving. Returns the
 * bytes. */
static size_t choose_plan(struct session *s, const struct gpu_size *size, int rows, size_t bytes) {
    if (!s->variant->solves_rows)
        return plan_matrix(s, size);
    if (size->all_rows) {
        const size_t needed = plan_matrix(s, size);
        if (needed <= bytes)
            return needed;
    }
    const int32_t quarter = (size->wanted - 1) / 4 + 1;
    int32_t capacity = rows > 0 ? rows : quarter > STEP_ROWS ? quarter : STEP_ROWS;
    size_t needed = plan_blocks(s, size, capacity);
    while (needed > bytes && capacity > MIN_ROWS) {
        capacity = capacity / 2 > MIN_ROWS ? capacity / 2 : MIN_ROWS;
        needed = plan_blocks(s, size, capacity);
    }
    return needed;
}

/* Plans, and compares the bytes that the plan needs with those that are free; reports both to the
 * caller. */
static enum status make_plan(struct session *s, const struct gpu_size *size,
                             const struct solver_options *options, struct error *err) {
    struct gpu_memory memory = {0};
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&memory.free, &memory.all), "asking for its free memory", err));
    memory.needed = choose_plan(s, size, options->rows, memory.free);
    memory.max_vertices = max_vertices(s->variant, size, memory.free);
    if (memory.needed > memory.free) {
        char amount[32] = "too much";
        if (memory.needed < SIZE_MAX)
            snprintf(amount, sizeof amount, "%.2f GiB", memory_gib(memory.needed));
        return fail(err, STATUS_NO_RESOURCE,
                    "%d vertices need %s on the GPU, %.2f GiB of its %.2f GiB are free: at most %d "
                    "vertices fit",
                    size->n, amount, memory_gib(memory.free), memory_gib(memory.all),
                    memory.max_vertices);
    }
    if (options->on_memory != NULL)
        options->on_memory(options->callback_context, &memory);
    return STATUS_OK;
}

static enum status allocate(struct session *s, struct error *err) {
    static const char *const doing[PARTS] = {
        [DISTANCES] = "allocating distances",  [PREDECESSORS] = "allocating predecessors",
        [WORKSPACE] = "allocating workspace",  [SOURCES] = "allocating sources",
        [COMPONENT] = "allocating components", [COMPONENT_FIRST] = "allocating components",
        [MEMBER] = "allocating components",    [FIRST] = "allocating edges",
        [TAIL] = "allocating edges",           [WEIGHT] = "allocating edges",
        [STOP] = "allocating a flag",
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
    m->component = s->memory[COMPONENT];
    m->stop.word = s->memory[STOP];
    return gpu_check(cudaMemset(m->stop.word, 0, sizeof *m->stop.word), "clearing flags", err);
}

static enum status create_clock(struct session *s, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaEventCreate(&s->begin), "creating an event", err));
    return gpu_check(cudaEventCreate(&s->end), "creating an event", err);
}

static void release(struct session *s) {
    /* Earlier failures are already reported; failures here do not matter. */
    gpu_download_close(&s->download);
    gpu_proof_close(&s->proof);
    for (int part = 0; part < PARTS; part++)
        cudaFree(s->memory[part]);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

static enum status upload_part(const struct session *s, enum part part, const void *from,
                               const char *doing, struct error *err) {
    if (s->bytes[part] == 0)
        return STATUS_OK;
    return gpu_check(cudaMemcpy(s->memory[part], from, s->bytes[part], cudaMemcpyHostToDevice),
                     doing, err);
}

/* Uploads the edges, sorted by head, once for all repetitions. */
static enum status upload_edges(const struct session *s, const struct graph *g, double *transfer_s,
                                struct error *err) {
    struct graph in = {0};
    enum status status = STATUS_OK;
    TRY(graph_reverse(g, &in, err));
    const double started = clock_seconds();
    TRY(upload_part(s, FIRST, in.first, "copying edges", err));
    TRY(upload_part(s, TAIL, in.head, "copying edges", err));
    TRY(upload_part(s, WEIGHT, g->type == NUMBER_INT32 ? (const void *)in.weight : in.real_weight,
                    "copying edges", err));
    *transfer_s = clock_seconds() - started;
cleanup:
    graph_free(&in);
    return status;
}

static enum status upload_sources(const struct session *s, const struct row_sources *sources,
                                  struct error *err) {
    void *memory = NULL;
    enum status status = STATUS_OK;
    if (s->bytes[SOURCES] == 0)
        return STATUS_OK;
    TRY(memory_alloc(&memory, (size_t)sources->count, sizeof(int32_t), "the sources", err));
    int32_t *const source = memory;
    for (int32_t p = 0; p < sources->count; p++)
        source[p] = row_source(sources, p);
    TRY(upload_part(s, SOURCES, source, "copying sources", err));
cleanup:
    memory_free(memory);
    return status;
}

enum status gpu_component_numbers(const struct zero_cycles *zero, int32_t n, void **numbers,
                                  struct error *err) {
    RETURN_ON_FAILURE(memory_alloc(numbers, (size_t)n, sizeof(int32_t), "zero-weight cycles", err));
    int32_t *const component = *numbers;
    for (int32_t v = 0; v < n; v++)
        component[v] = -1;
    for (int32_t c = 0; c < zero->components; c++) {
        for (int32_t k = zero->first[c]; k < zero->first[c + 1]; k++)
            component[zero->vertex[k]] = c;
    }
    return STATUS_OK;
}

/* Uploads to which component of zero-weight edges each vertex belongs, and the components' trees.
 */
static enum status upload_components(const struct session *s, const struct zero_cycles *zero,
                                     struct error *err) {
    void *memory = NULL, *span = NULL;
    enum status status = STATUS_OK;
    if (s->bytes[COMPONENT] == 0)
        return STATUS_OK;
    TRY(gpu_component_numbers(zero, s->size.n, &memory, err));
    TRY(upload_part(s, COMPONENT, memory, "copying components", err));
    TRY(upload_part(s, COMPONENT_FIRST, zero->first, "copying components", err));
    TRY(memory_alloc(&span, (size_t)zero->members, sizeof(struct zero_member), "zero-weight cycles",
                     err));
    TRY(zero_cycles_span(zero, span, err));
    TRY(upload_part(s, MEMBER, span, "copying components", err));
cleanup:
    memory_free(memory);
    memory_free(span);
    return status;
}

/* Makes predecessors lead to the source, as far as zero-weight cycles keep them from it, if the
 * block was solved. */
static enum status mend(const struct session *s, const struct gpu_matrices *m, struct error *err) {
    const struct gpu_components components = {s->memory[COMPONENT], s->memory[MEMBER],
                                              s->memory[COMPONENT_FIRST], s->size.components};
    return s->size.members > 0 && m->pred != NULL && !s->state.wants_matrix
               ? gpu_mend_predecessors(m, &components, err)
               : STATUS_OK;
}

/* Solves a graph of one vertex without edges: CUDA loads a kernel at its first launch, and this
 * keeps the loading out of the timings. Must come before the edges are uploaded. */
static enum status load_kernels(const struct session *s, struct error *err) {
    struct gpu_matrices one_vertex = s->matrices;
    struct gpu_state state = {.matrix_fits = s->whole};
    one_vertex.n = one_vertex.rows = one_vertex.wanted = 1;
    one_vertex.state = s->variant->solves_rows ? &state : NULL;
    one_vertex.order = s->variant->padding > 0 ? s->variant->padding : 1;
    one_vertex.in.m = 0;
    one_vertex.in.max_weight = 0;
    one_vertex.warm_up = true;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemset(s->memory[FIRST], 0, 2 * sizeof(int64_t)), "clearing edges", err));
    if ((!s->variant->solves_rows || s->whole) && s->size.type == NUMBER_INT32)
        RETURN_ON_FAILURE(gpu_fill_adjacency(&one_vertex, err));
    RETURN_ON_FAILURE(s->variant->launch(&one_vertex, NULL, err));
    return gpu_check(cudaDeviceSynchronize(), "loading the kernels", err);
}

/* Positions first .. first + count - 1 of the answer. */
struct block {
    int32_t first, count;
    int slot;
    bool is_matrix; /* all rows are solved, each at its vertex */
    bool proved;
    double seconds, proof_s; /* that solving and proving took */
};

static struct block block_from(const struct session *s, int32_t first, int32_t rows, int slot) {
    const int32_t left = s->size.wanted - first;
    const bool is_matrix = !s->variant->solves_rows;
    return (struct block){.first = first,
                          .count = is_matrix || left < rows ? left : rows,
                          .slot = slot % s->slots,
                          .is_matrix = is_matrix};
}

/* The block's part of the memory. */
static struct gpu_matrices matrices_of(const struct session *s, const struct block *block) {
    struct gpu_matrices m = s->matrices;
    if (block->is_matrix) {
        m.rows = m.n;
        m.source = NULL;
        return m;
    }
    const size_t skipped =
        s->whole ? (size_t)block->first : (size_t)block->slot * (size_t)s->capacity;
    m.rows = block->count;
    m.source = (const int32_t *)s->memory[SOURCES] + block->first;
    m.cells = (char *)m.cells + skipped * m.ld * number_size(m.type);
    if (m.pred != NULL)
        m.pred += skipped * m.ld;
    return m;
}

/* Makes the input of a variant that solves the matrix; it is complete when this returns. */
static enum status restore(const struct gpu_matrices *m, struct error *err) {
    RETURN_ON_FAILURE(gpu_fill_adjacency(m, err));
    return gpu_check(cudaDeviceSynchronize(), "filling the matrices", err);
}

/* Proves what the device can prove, if somebody wants that. */
static enum status prove(const struct session *s, const struct gpu_matrices *m, struct block *block,
                         struct error *err) {
    const struct gpu_proof_rows rows = {m->dist, m->pred, m->source, m->ld, m->rows};
    const double start = clock_seconds();
    const enum status status = gpu_proof_check(&s->proof, &rows, &block->proved, err);
    block->proof_s = clock_seconds() - start;
    return status;
}

/* Sets the word that kernels look at, while they run. */
static enum status tell_kernels(const struct gpu_stop *stop, struct error *err) {
    static const int32_t set = 1;
    cudaStream_t stream;
    RETURN_ON_FAILURE(gpu_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                "creating a stream", err));
    const enum status status =
        gpu_check(cudaMemcpyAsync(stop->word, &set, sizeof set, cudaMemcpyHostToDevice, stream),
                  "stopping the kernels", err);
    cudaStreamDestroy(stream); /* once it is done */
    return status;
}

enum status gpu_wait(const struct gpu_matrices *m, struct error *err) {
    const double awake_s = 0.05; /* to sleep takes longer than it says */
    const struct timespec nap = {.tv_nsec = 100 * 1000};
    const double begun = clock_seconds();
    bool told = false;
    cudaError_t code = cudaStreamQuery(NULL);
    for (; code == cudaErrorNotReady; code = cudaStreamQuery(NULL)) {
        if (!told && !progress_goes_on(m->stop.progress)) {
            RETURN_ON_FAILURE(tell_kernels(&m->stop, err));
            told = true;
        }
        if (clock_seconds() - begun > awake_s)
            nanosleep(&nap, NULL);
    }
    (void)cudaGetLastError(); /* "not ready" would stay */
    return gpu_check(code, "running the kernels", err);
}

/* Solves a block, which is finished when this returns, and adds the seconds to those of the block.
 */
static enum status solve_block(const struct session *s, struct block *block,
                               struct progress *progress, struct error *err) {
    const struct gpu_matrices m = matrices_of(s, block);
    float milliseconds = 0;
    if (!s->variant->solves_rows)
        RETURN_ON_FAILURE(restore(&m, err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err));
    RETURN_ON_FAILURE(s->variant->launch(&m, progress, err));
    RETURN_ON_FAILURE(mend(s, &m, err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err));
    RETURN_ON_FAILURE(gpu_wait(&m, err));
    if (!progress_goes_on(m.stop.progress))
        return progress_cancelled(err); /* kernels may have left garbage */
    RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(s->end), "running the kernels", err));
    RETURN_ON_FAILURE(
        gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end), "reading the clock", err));
    block->seconds += (double)milliseconds * 1e-3;
    return s->proof.is_ready && !s->state.wants_matrix ? prove(s, &m, block, err) : STATUS_OK;
}

/* The variant wanted the matrix instead of this block: it solves all rows, and the block becomes
 * the rest of the answer. */
static enum status solve_matrix_instead(struct session *s, struct block *block,
                                        struct progress *progress, struct error *err) {
    s->state.wants_matrix = false;
    block->count = s->size.wanted - block->first;
    block->is_matrix = true;
    return solve_block(s, block, progress, err);
}

/* A block that is solved while the one before it is copied. */
struct ahead {
    const struct session *s;
    struct block block;
    int device;
    bool in_thread;
    pthread_t thread;
    enum status status;
    struct error err;
};

static void *solve_ahead(void *self) {
    struct ahead *const ahead = self;
    ahead->status = gpu_check(cudaSetDevice(ahead->device), "selecting the device", &ahead->err);
    if (ahead->status == STATUS_OK)
        ahead->status = solve_block(ahead->s, &ahead->block, NULL, &ahead->err);
    return NULL;
}

static enum status finish_ahead(struct ahead *ahead, struct error *err) {
    if (ahead->in_thread)
        pthread_join(ahead->thread, NULL);
    else
        solve_ahead(ahead);
    if (ahead->status != STATUS_OK)
        *err = ahead->err;
    return ahead->status;
}

/* Hands a block on while the next one is solved. */
static enum status deliver(struct session *s, const struct block *block, int device,
                           struct error *err) {
    const struct gpu_matrices m = matrices_of(s, block);
    struct delivery *const delivery = s->download.delivery;
    if (delivery_takes_device(delivery, device) &&
        (!block->is_matrix || delivery->sources.source == NULL)) {
        const struct device_rows here = {.dist = m.dist,
                                         .pred = m.pred,
                                         .leading = m.ld,
                                         .first = block->first,
                                         .count = block->count,
                                         .proved = block->proved};
        return delivery->sink->take_device(delivery->sink, &here, err);
    }
    const struct gpu_rows rows = {.dist = m.cells,
                                  .pred = m.pred,
                                  .first = block->first,
                                  .count = block->count,
                                  .by_vertex = block->is_matrix,
                                  .proved = block->proved};
    return gpu_download_take(&s->download, &rows, err);
}

/* Produces the answer once; `rows`: of a block. Stores the seconds of solving and of proving. If it
 * is not delivered, its blocks are solved one after the other. */
static enum status produce(struct session *s, const struct solver_task *task, int32_t rows,
                           bool delivers, double *seconds, double *proof_s, struct error *err) {
    const int32_t wanted = s->size.wanted;
    struct block block = block_from(s, 0, rows, 0);
    *seconds = *proof_s = 0;
    s->state = (struct gpu_state){.matrix_fits = s->whole};
    RETURN_ON_FAILURE(solve_block(s, &block, task->progress, err));
    for (;;) {
        if (s->state.wants_matrix)
            RETURN_ON_FAILURE(solve_matrix_instead(s, &block, task->progress, err));
        *seconds += block.seconds;
        *proof_s += block.proof_s;
        const int32_t done = block.first + block.count;
        const bool more = done < wanted;
        struct ahead ahead = {.s = s, .device = task->options->device};
        if (more) {
            ahead.block = block_from(s, done, rows, block.slot + 1);
            ahead.in_thread =
                delivers && pthread_create(&ahead.thread, NULL, solve_ahead, &ahead) == 0;
        }
        enum status status = delivers ? deliver(s, &block, ahead.device, err) : STATUS_OK;
        struct error later;
        const enum status solved = more ? finish_ahead(&ahead, &later) : STATUS_OK;
        if (status == STATUS_OK && solved != STATUS_OK) {
            status = solved;
            *err = later;
        }
        if (status != STATUS_OK || !more)
            return status;
        progress_report(task->progress, done, wanted);
        if (!delivery_wants(task->delivery, done))
            return STATUS_OK; /* delivery_end tells why */
        block = ahead.block;
    }
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

static int taking_threads(const struct solver_options *options) {
    const int threads = threads_or_default(options->threads);
    return threads < MAX_THREADS ? threads : MAX_THREADS;
}

/* Rows that are solved at a time: all of them if there is only timing to be done. */
static int32_t rows_at_a_time(const struct session *s, const struct solver_task *task) {
    const int32_t eighth = ((s->size.wanted - 1) / 8 / STEP_ROWS + 1) * STEP_ROWS;
    if (!s->whole)
        return s->capacity;
    if (task->options->rows > 0)
        return task->options->rows;
    return task->repetitions > 1 ? s->size.wanted : eighth;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum status gpu_turn_begin(struct gpu_turn *turn, const struct solver_options *options,
                           struct error *err) {
    const int device = options->device;
    const struct solver_files *const files = options->files;
    *turn = (struct gpu_turn){.device = device};
    if (options->device_count > 1)
        return fail(err, STATUS_BAD_INPUT, "this variant solves on one GPU, found a list of %d",
                    options->device_count);
    if (files != NULL && files->wait != NULL)
        files->wait(files->self);
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

/* Solves as often as the task says, and delivers the last answer. */
static enum status solve_often(struct session *s, const struct solver_task *task,
                               struct solver_times *times, struct error *err) {
    struct delivery *const delivery = task->delivery;
    const int32_t rows = rows_at_a_time(s, task);
    double seconds = 0, proof_s = 0, begun = 0;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        begun = clock_seconds();
        RETURN_ON_FAILURE(
            produce(s, task, rows, r == task->repetitions - 1, &seconds, &proof_s, err));
        if (r >= 0)
            times->solve_s[r] = seconds;
    }
    const double work = delivery_work_seconds(delivery);
    const double rest =
        clock_seconds() - begun - seconds - proof_s - work - delivery_sink_seconds(delivery);
    times->transfer_s += rest > 0 ? rest : 0;
    times->around_s += rest > 0 ? rest : 0;
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += work;
    return delivery_end(delivery, err);
}

static enum status solve_spread(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err) {
    for (int k = 0; k < task->options->device_count; k++)
        RETURN_ON_FAILURE(find_device(task->options->devices[k], err));
    return variant->solve_spread(variant, task, times, err);
}

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    const struct graph *const g = task->graph;
    struct delivery *const delivery = task->delivery;
    const struct gpu_size size = {.type = g->type,
                                  .n = g->n,
                                  .wanted = delivery->sources.count,
                                  .all_rows = delivery->sources.source == NULL,
                                  .m = g->m,
                                  .with_pred = task->predecessors,
                                  .components = delivery->zero.components,
                                  .members = delivery->zero.members,
                                  .tile = task->options->tile};
    struct session s = {.variant = variant};
    const char *chosen = NULL;
    struct gpu_turn turn;
    if (task->options->device_count > 1 && variant->solve_spread != NULL)
        return solve_spread(variant, task, times, err);
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, task->options, err));
    double mark = turn.began;
    s.matrices.chosen = &chosen;
    s.matrices.stop.progress = task->progress;
    s.matrices.in.max_weight = g->type == NUMBER_INT32 ? (int32_t)g->max_weight : 0;
    enum status status = STATUS_OK;
    TRY(make_plan(&s, &size, task->options, err));
    TRY(allocate(&s, err));
    TRY(create_clock(&s, err));
    TRY(load_kernels(&s, err));
    TRY(upload_edges(&s, g, &times->transfer_s, err));
    TRY(upload_sources(&s, &delivery->sources, err));
    TRY(upload_components(&s, &delivery->zero, err));
    delivery->mended = true;
    if (delivery->sink->proves == g && delivery->limit == NO_LIMIT)
        TRY(gpu_proof_open(&s.proof, g, size.with_pred, err));
    TRY(gpu_download_open(&s.download, delivery, s.matrices.ld,
                          s.slots == 1 ? size.wanted : s.capacity, GPU_CHUNK_BYTES,
                          taking_threads(task->options), err));
    times->around_s = clock_seconds() - mark;
    TRY(solve_often(&s, task, times, err));
    if (chosen != NULL && task->options->on_choice != NULL)
        task->options->on_choice(task->options->callback_context, chosen, NULL);
cleanup:
    mark = clock_seconds();
    release(&s);
    gpu_turn_end(&turn);
    times->around_s += clock_seconds() - mark;
    return status;
}

void gpu_warm_up(const struct solver_variant *variant, int device) {
    const struct gpu_size size = {
        .n = 1, .wanted = 1, .all_rows = true, .with_pred = !variant->distances_only};
    const struct solver_options options = {.device = device};
    struct session s = {.variant = variant};
    const char *chosen;
    struct error err;
    struct gpu_turn turn;
    enum status status = gpu_turn_begin(&turn, &options, &err);
    if (status != STATUS_OK)
        return;
    if (variant->launch == NULL) { /* it has a solve() of its own: the context takes most time */
        cudaFree(NULL);
        gpu_turn_end(&turn);
        return;
    }
    s.matrices.chosen = &chosen;
    TRY(make_plan(&s, &size, &options, &err));
    TRY(allocate(&s, &err));
    TRY(load_kernels(&s, &err));
cleanup:
    release(&s);
    gpu_turn_end(&turn);
}

static void *warm(void *self) {
    struct gpu_warmer *const warmer = self;
    gpu_warm_up(warmer->variant, warmer->device);
    return NULL;
}

bool gpu_warmer_start(struct gpu_warmer *warmer, const struct solver_variant *variant, int device) {
    *warmer = (struct gpu_warmer){.variant = variant, .device = device};
    warmer->runs = pthread_create(&warmer->thread, NULL, warm, warmer) == 0;
    return warmer->runs;
}

void gpu_warmer_wait(struct gpu_warmer *warmer) {
    if (warmer->runs)
        pthread_join(warmer->thread, NULL);
    warmer->runs = false;
}
