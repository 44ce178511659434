/* Included by dijkstra.c once for each width of distances, hence without a
 * guard: DISTANCE is the unsigned type, WIDTH(name) a name of that width. */

struct WIDTH(entry) {
    DISTANCE distance;
    int32_t vertex;
};

/* Moves the entry up from place `at`, which is free. */
static inline void WIDTH(rise)(struct WIDTH(entry) * heap, int32_t *position, int32_t at,
                               struct WIDTH(entry) entry) {
    while (at > 0) {
        const int32_t parent = (at - 1) / ARITY;
        if (heap[parent].distance <= entry.distance)
            break;
        heap[at] = heap[parent];
        position[heap[at].vertex] = at;
        at = parent;
    }
    heap[at] = entry;
    position[entry.vertex] = at;
}

/* Takes away the nearest entry of `count` > 0: the last one sinks from its place. */
static inline struct WIDTH(entry)
    WIDTH(take)(struct WIDTH(entry) * heap, int32_t *position, int32_t count) {
    const struct WIDTH(entry) nearest = heap[0], entry = heap[count - 1];
    int32_t at = 0;
    count--;
    for (int64_t child = 1; child < count; child = (int64_t)at * ARITY + 1) {
        const int64_t end = child + ARITY < count ? child + ARITY : count;
        for (int64_t other = child + 1; other < end; other++) {
            if (heap[other].distance < heap[child].distance)
                child = other;
        }
        if (heap[child].distance >= entry.distance)
            break;
        heap[at] = heap[child];
        position[heap[at].vertex] = at;
        at = (int32_t)child;
    }
    if (count > 0) {
        heap[at] = entry;
        position[entry.vertex] = at;
    }
    return nearest;
}

/* dist holds no_path everywhere, pred -1; pred and order may be NULL. Returns how many
 * vertices were reached. */
static inline int32_t WIDTH(run)(const struct dijkstra *queue, const struct graph *g,
                                 const DISTANCE *weight, int32_t source, DISTANCE *dist,
                                 int32_t *pred, int32_t *order, DISTANCE no_path) {
    struct WIDTH(entry) *heap = queue->heap;
    int32_t *position = queue->position, count = 1, reached = 0;
    dist[source] = 0;
    heap[0] = (struct WIDTH(entry)){0, source};
    while (count > 0) {
        const struct WIDTH(entry) nearest = WIDTH(take)(heap, position, count--);
        const int32_t u = nearest.vertex;
        if (order != NULL)
            order[reached] = u;
        reached++;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            const DISTANCE through = nearest.distance + weight[e];
            if (through >= dist[v])
                continue;
            const int32_t at = dist[v] == no_path ? count++ : position[v];
            dist[v] = through;
            if (pred != NULL)
                pred[v] = u;
            WIDTH(rise)(heap, position, at, (struct WIDTH(entry)){through, v});
        }
    }
    return reached;
}
