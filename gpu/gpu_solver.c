// SPDX-License-Identifier: MIT
#include "gpu/gpu_solver.h"

#include "certificate/gpu/gpu_proof.h"
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/clock.h"       // clock_seconds
#include "common/base/forks.h"       // forks
#include "common/base/memory.h"      // memory_gib
#include "common/base/threads.h"     // threads_or_default
#include "gpu/gpu_download.h"        // gpu_download
#include "gpu/gpu_hands.h"           // gpu_hands_begin
#include "gpu/gpu_room.h"            // gpu_room_find
#include "gpu/launch/gpu_error.h"    // gpu_check
#include "solve/refine.h"            // refine_most

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum {
    CELLS_PER_LINE = 128 / sizeof(int32_t),
    /* size of the pieces in which the device allocates memory, in bytes */
    ALLOCATION_BYTES = 2 << 20,
    /* bytes left for the kernels, which CUDA loads at their first launches */
    KERNEL_BYTES = 32 << 20,
    MAX_THREADS = 16, /* the most threads that take rows; more are not faster */
    MIN_ROWS = 64,    /* the fewest rows of a block, however little memory there is */
};
/* The most cells of a matrix: few enough that their bytes, times a few, do not overflow. */
static const size_t MAX_CELLS = SIZE_MAX >> 8;

/* Parts of the memory that a solve allocates on the device. */
enum device_part {
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

/* Sizes that decide how much memory a solve takes on the device. */
struct gpu_size {
    enum number_type type;
    int32_t n, wanted; /* numbers of vertices and of rows that are wanted */
    bool all_rows;     /* rows of all vertices are wanted, in order */
    int64_t m;
    bool with_pred;
    /* numbers of components of zero-weight cycles and of their vertices */
    int32_t components, members;
    int tile; /* tile size; 0: the variant's default */
    /* number of GPUs that divide the rows among them, in this process or in several; 0 or 1: this
     * GPU has all rows */
    int gpus;
};

struct gpu_team;

/* The resources of one solve on a device. */
struct session {
    const struct solver_variant *variant;
    int device;
    struct gpu_team *crew; /* the team of GPUs with which it shares the rows; NULL: none */
    struct gpu_size size;
    struct gpu_matrices matrices; /* the matrix, or the first rows of the memory for blocks */
    struct gpu_state state;
    bool whole;       /* there is memory for the matrix; otherwise for `slots` blocks */
    int32_t capacity; /* number of rows of a block */
    /* number of blocks in memory: 1 if a single block has all rows, otherwise 2 */
    int slots;
    size_t bytes[PARTS];    /* size of each part of memory; 0: not needed */
    void *memory[PARTS];    /* the memory behind `matrices` */
    cudaEvent_t begin, end; /* measure the time of kernels */
    struct gpu_download download;
    struct gpu_proof proof; /* proves rows on the device if that is wanted */
    struct gpu_memory report;
};

static enum status no_usable_gpu(const char *reason, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "no usable GPU: %s", reason);
}

/* Returns the reason why there is no device. CUDA reports a missing driver as one that is too old.
 */
static const char *no_device_because(cudaError_t code) {
    int driver;
    const bool old = code == cudaErrorInsufficientDriver;
    if (old && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(code);
}

/* The process that has used CUDA, as forks() counts processes; -1 if none has. */
static atomic_int user = -1;

/* Returns STATUS_OK if there is a device with that number. CUDA does not survive a fork: in a child
 * of a process that has used it, calls fail or wait for ever, and so does the lock of
 * gpu_turn_begin. */
static enum status find_device(int device, struct error *err) {
    int count = 0, earlier = -1;
    if (!atomic_compare_exchange_strong(&user, &earlier, forks()) && earlier != forks())
        return no_usable_gpu("CUDA does not work in a process that was forked after it was used: "
                             "start processes anew (in Python by the start method \"spawn\")",
                             err);
    cudaError_t code = cudaGetDeviceCount(&count);
    if (earlier < 0 && (code != cudaSuccess || count == 0))
        atomic_store(&user, -1); /* CUDA was not used, because there is no device */
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
        /* Memory makes two transfers of that many bits in a cycle. */
        .bandwidth = 2e3 * value[MEMORY_CLOCK] * value[MEMORY_BITS] / 8,
        .memory = properties.totalGlobalMem,
    };
    snprintf(traits->name, sizeof traits->name, "%s", properties.name);
    return STATUS_OK;
}

enum status gpu_blame(int device, enum status status, struct error *err) {
    struct error reason;
    if (status == STATUS_OK)
        return status;
    reason = *err;
    return fail(err, status, "GPU %d: %.*s", device, (int)sizeof err->text - 32, reason.text);
}

static size_t round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* Returns whether graphs of that type are solved by blocks of rows. */
static bool by_blocks(const struct solver_variant *variant, enum number_type type) {
    return variant->solves_rows || solver_is_refined(variant, type, GRID_NONE, false);
}

static bool session_by_blocks(const struct session *s) {
    return by_blocks(s->variant, s->size.type);
}

/* Launches the variant or, for rounded weights, its launch_refined. */
static enum status launch_variant(const struct session *s, const struct gpu_matrices *m,
                                  struct progress *progress, struct error *err) {
    return solver_is_refined(s->variant, s->size.type, GRID_NONE, false)
               ? s->variant->launch_refined(m, progress, err)
               : s->variant->launch(m, progress, err);
}

/* Returns how many bytes of workspace the launch needs. */
static size_t workspace_bytes(const struct solver_variant *variant, const struct gpu_matrices *m,
                              bool with_pred) {
    if (solver_is_refined(variant, m->type, GRID_NONE, false))
        return variant->refined_workspace(m, with_pred);
    return variant->workspace != NULL ? variant->workspace(m, with_pred) : 0;
}

/* Returns how many bytes a weight takes in struct graph. */
static size_t weight_size(enum number_type type) {
    return type == NUMBER_INT32 ? sizeof(int32_t) : sizeof(double);
}

/* Lays out the device's memory for `slots` blocks of `capacity` rows or for the matrix. Returns the
 * bytes of all parts; SIZE_MAX if the number overflows. */
static size_t lay_out(struct session *s, const struct gpu_size *size, bool whole, int32_t capacity,
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
    m->state = by_blocks(variant, size->type) ? &s->state : NULL;
    m->rung = (struct gpu_rung){variant->launch, variant->workspace, refine_most(variant)};
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
    s->bytes[WORKSPACE] = workspace_bytes(variant, m, size->with_pred);
    s->bytes[SOURCES] = by_blocks(variant, size->type) ? (size_t)size->wanted * sizeof(int32_t) : 0;
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

static size_t lay_out_matrix(struct session *s, const struct gpu_size *size) {
    return lay_out(s, size, true, size->n, 1);
}

/* Returns how many of the rows left one of several GPUs takes. */
static int32_t share_of(int32_t left, int gpus, int32_t most) {
    const struct claims_size size = {.part = CLAIMS_HALF, .unit = GPU_STEP_ROWS, .most = most};
    return (int32_t)claims_share(left, gpus, &size);
}

/* Lays out blocks of about `rows` rows: one block, or two so that one is solved while the other is
 * copied. A GPU that shares the rows with others gets two, because it does not know how many rows
 * it will get. */
static size_t lay_out_blocks(struct session *s, const struct gpu_size *size, int32_t rows) {
    return size->gpus <= 1 && size->wanted <= 2 * rows ? lay_out(s, size, false, size->wanted, 1)
                                                       : lay_out(s, size, false, rows, 2);
}

/* Lays out memory in the way that takes the least. Returns the bytes. */
static size_t lay_out_least(struct session *s, const struct gpu_size *size) {
    return by_blocks(s->variant, size->type) ? lay_out_blocks(s, size, MIN_ROWS)
                                             : lay_out_matrix(s, size);
}

size_t gpu_memory_needed(const struct solver_variant *variant, enum number_type type, int32_t n,
                         int64_t m, bool with_pred) {
    const bool takes_real = variant->solves_real || variant->launch_refined != NULL;
    const struct gpu_size size = {.type = takes_real ? type : NUMBER_INT32,
                                  .n = n,
                                  .wanted = n,
                                  .all_rows = true,
                                  .m = m,
                                  .with_pred = with_pred};
    struct session trial = {.variant = variant};
    return variant->launch != NULL ? lay_out_least(&trial, &size) : KERNEL_BYTES;
}

/* Returns the largest number of vertices whose smallest layout needs at most `bytes` bytes; 0 if
 * there is none. */
static int32_t max_vertices(const struct solver_variant *variant, const struct gpu_size *size,
                            size_t bytes) {
    int32_t fits = 0, does_not = INT32_MAX;
    while (does_not - fits > 1) {
        struct session trial = {.variant = variant};
        struct gpu_size larger = *size;
        larger.n = fits + (does_not - fits) / 2;
        larger.wanted = size->all_rows || larger.n < size->wanted ? larger.n : size->wanted;
        if (lay_out_least(&trial, &larger) <= bytes)
            fits = larger.n;
        else
            does_not = larger.n;
    }
    return fits;
}

/* Plans the matrix if it fits and all rows are wanted, otherwise blocks: large enough to process
 * many sources at the same time, small enough for copies to overlap with solving. Returns the
 * bytes. */
static size_t choose_plan(struct session *s, const struct gpu_size *size, int rows, size_t bytes) {
    if (!by_blocks(s->variant, size->type))
        return lay_out_matrix(s, size);
    if (size->all_rows && size->gpus <= 1) {
        const size_t needed = lay_out_matrix(s, size);
        if (needed <= bytes)
            return needed;
    }
    const int32_t quarter = (size->wanted - 1) / 4 + 1;
    int32_t capacity = rows > 0 ? rows : quarter > GPU_STEP_ROWS ? quarter : GPU_STEP_ROWS;
    if (size->gpus > 1)
        capacity = share_of(size->wanted, size->gpus, capacity);
    size_t needed = lay_out_blocks(s, size, capacity);
    while (needed > bytes && capacity > MIN_ROWS) {
        capacity = capacity / 2 > MIN_ROWS ? capacity / 2 : MIN_ROWS;
        needed = lay_out_blocks(s, size, capacity);
    }
    return needed;
}

/* Plans the layout, and fails if it needs more bytes than are free. */
static enum status make_plan(struct session *s, const struct gpu_size *size,
                             const struct solver_options *options, struct error *err) {
    struct gpu_room room;
    RETURN_ON_FAILURE(gpu_room_find(s->device, options->ranks, &room, err));
    struct gpu_memory memory = {.device = s->device, .free = room.free, .all = room.all};
    memory.needed = choose_plan(s, size, options->rows, memory.free);
    memory.max_vertices = max_vertices(s->variant, size, memory.free);
    if (memory.needed > memory.free) {
        char amount[32] = "too much", sharers[GPU_ROOM_TEXT];
        if (memory.needed < SIZE_MAX)
            snprintf(amount, sizeof amount, "%.2f GiB", memory_gib(memory.needed));
        return fail(err, STATUS_NO_RESOURCE,
                    "%d vertices need %s on the GPU, %.2f GiB of its %.2f GiB are free%s: at most "
                    "%d vertices fit",
                    size->n, amount, memory_gib(memory.free), memory_gib(memory.all),
                    gpu_room_sharers(&room, sharers), memory.max_vertices);
    }
    s->report = memory;
    return STATUS_OK;
}

static void report_memory(const struct session *s, const struct solver_options *options) {
    if (options->on_memory != NULL)
        options->on_memory(options->callback_context, &s->report);
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
    /* Errors are ignored: earlier failures have been reported, and failures here do not matter. */
    gpu_download_close(&s->download);
    gpu_proof_close(&s->proof);
    for (int part = 0; part < PARTS; part++)
        cudaFree(s->memory[part]);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

static enum status upload_part(const struct session *s, enum device_part part, const void *from,
                               const char *doing, struct error *err) {
    if (s->bytes[part] == 0)
        return STATUS_OK;
    return gpu_check(cudaMemcpy(s->memory[part], from, s->bytes[part], cudaMemcpyHostToDevice),
                     doing, err);
}

/* Uploads the edges, sorted by head, once for all repetitions. */
static enum status upload_edges(const struct session *s, const struct graph *in, double *transfer_s,
                                struct error *err) {
    const double started = clock_seconds();
    RETURN_ON_FAILURE(upload_part(s, FIRST, in->first, "copying edges", err));
    RETURN_ON_FAILURE(upload_part(s, TAIL, in->head, "copying edges", err));
    RETURN_ON_FAILURE(upload_part(
        s, WEIGHT, in->type == NUMBER_INT32 ? (const void *)in->weight : in->real_weight,
        "copying edges", err));
    *transfer_s = clock_seconds() - started;
    return STATUS_OK;
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

/* Uploads the number of each vertex's component of zero-weight edges, and the components' trees. */
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

/* Mends predecessors of a solved block that do not lead to the source because of zero-weight
 * cycles. */
static enum status mend(const struct session *s, const struct gpu_matrices *m, struct error *err) {
    const struct gpu_components components = {s->memory[COMPONENT], s->memory[MEMBER],
                                              s->memory[COMPONENT_FIRST], s->size.components};
    return s->size.members > 0 && m->pred != NULL && !s->state.wants_matrix
               ? gpu_mend_predecessors(m, &components, err)
               : STATUS_OK;
}

/* Solves a graph of one vertex without edges: CUDA loads a kernel at its first launch, so this
 * keeps loading out of the timings. It must be called before the edges are uploaded. */
static enum status load_kernels(const struct session *s, struct error *err) {
    struct gpu_matrices one_vertex = s->matrices;
    struct gpu_state state = {.matrix_fits = s->whole};
    one_vertex.n = one_vertex.rows = one_vertex.wanted = 1;
    one_vertex.state = session_by_blocks(s) ? &state : NULL;
    one_vertex.order = s->variant->padding > 0 ? s->variant->padding : 1;
    one_vertex.in.m = 0;
    one_vertex.in.max_weight = 0;
    one_vertex.in.max_real_weight = 0;
    one_vertex.warm_up = true;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemset(s->memory[FIRST], 0, 2 * sizeof(int64_t)), "clearing edges", err));
    if ((!s->variant->solves_rows || s->whole) && s->size.type == NUMBER_INT32)
        RETURN_ON_FAILURE(gpu_fill_adjacency(&one_vertex, err));
    RETURN_ON_FAILURE(launch_variant(s, &one_vertex, NULL, err));
    return gpu_check(cudaDeviceSynchronize(), "loading the kernels", err);
}

/* A block: rows at positions first .. first + count - 1 of the answer. */
struct block {
    int32_t first, count;
    int slot;
    bool is_matrix; /* all rows are solved, each at its vertex */
    bool proved;
    double seconds, proof_s; /* seconds of solving and of proving */
};

static struct block block_from(const struct session *s, int32_t first, int32_t rows, int slot) {
    const int32_t left = s->size.wanted - first;
    const bool is_matrix = !session_by_blocks(s);
    return (struct block){.first = first,
                          .count = is_matrix || left < rows ? left : rows,
                          .slot = slot % s->slots,
                          .is_matrix = is_matrix};
}

/* Returns the matrices that hold the block's rows. */
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

/* Fills in the input of a variant that solves the matrix, and waits until it is complete. */
static enum status restore(const struct gpu_matrices *m, struct error *err) {
    RETURN_ON_FAILURE(gpu_fill_adjacency(m, err));
    return gpu_check(cudaDeviceSynchronize(), "filling the matrices", err);
}

/* Proves the rows that the device can prove, if that is wanted. */
static enum status prove(const struct session *s, const struct gpu_matrices *m, struct block *block,
                         struct error *err) {
    const struct gpu_proof_rows rows = {m->cells, m->pred, m->source, m->ld, m->rows};
    const double start = clock_seconds();
    const enum status status = gpu_proof_check(&s->proof, &rows, &block->proved, err);
    block->proof_s = clock_seconds() - start;
    return status;
}

/* Sets the word by which running kernels learn that the solve is to stop. */
static enum status tell_kernels(const struct gpu_stop *stop, struct error *err) {
    static const int32_t set = 1;
    cudaStream_t stream;
    RETURN_ON_FAILURE(gpu_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                                "creating a stream", err));
    const enum status status =
        gpu_check(cudaMemcpyAsync(stop->word, &set, sizeof set, cudaMemcpyHostToDevice, stream),
                  "stopping the kernels", err);
    cudaStreamDestroy(stream); /* takes effect once the stream is done */
    return status;
}

static bool others_failed(const struct gpu_stop *stop) {
    return stop->ranks != NULL && claims_stopped(stop->ranks);
}

enum status gpu_wait(const struct gpu_matrices *m, struct error *err) {
    /* seconds without sleeping, since a sleep takes longer than asked for */
    const double awake_s = 0.05;
    const struct timespec nap = {.tv_nsec = 100 * 1000};
    const double begun = clock_seconds();
    bool told = false;
    cudaError_t code = cudaStreamQuery(NULL);
    for (; code == cudaErrorNotReady; code = cudaStreamQuery(NULL)) {
        const bool stops = !progress_goes_on(m->stop.progress) || others_failed(&m->stop);
        if (stops && !told) {
            RETURN_ON_FAILURE(tell_kernels(&m->stop, err));
            told = true;
        }
        if (clock_seconds() - begun > awake_s)
            nanosleep(&nap, NULL);
    }
    (void)cudaGetLastError(); /* otherwise "not ready" would remain as the last error */
    return gpu_check(code, "running the kernels", err);
}

/* Solves a block, waits until it is finished, and adds the seconds to those in *block. */
static enum status solve_block(const struct session *s, struct block *block,
                               struct progress *progress, struct error *err) {
    const struct gpu_matrices m = matrices_of(s, block);
    float milliseconds = 0;
    if (!session_by_blocks(s))
        RETURN_ON_FAILURE(restore(&m, err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err));
    RETURN_ON_FAILURE(launch_variant(s, &m, progress, err));
    RETURN_ON_FAILURE(mend(s, &m, err));
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err));
    RETURN_ON_FAILURE(gpu_wait(&m, err));
    if (!progress_goes_on(m.stop.progress) || others_failed(&m.stop))
        return progress_cancelled(err); /* kernels may have left garbage */
    RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(s->end), "running the kernels", err));
    RETURN_ON_FAILURE(
        gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end), "reading the clock", err));
    block->seconds += (double)milliseconds * 1e-3;
    return s->proof.is_ready && !s->state.wants_matrix ? prove(s, &m, block, err) : STATUS_OK;
}

/* Solves the matrix because the variant asked for it instead of this block; the block becomes the
 * rest of the answer. */
static enum status solve_matrix_instead(struct session *s, struct block *block,
                                        struct progress *progress, struct error *err) {
    s->state.wants_matrix = false;
    block->count = s->size.wanted - block->first;
    block->is_matrix = true;
    return solve_block(s, block, progress, err);
}

/* A block that is solved while the previous one is copied. */
struct ahead {
    const struct session *s;
    struct block block;
    bool in_thread;
    pthread_t thread;
    enum status status;
    struct error err;
};

static void *solve_ahead(void *self) {
    struct ahead *const ahead = self;
    ahead->status = gpu_check(cudaSetDevice(ahead->s->device), "selecting the device", &ahead->err);
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

/* GPUs that divide the rows of an answer among them ----------------------------------------------
 *
 * Each has a thread and a session of its own, and claims a block of rows when it is ready for one:
 * what is slower, or has others to serve, claims fewer. Blocks are handed on by the threads that
 * have them, one at a time, as the sink wants it.
 */

struct member {
    struct session session;
    const char *chosen;
    double transfer_s, seconds, proof_s;
};

struct gpu_team {
    const struct solver_task *task;
    struct gpu_size size;
    struct graph in; /* edges sorted by their heads */
    struct member *member;
    struct gpu_hand hand[SOLVER_MAX_TOGETHER]; /* a hand for each member */
    int count;
    bool delivers;            /* the current answer is delivered */
    struct progress progress; /* told to stop if a member has failed or the solve is to stop */
    pthread_mutex_t turn;     /* held by a thread that hands rows on */
    pthread_mutex_t lock;     /* protects the members below */
    pthread_cond_t changed;
    int32_t claimed, done; /* numbers of rows */
    int working;           /* number of threads that have not ended */
};

/* Claims at most `rows` rows for a GPU; returns the first, and stores how many there are. */
static int32_t claim(struct gpu_team *crew, int32_t *rows) {
    pthread_mutex_lock(&crew->lock);
    const int32_t first = crew->claimed, left = crew->size.wanted - first;
    *rows = left > 0 ? share_of(left, crew->count, *rows) : 0;
    crew->claimed += *rows < left ? *rows : left;
    pthread_mutex_unlock(&crew->lock);
    return first;
}

/* Adds to the rows done, for the thread that started the work. */
static void report_rows(struct gpu_team *crew, int32_t rows) {
    pthread_mutex_lock(&crew->lock);
    crew->done += rows;
    pthread_cond_signal(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

/* Stores the next block of at most `rows` rows; done: number of rows solved so far, if this GPU
 * solves all rows. Returns false if no rows are left for this GPU. */
static bool next_block(const struct session *s, int32_t done, int32_t rows, int slot,
                       struct block *block) {
    const struct delivery *const delivery = s->download.delivery;
    if (s->crew != NULL)
        done = claim(s->crew, &rows);
    else if (delivery->ranks != NULL)
        rows = delivery_claims(delivery, CLAIMS_HALF, GPU_STEP_ROWS, rows, &done);
    if (rows == 0 || done >= s->size.wanted)
        return false;
    *block = block_from(s, done, rows, slot);
    return true;
}

/* Hands on a block to a sink that takes rows in device memory. */
static enum status deliver_here(struct session *s, const struct block *block,
                                const struct gpu_matrices *m, struct error *err) {
    struct row_sink *const sink = s->download.delivery->sink;
    const struct device_rows rows = {.type = m->type,
                                     .dist = m->cells,
                                     .pred = m->pred,
                                     .leading = m->ld,
                                     .first = block->first,
                                     .count = block->count,
                                     .proved = block->proved};
    if (s->crew == NULL)
        return sink->take_device(sink, &rows, err);
    pthread_mutex_lock(&s->crew->turn);
    const enum status status = sink->take_device(sink, &rows, err);
    pthread_mutex_unlock(&s->crew->turn);
    return status;
}

/* Hands a block on, while the next one is solved. */
static enum status deliver(struct session *s, const struct block *block, struct error *err) {
    const struct gpu_matrices m = matrices_of(s, block);
    struct delivery *const delivery = s->download.delivery;
    if (delivery_takes_device(delivery, s->device, block->proved) &&
        (!block->is_matrix || delivery->sources.source == NULL))
        return deliver_here(s, block, &m, err);
    const struct gpu_rows rows = {.dist = m.cells,
                                  .pred = m.pred,
                                  .first = block->first,
                                  .count = block->count,
                                  .by_vertex = block->is_matrix,
                                  .proved = block->proved};
    return gpu_download_take(&s->download, &rows, err);
}

/* Reports a block that was handed on, and selects the GPU again, because the sink may have selected
 * another. */
static enum status report_block(const struct session *s, const struct solver_task *task,
                                const struct block *block, struct error *err) {
    if (s->crew == NULL) {
        progress_report(task->progress, block->first + block->count, s->size.wanted);
        return STATUS_OK;
    }
    report_rows(s->crew, block->count);
    return gpu_check(cudaSetDevice(s->device), "selecting the device", err);
}

/* Produces the answer once, or one GPU's part of it, in blocks of `rows` rows. Stores the seconds
 * of solving and of proving. If the answer is not delivered, blocks do not overlap. */
static enum status produce(struct session *s, const struct solver_task *task, int32_t rows,
                           bool delivers, double *seconds, double *proof_s, struct error *err) {
    struct progress *const progress = s->crew == NULL ? task->progress : NULL;
    struct block block;
    *seconds = *proof_s = 0;
    s->state = (struct gpu_state){.matrix_fits = s->whole};
    if (!next_block(s, 0, rows, 0, &block))
        return STATUS_OK;
    RETURN_ON_FAILURE(solve_block(s, &block, progress, err));
    for (;;) {
        if (s->state.wants_matrix)
            RETURN_ON_FAILURE(solve_matrix_instead(s, &block, progress, err));
        *seconds += block.seconds;
        *proof_s += block.proof_s;
        struct ahead ahead = {.s = s};
        const bool more =
            next_block(s, block.first + block.count, rows, block.slot + 1, &ahead.block);
        if (more)
            ahead.in_thread =
                delivers && pthread_create(&ahead.thread, NULL, solve_ahead, &ahead) == 0;
        enum status status = delivers ? deliver(s, &block, err) : STATUS_OK;
        struct error later;
        const enum status solved = more ? finish_ahead(&ahead, &later) : STATUS_OK;
        if (status == STATUS_OK && solved != STATUS_OK) {
            status = solved;
            *err = later;
        }
        if (status != STATUS_OK || !more)
            return status;
        RETURN_ON_FAILURE(report_block(s, task, &block, err));
        if (!delivery_wants(task->delivery, ahead.block.first))
            return STATUS_OK; /* delivery_end reports why */
        block = ahead.block;
    }
}

static int current_device(void) {
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess)
        (void)cudaGetLastError(); /* a lack of a device is no failure */
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

/* Returns how many rows are solved at a time: all of them if the solve is only timed. */
static int32_t rows_at_a_time(const struct session *s, const struct solver_task *task) {
    const int32_t eighth = ((s->size.wanted - 1) / 8 / GPU_STEP_ROWS + 1) * GPU_STEP_ROWS;
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

/* Returns the bytes of rows to download at a time. If the sink proves rows that the device does not
 * prove, each thread gets as many as a proof takes together, within limits. */
static size_t download_bytes(const struct session *s, const struct delivery *delivery,
                             int threads) {
    /* TOGETHER: number of rows that the certificate proves at a time. MOST_CHUNKS: largest factor
     * by which a chunk with a proof has more bytes than one without. */
    enum { TOGETHER = 32, MOST_CHUNKS = 32 };
    const size_t row =
        s->matrices.ld * (number_size(s->size.type) + (s->size.with_pred ? sizeof(int32_t) : 0));
    const size_t least = block_sizes.gpu_chunk_bytes, most = MOST_CHUNKS * least;
    const size_t wanted = (size_t)threads * TOGETHER * row;
    if (delivery->sink->proves == NULL || s->proof.is_ready || wanted < least)
        return least;
    return wanted < most ? wanted : most;
}

/* Prepares a device for solving. in: the graph's edges sorted by their heads; NULL: not sorted yet.
 */
static enum status open_session(struct session *s, const struct gpu_size *size,
                                const struct solver_task *task, const struct graph *in,
                                double *transfer_s, struct error *err) {
    const struct graph *const g = task->graph;
    struct delivery *const delivery = task->delivery;
    struct graph own = {0};
    enum status status = STATUS_OK;
    s->matrices.semiring = g->semiring;
    s->matrices.in.max_weight = g->type == NUMBER_INT32 ? (int32_t)g->max_weight : 0;
    s->matrices.in.max_real_weight = g->type == NUMBER_INT32 ? 0 : g->max_weight;
    TRY(make_plan(s, size, task->options, err));
    if (s->crew == NULL)
        report_memory(s, task->options);
    status = allocate(s, err);
    /* the next steps take memory beyond the layout, if there is any */
    if (task->options->ranks != NULL)
        status = ranks_agree(task->options->ranks, status, err);
    TRY(status);
    TRY(create_clock(s, err));
    TRY(load_kernels(s, err));
    if (in == NULL)
        TRY(graph_reverse(g, &own, err));
    TRY(upload_edges(s, in != NULL ? in : &own, transfer_s, err));
    TRY(upload_sources(s, &delivery->sources, err));
    TRY(upload_components(s, &delivery->zero, err));
    if (delivery_may_prove(delivery))
        TRY(gpu_proof_open(&s->proof, delivery->sink->proves, delivery->potential, size->with_pred,
                           err));
    const int threads = taking_threads(task->options);
    status = gpu_download_open(&s->download, delivery, s->matrices.ld,
                               s->slots == 1 ? size->wanted : s->capacity,
                               download_bytes(s, delivery, threads), threads, err);
cleanup:
    graph_free(&own);
    return status;
}

static void end_work(void *self, enum status status) {
    struct gpu_team *const crew = ((struct member *)self)->session.crew;
    if (status != STATUS_OK)
        progress_stop(&crew->progress);
    pthread_mutex_lock(&crew->lock);
    crew->working--;
    pthread_cond_signal(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

/* Reports progress until all members' threads have ended. */
static void watch(struct gpu_team *crew) {
    enum { NAP_NS = 10 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000 };
    pthread_mutex_lock(&crew->lock);
    while (crew->working > 0) {
        const int32_t done = crew->done;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += NAP_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        pthread_cond_timedwait(&crew->changed, &crew->lock, &until);
        if (done != crew->done) {
            const int32_t reached = crew->done;
            pthread_mutex_unlock(&crew->lock);
            progress_report(crew->task->progress, reached, crew->size.wanted);
            pthread_mutex_lock(&crew->lock);
        }
        if (!progress_goes_on(crew->task->progress))
            progress_stop(&crew->progress);
    }
    pthread_mutex_unlock(&crew->lock);
}

/* Runs `work` for all members at the same time. */
static enum status together(struct gpu_team *crew, enum status (*work)(void *, struct error *),
                            struct error *err) {
    crew->working = crew->count;
    for (int k = 0; k < crew->count; k++)
        crew->hand[k] = (struct gpu_hand){.device = crew->member[k].session.device,
                                          .work = work,
                                          .on_end = end_work,
                                          .self = &crew->member[k]};
    gpu_hands_begin(crew->hand, crew->count);
    watch(crew);
    return gpu_hands_finish(crew->hand, crew->count, err);
}

static enum status open_member(void *self, struct error *err) {
    struct member *const m = self;
    struct gpu_team *const crew = m->session.crew;
    return open_session(&m->session, &crew->size, crew->task, &crew->in, &m->transfer_s, err);
}

static enum status produce_part(void *self, struct error *err) {
    struct member *const m = self;
    struct gpu_team *const crew = m->session.crew;
    return produce(&m->session, crew->task, m->session.capacity, crew->delivers, &m->seconds,
                   &m->proof_s, err);
}

/* Does what produce does, with all members of the crew: seconds are those of the slowest member. */
static enum status produce_together(struct gpu_team *crew, bool delivers, double *seconds,
                                    double *proof_s, struct error *err) {
    crew->claimed = crew->done = 0;
    crew->delivers = delivers;
    RETURN_ON_FAILURE(together(crew, produce_part, err));
    *seconds = *proof_s = 0;
    for (int k = 0; k < crew->count; k++) {
        const struct member *const m = &crew->member[k];
        *seconds = m->seconds > *seconds ? m->seconds : *seconds;
        *proof_s = m->proof_s > *proof_s ? m->proof_s : *proof_s;
    }
    return STATUS_OK;
}

/* Does what produce does, with all GPUs of this process. */
static enum status produce_all(struct session *s, const struct solver_task *task, bool delivers,
                               double *seconds, double *proof_s, struct error *err) {
    if (s->crew != NULL)
        return produce_together(s->crew, delivers, seconds, proof_s, err);
    const enum status status =
        produce(s, task, rows_at_a_time(s, task), delivers, seconds, proof_s, err);
    if (task->options->ranks == NULL)
        return status;
    if (status == STATUS_CANCELLED && progress_goes_on(task->progress))
        return STATUS_OK; /* the process that has failed reports why */
    return status == STATUS_CANCELLED ? status : gpu_blame(s->device, status, err);
}

/* Solves as often as the task says, and delivers the last answer. */
static enum status solve_often(struct session *s, const struct solver_task *task,
                               struct solver_times *times, struct error *err) {
    struct delivery *const delivery = task->delivery;
    double seconds = 0, proof_s = 0, begun = 0;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        const bool delivers = r == task->repetitions - 1;
        begun = clock_seconds();
        RETURN_ON_FAILURE(produce_all(s, task, delivers, &seconds, &proof_s, err));
        if (r >= 0)
            times->solve_s[r] = seconds;
    }
    if (s->state.rounded_s > 0) {
        times->phases.rounded_s = s->state.rounded_s;
        times->phases.refine_s = seconds - s->state.rounded_s;
    }
    const double work_s = delivery_work_seconds(delivery);
    const double rest =
        clock_seconds() - begun - seconds - proof_s - work_s - delivery_sink_seconds(delivery);
    times->transfer_s += rest > 0 ? rest : 0;
    times->around_s += rest > 0 ? rest : 0;
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += work_s;
    return delivery_end(delivery, err);
}

static struct gpu_size size_of(const struct solver_task *task) {
    const struct delivery *const delivery = task->delivery;
    return (struct gpu_size){.type = task->graph->type,
                             .n = task->graph->n,
                             .wanted = delivery->sources.count,
                             .all_rows = delivery->sources.source == NULL,
                             .m = task->graph->m,
                             .with_pred = task->predecessors,
                             .components = delivery->zero.components,
                             .members = delivery->zero.members,
                             .tile = task->options->tile,
                             .gpus = delivery->ranks != NULL ? delivery->ranks->count : 1};
}

static void report_choice(const struct solver_options *options, const char *chosen) {
    if (chosen != NULL && options->on_choice != NULL)
        options->on_choice(options->callback_context, chosen, NULL);
}

static enum status solve_alone(const struct solver_variant *variant, const struct solver_task *task,
                               struct solver_times *times, struct error *err) {
    const struct gpu_size size = size_of(task);
    struct session s = {.variant = variant, .device = task->options->device};
    const char *chosen = NULL;
    struct gpu_turn turn;
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, task->options, err));
    double mark = turn.began;
    enum status status = STATUS_OK;
    s.matrices.chosen = &chosen;
    s.matrices.stop.progress = task->progress;
    s.matrices.stop.ranks = task->options->ranks;
    TRY(open_session(&s, &size, task, NULL, &times->transfer_s, err));
    task->delivery->mended = true;
    TRY(delivery_begin(task->delivery, s.download.threads, err));
    times->around_s = clock_seconds() - mark;
    TRY(solve_often(&s, task, times, err));
    report_choice(task->options, chosen);
cleanup:
    mark = clock_seconds();
    release(&s);
    gpu_turn_end(&turn);
    times->around_s += clock_seconds() - mark;
    return status;
}

/* Prepares `count` members. The caller frees with dismiss, also after a failure. */
static enum status gather(struct gpu_team *crew, const struct solver_variant *variant,
                          const struct solver_task *task, int count, struct error *err) {
    void *memory = NULL;
    *crew = (struct gpu_team){.task = task, .size = size_of(task)};
    crew->size.gpus = count;
    pthread_mutex_init(&crew->turn, NULL);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof *crew->member, "the GPUs", err));
    crew->member = memory;
    crew->count = count;
    for (int k = 0; k < count; k++) {
        struct member *const m = &crew->member[k];
        *m = (struct member){
            .session = {.variant = variant, .device = task->options->devices[k], .crew = crew}};
        m->session.matrices.chosen = &m->chosen;
        m->session.matrices.stop.progress = &crew->progress;
    }
    return STATUS_OK;
}

static void dismiss(struct gpu_team *crew) {
    for (int k = 0; k < crew->count; k++) {
        make_current(crew->member[k].session.device);
        release(&crew->member[k].session);
    }
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->lock);
    pthread_mutex_destroy(&crew->turn);
    graph_free(&crew->in);
    memory_free(crew->member);
}

/* Solves with the GPUs of a crew once all are ready. */
static enum status solve_with(struct gpu_team *crew, double began, struct solver_times *times,
                              struct error *err) {
    const struct solver_task *const task = crew->task;
    struct session *const first = &crew->member[0].session;
    for (int k = 0; k < crew->count; k++) {
        struct member *const m = &crew->member[k];
        report_memory(&m->session, task->options);
        m->session.download.turn = &crew->turn;
        times->transfer_s = m->transfer_s > times->transfer_s ? m->transfer_s : times->transfer_s;
    }
    task->delivery->mended = true;
    RETURN_ON_FAILURE(delivery_begin(task->delivery, first->download.threads, err));
    times->around_s = clock_seconds() - began;
    RETURN_ON_FAILURE(solve_often(first, task, times, err));
    report_choice(task->options, crew->member[0].chosen);
    return STATUS_OK;
}

/* Returns the number of GPUs for which there are enough rows. */
static int gpus_worth(const struct solver_task *task) {
    const int rows = task->options->rows, listed = task->options->device_count;
    const int32_t step = rows > 0 && rows < GPU_STEP_ROWS ? rows : GPU_STEP_ROWS;
    const int32_t blocks = (task->delivery->sources.count - 1) / step + 1;
    return blocks < listed ? blocks : listed;
}

enum status gpu_solve_spread(const struct solver_variant *variant, const struct solver_task *task,
                             struct solver_times *times, struct error *err) {
    const int count = gpus_worth(task);
    struct solver_options options = *task->options;
    struct solver_task alone = *task;
    struct gpu_team crew;
    struct gpu_turn turn;
    enum status status = STATUS_OK;
    options.device_count = 0;
    alone.options = &options;
    if (count == 1)
        return solve_alone(variant, &alone, times, err);
    RETURN_ON_FAILURE(gpu_turn_begin(&turn, &options, err));
    TRY(gather(&crew, variant, task, count, err));
    TRY(graph_reverse(task->graph, &crew.in, err));
    TRY(together(&crew, open_member, err));
    TRY(solve_with(&crew, turn.began, times, err));
cleanup:;
    const double mark = clock_seconds();
    dismiss(&crew);
    make_current(turn.device);
    gpu_turn_end(&turn);
    times->around_s += clock_seconds() - mark;
    return status;
}

static enum status solve_spread(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err) {
    for (int k = 0; k < task->options->device_count; k++)
        RETURN_ON_FAILURE(find_device(task->options->devices[k], err));
    return variant->solve_spread(variant, task, times, err);
}

/* Returns whether the variant spreads the solve over several GPUs: the options list several, or
 * ranks have a GPU each and the variant spreads a matrix. */
static bool is_spread(const struct solver_variant *variant, const struct solver_options *options) {
    return variant->solve_spread != NULL &&
           (options->device_count > 1 ||
            (options->ranks != NULL && variant->spread_memory != NULL));
}

enum status gpu_solve(const struct solver_variant *variant, const struct solver_task *task,
                      struct solver_times *times, struct error *err) {
    return is_spread(variant, task->options) ? solve_spread(variant, task, times, err)
                                             : solve_alone(variant, task, times, err);
}

void gpu_warm_up(const struct solver_variant *variant, int device) {
    const struct gpu_size size = {
        .n = 1, .wanted = 1, .all_rows = true, .with_pred = !variant->distances_only};
    const struct solver_options options = {.device = device};
    struct session s = {.variant = variant, .device = device};
    const char *chosen;
    struct error err;
    struct gpu_turn turn;
    enum status status = gpu_turn_begin(&turn, &options, &err);
    if (status != STATUS_OK)
        return;
    if (variant->launch == NULL) { /* with a solve() of its own: creating the context is slowest */
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
