// SPDX-License-Identifier: MIT
/* The functions of NCCL that common/gpu/nccl.c calls, for ranks of one host whose GPUs are the CUDA
 * shim's: device memory is ordinary memory, and a copy is done when the call returns. Ranks meet in
 * shared memory whose name is the group's identifier. Calls are in progress until the caller has
 * asked again. One that the environment variable NCCL_STUB_FAIL names fails, and "never" is a rank
 * that the others do not find.
 *
 * NCCL's copies wait for other ranks on the device and can be ended from the host by ncclCommAbort.
 * Here a rank that aborts ends those of all ranks, which fail.
 *
 * NCCL sets up NVLink's multicast unless the environment tells it not to: then this one fails. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum {
    SUCCESS = 0,
    SYSTEM_ERROR = 2,
    INVALID_ARGUMENT = 4,
    REMOTE_ERROR = 6,
    IN_PROGRESS = 7,
    BYTES = 1,
    CHUNK = 1 << 18
};

struct identifier {
    char name[128];
};

/* In shared memory, zeroed. */
struct meeting {
    _Atomic int aborted;
    _Atomic int joined;
    _Atomic uint64_t sent, taken; /* chunks; by all who take them */
    char chunk[CHUNK];
};

/* As of version 2.14. */
struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
};

struct communicator {
    struct meeting *meeting;
    int asked;       /* how often since the last call that said it was in progress */
    uint64_t chunks; /* of all broadcasts so far */
    int rank, count;
    char name[128];
};

static bool fails(const char *call) {
    const char *const named = getenv("NCCL_STUB_FAIL");
    return named != NULL && strcmp(named, call) == 0;
}

/* Waits until *counter has reached a number; whether nobody has aborted meanwhile. */
static bool wait_for(struct meeting *m, _Atomic uint64_t *counter, uint64_t number) {
    while (atomic_load(counter) < number) {
        if (atomic_load(&m->aborted))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    return !atomic_load(&m->aborted);
}

EXPORTED int ncclGetUniqueId(struct identifier *id) {
    static int number;
    if (fails("ncclGetUniqueId"))
        return SYSTEM_ERROR;
    memset(id, 0, sizeof *id);
    snprintf(id->name, sizeof id->name, "/nccl_stub.%ld.%d", (long)getpid(), number++);
    return SUCCESS;
}

/* The shared memory of that name; NULL if there can be none. */
static struct meeting *meet(const char *name) {
    const int file = shm_open(name, O_RDWR | O_CREAT, 0600);
    void *memory = MAP_FAILED;
    if (file < 0)
        return NULL;
    if (ftruncate(file, sizeof(struct meeting)) == 0)
        memory = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return memory != MAP_FAILED ? memory : NULL;
}

/* It is in progress until all ranks have called it. */
EXPORTED int ncclCommInitRankConfig(struct communicator **communicator, int count,
                                    struct identifier id, int rank, const struct config *config) {
    if (config->size < sizeof *config || config->magic != 0xcafebeef || config->version < 21400 ||
        config->blocking != 0)
        return INVALID_ARGUMENT;
    struct communicator *const c = calloc(1, sizeof *c);
    struct meeting *const meeting = meet(id.name);
    if (c == NULL || meeting == NULL) {
        free(c);
        return SYSTEM_ERROR;
    }
    c->meeting = meeting;
    c->rank = rank;
    c->count = count;
    memcpy(c->name, id.name, sizeof c->name);
    *communicator = c;
    const char *const multicast = getenv("NCCL_NVLS_ENABLE");
    if (fails("ncclCommInitRankConfig") || multicast == NULL || strcmp(multicast, "0") != 0)
        atomic_store(&c->meeting->aborted, 1);
    if (!fails("never"))
        atomic_fetch_add(&c->meeting->joined, 1);
    return IN_PROGRESS;
}

EXPORTED int ncclBroadcast(const void *from, void *to, size_t count, int type, int root,
                           struct communicator *c, void *stream) {
    struct meeting *const m = c->meeting;
    (void)stream;
    if (type != BYTES || fails("ncclBroadcast"))
        return SYSTEM_ERROR;
    for (size_t done = 0; done < count; done += CHUNK) {
        const size_t now = count - done < CHUNK ? count - done : CHUNK;
        const uint64_t takers = (uint64_t)c->count - 1;
        if (c->rank == root) {
            if (!wait_for(m, &m->taken, c->chunks * takers))
                return REMOTE_ERROR;
            memcpy(m->chunk, (const char *)from + done, now);
            atomic_fetch_add(&m->sent, 1);
        } else {
            if (!wait_for(m, &m->sent, c->chunks + 1))
                return REMOTE_ERROR;
            memcpy((char *)to + done, m->chunk, now);
            atomic_fetch_add(&m->taken, 1);
        }
        c->chunks++;
    }
    c->asked = 0;
    return IN_PROGRESS;
}

EXPORTED int ncclCommGetAsyncError(struct communicator *c, int *code) {
    const bool all = atomic_load(&c->meeting->joined) == c->count;
    *code = atomic_load(&c->meeting->aborted) ? REMOTE_ERROR
            : all && c->asked++ > 0           ? SUCCESS
                                              : IN_PROGRESS;
    return SUCCESS;
}

EXPORTED int ncclCommDestroy(struct communicator *c) {
    shm_unlink(c->name); /* all have it; of later calls nothing comes */
    munmap(c->meeting, sizeof *c->meeting);
    free(c);
    return SUCCESS;
}

EXPORTED int ncclCommAbort(struct communicator *c) {
    atomic_store(&c->meeting->aborted, 1);
    return ncclCommDestroy(c);
}

EXPORTED const char *ncclGetErrorString(int code) {
    return code == REMOTE_ERROR ? "remote process exited" : "unhandled system error";
}
