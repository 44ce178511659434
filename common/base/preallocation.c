// SPDX-License-Identifier: MIT
#include "common/base/preallocation.h"

#include "common/base/block_sizes.h" // block_sizes

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

/* Allocates the piece at an offset; returns whether the file system may give more. */
static bool take_piece(int fd, uint64_t offset, uint64_t bytes) {
    const uint64_t piece = block_sizes.preallocation_bytes;
    const uint64_t size = bytes - offset < piece ? bytes - offset : piece;
    int failed;
    do
        failed = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size);
    while (failed != 0 && errno == EINTR);
    return failed == 0;
}

/* Allocates the beginnings of all files first, because they are written first. */
static void *take_all(void *self) {
    struct preallocation *const p = self;
    uint64_t end[PREALLOCATION_FILES], longest = 0;
    for (int f = 0; f < p->count; f++) {
        end[f] = p->bytes[f];
        longest = end[f] > longest ? end[f] : longest;
    }
    for (uint64_t offset = 0; offset < longest; offset += block_sizes.preallocation_bytes) {
        for (int f = 0; f < p->count; f++) {
            if (p->stops)
                return NULL;
            if (offset < end[f] && !take_piece(p->fd[f], offset, end[f]))
                end[f] = 0;
        }
    }
    return NULL;
}

void preallocation_start(struct preallocation *p) {
    sigset_t all, before;
    p->stops = false;
    sigfillset(&all); /* signals go to the other threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    p->runs = pthread_create(&p->thread, NULL, take_all, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void preallocation_end(struct preallocation *p) {
    if (!p->runs)
        return;
    p->stops = true;
    pthread_join(p->thread, NULL);
    p->runs = false;
}
