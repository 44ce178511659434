// SPDX-License-Identifier: MIT
#include "common/ranks/ranks.h"

#include "common/ranks/heartbeat.h"
#include "common/ranks/transport.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const struct ranks ranks_alone = {.count = 1, .count_here = 1};

/* The words behind those of the claims: the first bit of one says that all are to stop, the other
 * one counts what is claimed in order. */
static size_t stop_word, next_word;
static int64_t claimable; /* numbers */
/* Held while a function of the transport is called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A rank could not be reached, and why. The others may then wait for this one forever. Nobody calls
 * the transport any more. */
static struct {
    pthread_mutex_t lock;
    bool is;
    struct error why;
} broken = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct heartbeat heartbeat;

/* All ranks know that one has failed. */
static enum status settled;

/* The elements that rank 0 receives at once. The buffer is static, because a rank that could not
 * allocate it would leave the others waiting. */
static _Alignas(64) char part[1 << 22];

/* What a rank says of itself when all agree. */
struct opinion {
    int status;
    char host[sizeof((struct ranks *)NULL)->host];
    char text[sizeof((struct error *)NULL)->text];
};

/* Takes note of the first such failure. */
static void break_off(const struct error *why) {
    pthread_mutex_lock(&broken.lock);
    if (!broken.is)
        broken.why = *why;
    broken.is = true;
    pthread_mutex_unlock(&broken.lock);
}

enum status ranks_reachable(struct error *err) {
    pthread_mutex_lock(&broken.lock);
    const bool is_broken = broken.is;
    if (is_broken)
        *err = broken.why;
    pthread_mutex_unlock(&broken.lock);
    return is_broken ? STATUS_NO_RESOURCE : STATUS_OK;
}

/* The functions of the transport are called between these two. */
static enum status enter(struct error *err) {
    pthread_mutex_lock(&lock);
    const enum status status = ranks_reachable(err);
    if (status != STATUS_OK)
        pthread_mutex_unlock(&lock);
    return status;
}

static enum status check(const struct ranks *ranks, int code, const char *what, struct error *err) {
    char why[256];
    if (code == 0)
        return STATUS_OK;
    ranks->transport->explain(code, why, sizeof why);
    fail(err, STATUS_NO_RESOURCE, "%s between processes: %s", what, why);
    break_off(err);
    return STATUS_NO_RESOURCE;
}

static enum status leave(const struct ranks *ranks, int code, const char *what, struct error *err) {
    const enum status status = check(ranks, code, what, err);
    pthread_mutex_unlock(&lock);
    return status;
}

/* Begins a transfer of the transport. */
static enum status begin(const struct ranks *ranks, ranks_transfer *transfer, void *data,
                         size_t size, int rank, const char *what, struct error *err) {
    RETURN_ON_FAILURE(enter(err));
    return leave(ranks, transfer(data, size, rank), what, err);
}

static enum status test(const struct ranks *ranks, int *done, const char *what, struct error *err) {
    *done = 0;
    RETURN_ON_FAILURE(enter(err));
    return leave(ranks, ranks->transport->test(done), what, err);
}

/* Ends it. There may be more ranks than cores: a rank that has waited for a while sleeps, so that
 * others can work. */
static enum status finish(const struct ranks *ranks, const char *what, struct error *err) {
    enum { SOON = 1000, LATE = 20000, PAUSE_NS = 50000, LONG_PAUSE_NS = 1000000 };
    int done;
    for (int tests = 1;; tests += tests < LATE) {
        RETURN_ON_FAILURE(test(ranks, &done, what, err));
        if (done)
            return STATUS_OK;
        if (tests < SOON)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = tests < LATE ? PAUSE_NS : LONG_PAUSE_NS}, NULL);
    }
}

static enum status carry(const struct ranks *ranks, ranks_transfer *transfer, void *data,
                         size_t size, int rank, const char *what, struct error *err) {
    RETURN_ON_FAILURE(begin(ranks, transfer, data, size, rank, what, err));
    return finish(ranks, what, err);
}

/* Waits until all ranks have come. */
static enum status meet(const struct ranks *ranks, struct error *err) {
    return carry(ranks, ranks->transport->meet, NULL, 0, 0, "meeting", err);
}

/* Joining ----------------------------------------------------------------------------------------
 */

/* Whether a launcher has started this process beside others, as far as the environment says. */
static bool is_launched(void) {
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const char *const count = getenv(counts[c]);
        if (count != NULL)
            return atoi(count) > 1;
    }
    return getenv("PMIX_RANK") != NULL;
}

/* Whether it is rank 0, as far as the environment says: before they have met somebody has to speak
 * first. */
static bool is_launched_first(void) {
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                        "PMIX_RANK"};
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
        const char *const rank = getenv(ranks[r]);
        if (rank != NULL)
            return atoi(rank) == 0;
    }
    return true;
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
static char (*hosts)[sizeof((struct ranks *)NULL)->host]; /* of all ranks */
static ranks_say *say_aloud;

static void lose(int rank, int code) {
    struct error err;
    if (code != 0)
        (void)check(&joined, code, "signs of life", &err);
    else if (rank < 0)
        fail(&err, STATUS_NO_RESOURCE, "no process of %d answers for %d s (APSP_RANK_TIMEOUT)",
             joined.count, heartbeat.timeout);
    else
        fail(&err, STATUS_NO_RESOURCE,
             "rank %d of %d on %s: no sign of life for %d s (APSP_RANK_TIMEOUT)", rank,
             joined.count, hosts[rank], heartbeat.timeout);
    break_off(&err);
    if (!ranks_first(&joined)) /* rank 0 says at its end why it ends, if it can */
        say_aloud(err.text);
}

static void give_up(void) {
    struct error err;
    if (ranks_first(&joined) && ranks_reachable(&err) != STATUS_OK)
        say_aloud(err.text);
    module_of_joined->give_up();
}

/* A host that does not start, or a network that lets nothing through. */
static void not_met(void) {
    struct error err;
    fail(&err, STATUS_NO_RESOURCE,
         "the processes that were started together have not met within %d s (APSP_RANK_TIMEOUT)",
         heartbeat.timeout);
    say_aloud(err.text);
    module_of_joined->give_up();
}

/* A rank that leaves early, because it does not understand its command line, say, tells the others
 * instead of leaving them to wait. At the end of a run that all have agreed on nobody hears this.
 */
static void leave_all(void) {
    struct error err;
    if (joined.transport == NULL) {
        module_of_joined->end();
        return;
    }
    if (settled == STATUS_OK)
        (void)ranks_agree(&joined,
                          fail(&err, STATUS_BAD_INPUT,
                               "expected the command line of rank 0, found one that ends this "
                               "process before it solves"),
                          &err);
    const enum status met = meet(&joined, &err);
    heartbeat_stop(&heartbeat);
    if (met == STATUS_OK)
        module_of_joined->end();
    else
        module_of_joined->give_up();
    free(hosts);
}
/* Beginning in which all take part. */
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

/* All take the time-out of rank 0. */
static enum status begin_heartbeat(int timeout, struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(&joined, make_hosts(err), err));
    RETURN_ON_FAILURE(ranks_gather(&joined, joined.host, 1, sizeof *hosts, take_host, NULL, err));
    RETURN_ON_FAILURE(ranks_broadcast(&joined, hosts, (size_t)joined.count * sizeof *hosts, err));
    RETURN_ON_FAILURE(ranks_broadcast(&joined, &timeout, sizeof timeout, err));
    return ranks_agree(&joined, heartbeat_watch(&heartbeat, &joined, &lock, timeout, err), err);
}

enum status ranks_join(struct ranks *ranks, ranks_say *say, struct error *err) {
    static const struct heartbeat_events events = {not_met, lose, give_up};
    *ranks = ranks_alone;
    if (!is_launched())
        return STATUS_OK;
    gethostname(ranks->host, sizeof ranks->host - 1);
    RETURN_ON_FAILURE(load(ranks, err));
    module_of_joined = ranks->transport;
    say_aloud = say;
    heartbeat = (struct heartbeat){.events = &events, .leaves_time = !is_launched_first()};
    const enum status told = heartbeat_timeout(&heartbeat.timeout, err);
    RETURN_ON_FAILURE(heartbeat_start(&heartbeat, err));
    RETURN_ON_FAILURE(check(
        ranks,
        ranks->transport->begin(&ranks->rank, &ranks->count, &ranks->rank_here, &ranks->count_here),
        "starting", err));
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

/* Together ---------------------------------------------------------------------------------------
 */

enum status ranks_copy_begin(const struct ranks *ranks, int from, void *data, size_t size,
                             struct error *err) {
    if (ranks->transport == NULL)
        return STATUS_OK;
    return begin(ranks, ranks->transport->copy, data, size, from, "copying", err);
}

void ranks_copy_help(const struct ranks *ranks) {
    struct error err; /* ranks_copy_end says it again */
    int done;
    if (ranks->transport != NULL)
        (void)test(ranks, &done, "copying", &err);
}

enum status ranks_copy_end(const struct ranks *ranks, struct error *err) {
    return ranks->transport != NULL ? finish(ranks, "copying", err) : STATUS_OK;
}

enum status ranks_broadcast(const struct ranks *ranks, void *data, size_t size, struct error *err) {
    RETURN_ON_FAILURE(ranks_copy_begin(ranks, 0, data, size, err));
    return ranks_copy_end(ranks, err);
}

enum status ranks_gather(const struct ranks *ranks, const void *data, size_t count, size_t size,
                         ranks_take *take, void *self, struct error *err) {
    const struct ranks_transport *const t = ranks->transport;
    const size_t most = sizeof part / size;
    enum status taken = STATUS_OK;
    struct error of_taking;
    uint64_t theirs = count;
    if (t == NULL)
        return STATUS_OK;
    if (!ranks_first(ranks)) {
        RETURN_ON_FAILURE(carry(ranks, t->send, &theirs, sizeof theirs, 0, "sending", err));
        for (size_t first = 0; first < count; first += most) {
            const size_t now = count - first < most ? count - first : most;
            RETURN_ON_FAILURE(
                carry(ranks, t->send, (char *)data + first * size, now * size, 0, "sending", err));
        }
        return STATUS_OK;
    }
    for (int rank = 1; rank < ranks->count; rank++) {
        RETURN_ON_FAILURE(carry(ranks, t->receive, &theirs, sizeof theirs, rank, "receiving", err));
        for (size_t first = 0; first < theirs; first += most) {
            const size_t now = theirs - first < most ? (size_t)theirs - first : most;
            RETURN_ON_FAILURE(carry(ranks, t->receive, part, now * size, rank, "receiving", err));
            if (taken == STATUS_OK) /* the others send all the same */
                taken = take(self, rank, first, now, part, &of_taking);
        }
    }
    if (taken != STATUS_OK)
        *err = of_taking;
    return taken;
}

/* Of all ranks: the lowest that has failed. */
struct agreement {
    int rank; /* -1: none yet */
    struct opinion opinion;
};

static enum status take_opinion(void *self, int rank, size_t first, size_t count, const void *data,
                                struct error *err) {
    struct agreement *const agreement = self;
    (void)first, (void)count, (void)err;
    const struct opinion *const opinion = data;
    if (agreement->rank < 0 && opinion->status != STATUS_OK) {
        agreement->rank = rank;
        agreement->opinion = *opinion;
    }
    return STATUS_OK;
}

enum status ranks_agree(const struct ranks *ranks, enum status status, struct error *err) {
    struct error unreached;
    if (ranks->transport == NULL)
        return status;
    if (ranks_reachable(&unreached) != STATUS_OK) {
        if (status == STATUS_OK)
            *err = unreached;
        return status != STATUS_OK ? status : STATUS_NO_RESOURCE;
    }
    if (settled != STATUS_OK)
        return status != STATUS_OK ? status : fail(err, settled, "another process has failed");
    struct opinion own = {.status = (int)status};
    memcpy(own.host, ranks->host, sizeof own.host);
    if (status != STATUS_OK)
        memcpy(own.text, err->text, sizeof own.text);
    struct agreement agreement = {.rank = status != STATUS_OK ? ranks->rank : -1, .opinion = own};
    RETURN_ON_FAILURE(ranks_gather(ranks, &own, 1, sizeof own, take_opinion, &agreement, err));
    int together = agreement.opinion.status;
    RETURN_ON_FAILURE(ranks_broadcast(ranks, &together, sizeof together, err));
    settled = (enum status)together;
    if (!ranks_first(ranks) || agreement.rank <= 0)
        return (enum status)together;
    return fail(err, (enum status)together, "rank %d of %d on %s: %s", agreement.rank, ranks->count,
                agreement.opinion.host, agreement.opinion.text);
}

static enum status take_number(void *self, int rank, size_t first, size_t count, const void *data,
                               struct error *err) {
    int *const least = self, number;
    (void)rank, (void)first, (void)count, (void)err;
    memcpy(&number, data, sizeof number);
    *least = number < *least ? number : *least;
    return STATUS_OK;
}

enum status ranks_least(const struct ranks *ranks, int *number, struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(ranks, STATUS_OK, err));
    RETURN_ON_FAILURE(ranks_gather(ranks, number, 1, sizeof *number, take_number, number, err));
    return ranks_broadcast(ranks, number, sizeof *number, err);
}

enum status ranks_all(const struct ranks *ranks, bool *fact, struct error *err) {
    int least = *fact;
    RETURN_ON_FAILURE(ranks_least(ranks, &least, err));
    *fact = least != 0;
    return STATUS_OK;
}

static enum status take_flags(void *self, int rank, size_t first, size_t count, const void *data,
                              struct error *err) {
    unsigned char *const flag = (unsigned char *)self + first;
    const unsigned char *const theirs = data;
    (void)rank, (void)err;
    for (size_t k = 0; k < count; k++)
        flag[k] |= theirs[k];
    return STATUS_OK;
}

enum status ranks_any(const struct ranks *ranks, unsigned char *flag, size_t count,
                      struct error *err) {
    RETURN_ON_FAILURE(ranks_gather(ranks, flag, count, 1, take_flags, flag, err));
    return ranks_broadcast(ranks, flag, count, err);
}

/* Claims -----------------------------------------------------------------------------------------
 */

enum { WORD_BITS = 64 };

/* The numbers: `function` is words_or or words_add. Returns whether rank 0 has been reached. */
static bool change_word(const struct ranks *ranks,
                        int (*function)(size_t word, uint64_t number, uint64_t *before),
                        size_t word, uint64_t number, uint64_t *before) {
    struct error err;
    return enter(&err) == STATUS_OK &&
           leave(ranks, function(word, number, before), "sharing", &err) == STATUS_OK;
}

enum status ranks_claims_open(const struct ranks *ranks, int64_t count, struct error *err) {
    if (ranks->transport == NULL)
        return STATUS_OK;
    claimable = count;
    stop_word = ((size_t)count + WORD_BITS - 1) / WORD_BITS;
    next_word = stop_word + 1;
    RETURN_ON_FAILURE(meet(ranks, err));
    RETURN_ON_FAILURE(enter(err));
    return leave(ranks, ranks->transport->words_open(next_word + 1), "sharing", err);
}

enum status ranks_claims_close(const struct ranks *ranks, struct error *err) {
    if (ranks->transport == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(meet(ranks, err));
    RETURN_ON_FAILURE(enter(err));
    return leave(ranks, ranks->transport->words_close(), "sharing", err);
}

bool ranks_claim(const struct ranks *ranks, int64_t number) {
    const uint64_t bit = (uint64_t)1 << number % WORD_BITS;
    const size_t word = (size_t)(number / WORD_BITS);
    uint64_t before = bit;
    if (ranks->transport == NULL)
        return true;
    return !ranks_stopped(ranks) &&
           change_word(ranks, ranks->transport->words_or, word, bit, &before) &&
           (before & bit) == 0;
}

enum status ranks_claims_again(const struct ranks *ranks, struct error *err) {
    uint64_t before = 0, now;
    char ready = 0;
    if (ranks->transport == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(ranks_agree(ranks, STATUS_OK, err)); /* nobody claims any more, */
    if (ranks_first(ranks) &&
        !(change_word(ranks, ranks->transport->words_add, next_word, 0, &before) &&
          change_word(ranks, ranks->transport->words_add, next_word, -before, &now)))
        return ranks_reachable(err);
    return ranks_broadcast(ranks, &ready, sizeof ready, err); /* and nobody does yet */
}

int64_t ranks_unclaimed(const struct ranks *ranks) {
    uint64_t next = 0;
    const bool reached = !ranks_stopped(ranks) &&
                         change_word(ranks, ranks->transport->words_add, next_word, 0, &next);
    return reached && (int64_t)next < claimable ? claimable - (int64_t)next : 0;
}

int64_t ranks_claim_next(const struct ranks *ranks, int64_t most, int64_t *first) {
    uint64_t next = 0;
    const bool reached =
        change_word(ranks, ranks->transport->words_add, next_word, (uint64_t)most, &next);
    *first = (int64_t)next;
    const int64_t left = reached ? claimable - *first : 0;
    return left < 0 ? 0 : left < most ? left : most;
}

bool ranks_stopped(const struct ranks *ranks) {
    uint64_t stopped = 0;
    if (ranks->transport == NULL)
        return false;
    return !change_word(ranks, ranks->transport->words_or, stop_word, 0, &stopped) || stopped != 0;
}

void ranks_stop(const struct ranks *ranks) {
    uint64_t before;
    if (ranks->transport != NULL)
        (void)change_word(ranks, ranks->transport->words_or, stop_word, 1, &before);
}
