// SPDX-License-Identifier: MIT
/* Joining other ranks, and leaving them. */
#include "ranks/claims.h"
#include "ranks/heartbeat.h"
#include "ranks/link.h"
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct heartbeat heartbeat;

/* Returns whether a launcher has started this process together with others, as far as the
 * environment tells. */
static bool is_launched(void) {
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const char *const count = getenv(counts[c]);
        if (count != NULL)
            return atoi(count) > 1;
    }
    return getenv("PMIX_RANK") != NULL;
}

/* Returns the rank of this process, as far as the environment tells. If ranks do not meet, the
 * lowest ones report it. */
static int launched_rank(void) {
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                        "PMIX_RANK"};
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
        const char *const rank = getenv(ranks[r]);
        if (rank != NULL)
            return atoi(rank);
    }
    return 0;
}

static void *load_beside(const char *folder) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    if (length < 0)
        return NULL;
    path[length] = '\0';
    char *const name = strrchr(path, '/');
    snprintf(name, sizeof path - (size_t)(name - path), "/%s/apsp_mpi.so", folder);
    return access(path, F_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

static enum status load(struct ranks *ranks, struct error *err) {
    const char *const named = getenv("APSP_MPI");
    void *module = NULL;
    (void)dlerror();
    if (named != NULL && *named != '\0') {
        module = dlopen(named, RTLD_NOW | RTLD_GLOBAL);
    } else {
        static const char *const folders[] = {"../lib", "../lib/apsp", "../lib64/apsp"};
        for (size_t f = 0; f < sizeof folders / sizeof *folders && module == NULL; f++)
            module = load_beside(folders[f]);
    }
    const struct ranks_transport *const transport =
        module != NULL ? dlsym(module, RANKS_TRANSPORT_SYMBOL) : NULL;
    const char *const why = dlerror();
    if (transport == NULL)
        return fail(err, STATUS_NO_RESOURCE,
                    "started by an MPI launcher, but the module for MPI, apsp_mpi.so, %s%s: build "
                    "with mpicc installed, or name the module in APSP_MPI",
                    why != NULL ? "cannot be loaded: " : "is not in ../lib of this program",
                    why != NULL ? why : "");
    if (transport->version != RANKS_TRANSPORT_VERSION)
        return fail(err, STATUS_NO_RESOURCE, "apsp_mpi.so: expected version %d, found %d",
                    RANKS_TRANSPORT_VERSION, transport->version);
    ranks->transport = transport;
    return STATUS_OK;
}

static struct ranks joined;
static const struct ranks_transport *module_of_joined;
static char (*hosts)[sizeof((struct ranks *)NULL)->host]; /* name of each rank's host */
static ranks_say *say_aloud;
static atomic_bool has_said; /* the reason why a rank cannot be reached has been printed */

static void tell(const struct error *why) {
    if (!atomic_exchange(&has_said, true))
        say_aloud(why->text);
}

static void lose(int rank, int code) {
    struct error err;
    if (code != 0)
        (void)link_check(&joined, code, "signs of life", &err);
    else if (rank < 0)
        fail(&err, STATUS_NO_RESOURCE, "no process of %d answers for %d s (APSP_RANK_TIMEOUT)",
             joined.count, heartbeat.timeout);
    else
        fail(&err, STATUS_NO_RESOURCE,
             "rank %d of %d on %s: no sign of life for %d s (APSP_RANK_TIMEOUT)", rank,
             joined.count, hosts[rank], heartbeat.timeout);
    link_break(&err);
    (void)ranks_reachable(&err); /* replaces the reason by that of the first failure */
    if (!ranks_first(&joined))   /* rank 0 prints the reason when it ends, if it can */
        tell(&err);
}

/* Listens, unless another thread is within the transport: then the next call does. */
static bool listen(void) {
    struct error err; /* heartbeat_turn finds the error again */
    bool any = false;
    if (pthread_mutex_trylock(&link_lock) != 0)
        return false;
    int code = 0;
    if (ranks_reachable(&err) == STATUS_OK && (code = link_listen(&joined, &any)) == 0)
        code = claims_tell(&joined);
    (void)link_leave(&joined, code, "notes", &err);
    return any;
}

static void hurry(void) {
    heartbeat_hurry(&heartbeat);
}

static void give_up(void) {
    struct error err;
    if (ranks_reachable(&err) != STATUS_OK)
        tell(&err);
    module_of_joined->give_up();
}

/* Reports that the ranks have not met: a host may not have started, or the network lets nothing
 * through. */
static void not_met(void) {
    struct error err;
    fail(&err, STATUS_NO_RESOURCE,
         "the processes that were started together have not met within %d s (APSP_RANK_TIMEOUT)",
         heartbeat.timeout);
    tell(&err);
    module_of_joined->give_up();
}

/* Tells the other ranks that this one leaves, so that they do not wait for it: it may leave early
 * because its command line is wrong, for instance. At the end of a run on which all ranks have
 * agreed, no rank receives this. */
static void leave_all(void) {
    struct error err;
    if (joined.transport == NULL) {
        module_of_joined->end();
        return;
    }
    if (ranks_first(&joined) && ranks_reachable(&err) != STATUS_OK)
        atomic_store(&has_said, true); /* the program has printed the reason */
    (void)ranks_agree(&joined,
                      fail(&err, STATUS_BAD_INPUT,
                           "expected the command line of rank 0, found one that ends this process "
                           "before it solves"),
                      &err);
    const enum status met = ranks_meet(&joined, &err);
    heartbeat_stop(&heartbeat);
    if (met == STATUS_OK) {
        module_of_joined->end();
    } else {
        tell(&err); /* prints the reason also if a rank was lost after that */
        module_of_joined->give_up();
    }
    free(hosts);
}

static enum status take_host(void *self, int rank, size_t first, size_t count, const void *data,
                             struct error *err) {
    (void)self, (void)first, (void)count, (void)err;
    memcpy(hosts[rank], data, sizeof *hosts);
    return STATUS_OK;
}

static enum status make_hosts(struct error *err) {
    hosts = calloc((size_t)joined.count, sizeof *hosts);
    if (hosts == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: names of %d hosts", joined.count);
    memcpy(hosts[0], joined.host, sizeof *hosts);
    return STATUS_OK;
}

/* Starts signs of life at all ranks with the time-out of rank 0. */
static enum status begin_heartbeat(int timeout, struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(&joined, make_hosts(err), err));
    RETURN_ON_FAILURE(ranks_gather(&joined, joined.host, 1, sizeof *hosts, take_host, NULL, err));
    RETURN_ON_FAILURE(ranks_broadcast(&joined, hosts, (size_t)joined.count * sizeof *hosts, err));
    RETURN_ON_FAILURE(ranks_broadcast(&joined, &timeout, sizeof timeout, err));
    link_hurry = hurry;
    return ranks_agree(&joined, heartbeat_watch(&heartbeat, &joined, timeout, err), err);
}

enum status ranks_join(struct ranks *ranks, ranks_say *say, struct error *err) {
    static const struct heartbeat_events events = {not_met, listen, lose, give_up};
    *ranks = ranks_alone;
    if (!is_launched())
        return STATUS_OK;
    gethostname(ranks->host, sizeof ranks->host - 1);
    RETURN_ON_FAILURE(load(ranks, err));
    module_of_joined = ranks->transport;
    say_aloud = say;
    heartbeat =
        (struct heartbeat){.events = &events, .others = launched_rank() < 2 ? launched_rank() : 2};
    const enum status told = heartbeat_timeout(&heartbeat.timeout, err);
    RETURN_ON_FAILURE(heartbeat_start(&heartbeat, err));
    const enum status begun = link_check(
        ranks,
        ranks->transport->begin(&ranks->rank, &ranks->count, &ranks->rank_here, &ranks->count_here),
        "starting", err);
    if (begun != STATUS_OK) {
        *ranks = ranks_alone; /* so that this process reports the failure itself */
        return begun;
    }
    if (ranks->count == 1)
        ranks->transport = NULL;
    joined = *ranks;
    atexit(leave_all);
    RETURN_ON_FAILURE(ranks_agree(&joined, told, err));
    if (ranks->count > 1)
        return begin_heartbeat(heartbeat.timeout, err);
    heartbeat_stop(&heartbeat);
    return STATUS_OK;
}

int ranks_timeout(void) {
    return heartbeat.timeout;
}
