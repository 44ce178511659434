// SPDX-License-Identifier: MIT
/* The memory of a GPU that a solve may take. */
#ifndef GPU_GPU_ROOM_H
#define GPU_GPU_ROOM_H

#include "common/base/error.h" // enum status, struct error
#include "ranks/ranks.h"       // struct ranks

#include <stddef.h>

struct gpu_room {
    size_t free, all; /* bytes of device memory: free for this process, and in all */
    int processes;    /* number of processes that solve together on this GPU, at least 1 */
};

/* Finds the memory of the current device that a solve may take. ranks: the processes that solve
 * together, all of which call this function at the same time, before any allocates memory of a GPU;
 * NULL: this process is alone. Processes on the same GPU get equal parts of the memory that is free
 * when all have created their contexts. */
enum status gpu_room_find(int device, const struct ranks *ranks, struct gpu_room *room,
                          struct error *err);

/* Writes the end of a message about memory: how many processes share it; empty if it is one. Room:
 * GPU_ROOM_TEXT bytes. */
enum { GPU_ROOM_TEXT = 48 };
const char *gpu_room_sharers(const struct gpu_room *room, char text[GPU_ROOM_TEXT]);

#endif
