// SPDX-License-Identifier: MIT
/* search.c includes this once for each type of lengths, so it has no guard. LENGTH is the type,
 * NO_PATH and TO_ITSELF are lengths, IS_BETTER(a, b) compares two lengths, JOIN(g, key, length, e)
 * is the length of a path extended by edge e, and ALONE(key, e) is the length of edge e alone. The
 * other macros are for heap_width.h. */
#define DISTANCE LENGTH
#include "solve/heap_width.h"
#undef DISTANCE

/* Settles vertices from the source on; lengths are all NO_PATH before. pred may be NULL. A vertex
 * as good as the one being settled goes to a stack; its entry in the heap is skipped later. If
 * `spans`, the length of a vertex is that of the best edge to it from a settled vertex; vertices
 * and lengths are then written to `vertex` and `of`, and settled vertices get the length TO_ITSELF,
 * which no length beats. Returns the number of vertices settled. */
static inline __attribute__((always_inline)) int32_t WIDTH(settle)(const struct search *search,
                                                                   int32_t source, LENGTH *length,
                                                                   int32_t *pred, bool spans,
                                                                   int32_t *vertex, LENGTH *of) {
    const struct graph *const g = search->graph->g;
    const int64_t *const first = search->graph->first;
    const int32_t *const head = search->graph->head;
    const KEY *const key = search->graph->key;
    ENTRY *const heap = search->heap;
    int32_t *const position = search->position, *const stack = search->stack;
    int32_t count = 0, stacked = 1, settled = 0;
    (void)key, (void)g;
    length[source] = TO_ITSELF;
    stack[0] = source;
    while (stacked + count > 0 && progress_goes_on(search->progress)) {
        const bool is_queued = stacked == 0;
        const ENTRY best = is_queued ? WIDTH(take)(heap, position, count--) : 0;
        const int32_t u = is_queued ? WIDTH(vertex)(best) : stack[--stacked];
        const LENGTH to_u = length[u];
        if (is_queued && best != WIDTH(entry)(to_u, u))
            continue;
        if (spans) {
            vertex[settled] = u;
            of[settled] = u == source ? NO_PATH : to_u;
            length[u] = TO_ITSELF;
        }
        settled++;
        for (int64_t e = first[u]; e < first[u + 1]; e++) {
            const int32_t v = head[e];
            const LENGTH through = spans ? ALONE(key, e) : JOIN(g, key, to_u, e);
            if (!IS_BETTER(through, length[v]))
                continue;
            const bool is_new = length[v] == NO_PATH;
            length[v] = through;
            if (pred != NULL)
                pred[v] = u;
            if (!spans && through == to_u) {
                stack[stacked++] = v;
                continue;
            }
            const int32_t at = is_new ? count++ : position[v];
            WIDTH(rise)(heap, position, at, WIDTH(entry)(through, v));
        }
    }
    return settled;
}

/* The inlined call without predecessors becomes a loop of its own. */
static void WIDTH(search)(const struct search *search, int32_t source, int32_t *pred) {
    LENGTH *const length = search->length;
    for (int32_t v = 0; v < search->graph->g->n; v++)
        length[v] = NO_PATH;
    if (pred != NULL)
        WIDTH(settle)(search, source, length, pred, false, NULL, NULL);
    else
        WIDTH(settle)(search, source, length, NULL, false, NULL, NULL);
}
