// SPDX-License-Identifier: MIT
/* Blocked Floyd-Warshall over several GPUs (this project): those of one process, or of several
 * ranks, which have one each.
 *
 * The tile rows of the matrix are dealt out to the GPUs in turn, so that all have as much work left
 * at any time. A step needs one thing of another GPU: the right panel, which the owner of the
 * pivot's row makes (parts/spread.h) and which comes to the others by one of several routes
 * (parts/panel_routes.h). That hides behind the work: the owner of the next pivot's row updates
 * that row first, in a stream of its own with a high priority, makes the next panel and sends it
 * while all GPUs do the rest of this step.
 *
 * One thread of a process asks its GPUs for their work and stays two steps ahead of them. The
 * matrix is never in one place: each GPU derives and proves the predecessors of its rows, a tile
 * row at a time, and hands them on from there.
 *
 * Cells are those of tensor, dpx16 or dpx32. `auto` takes the shortest that are likely to do, and
 * if a distance turns out to be too long, the next. */
#include "common/base/block_sizes.h" // block_sizes
#include "cuda_blocked/blocked_kernels.h"
#include "gpu/gpu_solver.h" // gpu_solve

#if !defined APSP_NO_CUDA && !defined APSP_HIP

#include "certificate/gpu/gpu_proof.h"
#include "common/base/clock.h"   // clock_seconds
#include "common/base/memory.h"  // memory_alloc, memory_gib
#include "common/base/threads.h" // threads_or_default
#include "common/graph/graph.h"  // INF
#include "cuda_blocked/parts/panel_routes.h"
#include "cuda_blocked/parts/spread_kernels.h"
#include "cuda_blocked/parts/tile_constants.h" // LARGE_TILE
#include "cuda_blocked/rungs.h"                // cuda_blocked_rungs
#include "gpu/gpu_download.h"                  // gpu_download_take
#include "gpu/gpu_hands.h"                     // struct gpu_hand
#include "gpu/gpu_room.h"                      // gpu_room_find
#include "gpu/launch/gpu_error.h"              // gpu_check
#include "gpu/launch/gpu_events.h"             // gpu_event_record
#include "ranks/ranks.h"                       // ranks_agree
#include "solve/delivery.h"                    // struct delivery

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TILE = LARGE_TILE,
    MAX_THREADS = 16,
    SLOTS = 2, /* buffers for predecessors: rows in one are handed on while those in the other are
                  derived */
    ALLOCATION_BYTES = 2 << 20,
    KERNEL_BYTES = 32 << 20,
    VERTICES_COUNTED = 1 << 28, /* below this number of vertices, byte counts do not overflow */
};

/* Arrays that a GPU allocates. Their sizes depend on the graph and, from CELLS on, on the kind of
 * cells. */
enum area {
    FIRST,
    TAIL,
    WEIGHT,
    SOURCES, /* the vertices 0 .. n - 1 */
    COMPONENT,
    COMPONENT_FIRST,
    MEMBER,
    FLAGS,
    PROBE,
    DERIVATION,
    PREDECESSORS,
    CELLS,
    DISTANCES, /* distances of a tile row, if cells are not distances themselves */
    CHECK,
    AREAS
};

/* The kinds of cells that a variant may take: first is the shortest, last the longest. */
struct choice {
    enum spread_cells first, last;
};

/* Returns the rung whose cells these are. */
static const struct rung *rung_of(enum spread_cells cells) {
    const struct rung *rung = cuda_blocked_rungs;
    while (rung->cells != cells)
        rung++;
    return rung;
}

/* The choice of a variant: its own kind of cells, or all kinds for `auto`. */
static struct choice choice_of(const struct solver_variant *variant) {
    for (int k = 0; k < RUNGS; k++) {
        const struct rung *const rung = &cuda_blocked_rungs[k];
        if (strcmp(rung->variant, variant->name) == 0)
            return (struct choice){rung->cells, rung->cells};
    }
    return (struct choice){SPREAD_EXPONENTS, SPREAD_INT32};
}

/* Consecutive rows of the answer, of consecutive vertices in one tile row. */
struct row_run {
    int32_t position, vertex, count; /* position and vertex of the first row; number of rows */
};

struct gpu {
    struct panel_end end;
    struct gpu_matrices m; /* n, ld, edges and workspace, but no rows */
    size_t bytes[AREAS];
    void *memory[AREAS];
    cudaStream_t ahead, rest; /* streams: ahead for the next pivot's row, rest for all others */
    struct gpu_download download;
    struct gpu_proof proof;
    /* The run of rows that a thread prepares for this GPU. */
    const struct spread_session *session;
    struct row_run run;
    int slot;
    int32_t *rows; /* distances of the run's tile row */
    bool proved;
    double seconds;
};

/* The sizes that determine, together with its part, how much memory a GPU needs. */
struct demand {
    int64_t m;
    bool with_pred, probes;
    int32_t members, components; /* vertices on zero-weight cycles, and components of such cycles */
};

struct spread_session {
    struct gpu gpu[SOLVER_MAX_TOGETHER]; /* `count` GPUs of this process */
    int count;
    int parts, first; /* parts: number of GPUs that share the matrix; first: number of gpu[0] among
                         these */
    const struct ranks *ranks; /* the processes that have these GPUs; ranks_alone: only this one */
    struct gpu_room room; /* memory that gpu[0] has for this rank, if there are several ranks */
    struct panels panels;
    const struct solver_task *task;
    struct choice choice;
    enum spread_cells cells;
    int32_t n;
    int32_t tiles, vertices; /* tiles in a row of the matrix, vertices of a tile row */
    size_t ld;
    struct demand demand;
};

/* Returns whether this process is one of several. */
static bool is_rank(const struct spread_session *s) {
    return s->ranks->count > 1;
}

static enum status named(const struct gpu *g, enum status status, struct error *err) {
    return gpu_blame(g->end.device, status, err);
}

static size_t round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

static struct gpu_matrices matrices_of(int64_t m, int32_t max_weight,
                                       const struct spread_part *part) {
    return (struct gpu_matrices){.n = part->n,
                                 .order = (int32_t)part->ld,
                                 .ld = part->ld,
                                 .in = {.m = m, .max_weight = max_weight}};
}

/* Sets the bytes of each array that a GPU allocates for its part; returns their sum. */
static size_t plan(const struct demand *demand, const struct spread_part *part,
                   size_t bytes[AREAS]) {
    const size_t n = (size_t)part->n, m = (size_t)demand->m;
    const struct gpu_matrices matrices = matrices_of(demand->m, 0, part);
    const size_t members = (size_t)demand->members;
    memset(bytes, 0, AREAS * sizeof *bytes);
    bytes[FIRST] = (n + 1) * sizeof(int64_t);
    bytes[TAIL] = bytes[WEIGHT] = m * sizeof(int32_t);
    bytes[SOURCES] = n * sizeof(int32_t);
    bytes[PROBE] = demand->probes ? spread_probe_bytes(&matrices) : 0;
    bytes[CELLS] = spread_bytes(part);
    bytes[DISTANCES] = SLOTS * spread_buffer_bytes(part);
    bytes[CHECK] = spread_check_bytes(part, &matrices);
    if (demand->with_pred) {
        bytes[COMPONENT] = members > 0 ? n * sizeof(int32_t) : 0;
        bytes[COMPONENT_FIRST] =
            members > 0 ? (size_t)(demand->components + 1) * sizeof(int32_t) : 0;
        bytes[MEMBER] = members * sizeof(struct zero_member);
        bytes[FLAGS] = m;
        bytes[DERIVATION] = spread_derivation_bytes(&matrices);
        bytes[PREDECESSORS] = SLOTS * TILE * part->ld * sizeof(int32_t);
    }
    size_t needed = KERNEL_BYTES;
    for (int area = 0; area < AREAS; area++)
        needed += round_up(bytes[area], ALLOCATION_BYTES);
    return needed;
}

static size_t memory_for(enum spread_cells cells, int32_t n, int64_t m, bool with_pred, int gpus) {
    const struct demand demand = {.m = m, .with_pred = with_pred};
    size_t bytes[AREAS];
    if (n >= VERTICES_COUNTED)
        return SIZE_MAX;
    const struct spread_part part = spread_part_of(cells, n, gpus, 0); /* no part is larger */
    return plan(&demand, &part, bytes);
}

size_t cuda_blocked_spread_memory(int32_t n, int64_t m, bool with_pred, int gpus) {
    return memory_for(SPREAD_INT32, n, m, with_pred, gpus);
}

size_t cuda_blocked_spread_memory_16(int32_t n, int64_t m, bool with_pred, int gpus) {
    return memory_for(SPREAD_INT16, n, m, with_pred, gpus);
}

size_t cuda_blocked_spread_memory_tensor(int32_t n, int64_t m, bool with_pred, int gpus) {
    return memory_for(SPREAD_EXPONENTS, n, m, with_pred, gpus);
}

/* The most vertices, with the same number of edges, for which a GPU's part needs at most `most`
 * bytes. */
static int32_t max_vertices(const struct spread_session *s, size_t most) {
    int32_t fits = 0, does_not = VERTICES_COUNTED;
    while (does_not - fits > 1) {
        const int32_t n = fits + (does_not - fits) / 2;
        const struct spread_part part = spread_part_of(s->cells, n, s->parts, 0);
        size_t bytes[AREAS];
        if (plan(&s->demand, &part, bytes) <= most)
            fits = n;
        else
            does_not = n;
    }
    return fits;
}

/* Frees the proof, and all arrays whose sizes depend on the kind of cells. */
static void drop_cells(struct gpu *g) {
    gpu_proof_close(&g->proof);
    for (int area = CELLS; area < AREAS; area++) {
        cudaFree(g->memory[area]);
        g->memory[area] = NULL;
    }
}

/* Allocates the arrays before `end` that a GPU does not have yet, if there is room for all
 * arrays. */
static enum status allocate(struct gpu *g, const struct spread_session *s, enum area end,
                            struct error *err) {
    const struct solver_options *const options = s->task->options;
    char sharers[GPU_ROOM_TEXT];
    struct gpu_memory memory = {.device = g->end.device,
                                .needed = plan(&s->demand, &g->end.part, g->bytes)};
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&memory.free, &memory.all), "asking for its free memory", err));
    for (int area = 0; area < AREAS; area++)
        memory.free += g->memory[area] != NULL ? round_up(g->bytes[area], ALLOCATION_BYTES) : 0;
    if (is_rank(s) && memory.free > s->room.free) /* other ranks have the rest */
        memory.free = s->room.free;
    memory.max_vertices = max_vertices(s, memory.free);
    if (memory.needed > memory.free)
        return fail(err, STATUS_NO_RESOURCE,
                    "%d vertices need %.2f GiB on each of %d GPUs, %.2f GiB of its %.2f GiB are "
                    "free%s: at most %d vertices fit",
                    s->n, memory_gib(memory.needed), s->parts, memory_gib(memory.free),
                    memory_gib(memory.all), is_rank(s) ? gpu_room_sharers(&s->room, sharers) : "",
                    memory.max_vertices);
    if (options->on_memory != NULL && end == AREAS)
        options->on_memory(options->callback_context, &memory);
    for (int area = 0; area < (int)end; area++) {
        if (g->bytes[area] > 0 && g->memory[area] == NULL)
            RETURN_ON_FAILURE(
                gpu_check(cudaMalloc(&g->memory[area], g->bytes[area]), "allocating memory", err));
    }
    g->end.part.memory = g->memory[CELLS];
    g->m.workspace = g->memory[DERIVATION];
    g->m.in.first = g->memory[FIRST];
    g->m.in.tail = g->memory[TAIL];
    g->m.in.weight = g->memory[WEIGHT];
    g->m.component = g->memory[COMPONENT];
    return STATUS_OK;
}

static enum status create_streams(struct gpu *g, struct error *err) {
    const char *const doing = "creating a stream";
    int least = 0, greatest = 0;
    RETURN_ON_FAILURE(gpu_check(cudaDeviceGetStreamPriorityRange(&least, &greatest), doing, err));
    RETURN_ON_FAILURE(gpu_check(
        cudaStreamCreateWithPriority(&g->ahead, cudaStreamNonBlocking, greatest), doing, err));
    RETURN_ON_FAILURE(
        gpu_check(cudaStreamCreateWithFlags(&g->rest, cudaStreamNonBlocking), doing, err));
    RETURN_ON_FAILURE(gpu_check(
        cudaStreamCreateWithPriority(&g->end.copies, cudaStreamNonBlocking, greatest), doing, err));
    RETURN_ON_FAILURE(gpu_event_create(&g->end.panel, err));
    for (int k = 0; k < PANELS_KEPT; k++) {
        RETURN_ON_FAILURE(gpu_event_create(&g->end.arrived[k], err));
        RETURN_ON_FAILURE(gpu_event_create(&g->end.done[k], err));
    }
    return STATUS_OK;
}

/* Lets a GPU access the other GPUs of this process where it can; otherwise copies go through the
 * host. */
static enum status see_others(const struct spread_session *s, const struct gpu *g,
                              struct error *err) {
    for (int k = 0; k < s->count; k++) {
        const int other = s->gpu[k].end.device;
        int can = 0;
        if (other == g->end.device)
            continue;
        RETURN_ON_FAILURE(gpu_check(cudaDeviceCanAccessPeer(&can, g->end.device, other),
                                    "asking for access to another GPU", err));
        if (can == 0)
            continue;
        const cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
        if (code != cudaErrorPeerAccessAlreadyEnabled)
            RETURN_ON_FAILURE(gpu_check(code, "enabling access to another GPU", err));
        (void)cudaGetLastError(); /* clears the error of access that was enabled before */
    }
    return STATUS_OK;
}

static enum status upload(const struct gpu *g, enum area area, const void *from,
                          struct error *err) {
    if (g->bytes[area] == 0)
        return STATUS_OK;
    return gpu_check(cudaMemcpy(g->memory[area], from, g->bytes[area], cudaMemcpyHostToDevice),
                     "copying the graph", err);
}

/* Parts of the problem that all GPUs have. */
struct input {
    struct graph in; /* edges by their heads */
    void *sources, *component, *member;
};

static enum status make_input(struct input *input, const struct spread_session *s,
                              struct error *err) {
    const struct zero_cycles *const zero = &s->task->delivery->zero;
    RETURN_ON_FAILURE(graph_reverse(s->task->graph, &input->in, err));
    RETURN_ON_FAILURE(
        memory_alloc(&input->sources, (size_t)s->n, sizeof(int32_t), "the sources", err));
    for (int32_t v = 0; v < s->n; v++)
        ((int32_t *)input->sources)[v] = v;
    if (s->demand.members == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_component_numbers(zero, s->n, &input->component, err));
    RETURN_ON_FAILURE(memory_alloc(&input->member, (size_t)s->demand.members,
                                   sizeof(struct zero_member), "zero-weight cycles", err));
    return zero_cycles_span(zero, input->member, err);
}

static void free_input(struct input *input) {
    graph_free(&input->in);
    memory_free(input->sources);
    memory_free(input->component);
    memory_free(input->member);
}

/* Makes a GPU ready to solve. */
static enum status open_gpu(struct gpu *g, const struct spread_session *s,
                            const struct input *input, struct error *err) {
    const struct solver_task *const task = s->task;
    struct delivery *const delivery = task->delivery;
    const int threads = threads_or_default(task->options->threads);
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(allocate(g, s, CELLS, err));
    RETURN_ON_FAILURE(create_streams(g, err));
    RETURN_ON_FAILURE(see_others(s, g, err));
    RETURN_ON_FAILURE(upload(g, FIRST, input->in.first, err));
    RETURN_ON_FAILURE(upload(g, TAIL, input->in.head, err));
    RETURN_ON_FAILURE(upload(g, WEIGHT, input->in.weight, err));
    RETURN_ON_FAILURE(upload(g, SOURCES, input->sources, err));
    RETURN_ON_FAILURE(upload(g, COMPONENT, input->component, err));
    RETURN_ON_FAILURE(upload(g, COMPONENT_FIRST, delivery->zero.first, err));
    RETURN_ON_FAILURE(upload(g, MEMBER, input->member, err));
    return gpu_download_open(&g->download, delivery, s->ld, TILE, block_sizes.gpu_chunk_bytes,
                             threads < MAX_THREADS ? threads : MAX_THREADS, err);
}

/* Waits until the GPU has stopped. Earlier failures are reported already, and do not matter here
 * or in close_gpu. */
static void stop_gpu(const struct gpu *g) {
    if (cudaSetDevice(g->end.device) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        (void)cudaGetLastError();
}

/* Frees a GPU's memory. All GPUs must have stopped, because others may copy from this one. */
static void close_gpu(struct gpu *g) {
    if (cudaSetDevice(g->end.device) != cudaSuccess)
        (void)cudaGetLastError();
    gpu_download_close(&g->download);
    gpu_proof_close(&g->proof);
    for (int area = 0; area < AREAS; area++)
        cudaFree(g->memory[area]);
    cudaEvent_t events[1 + 2 * PANELS_KEPT] = {g->end.panel};
    memcpy(events + 1, g->end.arrived, sizeof g->end.arrived);
    memcpy(events + 1 + PANELS_KEPT, g->end.done, sizeof g->end.done);
    for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
        if (events[k] != NULL)
            cudaEventDestroy(events[k]);
    }
    const cudaStream_t streams[] = {g->ahead, g->rest, g->end.copies};
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++) {
        if (streams[k] != NULL)
            cudaStreamDestroy(streams[k]);
    }
}

static void take_cells(struct spread_session *s, enum spread_cells cells) {
    s->cells = cells;
    for (int k = 0; k < s->count; k++)
        s->gpu[k].end.part = spread_part_of(cells, s->n, s->parts, s->first + k);
    s->tiles = s->gpu[0].end.part.tiles;
    s->vertices = s->gpu[0].end.part.vertices;
}

static enum status hold_cells(struct gpu *g, const struct spread_session *s, struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(spread_prepare(s->cells, err));
    return allocate(g, s, AREAS, err);
}

static enum status probe(struct spread_session *s, enum spread_cells *from, struct error *err) {
    struct gpu *const g = s->gpu;
    bool likely = false;
    RETURN_ON_FAILURE(named(g, panel_end_select(&g->end, err), err));
    while (*from < s->choice.last && !likely) {
        RETURN_ON_FAILURE(
            named(g, spread_probe(*from, &g->m, g->memory[PROBE], &likely, err), err));
        *from += likely ? 0 : 1;
    }
    return STATUS_OK;
}

static enum status hold_all(struct spread_session *s, struct error *err) {
    for (int k = 0; k < s->count; k++)
        RETURN_ON_FAILURE(named(&s->gpu[k], hold_cells(&s->gpu[k], s, err), err));
    return panels_make_room(&s->panels, spread_panel_bytes(&s->gpu[0].end.part), err);
}

/* Prepares proofs on a GPU if memory is left, after all ranks that share the GPU have allocated
 * their cells. */
static enum status open_proof(struct gpu *g, const struct delivery *delivery, bool with_pred,
                              struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    return gpu_proof_open(&g->proof, delivery->sink->proves, delivery->potential, with_pred, err);
}

static enum status open_proofs(struct spread_session *s, struct error *err) {
    const struct delivery *const delivery = s->task->delivery;
    for (int k = 0; k < s->count && delivery_may_prove(delivery); k++)
        RETURN_ON_FAILURE(
            named(&s->gpu[k], open_proof(&s->gpu[k], delivery, s->demand.with_pred, err), err));
    return STATUS_OK;
}

/* Takes the shortest kind of cells from `from` on that is likely to be exact, by the probe of the
 * first rank. */
static enum status choose_cells(struct spread_session *s, enum spread_cells from,
                                struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(s->ranks, probe(s, &from, err), err));
    RETURN_ON_FAILURE(ranks_broadcast(s->ranks, &from, sizeof from, err));
    for (int k = 0; k < s->count; k++)
        drop_cells(&s->gpu[k]);
    take_cells(s, from);
    RETURN_ON_FAILURE(ranks_agree(s->ranks, hold_all(s, err), err));
    return ranks_agree(s->ranks, open_proofs(s, err), err);
}

/* Launches a GPU's work in a step, except on the pivot's row. If it owns the next pivot's row, that
 * row and its panel come first. */
static enum status do_step(const struct spread_session *s, const struct gpu *g, int32_t step,
                           struct error *err) {
    const cudaEvent_t here =
        spread_owns(&g->end.part, step) ? g->end.panel : g->end.arrived[step % PANELS_KEPT];
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(gpu_event_precedes(here, g->rest, err));
    if (step >= 1 && spread_owns(&g->end.part, step - 1))
        RETURN_ON_FAILURE(panels_wait_sent(&s->panels, &g->end, step - 1, g->rest, err));
    if (step + 1 < s->tiles && spread_owns(&g->end.part, step + 1)) {
        RETURN_ON_FAILURE(gpu_event_precedes(here, g->ahead, err));
        if (step >= 1)
            RETURN_ON_FAILURE(
                gpu_event_precedes(g->end.done[(step - 1) % PANELS_KEPT], g->ahead, err));
        RETURN_ON_FAILURE(spread_update_next(&g->end.part, step, g->ahead, err));
        RETURN_ON_FAILURE(spread_close(&g->end.part, step + 1, g->ahead, err));
        RETURN_ON_FAILURE(gpu_event_record(g->end.panel, g->ahead, err));
    }
    RETURN_ON_FAILURE(spread_update_rest(&g->end.part, step, g->rest, err));
    return gpu_event_record(g->end.done[step % PANELS_KEPT], g->rest, err);
}

/* Waits until all GPUs of this process have done a step. */
static enum status finish_step(struct spread_session *s, int32_t step, struct error *err) {
    for (int k = 0; k < s->count; k++) {
        struct gpu *const g = &s->gpu[k];
        RETURN_ON_FAILURE(named(g, panels_wait_done(&s->panels, &g->end, step, err), err));
    }
    return progress_report(s->task->progress, step + 1, s->tiles) ? STATUS_OK
                                                                  : progress_cancelled(err);
}

static enum status synchronize(struct gpu *g, struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    return gpu_check(cudaDeviceSynchronize(), "running the kernels", err);
}

static enum status synchronize_all(struct spread_session *s, struct error *err) {
    for (int k = 0; k < s->count; k++)
        RETURN_ON_FAILURE(named(&s->gpu[k], synchronize(&s->gpu[k], err), err));
    return STATUS_OK;
}

static enum status fill(struct gpu *g, struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    return spread_fill(&g->end.part, &g->m.in, err);
}

static enum status begin_panel(struct gpu *g, struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(spread_close(&g->end.part, 0, g->ahead, err));
    return gpu_event_record(g->end.panel, g->ahead, err);
}

static enum status do_steps(struct spread_session *s, struct error *err) {
    enum { AHEAD = 2 };
    panels_restart(&s->panels);
    if (spread_owns(&s->gpu->end.part, 0))
        RETURN_ON_FAILURE(named(s->gpu, begin_panel(s->gpu, err), err));
    for (int32_t step = 0; step < s->tiles + AHEAD; step++) {
        if (step < s->tiles)
            RETURN_ON_FAILURE(panels_bring(&s->panels, step, err));
        for (int k = 0; k < s->count && step < s->tiles; k++)
            RETURN_ON_FAILURE(named(&s->gpu[k], do_step(s, &s->gpu[k], step, err), err));
        if (step >= AHEAD)
            RETURN_ON_FAILURE(finish_step(s, step - AHEAD, err));
    }
    return synchronize_all(s, err);
}

/* Returns whether the failure happened in another rank, which reports it. */
static bool others_failed(const struct spread_session *s, enum status status) {
    return is_rank(s) && status == STATUS_CANCELLED && progress_goes_on(s->task->progress);
}

/* Computes all distances. */
static enum status solve_matrix(struct spread_session *s, struct error *err) {
    const enum status status = do_steps(s, err);
    if (status != STATUS_OK)
        panels_abandon(&s->panels, s->tiles);
    return ranks_agree(s->ranks, others_failed(s, status) ? STATUS_OK : status, err);
}

/* Adds the flags of a GPU's edges to `all`. */
static enum status collect_flags(struct gpu *g, uint8_t *all, uint8_t *own, struct error *err) {
    const size_t m = (size_t)g->m.in.m;
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(spread_flag_edges(&g->end.part, &g->m.in, g->memory[FLAGS], err));
    RETURN_ON_FAILURE(gpu_check(cudaMemcpy(own, g->memory[FLAGS], m, cudaMemcpyDeviceToHost),
                                "copying flags", err));
    for (size_t e = 0; e < m; e++)
        all[e] |= own[e];
    return STATUS_OK;
}

static enum status keep_edges(struct gpu *g, const uint8_t *all, struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(upload(g, FLAGS, all, err));
    RETURN_ON_FAILURE(spread_keep_edges(&g->m, g->memory[FLAGS], err));
    return gpu_check(cudaDeviceSynchronize(), "running the kernels", err);
}

static enum status flag_edges(struct spread_session *s, uint8_t *all, struct error *err) {
    const size_t m = (size_t)s->task->graph->m;
    enum status status = STATUS_OK;
    void *own = NULL;
    RETURN_ON_FAILURE(memory_alloc(&own, m, 1, "flags of edges", err));
    for (int k = 0; k < s->count; k++)
        TRY(named(&s->gpu[k], collect_flags(&s->gpu[k], all, own, err), err));
cleanup:
    memory_free(own);
    return status;
}

/* Finds the edges that are shortest paths. Only the GPU that has the row of an edge's tail can
 * tell, and all GPUs need the answer. */
static enum status find_edges(struct spread_session *s, struct error *err) {
    const size_t m = (size_t)s->task->graph->m;
    enum status status = STATUS_OK;
    void *all = NULL;
    if (!s->demand.with_pred)
        return STATUS_OK;
    TRY(ranks_agree(s->ranks, memory_alloc(&all, m > 0 ? m : 1, 1, "flags of edges", err), err));
    memset(all, 0, m);
    if (m > 0) {
        TRY(ranks_agree(s->ranks, flag_edges(s, all, err), err));
        TRY(ranks_any(s->ranks, all, m, err));
    }
    for (int k = 0; k < s->count; k++)
        TRY(named(&s->gpu[k], keep_edges(&s->gpu[k], all, err), err));
cleanup:
    memory_free(all);
    return status;
}

static void *buffer_of(const struct gpu *g) {
    return (char *)g->memory[DISTANCES] + (size_t)g->slot * spread_buffer_bytes(&g->end.part);
}

static enum status check_gpu(struct gpu *g, bool *exact, struct error *err) {
    bool own = false;
    RETURN_ON_FAILURE(panel_end_select(&g->end, err));
    RETURN_ON_FAILURE(
        spread_check(&g->end.part, &g->m, g->memory[CHECK], g->memory[DISTANCES], &own, err));
    *exact = *exact && own;
    return STATUS_OK;
}

static enum status check_own_cells(struct spread_session *s, bool *exact, struct error *err) {
    *exact = true;
    for (int k = 0; k < s->count && *exact; k++)
        RETURN_ON_FAILURE(named(&s->gpu[k], check_gpu(&s->gpu[k], exact, err), err));
    return STATUS_OK;
}

/* Stores whether the cells could hold all distances. */
static enum status check_cells(struct spread_session *s, bool *exact, struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(s->ranks, check_own_cells(s, exact, err), err));
    int least = *exact;
    RETURN_ON_FAILURE(ranks_least(s->ranks, &least, err));
    *exact = least != 0;
    return STATUS_OK;
}

/* The matrices of a GPU with the addresses of its run's rows. */
static struct gpu_matrices rows_of(const struct gpu *g) {
    const struct spread_session *const s = g->session;
    const size_t start = (size_t)(g->run.vertex % s->vertices) * s->ld;
    struct gpu_matrices m = g->m;
    m.rows = g->run.count;
    m.source = (const int32_t *)g->memory[SOURCES] + g->run.vertex;
    m.dist = g->rows + start;
    m.pred = s->demand.with_pred
                 ? (int32_t *)g->memory[PREDECESSORS] + (size_t)g->slot * TILE * s->ld + start
                 : NULL;
    return m;
}

/* Derives and proves the rows of a GPU's run. */
static enum status make_ready(void *self, struct error *err) {
    struct gpu *const g = self;
    const struct spread_session *const s = g->session;
    const struct gpu_components components = {g->memory[COMPONENT], g->memory[MEMBER],
                                              g->memory[COMPONENT_FIRST], s->demand.components};
    const int32_t tile_row = g->run.vertex / s->vertices, first = tile_row * s->vertices;
    const double begun = clock_seconds();
    RETURN_ON_FAILURE(spread_read_rows(&g->end.part, tile_row, buffer_of(g), &g->rows, err));
    const struct gpu_matrices m = rows_of(g);
    if (s->demand.with_pred) {
        const size_t start = (size_t)(g->run.vertex - first) * s->ld;
        RETURN_ON_FAILURE(spread_derive(&g->m, first, g->rows, m.pred - start, err));
        if (s->demand.members > 0)
            RETURN_ON_FAILURE(gpu_mend_predecessors(&m, &components, err));
    }
    RETURN_ON_FAILURE(gpu_wait(&g->m, err));
    g->seconds = clock_seconds() - begun;
    g->proved = false;
    if (!g->proof.is_ready)
        return STATUS_OK;
    const struct gpu_proof_rows rows = {m.dist, m.pred, m.source, m.ld, m.rows};
    return gpu_proof_check(&g->proof, &rows, &g->proved, err);
}

/* Runs that are prepared at the same time, each on another GPU. */
struct ready_runs {
    struct gpu *gpu[SOLVER_MAX_TOGETHER];
    struct gpu_hand hand[SOLVER_MAX_TOGETHER];
    struct gpu ready[SOLVER_MAX_TOGETHER]; /* state of the GPUs when their runs were ready */
    int count;
};

/* Returns the first position from `position` on whose row a GPU of this process has; *number: which
 * GPU. */
static int32_t skip_others(const struct spread_session *s, int32_t position, int *number) {
    const struct row_sources *const sources = &s->task->delivery->sources;
    for (; position < sources->count; position++) {
        *number = row_source(sources, position) / s->vertices % s->parts - s->first;
        if (*number >= 0 && *number < s->count)
            break;
    }
    return position;
}

/* Takes the runs from `position` on until one is on a GPU that already has a run. Returns the
 * position behind the last run. */
static int32_t take_runs(struct spread_session *s, struct ready_runs *round, int32_t position,
                         int slot) {
    const struct row_sources *const sources = &s->task->delivery->sources;
    bool taken[SOLVER_MAX_TOGETHER] = {false};
    int number = 0;
    round->count = 0;
    while ((position = skip_others(s, position, &number)) < sources->count && !taken[number]) {
        const int32_t vertex = row_source(sources, position);
        struct row_run run = {position, vertex, 1};
        while (position + run.count < sources->count && (vertex + run.count) % s->vertices != 0 &&
               row_source(sources, position + run.count) == vertex + run.count)
            run.count++;
        struct gpu *const g = &s->gpu[number];
        g->run = run;
        g->slot = slot;
        round->gpu[round->count++] = g;
        taken[number] = true;
        position += run.count;
    }
    return position;
}

static void start_round(struct ready_runs *round) {
    for (int k = 0; k < round->count; k++)
        round->hand[k] = (struct gpu_hand){
            .device = round->gpu[k]->end.device, .work = make_ready, .self = round->gpu[k]};
    gpu_hands_begin(round->hand, round->count);
}

/* Waits for a round, and adds the seconds of its slowest GPU to *seconds. */
static enum status finish_round(struct ready_runs *round, double *seconds, struct error *err) {
    double longest = 0;
    const enum status status = gpu_hands_finish(round->hand, round->count, err);
    for (int k = 0; k < round->count; k++) {
        round->ready[k] = *round->gpu[k];
        longest = fmax(longest, round->ready[k].seconds);
    }
    *seconds += longest;
    return status;
}

/* Hands the rows of a round on. */
static enum status deliver_round(struct ready_runs *round, struct error *err) {
    for (int k = 0; k < round->count; k++) {
        struct gpu *const g = round->gpu[k];
        const struct gpu_matrices m = rows_of(&round->ready[k]);
        const struct gpu_rows rows = {.dist = m.dist,
                                      .pred = m.pred,
                                      .first = round->ready[k].run.position,
                                      .count = m.rows,
                                      .proved = round->ready[k].proved};
        RETURN_ON_FAILURE(named(g, panel_end_select(&g->end, err), err));
        RETURN_ON_FAILURE(named(g, gpu_download_take(&g->download, &rows, err), err));
    }
    return STATUS_OK;
}

/* Prepares all rows in rounds: one round is prepared while the one before is handed on. */
static enum status produce_rows(struct spread_session *s, bool delivers, double *seconds,
                                struct error *err) {
    struct delivery *const delivery = s->task->delivery;
    struct ready_runs rounds[2];
    int32_t position = take_runs(s, &rounds[0], 0, 0);
    start_round(&rounds[0]);
    RETURN_ON_FAILURE(finish_round(&rounds[0], seconds, err));
    for (int now = 0;; now = 1 - now) {
        struct ready_runs *const next = &rounds[1 - now];
        struct error later;
        const bool more = position < delivery->sources.count;
        if (more) {
            position = take_runs(s, next, position, 1 - now); /* none at the end, perhaps */
            start_round(next);
        }
        enum status status = delivers ? deliver_round(&rounds[now], err) : STATUS_OK;
        const enum status ready = more ? finish_round(next, seconds, &later) : STATUS_OK;
        if (status == STATUS_OK && ready != STATUS_OK) {
            status = ready;
            *err = later;
        }
        if (status != STATUS_OK || !more)
            return status;
        if (!progress_goes_on(s->task->progress))
            return progress_cancelled(err);
        if (delivers && next->count > 0 && !delivery_wants(delivery, next->ready[0].run.position))
            return STATUS_OK; /* delivery_end reports the reason */
        if (claims_stopped(s->ranks))
            return STATUS_OK; /* another rank reports the reason */
    }
}

static enum status fill_all(struct spread_session *s, struct error *err) {
    for (int k = 0; k < s->count; k++)
        RETURN_ON_FAILURE(named(&s->gpu[k], fill(&s->gpu[k], err), err));
    return synchronize_all(s, err);
}

/* Solves once; adds the seconds to *seconds. */
static enum status solve_once(struct spread_session *s, bool delivers, double *seconds,
                              struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(s->ranks, fill_all(s, err), err));
    const double begun = clock_seconds();
    for (bool exact = false; !exact;) {
        RETURN_ON_FAILURE(solve_matrix(s, err));
        RETURN_ON_FAILURE(check_cells(s, &exact, err));
        if (exact)
            continue;
        if (s->cells == s->choice.last)
            return fail(err, STATUS_BAD_INPUT,
                        "variant %s is not exact for this graph: some distance is above %d",
                        rung_of(s->cells)->variant, rung_of(s->cells)->longest);
        RETURN_ON_FAILURE(choose_cells(s, s->cells + 1, err));
        RETURN_ON_FAILURE(ranks_agree(s->ranks, fill_all(s, err), err));
    }
    RETURN_ON_FAILURE(find_edges(s, err));
    *seconds = clock_seconds() - begun;
    return delivers || s->demand.with_pred ? produce_rows(s, delivers, seconds, err) : STATUS_OK;
}

static enum status solve_often(struct spread_session *s, struct solver_times *times,
                               struct error *err) {
    const struct solver_task *const task = s->task;
    double seconds = 0, begun = 0;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        begun = clock_seconds();
        RETURN_ON_FAILURE(solve_once(s, r == task->repetitions - 1, &seconds, err));
        if (r >= 0)
            times->solve_s[r] = seconds;
    }
    const double work = delivery_work_seconds(task->delivery);
    const double rest =
        clock_seconds() - begun - seconds - work - delivery_sink_seconds(task->delivery);
    times->transfer_s += rest > 0 ? rest : 0;
    times->around_s += rest > 0 ? rest : 0;
    for (int r = 0; r < task->repetitions; r++)
        times->solve_s[r] += work;
    return delivery_end(task->delivery, err);
}

/* Divides the matrix among GPUs. GPUs of this process that would have no tile row are left out; a
 * rank without a tile row still takes part. */
static void divide(struct spread_session *s, const struct solver_options *options,
                   int32_t tile_rows) {
    s->ranks = ranks_or_alone(options->ranks);
    s->count = options->device_count < tile_rows ? options->device_count : tile_rows;
    for (int k = 0; k < s->count; k++)
        s->gpu[k].end.device = options->devices[k];
    s->parts = s->count;
    if (is_rank(s)) {
        s->count = 1;
        s->gpu[0].end.device = options->device;
        s->parts = s->ranks->count;
        s->first = s->ranks->rank;
        s->panels.ranks = s->ranks;
    }
    s->panels.count = s->count;
    for (int k = 0; k < s->count; k++)
        s->panels.end[k] = &s->gpu[k].end;
}

static void describe(struct spread_session *s, const struct solver_variant *variant,
                     const struct solver_task *task) {
    const struct graph *const g = task->graph;
    const int32_t tile_rows = (g->n - 1) / TILE + 1;
    s->task = task;
    s->choice = choice_of(variant);
    s->n = g->n;
    s->ld = (size_t)tile_rows * TILE;
    s->demand = (struct demand){.m = g->m,
                                .with_pred = task->predecessors,
                                .probes = s->choice.first != s->choice.last,
                                .members = task->delivery->zero.members,
                                .components = task->delivery->zero.components};
    divide(s, task->options, tile_rows);
    take_cells(s, s->choice.first);
    for (int k = 0; k < s->count; k++) {
        s->gpu[k].session = s;
        s->gpu[k].m = matrices_of(g->m, (int32_t)g->max_weight, &s->gpu[k].end.part);
    }
}

static enum status open_all(struct spread_session *s, const struct input *input,
                            struct error *err) {
    for (int k = 0; k < s->count; k++)
        RETURN_ON_FAILURE(named(&s->gpu[k], open_gpu(&s->gpu[k], s, input, err), err));
    return STATUS_OK;
}

/* Finds how much memory of its GPU a rank may take. */
static enum status find_room(struct spread_session *s, struct error *err) {
    struct gpu *const g = s->gpu;
    if (!is_rank(s))
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_agree(s->ranks, named(g, panel_end_select(&g->end, err), err), err));
    RETURN_ON_FAILURE(gpu_room_find(g->end.device, s->ranks, &s->room, err));
    s->panels.shares_gpu = s->room.processes > 1;
    return STATUS_OK;
}

static void report_choice(const struct spread_session *s) {
    const struct solver_options *const options = s->task->options;
    void *const context = options->callback_context;
    char text[sizeof s->panels.why.text + 64];
    const char *const route = panels_route(&s->panels, text, sizeof text);
    if (options->on_route != NULL && route != NULL)
        options->on_route(context, route);
    if (options->on_choice != NULL && s->choice.first != s->choice.last)
        options->on_choice(context, rung_of(s->cells)->variant, NULL);
}

enum status cuda_blocked_spread(const struct solver_variant *variant,
                                const struct solver_task *task, struct solver_times *times,
                                struct error *err) {
    struct input input = {0};
    struct gpu_turn turn;
    void *memory = NULL;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, 1, sizeof(struct spread_session), "a list of GPUs", err));
    struct spread_session *const s = memset(memory, 0, sizeof(struct spread_session));
    struct solver_options first = *task->options;
    first.device_count = 0;
    describe(s, variant, task);
    status = gpu_turn_begin(&turn, &first, err);
    if (status != STATUS_OK) {
        memory_free(memory);
        return status;
    }
    const double began = turn.began;
    TRY(find_room(s, err));
    TRY(ranks_agree(s->ranks, make_input(&input, s, err), err));
    TRY(ranks_agree(s->ranks, open_all(s, &input, err), err));
    TRY(panels_open(&s->panels, err));
    TRY(choose_cells(s, s->choice.first, err));
    task->delivery->mended = true;
    TRY(ranks_agree(s->ranks, delivery_begin(task->delivery, s->gpu[0].download.threads, err),
                    err));
    times->around_s = clock_seconds() - began;
    TRY(solve_often(s, times, err));
    report_choice(s);
cleanup:
    free_input(&input);
    for (int k = 0; k < s->count; k++)
        stop_gpu(&s->gpu[k]);
    panels_close(&s->panels);
    for (int k = 0; k < s->count; k++)
        close_gpu(&s->gpu[k]);
    if (cudaSetDevice(turn.device) != cudaSuccess)
        (void)cudaGetLastError();
    gpu_turn_end(&turn);
    memory_free(memory);
    return status;
}

#endif
