// SPDX-License-Identifier: MIT
#include "libapsp/gridded.h"

#include "common/base/memory.h" // memory_alloc

#include <string.h>

enum status gridded_open(struct gridded *g, const apsp_graph *graph, double asked,
                         const struct grid_purpose *purpose, const struct progress *progress,
                         struct error *err) {
    const struct graph *const given = &graph->graph;
    struct graph *const own = &g->graph.graph;
    void *memory;
    *g = (struct gridded){.graph = *graph};
    asked = asked < 0 ? GRID_OFF : asked;
    if (own->semiring != SEMIRING_MIN_PLUS) /* it adds nothing up */
        return grid_apply(own, asked, purpose, &g->rounding, progress, err);
    if (asked == GRID_AUTO)
        RETURN_ON_FAILURE(grid_find(own, progress, err));
    if (!grid_rounds(own, asked, purpose))
        return STATUS_OK;
    if (own->type == NUMBER_FLOAT64) {
        RETURN_ON_FAILURE(
            memory_alloc(&memory, (size_t)own->m, sizeof(double), "the rounded weights", err));
        g->rounded = own->real_weight =
            memcpy(memory, given->real_weight, (size_t)own->m * sizeof(double));
    }
    return asked == GRID_AUTO ? grid_round(own, GRID_AUTO, &g->rounding, progress, err)
                              : grid_apply(own, asked, purpose, &g->rounding, progress, err);
}

void gridded_close(struct gridded *g) {
    memory_free(g->rounded);
    *g = (struct gridded){.rounded = NULL};
}
