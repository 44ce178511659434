// SPDX-License-Identifier: MIT
/* Allocates space in a file system for files that several threads will write, in a separate thread
 * while other threads still read or compute. Threads that write to new parts of one file wait for
 * one another while the system finds space; threads that write to allocated space do not. */
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

/* Begins to allocate space for the first `bytes` of each file. The files must have that length
 * already, as zeros or data; other threads may write to them meanwhile. Less space or none may be
 * allocated, which is no failure: a later write fails if there is too little. */
void preallocation_start(struct preallocation *p);

/* Ends the allocation within some milliseconds, finished or not. Safe on a zeroed struct. */
void preallocation_end(struct preallocation *p);

#endif
