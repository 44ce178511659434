// SPDX-License-Identifier: MIT
/* The functions of NCCL that gpu/nccl.c calls, for ranks of one host whose GPUs are the CUDA
 * shim's: device memory is ordinary memory. Ranks meet in shared memory whose name is the group's
 * identifier. Calls are in progress until the caller has asked again, and copies go on when it
 * asks. One that the environment variable NCCL_STUB_FAIL names fails; "never" is a rank that the
 * others do not find, "unheard" one whose end they do not notice.
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
    int asked;  /* how often since the last call that said it was in progress */
    char *data; /* what is still to be copied of a broadcast */
    size_t left;
    bool sends;
    uint64_t chunks; /* of all broadcasts so far */
    int rank, count;
    char name[128];
};

static bool fails(const char *call) {
    const char *const named = getenv("NCCL_STUB_FAIL");
    return named != NULL && strcmp(named, call) == 0;
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

/* Copies what can be copied now. */
static void go_on(struct communicator *c) {
    struct meeting *const m = c->meeting;
    const uint64_t takers = (uint64_t)c->count - 1;
    while (c->left > 0) {
        const size_t now = c->left < CHUNK ? c->left : CHUNK;
        if (c->sends) {
            if (atomic_load(&m->taken) < c->chunks * takers)
                return;
            memcpy(m->chunk, c->data, now);
            atomic_fetch_add(&m->sent, 1);
        } else {
            if (atomic_load(&m->sent) < c->chunks + 1)
                return;
            memcpy(c->data, m->chunk, now);
            atomic_fetch_add(&m->taken, 1);
        }
        c->data += now;
        c->left -= now;
        c->chunks++;
    }
}

EXPORTED int ncclBroadcast(const void *from, void *to, size_t count, int type, int root,
                           struct communicator *c, void *stream) {
    (void)stream;
    if (from != to || type != BYTES || fails("ncclBroadcast"))
        return SYSTEM_ERROR;
    c->data = to;
    c->left = count;
    c->sends = c->rank == root;
    c->asked = 0;
    return IN_PROGRESS;
}

EXPORTED int ncclCommGetAsyncError(struct communicator *c, int *code) {
    const bool all = atomic_load(&c->meeting->joined) == c->count;
    if (all)
        go_on(c);
    *code = atomic_load(&c->meeting->aborted)       ? REMOTE_ERROR
            : all && c->left == 0 && c->asked++ > 0 ? SUCCESS
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
    if (!fails("unheard"))
        atomic_store(&c->meeting->aborted, 1);
    return ncclCommDestroy(c);
}

EXPORTED const char *ncclGetErrorString(int code) {
    return code == REMOTE_ERROR ? "remote process exited" : "unhandled system error";
}
