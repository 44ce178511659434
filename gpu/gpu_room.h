// SPDX-License-Identifier: MIT
/* The memory of a GPU that a solve may take. */
#ifndef GPU_GPU_ROOM_H
#define GPU_GPU_ROOM_H

#include "common/base/error.h" // enum status, struct error
#include "ranks/ranks.h"       // struct ranks

#include <stddef.h>

struct gpu_room {
    size_t free, all; /* bytes; free: for this process */
    int processes;    /* that solve together and have this GPU, at least 1 */
};

/* Finds the memory of the current device that a solve may take. ranks: the processes that solve
 * together, all of which call it at the same time, before any allocates memory of a GPU; NULL: this
 * one is alone. Those that have the same GPU get equal parts of what is free when all have created
 * their contexts. */
enum status gpu_room_find(int device, const struct ranks *ranks, struct gpu_room *room,
                          struct error *err);

/* Writes the end of a line about memory: how many processes share it; empty if it is one. */
enum { GPU_ROOM_TEXT = 48 };
const char *gpu_room_sharers(const struct gpu_room *room, char text[GPU_ROOM_TEXT]);

#endif
