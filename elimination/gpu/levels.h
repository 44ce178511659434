// SPDX-License-Identifier: MIT
/* Puts a graph's pieces (elimination/pieces.h) on the device and closes them: the distances through
 * every piece, and those among the top. A top that is large falls into pieces in turn, which are
 * the next level; the last one is a graph that cuda_blocked solves or, if lengths are float64,
 * closing.h. */
#ifndef ELIMINATION_GPU_LEVELS_H
#define ELIMINATION_GPU_LEVELS_H

#include "common/base/progress.h"     // struct progress
#include "elimination/gpu/products.h" // struct product_pieces
#include "gpu/device_memory.h"        // struct device_memory

#define level_close BY_LENGTH(level_close)

struct level_options {
    struct pieces_options sizes; /* largest sizes of pieces of the next levels */
    int threads;                 /* number of threads that find pieces, >= 1 */
    int32_t small_top;           /* a top of up to this number of vertices is not cut into pieces */
    struct progress *progress;   /* may be NULL */
};

/* Stores the pieces on the device in *products; *memory owns their memory. `pieces` are those of
 * the eliminated graph. The function works on the current device and returns when all pieces are
 * closed. STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to
 * stop. */
enum status level_close(struct device_memory *memory, const struct level_options *options,
                        const struct tree *tree, const struct structure *structure,
                        const struct lengths *lengths, const struct pieces *pieces,
                        struct product_pieces *products, struct error *err);

#endif
