// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_solver.h" // gpu_blame

#if !defined APSP_NO_CUDA && !defined APSP_HIP

#include "common/base/memory.h"   // memory_reserve
#include "common/gpu/gpu_error.h" // gpu_check
#include "cuda_blocked/parts/panel_routes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct panel_route {
    const char *name;
    enum status (*make_room)(struct panels *p, size_t bytes, struct error *err); /* or NULL */
    enum status (*bring)(struct panels *p, int32_t step, struct error *err);
    enum status (*wait_sent)(const struct panels *p, const struct panel_end *end, int32_t step,
                             cudaStream_t stream, struct error *err);
    enum status (*wait_done)(const struct panels *p, const struct panel_end *end, int32_t step,
                             struct error *err);
    void (*abandon)(struct panels *p, int32_t steps); /* or NULL */
    void (*close)(struct panels *p);                  /* or NULL */
};

static enum status use(const struct panel_end *end, struct error *err) {
    return gpu_check(cudaSetDevice(end->device), "selecting the device", err);
}

static enum status wait_for(cudaStream_t stream, cudaEvent_t event, struct error *err) {
    return gpu_check(cudaStreamWaitEvent(stream, event, 0), "waiting for an event", err);
}

static enum status mark_arrived(const struct panel_end *end, int32_t step, struct error *err) {
    return gpu_check(cudaEventRecord(end->arrived[step % PANELS_KEPT], end->copies),
                     "recording an event", err);
}

static bool owns(const struct panel_end *end, int32_t step) {
    return step % end->part.parts == end->part.own;
}

/* Has copies to the end wait until the memory of step's panel is free. */
static enum status wait_for_memory(const struct panel_end *end, int32_t step, struct error *err) {
    return step >= 2 ? wait_for(end->copies, end->done[(step - 2) % PANELS_KEPT], err) : STATUS_OK;
}

static enum status synchronize_done(const struct panels *p, const struct panel_end *end,
                                    int32_t step, struct error *err) {
    (void)p;
    RETURN_ON_FAILURE(use(end, err));
    return gpu_check(cudaEventSynchronize(end->done[step % PANELS_KEPT]), "running the kernels",
                     err);
}

/* Peers ------------------------------------------------------------------------------------------
 */

static enum status fetch_panel(const struct panel_end *end, const struct panel_end *from,
                               int32_t step, struct error *err) {
    RETURN_ON_FAILURE(use(end, err));
    RETURN_ON_FAILURE(wait_for(end->copies, from->panel, err));
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
            RETURN_ON_FAILURE(wait_for(stream, p->end[k]->arrived[step % PANELS_KEPT], err));
    }
    return STATUS_OK;
}

static const struct panel_route by_peers = {
    .bring = bring_by_peers, .wait_sent = wait_for_peers, .wait_done = synchronize_done};

/* Messages ---------------------------------------------------------------------------------------
 */

enum { LINE = 64 }; /* behind a panel */

static bool *stops(const struct panels *p, int32_t step) {
    return (bool *)(p->message[step % 2] + p->bytes);
}

static void free_messages(struct panels *p) {
    if (p->message[0] == NULL)
        return;
    (void)cudaFreeHost(p->message[0]);
    memory_release(2 * (p->bytes + LINE));
    p->message[0] = p->message[1] = NULL;
}

static enum status make_messages(struct panels *p, size_t bytes, struct error *err) {
    void *memory = NULL;
    free_messages(p);
    RETURN_ON_FAILURE(memory_reserve(2 * (bytes + LINE), "panels of other GPUs", err));
    const enum status status = gpu_check(cudaMallocHost(&memory, 2 * (bytes + LINE)),
                                         "allocating memory for panels of other GPUs", err);
    if (status != STATUS_OK) {
        memory_release(2 * (bytes + LINE));
        return status;
    }
    p->bytes = bytes;
    p->message[0] = memory;
    p->message[1] = p->message[0] + bytes + LINE;
    return STATUS_OK;
}

/* Sends step's message from its owner to all. */
static enum status send_message(struct panels *p, int32_t step, struct error *err) {
    const int owner = (int)(step % p->ranks->count);
    enum status status =
        ranks_copy_begin(p->ranks, owner, p->message[step % 2], p->bytes + LINE, err);
    if (status == STATUS_OK)
        status = ranks_copy_end(p->ranks, err);
    p->next = step + 1;
    p->stopped = status != STATUS_OK || *stops(p, step); /* or no rank can be reached any more */
    return status;
}

static enum status copy(const struct panel_end *end, void *to, const void *from,
                        enum cudaMemcpyKind kind, struct error *err) {
    return gpu_check(cudaMemcpyAsync(to, from, spread_panel_bytes(&end->part), kind, end->copies),
                     "copying a panel", err);
}

/* Copies the own panel, when it is made, to the message. */
static enum status write_message(const struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    RETURN_ON_FAILURE(wait_for(end->copies, end->panel, err));
    RETURN_ON_FAILURE(copy(end, p->message[step % 2], spread_panel(&end->part, step),
                           cudaMemcpyDeviceToHost, err));
    RETURN_ON_FAILURE(mark_arrived(end, step, err));
    *stops(p, step) = false;
    return gpu_check(cudaEventSynchronize(end->arrived[step % PANELS_KEPT]), "copying a panel",
                     err);
}

static enum status read_message(const struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    RETURN_ON_FAILURE(wait_for_memory(end, step, err));
    RETURN_ON_FAILURE(copy(end, spread_panel(&end->part, step), p->message[step % 2],
                           cudaMemcpyHostToDevice, err));
    return mark_arrived(end, step, err);
}

static enum status bring_by_messages(struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    const bool is_own = owns(end, step);
    RETURN_ON_FAILURE(use(end, err));
    /* The message of two steps before may still be on its way to the GPU. */
    if (step >= 2 && !owns(end, step - 2))
        RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(end->arrived[(step - 2) % PANELS_KEPT]),
                                    "copying a panel", err));
    if (is_own)
        RETURN_ON_FAILURE(write_message(p, step, err));
    RETURN_ON_FAILURE(send_message(p, step, err));
    if (p->stopped)
        return fail(err, STATUS_CANCELLED, "another process has failed");
    return is_own ? STATUS_OK : read_message(p, step, err);
}

/* A message is written when its panel has been copied. */
static enum status need_not_wait(const struct panels *p, const struct panel_end *end, int32_t step,
                                 cudaStream_t stream, struct error *err) {
    (void)p, (void)end, (void)step, (void)stream, (void)err;
    return STATUS_OK;
}

/* The others learn of the failure from the next message of this rank. */
static void abandon_messages(struct panels *p, int32_t steps) {
    struct error ignored;
    while (p->next < steps && !p->stopped) {
        if (owns(p->end[0], p->next))
            *stops(p, p->next) = true;
        (void)send_message(p, p->next, &ignored);
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

/* What NCCL says of a rank that has failed is only that it cannot be reached. */
static enum status unless_stopped(const struct panels *p, enum status status, struct error *err) {
    return ranks_stopped(p->ranks) ? fail(err, STATUS_CANCELLED, "another process has failed")
                                   : status;
}

static enum status bring_by_nccl(struct panels *p, int32_t step, struct error *err) {
    const struct panel_end *const end = p->end[0];
    RETURN_ON_FAILURE(use(end, err));
    RETURN_ON_FAILURE(owns(end, step) ? wait_for(end->copies, end->panel, err)
                                      : wait_for_memory(end, step, err));
    const enum status status =
        nccl_broadcast(&p->nccl, spread_panel(&end->part, step), spread_panel_bytes(&end->part),
                       (int)(step % p->ranks->count), end->copies, err);
    return status == STATUS_OK ? mark_arrived(end, step, err) : unless_stopped(p, status, err);
}

static enum status wait_until_sent(const struct panels *p, const struct panel_end *end,
                                   int32_t step, cudaStream_t stream, struct error *err) {
    (void)p;
    return wait_for(stream, end->arrived[step % PANELS_KEPT], err);
}

/* A rank that has failed leaves copies waiting, so that a wait for the GPU alone might not end. */
static enum status look_for_done(const struct panels *p, const struct panel_end *end, int32_t step,
                                 struct error *err) {
    enum { PAUSE_NS = 20000, PAUSES_A_LOOK = 100 };
    RETURN_ON_FAILURE(use(end, err));
    for (int pauses = 1;; pauses++) {
        const cudaError_t code = cudaEventQuery(end->done[step % PANELS_KEPT]);
        if (code != cudaErrorNotReady)
            return gpu_check(code, "running the kernels", err);
        (void)cudaGetLastError();
        if (pauses % PAUSES_A_LOOK == 0)
            RETURN_ON_FAILURE(unless_stopped(p, nccl_check(&p->nccl, err), err));
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
}

static void abandon_nccl(struct panels *p, int32_t steps) {
    (void)steps;
    ranks_stop(p->ranks);
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
    RETURN_ON_FAILURE(use(p->end[0], err));
    RETURN_ON_FAILURE(nccl_join(&p->nccl, p->ranks, !p->shares_gpu, &p->why));
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
