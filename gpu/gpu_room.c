// SPDX-License-Identifier: MIT
#include "gpu/gpu_room.h"

#include "common/base/memory.h"   // memory_alloc
#include "gpu/launch/gpu_error.h" // gpu_check

#include <stdio.h>
#include <string.h>

/* Identifies a GPU, however the processes number their GPUs. */
struct identity {
    char host[sizeof((struct ranks *)NULL)->host];
    char bus[32];
};

static enum status measure(struct gpu_room *room, struct error *err) {
    return gpu_check(cudaMemGetInfo(&room->free, &room->all), "asking for its free memory", err);
}

/* Creates the context, which takes memory itself, and stores the identity of its GPU. */
static enum status prepare(int device, const struct ranks *ranks, struct identity *own,
                           void **identities, struct error *err) {
    memcpy(own->host, ranks->host, sizeof own->host);
    RETURN_ON_FAILURE(gpu_check(cudaFree(NULL), "creating the context", err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceGetPCIBusId(own->bus, sizeof own->bus, device),
                                "asking for the device's address", err));
    return memory_alloc(identities, (size_t)ranks->count, sizeof *own, "who has which GPU", err);
}

static enum status take_identity(void *self, int rank, size_t first, size_t count, const void *data,
                                 struct error *err) {
    struct identity *const all = self;
    (void)first, (void)count, (void)err;
    memcpy(&all[rank], data, sizeof *all);
    return STATUS_OK;
}

/* Stores how many processes are on the same GPU. */
static enum status count_sharers(const struct ranks *ranks, const struct identity *own,
                                 struct identity *all, int *count, struct error *err) {
    all[0] = *own;
    RETURN_ON_FAILURE(ranks_gather(ranks, own, 1, sizeof *own, take_identity, all, err));
    RETURN_ON_FAILURE(ranks_broadcast(ranks, all, (size_t)ranks->count * sizeof *all, err));
    *count = 0;
    for (int r = 0; r < ranks->count; r++)
        *count += memcmp(&all[r], own, sizeof *own) == 0;
    return STATUS_OK;
}

enum status gpu_room_find(int device, const struct ranks *ranks, struct gpu_room *room,
                          struct error *err) {
    struct identity own = {0};
    void *identities = NULL;
    enum status status;
    *room = (struct gpu_room){.processes = 1};
    if (ranks == NULL)
        return measure(room, err);
    TRY(ranks_agree(ranks, prepare(device, ranks, &own, &identities, err), err));
    TRY(ranks_agree(ranks, measure(room, err), err));
    TRY(count_sharers(ranks, &own, identities, &room->processes, err));
    room->free /= (size_t)room->processes;
cleanup:
    memory_free(identities);
    return status;
}

const char *gpu_room_sharers(const struct gpu_room *room, char text[GPU_ROOM_TEXT]) {
    text[0] = '\0';
    if (room->processes > 1)
        snprintf(text, GPU_ROOM_TEXT, " for each of %d processes", room->processes);
    return text;
}
