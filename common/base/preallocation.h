// SPDX-License-Identifier: MIT
/* Space in a file system for files that several threads will write, taken by a thread of its own
 * while others still read or compute. Threads that write to new parts of one file wait for one
 * another while the system finds space; those that write to space that is there do not. */
#ifndef COMMON_BASE_PREALLOCATION_H
#define COMMON_BASE_PREALLOCATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PREALLOCATION_FILES = 2 };

struct preallocation {
    /* Set by the caller, who keeps the files open until preallocation_end. */
    int fd[PREALLOCATION_FILES];
    uint64_t bytes[PREALLOCATION_FILES];
    int count;
    pthread_t thread;
    bool runs;
    atomic_bool stops;
};

/* Begins to take space for the first `bytes` of each file, which are in it already, as zeros or
 * written; others may write to the files meanwhile. It may take less, or none: that is no failure.
 * Whoever writes is told if there is too little. */
void preallocation_start(struct preallocation *p);

/* Ends it within some milliseconds, done or not. Safe on a zeroed struct. */
void preallocation_end(struct preallocation *p);

#endif
