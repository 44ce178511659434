// SPDX-License-Identifier: MIT
#include "gpu/nccl.h"

#include "common/base/clock.h" // clock_seconds
#include "ranks/claims.h"      // claims_stopped

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* NCCL's interface, as of version 2; tests/e2e/test_gpu_ranks.py compares it with nccl.h. */
enum { SUCCESS = 0, IN_PROGRESS = 7, BYTES = 1 /* ncclUint8 */, ID_BYTES = 128 };

struct identifier {
    char bytes[ID_BYTES];
};

/* ncclConfig_t of version 2.14, which all later ones take. */
struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
};

static const struct config returns_at_once = {sizeof returns_at_once, 0xcafebeef, 21400, 0};

static struct {
    int (*get_identifier)(struct identifier *id);
    int (*init)(void **communicator, int count, struct identifier id, int rank,
                const struct config *config);
    int (*broadcast)(const void *from, void *to, size_t count, int type, int root,
                     void *communicator, cudaStream_t stream);
    int (*get_async_error)(void *communicator, int *code);
    int (*abort)(void *communicator);
    int (*destroy)(void *communicator);
    const char *(*explain)(int code);
} nccl;

static bool is_loaded;
static struct error why_not;

static const struct {
    const char *name;
    void *function; /* a pointer to a function in `nccl` */
} functions[] = {
    {"ncclGetUniqueId", &nccl.get_identifier},
    {"ncclCommInitRankConfig", &nccl.init},
    {"ncclBroadcast", &nccl.broadcast},
    {"ncclCommGetAsyncError", &nccl.get_async_error},
    {"ncclCommAbort", &nccl.abort},
    {"ncclCommDestroy", &nccl.destroy},
    {"ncclGetErrorString", &nccl.explain},
};

/* Opens the library in the site-packages of a prefix; returns NULL if it is not there. */
static void *open_in_prefix(const char *prefix) {
    static const char inside[] = "lib/python3*/site-packages/nvidia/nccl/lib/libnccl.so.2";
    char pattern[PATH_MAX];
    glob_t found;
    void *library = NULL;
    if (prefix == NULL ||
        snprintf(pattern, sizeof pattern, "%s/%s", prefix, inside) >= (int)sizeof pattern ||
        glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    for (size_t k = 0; k < found.gl_pathc && library == NULL; k++)
        library = dlopen(found.gl_pathv[k], RTLD_NOW);
    globfree(&found);
    return library;
}

/* Opens the library in the prefix whose bin/ contains this program. */
static void *open_beside(void) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return NULL;
    path[length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *const slash = strrchr(path, '/');
        if (slash == NULL)
            return NULL;
        *slash = '\0';
    }
    return open_in_prefix(path);
}

static void *open_library(struct error *why) {
    static const char name[] = "libnccl.so.2";
    const char *const named = getenv("APSP_NCCL");
    const bool is_named = named != NULL && *named != '\0';
    void *library = NULL;
    if (is_named && strcmp(named, "none") == 0) {
        fail(why, STATUS_NO_RESOURCE, "APSP_NCCL is none");
        return NULL;
    }
    library = dlopen(is_named ? named : name, RTLD_NOW);
    const char *const reason = library == NULL ? dlerror() : NULL;
    if (library == NULL)
        fail(why, STATUS_NO_RESOURCE, "NCCL cannot be loaded: %s",
             reason != NULL ? reason : "no reason was given");
    if (library != NULL || is_named)
        return library;
    if ((library = open_in_prefix(getenv("VIRTUAL_ENV"))) == NULL &&
        (library = open_in_prefix(getenv("CONDA_PREFIX"))) == NULL)
        library = open_beside();
    return library;
}

/* Turns off NVLink's multicast, from which broadcasts gain nothing. NCCL would reserve memory of
 * every GPU for it, on some hosts all that the fabric has. */
static void leave_multicast_off(void) {
    (void)setenv("NCCL_NVLS_ENABLE", "0", 0);
}

static void load(void) {
    leave_multicast_off();
    void *const library = open_library(&why_not);
    for (size_t k = 0; library != NULL && k < sizeof functions / sizeof *functions; k++) {
        void *const function = dlsym(library, functions[k].name);
        if (function == NULL) {
            fail(&why_not, STATUS_NO_RESOURCE, "NCCL has no function %s", functions[k].name);
            return;
        }
        memcpy(functions[k].function, &function, sizeof function);
    }
    is_loaded = library != NULL;
}

static enum status check(int code, const char *doing, struct error *err) {
    return code == SUCCESS ? STATUS_OK
                           : fail(err, STATUS_NO_RESOURCE, "NCCL failure while %s: %s", doing,
                                  nccl.explain(code));
}

/* Waits until NCCL has finished what a call has begun. Gives up once another rank has failed, or
 * after ranks_timeout() seconds. */
static enum status finish(const struct nccl_group *group, int code, const char *doing,
                          struct error *err) {
    enum { PAUSE_NS = 20000 };
    const double begun = clock_seconds();
    const int most = ranks_timeout();
    while (code == IN_PROGRESS) {
        RETURN_ON_FAILURE(ranks_reachable(err));
        if (claims_stopped(group->ranks))
            return fail(err, STATUS_CANCELLED, "another process has failed");
        if (most > 0 && clock_seconds() - begun > most)
            return fail(err, STATUS_NO_RESOURCE,
                        "NCCL failure while %s: no answer for %d s (APSP_RANK_TIMEOUT)", doing,
                        most);
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        RETURN_ON_FAILURE(check(nccl.get_async_error(group->communicator, &code), doing, err));
    }
    return check(code, doing, err);
}

/* Returns STATUS_OK if this rank can join, otherwise a failure with the reason. */
static enum status prepare(bool may_join, struct error *why) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!may_join)
        return fail(why, STATUS_NO_RESOURCE, "processes have the same GPU");
    pthread_once(&once, load);
    if (!is_loaded)
        *why = why_not;
    return is_loaded ? STATUS_OK : STATUS_NO_RESOURCE;
}

/* Stores in *all whether the status of every rank is STATUS_OK. All ranks call it. */
static enum status settle(const struct ranks *ranks, enum status status, bool *all,
                          struct error *why) {
    int good = status == STATUS_OK;
    RETURN_ON_FAILURE(ranks_least(ranks, &good, why));
    *all = good != 0;
    if (!*all && status == STATUS_OK)
        fail(why, STATUS_NO_RESOURCE, "NCCL is not there for all processes");
    return STATUS_OK;
}

enum status nccl_join(struct nccl_group *group, const struct ranks *ranks, bool may_join,
                      struct error *err) {
    struct identifier id = {{0}};
    bool all;
    *group = (struct nccl_group){.ranks = ranks};
    RETURN_ON_FAILURE(settle(ranks, prepare(may_join, err), &all, err));
    if (!all)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (ranks_first(ranks))
        status = check(nccl.get_identifier(&id), "beginning", err);
    RETURN_ON_FAILURE(settle(ranks, status, &all, err));
    if (!all)
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_broadcast(ranks, &id, sizeof id, err));
    const int code =
        nccl.init(&group->communicator, ranks->count, id, ranks->rank, &returns_at_once);
    status = finish(group, code, "connecting the GPUs", err);
    const enum status settled = settle(ranks, status, &all, err);
    if (settled != STATUS_OK || !all)
        nccl_abort(group);
    return settled;
}

enum status nccl_broadcast(const struct nccl_group *group, void *data, size_t size, int from,
                           cudaStream_t stream, struct error *err) {
    const int code = nccl.broadcast(data, data, size, BYTES, from, group->communicator, stream);
    return finish(group, code, "copying between GPUs", err);
}

enum status nccl_check(const struct nccl_group *group, struct error *err) {
    int code = SUCCESS;
    RETURN_ON_FAILURE(check(nccl.get_async_error(group->communicator, &code), "asking NCCL", err));
    return code == IN_PROGRESS ? STATUS_OK : check(code, "copying between GPUs", err);
}

void nccl_abort(struct nccl_group *group) {
    if (group->communicator != NULL)
        nccl.abort(group->communicator);
    group->communicator = NULL;
}

void nccl_leave(struct nccl_group *group) {
    if (group->communicator != NULL)
        nccl.destroy(group->communicator);
    group->communicator = NULL;
}
