// SPDX-License-Identifier: MIT
#include "common/base/block_sizes.h" // block_sizes
#include "gpu/gpu_solver.h"          // gpu_blame

#if !defined APSP_NO_CUDA && !defined APSP_HIP

#include "common/base/memory.h" // memory_reserve
#include "cuda_blocked/parts/panel_routes.h"
#include "gpu/launch/gpu_error.h"  // gpu_check
#include "gpu/launch/gpu_events.h" // gpu_event_record

#include <stdio.h>
#include <string.h>
#include <time.h>

struct panel_route {
    const char *name;
    enum status (*make_room)(struct panels *p, size_t bytes, struct error *err); /* NULL: no-op */
    enum status (*bring)(struct panels *p, int32_t step, struct error *err);
    enum status (*wait_sent)(const struct panels *p, const struct panel_end *end, int32_t step,
                             cudaStream_t stream, struct error *err);
    enum status (*wait_done)(const struct panels *p, const struct panel_end *end, int32_t step,
                             struct error *err);
    void (*abandon)(struct panels *p, int32_t steps); /* NULL: nothing to tell */
    void (*close)(struct panels *p);                  /* NULL: nothing to free */
};

enum status panel_end_select(const struct panel_end *end, struct error *err) {
    return gpu_check(cudaSetDevice(end->device), "selecting the device", err);
}

static enum status mark_arrived(const struct panel_end *end, int32_t step, struct error *err) {
    return gpu_event_record(end->arrived[step % PANELS_KEPT], end->copies, err);
}

static bool owns(const struct panel_end *end, int32_t step) {
    return spread_owns(&end->part, step);
}

/* Makes copies to `end` wait until the memory of the step's panel is free. */
static enum status wait_for_memory(const struct panel_end *end, int32_t step, struct error *err) {
    return step >= 2 ? gpu_event_precedes(end->done[(step - 2) % PANELS_KEPT], end->copies, err)
                     : STATUS_OK;
}

static enum status synchronize_done(const struct panels *p, const struct panel_end *end,
                                    int32_t step, struct error *err) {
    (void)p;
    RETURN_ON_FAILURE(panel_end_select(end, err));
    return gpu_check(cudaEventSynchronize(end->done[step % PANELS_KEPT]), "running the kernels",
                     err);
}

/* Peers ------------------------------------------------------------------------------------------
 */

static enum status fetch_panel(const struct panel_end *end, const struct panel_end *from,
                               int32_t step, struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(end, err));
    RETURN_ON_FAILURE(gpu_event_precedes(from->panel, end->copies, err));
    RETURN_ON_FAILURE(wait_for_memory(end, step, err));
    RETURN_ON_FAILURE(gpu_check(cudaMemcpyPeerAsync(spread_panel(&end->part, step), end->device,
                                                    spread_panel(&from->part, step), from->device,
                                                    spread_panel_bytes(&end->part), end->copies),
                                "copying a panel", err));
    return mark_arrived(end, step, err);
}

static enum status bring_by_peers(struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const owner = p->end[step % p->count];
    for (int k = 0; k < p->count; k++) {
        const struct panel_end *const end = p->end[k];
        if (end != owner)
            RETURN_ON_FAILURE(gpu_blame(end->device, fetch_panel(end, owner, step, err), err));
    }
    return STATUS_OK;
}

static enum status wait_for_peers(const struct panels *p, const struct panel_end *end, int32_t step,
                                  cudaStream_t stream, struct error *err) {
    for (int k = 0; k < p->count; k++) {
        if (p->end[k] != end)
            RETURN_ON_FAILURE(
                gpu_event_precedes(p->end[k]->arrived[step % PANELS_KEPT], stream, err));
    }
    return STATUS_OK;
}

static const struct panel_route by_peers = {
    .bring = bring_by_peers, .wait_sent = wait_for_peers, .wait_done = synchronize_done};

/* Messages ---------------------------------------------------------------------------------------
 */

enum { LINE = 64 }; /* bytes behind a segment, for the flag that tells all ranks to stop */

/* Bytes of a panel's segments, with the LINE behind each. */
static size_t message_bytes(const struct panels *p) {
    return p->bytes + (size_t)p->segments * LINE;
}

/* A segment of a panel: its number among the segments of its step, and its place. */
struct panel_segment {
    int32_t step, number;
    size_t offset, bytes; /* place and size in the panel */
    char *message;
};

static struct panel_segment segment_of(const struct panels *p, int32_t counted) {
    struct panel_segment segment = {.step = counted / p->segments, .number = counted % p->segments};
    segment.offset = (size_t)segment.number * block_sizes.panel_bytes;
    segment.bytes = p->bytes - segment.offset < block_sizes.panel_bytes ? p->bytes - segment.offset
                                                                        : block_sizes.panel_bytes;
    segment.message =
        p->message[segment.step % 2] + (size_t)segment.number * (block_sizes.panel_bytes + LINE);
    return segment;
}

static bool *stops(const struct panel_segment *segment) {
    return (bool *)(segment->message + segment->bytes);
}

static void free_messages(struct panels *p) {
    for (int k = 0; k < 2; k++) {
        if (p->copied[k] != NULL)
            (void)cudaEventDestroy(p->copied[k]);
        p->copied[k] = NULL;
    }
    if (p->message[0] == NULL)
        return;
    (void)cudaFreeHost(p->message[0]);
    memory_release(2 * message_bytes(p));
    p->message[0] = p->message[1] = NULL;
}

static enum status allocate_messages(struct panels *p, struct error *err) {
    const size_t bytes = 2 * message_bytes(p);
    void *memory = NULL;
    RETURN_ON_FAILURE(memory_reserve(bytes, "panels of other GPUs", err));
    const enum status status = gpu_check(cudaMallocHost(&memory, bytes),
                                         "allocating memory for panels of other GPUs", err);
    if (status != STATUS_OK) {
        memory_release(bytes);
        return status;
    }
    p->message[0] = memory;
    p->message[1] = p->message[0] + message_bytes(p);
    return STATUS_OK;
}

static enum status make_messages(struct panels *p, size_t bytes, struct error *err) {
    free_messages(p);
    p->bytes = bytes;
    p->segments = (int32_t)((bytes + block_sizes.panel_bytes - 1) / block_sizes.panel_bytes);
    RETURN_ON_FAILURE(panel_end_select(p->end[0], err));
    RETURN_ON_FAILURE(allocate_messages(p, err));
    RETURN_ON_FAILURE(gpu_event_create(&p->copied[0], err));
    return gpu_event_create(&p->copied[1], err);
}

/* Sends the next segment from its owner to all. */
static enum status send_segment(struct panels *p, struct error *err) {
    const struct panel_segment segment = segment_of(p, p->next);
    const int owner = (int)(segment.step % p->ranks->count);
    enum status status =
        ranks_copy_begin(p->ranks, owner, segment.message, segment.bytes + LINE, err);
    if (status == STATUS_OK)
        status = ranks_copy_end(p->ranks, err);
    p->next++;
    p->stopped = status != STATUS_OK || *stops(&segment); /* also if no rank can be reached */
    if (status == STATUS_OK && p->stopped)
        status = fail(err, STATUS_CANCELLED, "another process has failed");
    return status;
}

/* Begins to copy a segment between its message and the panel. */
static enum status copy_segment(const struct panel_end *end, const struct panel_segment *segment,
                                enum cudaMemcpyKind kind, struct error *err) {
    char *const here = (char *)spread_panel(&end->part, segment->step) + segment->offset;
    const bool leaves = kind == cudaMemcpyDeviceToHost;
    return gpu_check(cudaMemcpyAsync(leaves ? segment->message : here,
                                     leaves ? here : segment->message, segment->bytes, kind,
                                     end->copies),
                     "copying a panel", err);
}

static enum status begin_own_segment(const struct panels *p, int32_t counted, struct error *err) {
    const struct panel_end *const end = p->end[0];
    const struct panel_segment segment = segment_of(p, counted);
    RETURN_ON_FAILURE(copy_segment(end, &segment, cudaMemcpyDeviceToHost, err));
    *stops(&segment) = false;
    return gpu_event_record(p->copied[counted % 2], end->copies, err);
}

/* Sends the own panel, once it is made. */
static enum status send_panel(struct panels *p, struct error *err) {
    const struct panel_end *const end = p->end[0];
    const int32_t last = p->next + p->segments - 1;
    RETURN_ON_FAILURE(gpu_event_precedes(end->panel, end->copies, err));
    RETURN_ON_FAILURE(begin_own_segment(p, p->next, err));
    while (p->next <= last) {
        if (p->next < last)
            RETURN_ON_FAILURE(begin_own_segment(p, p->next + 1, err));
        RETURN_ON_FAILURE(
            gpu_check(cudaEventSynchronize(p->copied[p->next % 2]), "copying a panel", err));
        RETURN_ON_FAILURE(send_segment(p, err));
    }
    return STATUS_OK;
}

static enum status receive_panel(struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    RETURN_ON_FAILURE(wait_for_memory(end, step, err));
    for (int32_t k = 0; k < p->segments; k++) {
        const struct panel_segment segment = segment_of(p, p->next);
        RETURN_ON_FAILURE(send_segment(p, err));
        RETURN_ON_FAILURE(copy_segment(end, &segment, cudaMemcpyHostToDevice, err));
    }
    return mark_arrived(end, step, err);
}

static enum status bring_by_messages(struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    RETURN_ON_FAILURE(panel_end_select(end, err));
    /* The memory of the message may still be copied to the GPU, for the panel of two steps
     * before. */
    if (step >= 2 && !owns(end, step - 2))
        RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(end->arrived[(step - 2) % PANELS_KEPT]),
                                    "copying a panel", err));
    return owns(end, step) ? send_panel(p, err) : receive_panel(p, step, err);
}

/* Nothing to wait for: a panel has left the GPU when bring_by_messages returns. */
static enum status need_not_wait(const struct panels *p, const struct panel_end *end, int32_t step,
                                 cudaStream_t stream, struct error *err) {
    (void)p, (void)end, (void)step, (void)stream, (void)err;
    return STATUS_OK;
}

/* Tells the other ranks of a failure, by the flag behind the next segment of this rank. */
static void abandon_messages(struct panels *p, int32_t steps) {
    struct error ignored;
    while (p->next < steps * p->segments && !p->stopped) {
        const struct panel_segment segment = segment_of(p, p->next);
        if (owns(p->end[0], segment.step))
            *stops(&segment) = true;
        (void)send_segment(p, &ignored);
    }
}

static const struct panel_route by_messages = {
    .name = "MPI, through the hosts' memory",
    .make_room = make_messages,
    .bring = bring_by_messages,
    .wait_sent = need_not_wait,
    .wait_done = synchronize_done,
    .abandon = abandon_messages,
    .close = free_messages,
};

/* NCCL -------------------------------------------------------------------------------------------
 */

/* Returns the status, or STATUS_CANCELLED if all were told to stop. NCCL says of a rank that has
 * failed only that it cannot be reached, so this waits for a while for the word to stop. */
static enum status unless_stopped(const struct panels *p, enum status status, struct error *err) {
    enum { PAUSE_NS = 1000000, PAUSES = 2000 };
    for (int pauses = 0; status != STATUS_OK && pauses < PAUSES && !claims_stopped(p->ranks);
         pauses++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return claims_stopped(p->ranks) ? fail(err, STATUS_CANCELLED, "another process has failed")
                                    : status;
}

static enum status bring_by_nccl(struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    RETURN_ON_FAILURE(panel_end_select(end, err));
    RETURN_ON_FAILURE(owns(end, step) ? gpu_event_precedes(end->panel, end->copies, err)
                                      : wait_for_memory(end, step, err));
    const enum status status =
        nccl_broadcast(&p->nccl, spread_panel(&end->part, step), spread_panel_bytes(&end->part),
                       (int)(step % p->ranks->count), end->copies, err);
    return status == STATUS_OK ? mark_arrived(end, step, err) : unless_stopped(p, status, err);
}

static enum status wait_until_sent(const struct panels *p, const struct panel_end *end,
                                   int32_t step, cudaStream_t stream, struct error *err) {
    (void)p;
    return gpu_event_precedes(end->arrived[step % PANELS_KEPT], stream, err);
}

/* Waits for an event by polling, and checks meanwhile whether a rank has failed: copies to or from
 * such a rank never end, so that a plain wait for the event might not end either. */
static enum status look_for(const struct panels *p, cudaEvent_t event, struct error *err) {
    enum { PAUSE_NS = 20000, PAUSES_A_LOOK = 100 };
    for (int pauses = 1;; pauses++) {
        const cudaError_t code = cudaEventQuery(event);
        if (code != cudaErrorNotReady)
            return gpu_check(code, "running the kernels", err);
        (void)cudaGetLastError();
        if (pauses % PAUSES_A_LOOK == 0)
            RETURN_ON_FAILURE(unless_stopped(p, nccl_check(&p->nccl, err), err));
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

/* Waits until a step is done and its panel has been sent, too: if the last receiver fails, a later
 * wait for all work of the GPU would not end. */
static enum status look_for_done(const struct panels *p, const struct panel_end *end, int32_t step,
                                 struct error *err) {
    RETURN_ON_FAILURE(panel_end_select(end, err));
    RETURN_ON_FAILURE(look_for(p, end->done[step % PANELS_KEPT], err));
    return look_for(p, end->arrived[step % PANELS_KEPT], err);
}

static void abandon_nccl(struct panels *p, int32_t steps) {
    (void)steps;
    claims_stop(p->ranks);
    nccl_abort(&p->nccl);
}

static void leave_nccl(struct panels *p) {
    nccl_leave(&p->nccl);
}

static const struct panel_route by_nccl = {
    .name = "NCCL",
    .bring = bring_by_nccl,
    .wait_sent = wait_until_sent,
    .wait_done = look_for_done,
    .abandon = abandon_nccl,
    .close = leave_nccl,
};

/* Any -------------------------------------------------------------------------------------------
 */

enum status panels_open(struct panels *p, struct error *err) {
    p->route = &by_peers;
    if (p->ranks == NULL)
        return STATUS_OK;
    p->route = &by_messages;
    RETURN_ON_FAILURE(panel_end_select(p->end[0], err));
    const enum status status = nccl_join(&p->nccl, p->ranks, !p->shares_gpu, &p->why);
    if (status != STATUS_OK) {
        *err = p->why;
        return status;
    }
    if (p->nccl.communicator != NULL)
        p->route = &by_nccl;
    return STATUS_OK;
}

enum status panels_make_room(struct panels *p, size_t bytes, struct error *err) {
    return p->route->make_room != NULL ? p->route->make_room(p, bytes, err) : STATUS_OK;
}

void panels_restart(struct panels *p) {
    p->next = 0;
    p->stopped = false;
}

enum status panels_bring(struct panels *p, int32_t step, struct error *err) {
    return p->route->bring(p, step, err);
}

enum status panels_wait_sent(const struct panels *p, const struct panel_end *end, int32_t step,
                             cudaStream_t stream, struct error *err) {
    return p->route->wait_sent(p, end, step, stream, err);
}

enum status panels_wait_done(const struct panels *p, const struct panel_end *end, int32_t step,
                             struct error *err) {
    return p->route->wait_done(p, end, step, err);
}

void panels_abandon(struct panels *p, int32_t steps) {
    if (p->route != NULL && p->route->abandon != NULL)
        p->route->abandon(p, steps);
}

const char *panels_route(const struct panels *p, char *text, size_t size) {
    if (p->ranks == NULL)
        return NULL;
    snprintf(text, size, "%s%s%s", p->route->name, p->why.text[0] != '\0' ? ": " : "", p->why.text);
    return text;
}

void panels_close(struct panels *p) {
    if (p->route != NULL && p->route->close != NULL)
        p->route->close(p);
}

#endif
