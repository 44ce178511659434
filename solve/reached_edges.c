// SPDX-License-Identifier: MIT
#include "solve/reached_edges.h"

#include "common/base/memory.h" // memory_alloc

/* Marks the vertices that the sources reach. Returns how many there are. queue: n vertices of
 * scratch. */
static int32_t mark_reached(const struct graph *g, const struct row_sources *sources, bool *marked,
                            int32_t *queue, const struct progress *progress) {
    int32_t count = 0;
    for (int32_t v = 0; v < g->n; v++)
        marked[v] = false;
    for (int32_t p = 0; p < sources->count; p++) {
        marked[sources->source[p]] = true;
        queue[count++] = sources->source[p];
    }
    for (int32_t at = 0; at < count && progress_goes_on(progress); at++) {
        for (int64_t e = g->first[queue[at]]; e < g->first[queue[at] + 1]; e++) {
            const int32_t v = g->head[e];
            if (!marked[v]) {
                marked[v] = true;
                queue[count++] = v;
            }
        }
    }
    return count;
}

enum status reached_edges_find(const struct graph *g, const struct row_sources *sources,
                               struct graph *reached, const struct progress *progress,
                               struct error *err) {
    void *marked = NULL, *queue = NULL;
    enum status status;
    *reached = (struct graph){0};
    if (g->min_weight >= 0 || sources->source == NULL)
        return STATUS_OK;
    TRY(memory_alloc(&marked, (size_t)g->n, sizeof(bool), "the reached vertices", err));
    TRY(memory_alloc(&queue, (size_t)g->n, sizeof(int32_t), "the reached vertices", err));
    const int32_t count = mark_reached(g, sources, marked, queue, progress);
    if (!progress_goes_on(progress))
        status = progress_cancelled(err);
    else if (count < g->n)
        status = graph_copy_of_tails(g, marked, reached, err);
cleanup:
    memory_free(marked);
    memory_free(queue);
    return status;
}
