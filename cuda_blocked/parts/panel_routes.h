// SPDX-License-Identifier: MIT
/* How the right panels of a spread matrix (spread_kernels.h) come from the GPU that makes them to
 * the others. There are three routes:
 *
 * - peers: all GPUs belong to this process, and each copies from the memory of the panel's owner.
 * - NCCL: each GPU belongs to a rank of its own. GPUs copy to one another.
 * - messages: the same, by way of the hosts' memory and MPI: for ranks without NCCL, and for those
 *   that have the same GPU. While one segment of a panel is sent, the next comes from the GPU, and
 *   the one before goes to the others' GPUs.
 *
 *     panels_open(&panels, err)
 *     panels_make_room(&panels, bytes of a panel, err)
 *     for each step: panels_bring(&panels, step, err)
 *     panels_close(&panels) */
#ifndef CUDA_BLOCKED_PARTS_PANEL_ROUTES_H
#define CUDA_BLOCKED_PARTS_PANEL_ROUTES_H

#include "cuda_blocked/parts/spread_kernels.h"
#include "gpu/nccl.h"     // struct nccl_group
#include "ranks/claims.h" // claims_stop, struct ranks
#include "solve/solver.h" // SOLVER_MAX_TOGETHER

#include <cuda_runtime_api.h>

enum { PANELS_KEPT = 3 }; /* steps whose panels, and events, exist at the same time */

/* A GPU of this process. The caller creates all and records `panel` and `done`. */
struct panel_end {
    int device;
    struct spread_part part;
    cudaStream_t copies;              /* stream that copies panels to this GPU */
    cudaEvent_t panel;                /* recorded when its own panel of the step is made */
    cudaEvent_t arrived[PANELS_KEPT]; /* recorded when the step's panel is on this GPU */
    cudaEvent_t done[PANELS_KEPT];    /* recorded when all work of the step is done */
};

/* Makes the end's GPU the current device. */
enum status panel_end_select(const struct panel_end *end, struct error *err);

struct panel_route;

struct panels {
    const struct panel_route *route;
    struct panel_end *end[SOLVER_MAX_TOGETHER]; /* the GPUs of this process, in order */
    int count;
    const struct ranks *ranks; /* ranks, each with one GPU, so that count is 1; NULL: all GPUs are
                                  in this process */
    bool shares_gpu;           /* this rank has the same GPU as another one */
    struct error why;          /* the reason why ranks do not use NCCL */
    struct nccl_group nccl;
    /* The route by messages has two panels in pinned memory, which take turns. A panel is sent in
     * segments, one by one. Behind each segment is a flag that tells all ranks to stop. */
    char *message[2];
    size_t bytes; /* size of a panel in bytes */
    int32_t segments;
    cudaEvent_t copied[2]; /* recorded when a segment has left the GPU; the two events take turns */
    int32_t next;          /* number of the next segment to send, counted over all steps */
    bool stopped;          /* a rank has said to stop, or cannot be reached */
};

/* Chooses the route for ends, count, ranks and shares_gpu, which the caller has set; the rest is
 * zero. All ranks call it. */
enum status panels_open(struct panels *p, struct error *err);

/* Allocates the memory that the route needs for panels of `bytes` bytes, in place of earlier
 * memory. */
enum status panels_make_room(struct panels *p, size_t bytes, struct error *err);

/* Begins a matrix: the next panel to bring is that of step 0. */
void panels_restart(struct panels *p);

/* Brings step's panel to the GPUs that do not own it and records `arrived` there. It waits for the
 * panel to be made and, on each GPU, for the work of two steps before: then the panel of three
 * steps before, which was in the same memory, is neither read nor still being sent. All ranks call
 * it for one step after the other. STATUS_CANCELLED if another rank has failed. */
enum status panels_bring(struct panels *p, int32_t step, struct error *err);

/* Makes a stream wait until the end's own panel of that step is sent. */
enum status panels_wait_sent(const struct panels *p, const struct panel_end *end, int32_t step,
                             cudaStream_t stream, struct error *err);

/* Waits until the end's work of a step is done. STATUS_CANCELLED if another rank has failed. */
enum status panels_wait_done(const struct panels *p, const struct panel_end *end, int32_t step,
                             struct error *err);

/* For a rank that has failed before `steps` panels were brought: tells the others, which may wait
 * for its panels. No panel is brought afterwards. */
void panels_abandon(struct panels *p, int32_t steps);

/* Returns a text on the route by which ranks send panels, and why it is not NCCL. NULL without
 * ranks. */
const char *panels_route(const struct panels *p, char *text, size_t size);

/* Safe on a zeroed struct. All GPUs must have finished their work. */
void panels_close(struct panels *p);

#endif
