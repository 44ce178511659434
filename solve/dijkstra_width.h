// SPDX-License-Identifier: MIT
/* dijkstra.c includes this once for each type of distances, so it has no guard. DISTANCE is the
 * type of distances and WEIGHT that of weights, both unsigned or both real; BITS(distance) is an
 * unsigned number of DISTANCE's width that orders distances as they are; ENTRY is a type with room
 * for it above a vertex, and WIDTH(name) the name with a suffix for the type. */

/* Entries compare by distance, then by vertex. */
static inline ENTRY WIDTH(entry)(DISTANCE distance, int32_t vertex) {
    return (ENTRY)BITS(distance) << 32 | (uint32_t)vertex;
}

static inline int32_t WIDTH(vertex)(ENTRY entry) {
    return (int32_t)(uint32_t)entry;
}

/* Moves the entry up from place `at`, which is free. */
static inline void WIDTH(rise)(ENTRY *heap, int32_t *position, int32_t at, ENTRY entry) {
    while (at > 0) {
        const int32_t parent = (at - 1) / ARITY;
        if (heap[parent] <= entry)
            break;
        heap[at] = heap[parent];
        position[WIDTH(vertex)(heap[at])] = at;
        at = parent;
    }
    heap[at] = entry;
    position[WIDTH(vertex)(entry)] = at;
}

/* Removes and returns the nearest of `count` > 0 entries; the last entry sinks from its place. */
static inline ENTRY WIDTH(take)(ENTRY *heap, int32_t *position, int32_t count) {
    const ENTRY nearest = heap[0], entry = heap[count - 1];
    int32_t at = 0;
    count--;
    for (int64_t child = 1; child < count; child = (int64_t)at * ARITY + 1) {
        const int64_t end = child + ARITY < count ? child + ARITY : count;
        ENTRY least = heap[child];
        for (int64_t other = child + 1; other < end; other++) {
            const ENTRY sibling = heap[other]; /* a branch would be unpredictable */
            child = sibling < least ? other : child;
            least = sibling < least ? sibling : least;
        }
        if (least >= entry)
            break;
        heap[at] = least;
        position[WIDTH(vertex)(least)] = at;
        at = (int32_t)child;
    }
    if (count > 0) {
        heap[at] = entry;
        position[WIDTH(vertex)(entry)] = at;
    }
    return nearest;
}

/* Starts at each of the sources. All of dist must be no_path; pred and order may be NULL. Unless
 * back is NULL, its edges are searched, too; or, unless that is NULL, those of `found`, and nothing
 * else. Sums that are not below `beyond` are no paths. Returns the number of vertices reached, or
 * -1 if an edge of `found` is none. Callers that pass NULL have loops without what that is for. */
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
