// SPDX-License-Identifier: MIT
/* dijkstra.c includes this once for each type of distances, so it has no guard. DISTANCE is the
 * type of distances and WEIGHT that of weights, both unsigned or both real; WIDTH(name) is the name
 * with a suffix for the type; heap_width.h lists the other macros. */

#include "solve/heap_width.h"

/* Searches from all sources. All of dist must be no_path; pred and order may be NULL. Edges are
 * those of g and, unless `back` is NULL, of `back`; unless `found` is NULL, they are those of
 * `found` alone. Sums that are not below `beyond` are no paths. Returns the number of vertices
 * reached, or -1 if an edge of `found` is invalid. The function is inlined, so that a caller that
 * passes NULL gets a loop without that case. */
static inline __attribute__((always_inline)) int32_t
WIDTH(run)(const struct dijkstra *queue, const struct graph *g, const WEIGHT *weight,
           const struct graph *back, const WEIGHT *back_weight, const struct dijkstra_edges *found,
           const int32_t *source, int32_t sources, DISTANCE *dist, int32_t *pred, int32_t *order,
           DISTANCE no_path, DISTANCE beyond) {
    ENTRY *heap = queue->heap;
    int32_t *position = queue->position, count = 0, reached = 0;
    for (int32_t s = 0; s < sources; s++) {
        if (dist[source[s]] == 0)
            continue;
        dist[source[s]] = 0;
        WIDTH(rise)(heap, position, count++, WIDTH(entry)(0, source[s]));
    }
    while (count > 0 && progress_goes_on(queue->progress)) {
        const ENTRY nearest = WIDTH(take)(heap, position, count--);
        const int32_t u = WIDTH(vertex)(nearest);
        const DISTANCE to_u = dist[u];
        if (order != NULL)
            order[reached] = u;
        reached++;
        for (int side = 0; side < (back != NULL ? 2 : 1); side++) {
            const struct graph *const edges = side == 0 ? g : back;
            const WEIGHT *const of_edge = side == 0 ? weight : back_weight;
            const int32_t *const head = found != NULL ? found->head : edges->head;
            int64_t e = found != NULL ? dijkstra_row(found, u) : edges->first[u];
            const int64_t end = found != NULL ? dijkstra_row(found, u + 1) : edges->first[u + 1];
            if (found != NULL && (e < 0 || e > end || end > found->count))
                return -1;
            for (; e < end; e++) {
                const int32_t v = head[e];
                if (found != NULL && (uint32_t)v >= (uint32_t)found->n)
                    return -1;
                const DISTANCE through = (DISTANCE)(to_u + of_edge[e]);
                if (through >= dist[v] || through >= beyond)
                    continue;
                const int32_t at = dist[v] == no_path ? count++ : position[v];
                dist[v] = through;
                if (pred != NULL)
                    pred[v] = u;
                WIDTH(rise)(heap, position, at, WIDTH(entry)(through, v));
            }
        }
    }
    return reached;
}
