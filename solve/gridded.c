// SPDX-License-Identifier: MIT
#include "solve/gridded.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

enum status gridded_open(struct gridded *gridded, const struct graph *g, double asked,
                         const struct grid_purpose *purpose, const struct progress *progress,
                         struct error *err) {
    struct graph *const own = &gridded->graph;
    const size_t m = (size_t)g->m;
    void *memory;
    bool rounds;
    *gridded = (struct gridded){.graph = *g};
    if (purpose->needs_grid && own->type == NUMBER_FLOAT32)
        own->type = NUMBER_FLOAT64;
    RETURN_ON_FAILURE(grid_choose(own, asked, purpose, &rounds, progress, err));
    if (!rounds)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, m, sizeof(double), "the rounded weights", err));
    gridded->rounded = own->real_weight = memcpy(memory, g->real_weight, m * sizeof(double));
    return grid_round(own, asked, &gridded->rounding, progress, err);
}

void gridded_close(struct gridded *gridded) {
    memory_free(gridded->rounded);
    *gridded = (struct gridded){.rounded = NULL};
}
