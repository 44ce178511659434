// SPDX-License-Identifier: MIT
#include "ranks/ranks.h"

#include "ranks/link.h"

#include <string.h>

const struct ranks ranks_alone = {.count = 1, .count_here = 1};

/* Status that all ranks know; a failure once one of them has failed. */
static enum status settled;

/* The elements that rank 0 receives at a time. The buffer is static, because a rank that failed to
 * allocate it would leave the others waiting. */
static _Alignas(64) char part[1 << 22];

/* A rank's statement on itself when all ranks agree on a status. */
struct opinion {
    int status;
    char host[sizeof((struct ranks *)NULL)->host];
    char text[sizeof((struct error *)NULL)->text];
};

/* Begins a transfer by the transport. */
static enum status begin(const struct ranks *ranks, ranks_transfer *transfer, void *data,
                         size_t size, int rank, const char *what, struct error *err) {
    RETURN_ON_FAILURE(link_enter(err));
    return link_leave(ranks, transfer(data, size, rank), what, err);
}

static enum status test(const struct ranks *ranks, int *done, const char *what, struct error *err) {
    *done = 0;
    RETURN_ON_FAILURE(link_enter(err));
    return link_leave(ranks, ranks->transport->test(done), what, err);
}

/* Ends the current transfer. */
static enum status finish(const struct ranks *ranks, const char *what, struct error *err) {
    int done, waits = 0;
    for (;;) {
        RETURN_ON_FAILURE(test(ranks, &done, what, err));
        if (done)
            return STATUS_OK;
        link_wait(&waits);
    }
}

static enum status carry(const struct ranks *ranks, ranks_transfer *transfer, void *data,
                         size_t size, int rank, const char *what, struct error *err) {
    RETURN_ON_FAILURE(begin(ranks, transfer, data, size, rank, what, err));
    return finish(ranks, what, err);
}

enum status ranks_meet(const struct ranks *ranks, struct error *err) {
    return ranks->transport != NULL
               ? carry(ranks, ranks->transport->meet, NULL, 0, 0, "meeting", err)
               : STATUS_OK;
}

enum status ranks_copy_begin(const struct ranks *ranks, int from, void *data, size_t size,
                             struct error *err) {
    if (ranks->transport == NULL)
        return STATUS_OK;
    return begin(ranks, ranks->transport->copy, data, size, from, "copying", err);
}

void ranks_copy_help(const struct ranks *ranks) {
    struct error err; /* ranks_copy_end reports the error again */
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
            if (taken == STATUS_OK) /* after a failure parts still arrive, but are not taken */
                taken = take(self, rank, first, now, part, &of_taking);
        }
    }
    if (taken != STATUS_OK)
        *err = of_taking;
    return taken;
}

/* The lowest rank that has failed, and its statement. */
struct agreement {
    int rank; /* -1: none has failed so far */
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
