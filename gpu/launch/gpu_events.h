// SPDX-License-Identifier: MIT
/* Events, by which the streams of GPUs wait for one another's work. An event belongs to the device
 * that was current when it was created, and is recorded in streams of that device. */
#ifndef GPU_LAUNCH_GPU_EVENTS_H
#define GPU_LAUNCH_GPU_EVENTS_H

#include "gpu/launch/gpu_error.h" // gpu_check

static inline enum status gpu_event_create(cudaEvent_t *event, struct error *err) {
    return gpu_check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "creating an event",
                     err);
}

/* Records the event: it is reached when all work that the stream has at this moment is done. */
static inline enum status gpu_event_record(cudaEvent_t event, cudaStream_t stream,
                                           struct error *err) {
    return gpu_check(cudaEventRecord(event, stream), "recording an event", err);
}

/* Makes all later work of the stream wait until the event, as it was last recorded, is reached. */
static inline enum status gpu_event_precedes(cudaEvent_t event, cudaStream_t stream,
                                             struct error *err) {
    return gpu_check(cudaStreamWaitEvent(stream, event, 0), "waiting for an event", err);
}

#endif
