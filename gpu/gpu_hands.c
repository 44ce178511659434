// SPDX-License-Identifier: MIT
#include "gpu/gpu_hands.h"

#include "gpu/gpu_solver.h"       // gpu_blame
#include "gpu/launch/gpu_error.h" // gpu_check

static void *work(void *self) {
    struct gpu_hand *const hand = self;
    hand->status = gpu_check(cudaSetDevice(hand->device), "selecting the device", &hand->err);
    if (hand->status == STATUS_OK)
        hand->status = hand->work(hand->self, &hand->err);
    if (hand->on_end != NULL)
        hand->on_end(hand->self, hand->status);
    return NULL;
}

void gpu_hands_begin(struct gpu_hand *hand, int count) {
    for (int k = 0; k < count; k++)
        hand[k].in_thread = pthread_create(&hand[k].thread, NULL, work, &hand[k]) == 0;
    for (int k = 0; k < count; k++) {
        if (!hand[k].in_thread)
            work(&hand[k]);
    }
}

enum status gpu_hands_finish(struct gpu_hand *hand, int count, struct error *err) {
    enum status status = STATUS_OK;
    for (int k = 0; k < count; k++) {
        if (hand[k].in_thread)
            pthread_join(hand[k].thread, NULL);
        hand[k].in_thread = false;
        if (hand[k].status == STATUS_OK || (status != STATUS_OK && status != STATUS_CANCELLED))
            continue;
        *err = hand[k].err;
        status = hand[k].status == STATUS_CANCELLED
                     ? STATUS_CANCELLED
                     : gpu_blame(hand[k].device, hand[k].status, err);
    }
    return status;
}

enum status gpu_hands_work(struct gpu_hand *hand, int count, struct error *err) {
    gpu_hands_begin(hand + 1, count - 1);
    work(hand);
    return gpu_hands_finish(hand, count, err);
}
