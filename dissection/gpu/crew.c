// SPDX-License-Identifier: MIT
#include "gpu/gpu_solver.h" // gpu_blame

#ifndef APSP_NO_CUDA

#include "common/base/memory.h" // memory_alloc
#include "dissection/gpu/crew.h"
#include "elimination/tree_sources.h" // tree_sources_list
#include "gpu/launch/gpu_error.h"     // gpu_check
#include "solve/delivery.h"           // struct delivery

#include <string.h>

/* Returns the processes that share the sources. */
static const struct ranks *ranks_of(const struct crew *c) {
    return ranks_or_alone(c->task->delivery->ranks);
}

enum status crew_arrange(struct crew *c, struct error *err) {
    const struct row_sources *const wanted = &c->task->delivery->sources;
    const size_t count = (size_t)wanted->count, padded = count + PRODUCT_LANES;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, count + padded, sizeof(int32_t), "the sources", err));
    c->order = memory;
    c->position = c->order + padded;
    RETURN_ON_FAILURE(
        tree_sources_list(&c->d.tree, wanted, c->threads, c->order, c->position, err));
    for (size_t k = count; k < padded; k++)
        c->order[k] = c->order[count - 1];
    return STATUS_OK;
}

enum status crew_select(const struct crew_gpu *gpu, struct error *err) {
    return gpu->crew->count == 1
               ? STATUS_OK
               : gpu_check(cudaSetDevice(gpu->device), "selecting the device", err);
}

static enum status begin_work(void *self, struct error *err) {
    struct crew_gpu *const gpu = self;
    RETURN_ON_FAILURE(gpu_check(cudaEventCreate(&gpu->begin), "creating an event", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventCreate(&gpu->end), "creating an event", err));
    return gpu_check(cudaMemGetInfo(&gpu->free, &gpu->all), "asking for its free memory", err);
}

void crew_report_memory(const struct crew *c) {
    const struct solver_options *const options = c->task->options;
    for (int k = 0; k < c->count && options->on_memory != NULL; k++) {
        const struct crew_gpu *const gpu = &c->gpu[k];
        const struct gpu_memory memory = {
            .device = gpu->device, .needed = gpu->memory.most, .free = gpu->free, .all = gpu->all};
        options->on_memory(options->callback_context, &memory);
    }
}

enum status crew_gather(struct crew *c, const struct gpu_room *room, struct error *err) {
    const struct solver_options *const options = c->task->options;
    const int32_t batches = (c->task->delivery->sources.count - 1) / PRODUCT_LANES + 1;
    const int listed = options->device_count > 1 ? options->device_count : 1;
    const int count = batches < listed ? batches : listed;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof *c->gpu, "the GPUs", err));
    pthread_mutex_init(&c->turn, NULL);
    pthread_mutex_init(&c->lock, NULL);
    c->gpu = memory;
    c->count = count;
    for (int k = 0; k < count; k++)
        c->gpu[k] = (struct crew_gpu){.crew = c,
                                      .device = k == 0 ? options->device : options->devices[k],
                                      .memory = {.room = *room},
                                      .lanes = c->lanes};
    if (options->on_devices != NULL)
        options->on_devices(options->callback_context, count);
    return crew_together(c, begin_work, err);
}

static void end_work(void *self, enum status status) {
    struct crew *const c = ((struct crew_gpu *)self)->crew;
    if (status == STATUS_OK)
        return;
    pthread_mutex_lock(&c->lock);
    c->stops = true;
    pthread_mutex_unlock(&c->lock);
}

enum status crew_together(struct crew *c, crew_work *work, struct error *err) {
    if (c->count == 1) {
        const enum status status = work(c->gpu, err);
        return c->task->delivery->ranks == NULL || status == STATUS_CANCELLED
                   ? status
                   : gpu_blame(c->gpu->device, status, err);
    }
    c->stops = false;
    for (int k = 0; k < c->count; k++)
        c->hand[k] = (struct gpu_hand){
            .device = c->gpu[k].device, .work = work, .on_end = end_work, .self = &c->gpu[k]};
    return gpu_hands_work(c->hand, c->count, err);
}

/* Makes a GPU current, so that its memory can be freed. A failure is not reported, because earlier
 * calls have reported theirs. */
static void select_to_free(const struct crew_gpu *gpu) {
    struct error ignored;
    if (crew_select(gpu, &ignored) != STATUS_OK)
        (void)cudaGetLastError();
}

void crew_release(const struct crew *c) {
    for (int k = c->count - 1; k >= 0; k--) { /* downwards, so that the first GPU is the current one
                                                 in the end */
        struct crew_gpu *const gpu = &c->gpu[k];
        select_to_free(gpu);
        gpu_lane_proof_close(&gpu->proof);
        gpu_classes_close(&gpu->classes);
        device_memory_free_since(&gpu->memory, 0);
    }
}

void crew_dismiss(struct crew *c) {
    crew_release(c);
    for (int k = c->count - 1; k >= 0; k--) {
        struct crew_gpu *const gpu = &c->gpu[k];
        select_to_free(gpu);
        if (gpu->begin != NULL)
            cudaEventDestroy(gpu->begin);
        if (gpu->end != NULL)
            cudaEventDestroy(gpu->end);
    }
    if (c->count > 0) {
        pthread_mutex_destroy(&c->lock);
        pthread_mutex_destroy(&c->turn);
    }
    memory_free(c->gpu);
    memory_free(c->order);
}

void crew_reverse(struct crew *c, bool reversed) {
    struct lengths *const lengths = &c->d.lengths;
    if (c->reversed != reversed)
        *lengths = (struct lengths){.up = lengths->down, .down = lengths->up};
    c->reversed = reversed;
}

enum status crew_claim_anew(struct crew *c, struct error *err) {
    c->claimed = 0;
    return delivery_claim_anew(c->task->delivery, err);
}

int32_t crew_claim(struct crew_gpu *gpu, int32_t most, int32_t unit, int32_t *first) {
    struct crew *const c = gpu->crew;
    const struct delivery *const delivery = c->task->delivery;
    /* Larger claims with classes, because the sources of a claim share classes of rows. */
    const enum claims_part part = c->by_classes ? CLAIMS_THREE_QUARTERS : CLAIMS_HALF;
    if (delivery->ranks != NULL)
        return delivery_claims(delivery, part, unit, most, first);
    pthread_mutex_lock(&c->lock);
    const int32_t left = delivery->sources.count - c->claimed;
    int32_t count = left < most ? left : most;
    if (c->count > 1 && left > 0) {
        const struct claims_size size = {.part = part, .unit = unit, .most = count};
        count = (int32_t)claims_share(left, c->count, &size);
    }
    *first = c->claimed;
    c->claimed += count;
    pthread_mutex_unlock(&c->lock);
    return count;
}

bool crew_goes_on(const struct crew_gpu *gpu) {
    struct crew *const c = gpu->crew;
    pthread_mutex_lock(&c->lock);
    const bool goes = !c->stops;
    pthread_mutex_unlock(&c->lock);
    return goes && progress_goes_on(c->task->progress);
}

void crew_report_progress(const struct crew_gpu *gpu, int32_t done) {
    const struct solver_task *const task = gpu->crew->task;
    if (crew_is_first(gpu))
        progress_report(task->progress, done, task->delivery->sources.count);
}

enum status crew_start_clock(const struct crew_gpu *gpu, struct error *err) {
    return gpu_check(cudaEventRecord(gpu->begin, 0), "starting the clock", err);
}

enum status crew_stop_clock(const struct crew_gpu *gpu, double *seconds, struct error *err) {
    float milliseconds = 0;
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(gpu->end, 0), "stopping the clock", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(gpu->end), "running the kernels", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventElapsedTime(&milliseconds, gpu->begin, gpu->end),
                                "reading the clock", err));
    *seconds += 1e-3 * (double)milliseconds;
    return STATUS_OK;
}

enum status crew_find_least(const struct crew *c, int *number, struct error *err) {
    return ranks_least(ranks_of(c), number, err);
}

enum status crew_agree(const struct crew *c, bool *fact, struct error *err) {
    return ranks_all(ranks_of(c), fact, err);
}

#endif
